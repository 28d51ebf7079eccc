/** An error as Solana JSON-RPC reports it: a number, a sentence, and for some numbers a structure in `data`. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The numbers this node answers with (JSON-RPC 2.0 section 5.1, and Solana's own range). */
export const rpcErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  sendTransactionPreflightFailure: -32002,
  signatureVerificationFailure: -32003,
  blockNotAvailable: -32004,
  noSnapshot: -32008,
  unsupportedTransactionVersion: -32015,
  nodeUnhealthy: -32005,
  /** As others of JSON-RPC have it (EIP-1474): more was asked for than is given at once. */
  limitExceeded: -32005,
  minContextSlotNotReached: -32016,
} as const;

/** The error for parameters of the wrong shape; `reason` is for the caller to read. */
export function invalidParams(reason: string): RpcError {
  return new RpcError(rpcErrorCode.invalidParams, reason);
}
