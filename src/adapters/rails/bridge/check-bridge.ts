import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { PartnerUnavailable } from "@trellis/kernel/ports/rails.js";
import { type AskBridge, describeRefusal } from "./bridge-http.js";

/** How the partner answers the configured key: `works`, or a sentence about what is wrong. */
export type BridgeCheck =
  | { readonly works: true }
  | { readonly works: false; readonly refused: boolean; readonly why: string };

/** Asks for one customer, which changes nothing: whether the partner can be reached, and takes the key. */
export async function checkBridge(ask: AskBridge, environment: EnvironmentName): Promise<BridgeCheck> {
  try {
    const answer = await ask({ method: "GET", path: ["customers"], query: { limit: "1" } });
    if (answer.ok) return { works: true };
    return {
      works: false,
      refused: true,
      why: `Bridge refuses to list customers in ${environment}: ${describeRefusal(answer)}.`,
    };
  } catch (error) {
    if (!(error instanceof PartnerUnavailable)) throw error;
    const refused = error.message.includes("refuses the API key");
    return {
      works: false,
      refused,
      why: refused
        ? `Bridge does not take the API key of ${environment}: it is wrong, revoked, or one of another of its systems (sandbox, live).`
        : `Bridge cannot be reached for ${environment}: ${error.message}.`,
    };
  }
}
