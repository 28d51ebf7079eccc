import type { SignerKey, TrellisClient } from "@trellis/sdk";
import type { DocsLibrary } from "./docs-library.js";
import type { References } from "./references.js";

/** What an agent's server stands on. */
export interface Agent {
  /** For the client of the protocol. */
  readonly version: string;
  readonly docs: DocsLibrary;
  /** Makes a client of the service for one tool, whose calls carry the tool's name. */
  readonly openClient: (tool: string) => TrellisClient;
  /** The agent's key, where its host holds one. Absent: the agent pays nothing, and signs nothing. */
  readonly key?: SignerKey;
  /** What its references have paid. Absent: it pays nothing, whatever key there is. */
  readonly references?: References;
  /** The account that is meant where none is named. */
  readonly account?: string;
  /** Hears of what is nobody's fault but ours, or the surroundings'. The agent is given nothing of it. */
  readonly reportFault: (fault: unknown) => void;
  /** Hears of every call of a tool before it is done; where it rejects, nothing is done. */
  readonly noteCall?: (tool: string) => Promise<void>;
}
