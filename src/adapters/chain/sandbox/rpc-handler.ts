import type { Log } from "../../../ports/log.js";
import { RpcError, rpcErrorCode } from "./rpc-error.js";
import { accountMethods } from "./rpc-methods/accounts.js";
import { blockMethods } from "./rpc-methods/blocks.js";
import { clusterMethods } from "./rpc-methods/cluster.js";
import { historyMethods } from "./rpc-methods/history.js";
import { ledgerMethods } from "./rpc-methods/ledger.js";
import type { NodeParts, RpcMethods } from "./rpc-methods/method.js";
import { sendMethods } from "./rpc-methods/sends.js";

const methods: RpcMethods = {
  ...accountMethods,
  ...blockMethods,
  ...clusterMethods,
  ...historyMethods,
  ...ledgerMethods,
  ...sendMethods,
};
/** The most requests in one batch: as many as a body of the size that is let in can reasonably hold. */
const batchLimit = 1_000;

/**
 * Answers parsed JSON-RPC 2.0: one request or a batch. A request without `id` is a notification and has no answer
 * (undefined). Rejects only when the node no longer answers at all. `node` tells what it knows when it is asked; `more` are
 * methods of one client alone.
 */
export function createRpcHandler(
  node: () => NodeParts,
  log: Log,
  more: RpcMethods = {},
): (payload: unknown) => Promise<unknown> {
  const answer = async (request: unknown): Promise<object | undefined> => {
    if (!isRequest(request)) return failure(null, new RpcError(rpcErrorCode.invalidRequest, "Invalid request"));
    const { id, method, params } = request;
    try {
      const result = await call(method, params);
      return id === undefined ? undefined : { id, jsonrpc: "2.0", result };
    } catch (error) {
      if (!(error instanceof RpcError)) {
        await node().ledger.ready();
        log.error({ err: error, method }, "a sandbox RPC method failed");
      }
      return id === undefined ? undefined : failure(id, asRpcError(error));
    }
  };

  const call = async (name: string, params: unknown): Promise<unknown> => {
    await node().ledger.ready();
    const known = Object.hasOwn(more, name) ? more : methods;
    const method = Object.hasOwn(known, name) ? known[name] : undefined;
    if (method === undefined) throw new RpcError(rpcErrorCode.methodNotFound, "Method not found");
    if (params !== undefined && params !== null && !Array.isArray(params)) {
      throw new RpcError(rpcErrorCode.invalidParams, "params must be an array");
    }
    return method(node(), params ?? []);
  };

  return async (payload) => {
    if (!Array.isArray(payload)) return answer(payload);
    if (payload.length === 0) return failure(null, new RpcError(rpcErrorCode.invalidRequest, "Invalid request"));
    if (payload.length > batchLimit) {
      return failure(null, new RpcError(rpcErrorCode.invalidRequest, `a batch has at most ${batchLimit} requests`));
    }
    const answers = (await Promise.all(payload.map(answer))).filter((item) => item !== undefined);
    return answers.length === 0 ? undefined : answers;
  };
}

interface Request {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: unknown;
}

function isRequest(value: unknown): value is Request {
  if (typeof value !== "object" || value === null) return false;
  const { id, jsonrpc, method } = value as Record<string, unknown>;
  const hasValidId = id === undefined || id === null || ["string", "number", "bigint"].includes(typeof id);
  return jsonrpc === "2.0" && typeof method === "string" && hasValidId;
}

function failure(id: unknown, error: RpcError): object {
  const { code, message, data } = error;
  return { error: data === undefined ? { code, message } : { code, data, message }, id, jsonrpc: "2.0" };
}

function asRpcError(error: unknown): RpcError {
  return error instanceof RpcError ? error : new RpcError(rpcErrorCode.internal, "Internal error");
}
