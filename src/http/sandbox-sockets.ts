import { type IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Contract } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { SandboxControls } from "@trellis/kernel/ports/network.js";
import type { SocketGuest, SocketRequest } from "@trellis/kernel/ports/rpc-sockets.js";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { checkScope } from "../tenants/authorize.js";
import { createGuard, type Guards, placeOf, takeOf } from "./guards.js";

/**
 * Adds WebSockets on the path of the sandbox's JSON-RPC (gap 125). A request for one passes the same hooks and guards as
 * any other request; each call in a message then counts as a request of its key.
 */
export function addSandboxSockets(
  app: FastifyInstance,
  scope: FastifyInstance,
  parts: {
    readonly guards: Guards;
    readonly sandbox: SandboxControls;
    readonly contract: Contract;
    readonly presentedKey: (request: FastifyRequest) => string | undefined;
  },
): void {
  const { guards, sandbox, contract, presentedKey } = parts;
  const { sockets } = sandbox;
  const upgrades = new WeakMap<IncomingMessage, SocketRequest>();
  const cut = function (this: Duplex): void {
    this.destroy();
  };
  const guard = createGuard(guards, contract, presentedKey);

  sockets.attach(app.server, (upgrade) => {
    const { request, socket } = upgrade;
    upgrades.set(request, upgrade);
    const response = new ServerResponse(request);
    // A refusal is an answer like any other, and the end of the connection.
    response.shouldKeepAlive = false;
    // Node no longer manages the connection: the client may keep its side open, or read nothing of the answer.
    response.on("finish", () => (socket instanceof Socket ? socket.destroySoon() : socket.end()));
    socket.on("timeout", cut);
    if (socket instanceof Socket) response.assignSocket(socket);
    app.routing(request, response);
  });
  app.addHook("preClose", (done) => {
    sockets.close();
    done();
  });

  scope.route({
    method: "GET",
    url: contract.path,
    config: { operation: contract.operation },
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      // Nothing else is read here.
      if (!upgrades.has(request.raw)) return reply.callNotFound();
      return guard(request, reply);
    },
    handler: async (request, reply) => {
      const upgrade = upgrades.get(request.raw);
      if (upgrade === undefined) return reply.callNotFound();
      if (!sockets.accept(upgrade, guestOf(guards, contract, request, presentedKey(request)))) {
        throw new TrellisError("rate_limit_exceeded", {
          message: "There are too many WebSockets already.",
          retryAfterSeconds: 1,
        });
      }
      upgrade.socket.off("timeout", cut);
      reply.hijack();
      if (upgrade.socket instanceof Socket) reply.raw.detachSocket(upgrade.socket);
      request.log.info(
        {
          event: "request_answered",
          request_id: request.id,
          tenant: request.caller?.tenantId,
          environment: request.network?.name,
          method: request.method,
          route: contract.path,
          status: 101,
        },
        "request answered",
      );
      return reply;
    },
  });
}

function guestOf(guards: Guards, contract: Contract, request: FastifyRequest, key: string | undefined): SocketGuest {
  const { authenticator, keyLimiter } = guards;
  const { caller } = request;
  const owner = caller?.apiKeyId ?? "";
  const place = placeOf(request, guards);
  const isGood = async (): Promise<boolean> => {
    try {
      const caller = await authenticator.authenticate(key, place);
      if (contract.scope !== null) checkScope(caller, contract.scope);
      return true;
    } catch (error) {
      if (error instanceof TrellisError && (error.status === 401 || error.status === 403)) return false;
      throw error;
    }
  };
  return {
    owner,
    mayStay: isGood,
    admit: async (calls) => {
      if (!(await isGood())) return "gone";
      if (caller && takeOf(guards, keyLimiter, caller, Math.max(1, calls))?.allowed === false) return "too_many";
      return "welcome";
    },
  };
}
