import { createAnswerSpace } from "@trellis/kernel/answer-space.js";
import { limits } from "@trellis/kernel/limits.js";
import { onceAnswered } from "@trellis/kernel/once-answered.js";
import type { AnswerRoom } from "@trellis/kernel/ports/answer-room.js";
import type { SandboxControls } from "@trellis/kernel/ports/network.js";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { rpcErrorCode } from "./rpc-error.js";

/**
 * Serves a node's JSON-RPC on `POST /` of wherever it is registered, for any origin, so that Solana clients, wallets and
 * explorers can use it. Integers of 64 bits keep their precision on the wire. What answers take up is bounded, each and all
 * together. Errors are JSON-RPC errors with status 200; a notification gets 204.
 */
export function sandboxRpcPlugin(node: Pick<SandboxControls, "answerRpc">): FastifyPluginAsync {
  const space = createAnswerSpace(limits.sandboxRpc);
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
      const room = space.open(request.ip);
      onceAnswered(request.raw, reply.raw, room.release);
      const answer = await answerTo(node, request, room);
      if (answer === undefined) return reply.code(204).send();
      return reply.type("application/json; charset=utf-8").send(answer);
    });
  };
}

async function answerTo(
  node: Pick<SandboxControls, "answerRpc">,
  { body, log }: FastifyRequest,
  room: AnswerRoom,
): Promise<string | Uint8Array | undefined> {
  try {
    return await node.answerRpc(typeof body === "string" ? body : "", room);
  } catch (error) {
    // The node is closed, or another process has the chain.
    log.warn({ event: "sandbox_node_silent", err: error }, "sandbox node no longer answers");
    const unhealthy = { code: rpcErrorCode.nodeUnhealthy, message: "Node is unhealthy" };
    return JSON.stringify({ error: unhealthy, id: null, jsonrpc: "2.0" });
  }
}
