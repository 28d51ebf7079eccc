import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import { type Address, isAddress } from "@solana/kit";
import { assertOurs } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network, SandboxFaults } from "@trellis/kernel/ports/network.js";
import type { RpcSockets, SocketGuest } from "@trellis/kernel/ports/rpc-sockets.js";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import type { Logger } from "pino";
import { invalidParams, RpcError } from "../node/rpc-error.js";
import { sandboxRpcPlugin } from "../node/rpc-route.js";
import { sandboxOwnerHeader, sandboxPaths, sandboxTimeHeader } from "./protocol.js";

const wholeNumber = { type: "string", pattern: "^[0-9]{1,20}$" } as const;
const times = { type: "integer", minimum: 0, maximum: limits.sandboxFaultsAlways } as const;
const faultsForm = {
  type: "object",
  properties: {
    drop: times,
    blockhashNotFound: times,
    fullBlocks: times,
    price: { type: "integer", minimum: 0, maximum: limits.sandboxPriceMax },
    fork: times,
    lag: { type: "integer", minimum: 0, maximum: limits.sandboxLagMax },
  },
  required: ["drop", "blockhashNotFound", "fullBlocks", "price", "fork", "lag"],
  additionalProperties: false,
} as const;
const bodyOf = (required: object, optional: object = {}) => ({
  schema: {
    body: { type: "object", properties: { ...required, ...optional }, required: Object.keys(required) },
  },
});

/**
 * The HTTP server of a sandbox chain that runs as a process of its own (gap 1): JSON-RPC on `POST /`, and the controls
 * that a service needs. Everything but `GET /healthz` wants the key, as `Authorization: Bearer` or, for clients that can
 * only be given a URL, as query parameter `api-key`. `listen` and `close` are the caller's.
 */
export async function createSandboxServer(network: Network, key: string, logger: Logger): Promise<FastifyInstance> {
  const { sandbox, clock } = network;
  assertOurs(sandbox, "only a sandbox is served");
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  }) as unknown as FastifyInstance;
  const expected = digest(key);

  app.addHook("onRequest", async (request, reply) => {
    // Browsers ask first, and cannot send a key with that.
    if (request.method === "OPTIONS" || request.url === "/healthz") return;
    if (timingSafeEqual(digest(presentedKey(request) ?? ""), expected)) return;
    await reply.code(401).send({ message: "This is not the key of this sandbox." });
  });
  app.addHook("onSend", async (_request, reply, payload) => {
    reply.header(sandboxTimeHeader, String(clock.now()));
    return payload;
  });
  app.setErrorHandler((error: Error & { readonly statusCode?: number }, _request, reply) => {
    const status = error instanceof RpcError ? 400 : (error.statusCode ?? 500);
    if (status >= 500) logger.error({ event: "sandbox_request_failed", err: error }, "sandbox request failed");
    return reply.code(status).send({ message: status < 500 ? error.message : "Internal error" });
  });

  app.get("/healthz", async () => ({ status: "ok" }));
  await app.register(sandboxRpcPlugin(sandbox));
  app.post<{ Body: { seconds: number } }>(
    sandboxPaths.clock,
    bodyOf({ seconds: { type: "integer", minimum: 0 } }),
    async ({ body }) => {
      const { now, slot } = await sandbox.advanceClock(body.seconds);
      return { now, slot: slot.toString() };
    },
  );
  app.post<{ Body: { instant: number } }>(
    sandboxPaths.clockTo,
    bodyOf({ instant: { type: "integer", minimum: 0 } }),
    async ({ body }) => {
      const { now, slot } = await sandbox.advanceClockTo(body.instant);
      return { now, slot: slot.toString() };
    },
  );
  app.post<{ Body: { to: string; lamports: string } }>(
    sandboxPaths.airdrop,
    bodyOf({ to: { type: "string" }, lamports: wholeNumber }),
    async ({ body: { to, lamports } }) => {
      return { signature: await sandbox.airdrop(parseAddress(to), BigInt(lamports)) };
    },
  );
  app.post<{ Body: { owner: string; mint: string; amount: string; name?: string } }>(
    sandboxPaths.mint,
    bodyOf({ owner: { type: "string" }, mint: { type: "string" }, amount: wholeNumber }, { name: { type: "string" } }),
    async ({ body: { owner, mint, amount, name } }) => {
      return { signature: await sandbox.mintTo(parseAddress(owner), parseAddress(mint), BigInt(amount), name) };
    },
  );
  app.post<{ Body: { faults?: SandboxFaults } }>(
    sandboxPaths.faults,
    bodyOf({}, { faults: faultsForm }),
    async ({ body: { faults } }) => {
      if (faults !== undefined) await sandbox.setFaults(faults);
      return { faults: await sandbox.readFaults() };
    },
  );
  attachSockets(app.server, sandbox.sockets, expected);
  app.addHook("preClose", (done) => {
    sandbox.sockets.close();
    done();
  });
  await app.ready();
  return app;
}

/**
 * A server of nothing but WebSockets: some clients expect them one port above JSON-RPC, where a validator has them. It
 * ends with its WebSockets.
 */
export function createSocketServer(network: Network, key: string): Server {
  assertOurs(network.sandbox, "only a sandbox is served");
  const server = createServer((_request, response) => {
    response.writeHead(426, { "content-type": "application/json", upgrade: "websocket" });
    response.end(JSON.stringify({ message: "Here are WebSockets only; JSON-RPC by HTTP is one port below." }));
  });
  attachSockets(server, network.sandbox.sockets, digest(key));
  return server;
}

const ownerForm = /^[\w-]{1,64}$/;

function attachSockets(server: Server, sockets: RpcSockets, expected: Buffer): void {
  sockets.attach(server, (upgrade) => {
    const { request, socket } = upgrade;
    // Ended on both sides: nothing tends the connection any more, and the client may never close its own.
    const refuse = (status: string) =>
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy());
    const [target, base] = [request.url ?? "/", "http://sandbox"];
    if (!URL.canParse(target, base)) return refuse("400 Bad Request");
    const query = new URL(target, base).searchParams.get("api-key") ?? undefined;
    const presented = bearerOf(request.headers.authorization) ?? query ?? "";
    if (!timingSafeEqual(digest(presented), expected)) return refuse("401 Unauthorized");
    // One key opens everything here: a service says whom it asks for, others are distinguished by their address.
    const said = request.headers[sandboxOwnerHeader];
    const owner =
      typeof said === "string" && ownerForm.test(said) ? `of ${said}` : `at ${request.socket.remoteAddress}`;
    const guest: SocketGuest = { owner, admit: async () => "welcome", mayStay: async () => true };
    if (!sockets.accept(upgrade, guest)) refuse("503 Service Unavailable");
  });
}

function presentedKey(request: FastifyRequest): string | undefined {
  const fromQuery: unknown = (request.query as Record<string, unknown>)["api-key"];
  return bearerOf(request.headers.authorization) ?? (typeof fromQuery === "string" ? fromQuery : undefined);
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(.+)$/i.exec(authorization ?? "")?.[1];
}

function parseAddress(text: string): Address {
  if (!isAddress(text)) throw invalidParams("this is not an address");
  return text;
}

/** Equal lengths, as a comparison in constant time wants them. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
