import type { Signature } from "@solana/kit";
import type { Network, TransactionStatus } from "@trellis/kernel/ports/network.js";

/** Signatures that a node takes in one question. */
export const statusesMax = 256;

/** What a node knows of some signatures, and where it stood. */
export interface SignatureStatuses {
  readonly slot: bigint;
  /** In the order of the signatures; undefined where it knows nothing. */
  readonly statuses: readonly (TransactionStatus | undefined)[];
}

/**
 * Asks what became of up to 256 signatures: among those of the last minutes, or `deep`, through all the ledger that the
 * node keeps. Rejects as the chain does.
 */
export async function readSignatureStatuses(
  rpc: Network["rpc"],
  signatures: readonly Signature[],
  reach: "recent" | "deep",
): Promise<SignatureStatuses> {
  const { context, value } = await rpc
    .getSignatureStatuses(signatures, { searchTransactionHistory: reach === "deep" })
    .send();
  return {
    slot: context.slot,
    statuses: signatures.map((_, i) => {
      const reported = value[i];
      if (!reported) return undefined;
      const { slot, err: error, confirmationStatus } = reported;
      return { slot, reportedAtSlot: context.slot, error, commitment: confirmationStatus ?? "processed" };
    }),
  };
}
