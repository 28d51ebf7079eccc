import { parseJsonWithBigInts, stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { rpcErrorCode } from "./rpc-error.js";
import type { SandboxNode } from "./sandbox-node.js";

/**
 * Serves a node's JSON-RPC on `POST /` of wherever it is registered, for any origin, so that Solana clients, wallets and
 * explorers can use it. Integers of 64 bits keep their precision on the wire; the parser is this plugin's own and the
 * rest of the API keeps plain JSON. Errors are JSON-RPC errors with status 200; a notification gets 204.
 */
export function sandboxRpcPlugin(node: Pick<SandboxNode, "handle">): FastifyPluginAsync {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    scope.addHook("onRequest", async (_request, reply) => {
      reply.header("access-control-allow-origin", "*");
    });
    scope.options("/", async (_request, reply) =>
      reply
        .header("access-control-allow-methods", "POST, OPTIONS")
        .header("access-control-allow-headers", "*, authorization")
        .header("access-control-max-age", "86400")
        .code(204)
        .send(),
    );
    scope.post("/", async (request, reply) => {
      const answer = await answerTo(node, request);
      if (answer === undefined) return reply.code(204).send();
      return reply.type("application/json; charset=utf-8").send(stringifyJsonWithBigInts(answer));
    });
  };
}

async function answerTo(node: Pick<SandboxNode, "handle">, { body, log }: FastifyRequest): Promise<unknown> {
  let payload: unknown;
  try {
    payload = parseJsonWithBigInts(typeof body === "string" ? body : "");
  } catch {
    return { error: { code: rpcErrorCode.parseError, message: "Parse error" }, id: null, jsonrpc: "2.0" };
  }
  try {
    return await node.handle(payload);
  } catch (error) {
    // The node is closed, or another process has the chain.
    log.warn({ err: error }, "the sandbox node no longer answers");
    return { error: { code: rpcErrorCode.nodeUnhealthy, message: "Node is unhealthy" }, id: null, jsonrpc: "2.0" };
  }
}
