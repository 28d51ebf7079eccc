import { type Buffer, isUtf8 } from "node:buffer";
import type { Contract } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { onceAnswered } from "@trellis/kernel/once-answered.js";
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from "fastify";
import Type from "typebox";
import { bearerKey, createGuard, type Guards } from "./guards.js";
import { remoteAddressOf } from "./request-context.js";
import type { Site } from "./site.js";

/** Where agents connect, by the protocol of others (Model Context Protocol): no document of ours describes it (gap 232). */
const mcpContract = {
  operation: "callMcp",
  summary: "Connect an agent",
  tag: "Agents",
  method: "POST",
  path: "/mcp",
  scope: "accounts:read",
  environment: "optional",
  agents: true,
  notesAgents: false,
  response: { status: 200, envelope: false, schema: Type.Unknown() },
  errors: ["agent_key_required", "foreign_page"],
  idempotent: false,
} as const satisfies Contract;

const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Adds the streamable HTTP transport of the Model Context Protocol. What an agent asks for is asked of this service itself, with the key of
 * the request, through every check that a request from outside goes through. It holds no agent's key, and so cannot pay.
 */
export async function addMcp(
  app: FastifyInstance,
  {
    guards,
    site,
    version,
  }: {
    readonly guards: Guards;
    readonly site: Site;
    readonly version: string;
  },
): Promise<void> {
  // Not before the first agent: what the protocol needs is no part of a start.
  let loaded: ReturnType<typeof load> | undefined;
  const load = async () => {
    const [{ answerRequest }, { createDocsLibrary }, { clientsOf }] = await Promise.all([
      import("@trellis/mcp/answer-request.js"),
      import("@trellis/mcp/docs-library.js"),
      import("@trellis/mcp/open-client.js"),
    ]);
    const files = [...site].map(([path, { bytes }]) => [path, () => bytes.identity.toString("utf8")] as const);
    return { answerRequest, clientsOf, docs: createDocsLibrary(files) };
  };
  const guard = createGuard(guards, mcpContract);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The transport reads it, and answers what it cannot read in its own way.
    scope.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (_request, bytes, done) => {
      done(null, isUtf8(bytes) ? bytes.toString("utf8") : "");
    });
    scope.route({
      method: ["GET", "DELETE"],
      url: mcpContract.path,
      handler: (_request, reply) => {
        reply.header("allow", "POST");
        throw new TrellisError("method_not_allowed", {
          message: "There are no sessions and no streams here: each message is a POST.",
        });
      },
    });
    scope.route({
      method: "POST",
      url: mcpContract.path,
      config: { operation: mcpContract.operation, path: mcpContract.path },
      onRequest: async (request, reply) => {
        refuseForeignPlaces(request, guards.publicUrl());
        await guard(request, reply);
        if (request.caller?.agent === undefined) throw new TrellisError("agent_key_required");
      },
      handler: async (request, reply) => {
        const { caller, network } = request;
        const apiKey = bearerKey(request);
        assertOurs(caller && network && apiKey, "the guard has let the request in");
        loaded ??= load();
        const { answerRequest, clientsOf, docs } = await loaded;
        const openClient = clientsOf({
          baseUrl: ownOrigin,
          apiKey,
          environment: network.name,
          fetch: askOurselves(app, remoteAddressOf(request), whileConnected(request, reply)),
          // The agent is answered at once: what it asks for again is its decision.
          maxRetries: 0,
        });
        const faults: unknown[] = [];
        const noteCall = (tool: string) => guards.noteAgentCall(caller, { tool, environment: network.name });
        const reportFault = (fault: unknown) => void faults.push(fault);
        const answer = await answerRequest({ version, docs, openClient, noteCall, reportFault }, toRequest(request));
        // Answered, and logged, as any fault of the service.
        if (faults.length > 0) throw faults[0];
        reply.code(answer.status);
        for (const [name, value] of answer.headers) reply.header(name, value);
        return reply.send(await answer.text());
      },
    });
  });
}

/** Of requests that never leave the process. */
const ownOrigin = "http://trellis.internal";

const headersPassedOn = ["accept", "content-type", "mcp-protocol-version", "mcp-session-id"] as const;

function toRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const name of headersPassedOn) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const body = typeof request.body === "string" ? request.body : "";
  return new Request(`${ownOrigin}${mcpContract.path}`, { method: "POST", headers, body });
}

/** Aborted when the client leaves before it is answered. */
function whileConnected({ raw: request }: FastifyRequest, { raw: answer }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  onceAnswered(request, answer, () => {
    if (!answer.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Asks this service as a request from the caller's address would, through all that stands before its endpoints. After `signal` nothing more is
 * asked, and what is asked already is given up.
 */
export function askOurselves(
  app: Pick<FastifyInstance, "inject">,
  remoteAddress: string,
  signal: AbortSignal,
): typeof globalThis.fetch {
  return async (input, init) => {
    signal.throwIfAborted();
    const { pathname, search } = new URL(String(input));
    const answer = await app.inject({
      method: (init?.method ?? "GET") as NonNullable<InjectOptions["method"]>,
      url: `${pathname}${search}`,
      headers: Object.fromEntries(new Headers(init?.headers)),
      remoteAddress,
      signal: init?.signal ? AbortSignal.any([signal, init.signal]) : signal,
      ...(typeof init?.body === "string" ? { payload: init.body } : {}),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
    return new Response(answer.statusCode === 204 ? null : answer.body, { status: answer.statusCode, headers });
  };
}

/**
 * Throws `foreign_page` for a page of another site, and for a host name that is not the service's: a page that has its own name point to this
 * machine would be of the same site as it, for the browser.
 */
function refuseForeignPlaces({ headers }: Pick<FastifyRequest, "headers">, publicUrl: string): void {
  const own = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  const { host = "", origin } = headers;
  const isOwnHost = host === own?.host || loopbackHosts.has(host.replace(/:\d{1,5}$/, ""));
  if (!isOwnHost) {
    throw new TrellisError("foreign_page", {
      message: "This host name is not the service's own. The operator sets it by TRELLIS_PUBLIC_URL.",
    });
  }
  if (origin === undefined || origin === own?.origin) return;
  throw new TrellisError("foreign_page", { message: "A page of another site may not connect an agent." });
}
