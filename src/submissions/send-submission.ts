import {
  type Base64EncodedWireTransaction,
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
} from "@solana/kit";
import { AssertionFailed } from "@trellis/kernel/errors.js";
import type { SubmissionTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { toBase64 } from "@trellis/solana/wire-transaction.js";

/**
 * Sends stored bytes, without preflight: they were simulated before they were signed, and a refusal by preflight would
 * leave open whether an earlier send of the same bytes lands after all. Refusals other than of the bytes themselves are
 * not an outcome either; the status decides. Throws AssertionFailed for bytes that no chain takes, and what the connection
 * ends in.
 */
export async function sendSubmission(
  network: Pick<Network, "rpc">,
  row: Pick<SubmissionTable, "wire_transaction">,
): Promise<void> {
  const wire = toBase64(row.wire_transaction) as Base64EncodedWireTransaction;
  try {
    await network.rpc.sendTransaction(wire, { encoding: "base64", skipPreflight: true, maxRetries: 0n }).send();
  } catch (error) {
    if (
      isSolanaError(error, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS) ||
      isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE)
    ) {
      throw new AssertionFailed("the chain refuses bytes that were checked and signed here", { cause: error });
    }
    if (!isSolanaError(error)) throw error;
  }
}
