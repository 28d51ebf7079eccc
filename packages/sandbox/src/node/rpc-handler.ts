import { setImmediate } from "node:timers/promises";
import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import { parseExactJson } from "@trellis/kernel/exact-json.js";
import { limits } from "@trellis/kernel/limits.js";
import type { AnswerRoom } from "@trellis/kernel/ports/answer-room.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { boundless, type CallRoom, createMessageRoom, tooLarge } from "./call-room.js";
import { RpcError, rpcErrorCode } from "./rpc-error.js";
import { accountMethods } from "./rpc-methods/accounts.js";
import { blockMethods } from "./rpc-methods/blocks.js";
import { clusterMethods } from "./rpc-methods/cluster.js";
import { historyMethods } from "./rpc-methods/history.js";
import { ledgerMethods } from "./rpc-methods/ledger.js";
import type { NodeParts, RpcMethods } from "./rpc-methods/method.js";
import { sendMethods } from "./rpc-methods/sends.js";

/** Every method of the node by HTTP; a conversation has those of subscriptions besides. */
export const rpcMethods: RpcMethods = {
  ...accountMethods,
  ...blockMethods,
  ...clusterMethods,
  ...historyMethods,
  ...ledgerMethods,
  ...sendMethods,
};

/** Answers JSON-RPC 2.0. Both reject only when the node no longer answers at all. */
export interface RpcHandler {
  /**
   * Answers what was parsed already: one request, or a batch of any size, of a caller in the same process. Undefined for
   * notifications.
   */
  handle(payload: unknown): Promise<unknown>;
  /**
   * Answers a text of a client that may mean harm, as text: bounded in size and work (`limits.sandboxRpc`), and with a turn of
   * the event loop for others between two calls. Undefined where nothing is to be answered. The answer is counted in
   * `room`, which its opener releases.
   */
  answer(text: string, room: AnswerRoom): Promise<string | undefined>;
}

/** Makes a handler. `node` returns what it knows when it is asked; `more` are methods of one client alone. */
export function createRpcHandler(node: () => NodeParts, log: Log, more: RpcMethods = {}): RpcHandler {
  const respond = async (request: unknown, room: CallRoom): Promise<object | undefined> => {
    if (!isRequest(request)) return failure(null, new RpcError(rpcErrorCode.invalidRequest, "Invalid request"));
    const { id, method, params } = request;
    try {
      const result = await call(method, params, room);
      return id === undefined ? undefined : { id, jsonrpc: "2.0", result };
    } catch (error) {
      if (!(error instanceof RpcError)) {
        await node().ledger.ready();
        log.error({ event: "sandbox_rpc_failed", err: error, method }, "sandbox RPC method failed");
      }
      return id === undefined ? undefined : failure(id, asRpcError(error));
    }
  };

  const call = async (name: string, params: unknown, room: CallRoom): Promise<unknown> => {
    await node().ledger.ready();
    const known = Object.hasOwn(more, name) ? more : rpcMethods;
    const method = Object.hasOwn(known, name) ? known[name] : undefined;
    if (method === undefined) throw new RpcError(rpcErrorCode.methodNotFound, "Method not found");
    if (params !== undefined && params !== null && !Array.isArray(params)) {
      throw new RpcError(rpcErrorCode.invalidParams, "params must be an array");
    }
    return method(node(), params ?? [], room);
  };

  const answer = async (text: string, room: AnswerRoom): Promise<string | undefined> => {
    let payload: unknown;
    try {
      payload = parseExactJson(text, {
        depth: limits.sandboxRpc.requestDepth,
        values: limits.sandboxRpc.requestValues,
      });
    } catch {
      return JSON.stringify(failure(null, new RpcError(rpcErrorCode.parseError, "Parse error")));
    }
    const calls = Array.isArray(payload) ? payload : [payload];
    const refused = refuseBatch(payload);
    if (refused !== undefined) return JSON.stringify(refused);
    const whole = createMessageRoom(room);
    const answers: string[] = [];
    for (const [index, request] of calls.entries()) {
      // Others that wait have a turn.
      if (index > 0) await setImmediate();
      const response = await respondWithin(request, whole);
      if (response === undefined) continue;
      const written = stringifyJsonWithBigInts(response);
      answers.push(whole.take(written) ? written : stringifyJsonWithBigInts(failure(idOf(request), tooLarge())));
    }
    if (answers.length === 0) return undefined;
    return Array.isArray(payload) ? `[${answers.join(",")}]` : answers[0];
  };

  const respondWithin = async (
    request: unknown,
    room: ReturnType<typeof createMessageRoom>,
  ): Promise<object | undefined> => {
    try {
      room.begin();
    } catch (error) {
      return isRequest(request) && request.id === undefined ? undefined : failure(idOf(request), asRpcError(error));
    }
    return respond(request, room);
  };

  return {
    answer,
    handle: async (payload) => {
      if (!Array.isArray(payload)) return respond(payload, boundless);
      const refused = refuseBatch(payload);
      if (refused !== undefined) return refused;
      const answers: object[] = [];
      for (const request of payload) {
        const response = await respond(request, boundless);
        if (response !== undefined) answers.push(response);
      }
      return answers.length === 0 ? undefined : answers;
    },
  };
}

/** The one answer to a batch that is not processed. */
function refuseBatch(payload: unknown): object | undefined {
  if (!Array.isArray(payload)) return undefined;
  const most = limits.sandboxRpc.batchCalls;
  if (payload.length === 0) return failure(null, new RpcError(rpcErrorCode.invalidRequest, "Invalid request"));
  if (payload.length <= most) return undefined;
  return failure(null, new RpcError(rpcErrorCode.invalidRequest, `a batch has at most ${most} requests`));
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

function idOf(request: unknown): unknown {
  return isRequest(request) ? (request.id ?? null) : null;
}

function failure(id: unknown, error: RpcError): object {
  const { code, message, data } = error;
  return { error: data === undefined ? { code, message } : { code, data, message }, id, jsonrpc: "2.0" };
}

function asRpcError(error: unknown): RpcError {
  return error instanceof RpcError ? error : new RpcError(rpcErrorCode.internal, "Internal error");
}
