import type { ProposalTable } from "../../ports/database.js";
import {
  decodeSettingsActions,
  decodeWrappedMessage,
  encodeSettingsActions,
  encodeWrappedMessage,
  type SettingsAction,
  type WrappedMessage,
} from "../program-client/index.js";

/** What would be executed once a proposal is approved. */
export type ProposalContent =
  | {
      readonly kind: "transaction";
      /** Which smart account of the settings acts. */
      readonly accountIndex: number;
      readonly ephemeralSignerCount: number;
      readonly message: WrappedMessage;
    }
  | { readonly kind: "settings"; readonly actions: readonly SettingsAction[] };

/**
 * The bytes kept in `proposal.content`: for a transaction the account index, the number of throw-away signers (a byte
 * each) and the message as create_transaction takes it; for a settings change the list of actions as the program
 * writes it.
 */
export function encodeContent(content: ProposalContent): Uint8Array {
  return content.kind === "settings"
    ? Uint8Array.from(encodeSettingsActions(content.actions))
    : Uint8Array.of(content.accountIndex, content.ephemeralSignerCount, ...encodeWrappedMessage(content.message));
}

/** Reads `proposal.content`; undefined for what the index could not read on chain either (a batch, an unknown kind). */
export function decodeContent(row: Pick<ProposalTable, "kind" | "content">): ProposalContent | undefined {
  if (row.content === null) return undefined;
  const bytes = Uint8Array.from(row.content);
  if (row.kind === "settings") return { kind: "settings", actions: decodeSettingsActions(bytes) };
  if (row.kind !== "transaction") return undefined;
  const [accountIndex = 0, ephemeralSignerCount = 0] = bytes;
  return { kind: "transaction", accountIndex, ephemeralSignerCount, message: decodeWrappedMessage(bytes.subarray(2)) };
}
