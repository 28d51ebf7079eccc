import { type Buffer, isUtf8 } from "node:buffer";
import { createAnswerSpace } from "@trellis/kernel/answer-space.js";
import type { Contract } from "@trellis/kernel/endpoint.js";
import { countCalls } from "@trellis/kernel/json-rpc-calls.js";
import { limits } from "@trellis/kernel/limits.js";
import { onceAnswered } from "@trellis/kernel/once-answered.js";
import type { SandboxControls } from "@trellis/kernel/ports/network.js";
import type { FastifyInstance, FastifyRequest } from "fastify";
import Type from "typebox";
import { allowOrigin, answerPreflight, isPreflight } from "./cors.js";
import { jsonContentType } from "./endpoint-route.js";
import { bearerKey, createGuard, type Guards, limitCalls } from "./guards.js";
import { addSandboxSockets } from "./sandbox-sockets.js";

const RpcRequest = Type.Object(
  {
    jsonrpc: Type.Literal("2.0"),
    id: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
    method: Type.String({ examples: ["getBalance"] }),
    params: Type.Optional(Type.Array(Type.Unknown())),
  },
  {
    $id: "JsonRpcRequest",
    examples: [
      { jsonrpc: "2.0", id: 1, method: "getBalance", params: ["9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"] },
    ],
  },
);
const RpcResponse = Type.Object(
  {
    jsonrpc: Type.Literal("2.0"),
    id: Type.Union([Type.String(), Type.Number(), Type.Null()]),
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(
      Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
    ),
  },
  { $id: "JsonRpcResponse" },
);

/** The sandbox chain's JSON-RPC door, described as every other operation is (gap 49). */
export const sandboxRpcContract: Contract = {
  operation: "sandboxRpc",
  summary: "Ask the sandbox chain",
  description:
    "Solana JSON-RPC over the sandbox chain, batches included, for Solana clients, wallets and explorers; what it is not is " +
    "in docs/sandbox.md. JSON-RPC errors have status 200, as such clients expect. Integers of any size are exact. A " +
    "WebSocket on the same path has subscriptions besides. Here, and only here, the key may also be the query parameter " +
    "`api-key`, for clients that can only be given a URL.",
  tag: "Sandbox",
  method: "POST",
  path: "/api/service/v1/sandbox/rpc",
  scope: "sandbox:use",
  environment: "sandbox",
  query: Type.Object({
    "api-key": Type.Optional(Type.String({ description: "The API key, where no header can be sent." })),
  }),
  body: Type.Union([RpcRequest, Type.Array(RpcRequest)]),
  response: {
    status: 200,
    envelope: false,
    schema: Type.Union([RpcResponse, Type.Array(RpcResponse)]),
    emptyWhen: "Nothing but notifications was sent: JSON-RPC wants no answer to them.",
  },
  errors: [],
  idempotent: false,
};

/** Of a whole batch of refusals, with ids as long as a body can hold. */
const envelopesBytes = 2 * 1024 * 1024;
const parseError = '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}';

/** Adds the JSON-RPC route. Browsers may call it from any origin: what it guards is play money, and the key. */
export async function addSandboxRpc(
  app: FastifyInstance,
  { guards, sandbox }: { readonly guards: Guards; readonly sandbox: SandboxControls },
): Promise<void> {
  const space = createAnswerSpace({
    ...limits.sandboxRpc,
    // The other process keeps the bound; its words for what did not fit are extra.
    answerBytes: limits.sandboxRpc.answerBytes + envelopesBytes,
  });
  await app.register(async (scope) => {
    // Parsed by hand below: a body that does not parse is answered in JSON-RPC's own way.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (_request, bytes, done) => {
      // What is not UTF-8 is no JSON, like no text at all.
      done(null, isUtf8(bytes) ? bytes.toString("utf8") : "");
    });
    scope.addHook("onRequest", (request, reply, done) => {
      allowOrigin(request, reply, "any");
      done();
    });
    scope.options(sandboxRpcContract.path, async (request, reply) => {
      return isPreflight(request) ? answerPreflight(reply, [sandboxRpcContract.method]) : reply.callNotFound();
    });
    addSandboxSockets(app, scope, { guards, sandbox, contract: sandboxRpcContract, presentedKey: headerOrQueryKey });
    scope.route({
      method: sandboxRpcContract.method,
      url: sandboxRpcContract.path,
      config: { operation: sandboxRpcContract.operation },
      onRequest: createGuard(guards, sandboxRpcContract, headerOrQueryKey),
      handler: async (request, reply) => {
        reply.header("content-type", jsonContentType);
        const text = String(request.body ?? "");
        const calls = countCalls(text);
        if (calls === undefined) return reply.send(parseError);
        // The guard has counted one already; what is longer than any batch is refused as a whole.
        if (calls > 1 && calls <= limits.sandboxRpc.batchCalls) limitCalls(guards, request, reply, calls - 1);
        const room = space.open(request.caller?.apiKeyId ?? "");
        onceAnswered(request.raw, reply.raw, room.release);
        // What another process answers is passed on as it arrives: nothing of it is read here.
        const answer = await sandbox.answerRpc(text, room);
        // Nothing but notifications: JSON-RPC wants no answer at all.
        if (answer === undefined) return reply.code(204).removeHeader("content-type").send();
        return reply.send(answer);
      },
    });
  });
}

function headerOrQueryKey(request: FastifyRequest): string | undefined {
  const fromQuery: unknown = (request.query as Record<string, unknown>)["api-key"];
  return bearerKey(request) ?? (typeof fromQuery === "string" ? fromQuery : undefined);
}
