import { RpcError, rpcErrorCode } from "./rpc-error.js";
import { describeFault, type TransactionFault } from "./transaction-error.js";
import type { Outcome } from "./vm.js";

/** The answer to a transaction that does not land, as a node's preflight gives it (-32002, or -32003 for signatures). */
export function refusal(fault: TransactionFault, outcome?: Outcome): RpcError {
  if (fault === "SignatureFailure") {
    return new RpcError(rpcErrorCode.signatureVerificationFailure, "Transaction signature verification failure");
  }
  return new RpcError(
    rpcErrorCode.sendTransactionPreflightFailure,
    `Transaction simulation failed: ${describeFault(fault)}`,
    {
      accounts: null,
      err: fault,
      innerInstructions: null,
      loadedAccountsDataSize: null,
      logs: outcome?.logs ?? [],
      replacementBlockhash: null,
      returnData: outcome?.returnData
        ? {
            programId: outcome.returnData.programId,
            data: [Buffer.from(outcome.returnData.data).toString("base64"), "base64"],
          }
        : null,
      unitsConsumed: Number(outcome?.unitsConsumed ?? 0n),
    },
  );
}

/** The answer where a group could not be stored; `uncertain` while it is not known whether it was. */
export function notStored(uncertain: boolean): RpcError {
  const message = uncertain
    ? "it is not known whether the transaction was stored; read its status"
    : "the transaction could not be stored and has not landed";
  return new RpcError(rpcErrorCode.internal, message);
}

/** The answer while the database gives none. */
export function unreachable(): RpcError {
  return new RpcError(rpcErrorCode.internal, "the sandbox chain's database does not answer");
}
