import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Logger } from "pino";
import { eventCatalogue } from "../events/event-catalogue.js";
import type { Keyring } from "../kernel/crypto/envelope.js";
import type { Contract, Endpoint } from "../kernel/endpoint.js";
import { TrellisError } from "../kernel/errors.js";
import { limits } from "../kernel/limits.js";
import { proveSession } from "../people/prove-session.js";
import type { Clock } from "../ports/clock.js";
import type { Db } from "../ports/database.js";
import type { EnvironmentName } from "../ports/environment.js";
import type { Metrics } from "../ports/metrics.js";
import type { Network } from "../ports/network.js";
import type { Random } from "../ports/random.js";
import type { PartnerMessage } from "../rails/receive-news.js";
import { createAuthenticator } from "../tenants/authenticate.js";
import { createPageOrigins } from "../tenants/page-origins.js";
import { createWriteBudget } from "../tenants/write-budget.js";
import { answerClientError, refuseExpectation } from "./client-error.js";
import { type AllowedOrigins, allowOrigin, answerPreflight, isPreflight, letRead } from "./cors.js";
import type { Dialect } from "./dialects/dialect.js";
import { dialectOfPath } from "./dialects/dialects.js";
import { createSpeaker } from "./dialects/speaker.js";
import { addDocs } from "./docs/docs.js";
import { addEndpointRoute, jsonContentType, type RouteNeeds } from "./endpoint-route.js";
import { errorAnswer, toTrellisError } from "./error-answer.js";
import type { Guards } from "./guards.js";
import { addHostedPages, type HostedPagesOptions } from "./hosted-pages.js";
import { createIdempotentRuns } from "./idempotent-runs.js";
import { readJsonBodies } from "./json-body.js";
import { createNearPathFinder } from "./near-paths.js";
import { buildOpenApi } from "./openapi.js";
import { openApiContract, operationalEndpoints, type Readiness } from "./operational-endpoints.js";
import { addPackages } from "./packages.js";
import { addPartnerHooks } from "./partner-hooks.js";
import { addressBucket, createRateLimiter } from "./rate-limit.js";
import { givenRequestId, remoteAddressOf } from "./request-context.js";
import { createMethodFinder } from "./route-path.js";
import { addSandboxRpc, sandboxRpcContract } from "./sandbox-rpc.js";
import { type BrokenRule, validationError } from "./validation-error.js";

/** Bounds per minute; 0 means none (gap 7). */
interface RateLimits {
  readonly perKeyPerMinute: number;
  readonly failedAuthenticationsPerAddressPerMinute: number;
  /** Of all secret keys of a tenant together, and of all its publishable ones (gap 156). Default: none. */
  readonly perTenantPerMinute?: number;
  /** Requests of a tenant that leave something behind, a day and kind (gap 156). Default: none. */
  readonly writesPerTenantPerDay?: number;
  /** Of publishable keys (gap 123). Default: none. */
  readonly perPublishableKeyPerMinute?: number;
  readonly publishablePerAddressPerMinute?: number;
}

export interface HttpOptions<Needs> {
  readonly endpoints: readonly Endpoint<Needs>[];
  /** What the endpoints' handlers ask for. */
  readonly needs: Needs;
  readonly networks: ReadonlyMap<EnvironmentName, Network>;
  readonly db: Db;
  readonly keyring: Keyring;
  readonly realClock: Clock;
  readonly random: Random;
  /** Browser origins that may call; none means no CORS at all (gap 8). */
  readonly corsOrigins: readonly string[];
  readonly rateLimits: RateLimits;
  /** Whether a proxy in front gives the caller's address as the last entry of `x-forwarded-for`. */
  readonly trustProxy: boolean;
  readonly logger: Logger;
  readonly readiness: () => Promise<Readiness>;
  /** Keeps what a partner of bank rails sent; false: there is none such. */
  readonly receiveNews?: (message: PartnerMessage) => Promise<boolean>;
  readonly version: string;
  /** Hears of every answer. */
  readonly metrics?: Pick<Metrics, "requestAnswered">;
  /** The pages of the sandbox's simulated partner, where it has one. */
  readonly hostedPages?: HostedPagesOptions;
  /** Whether `/docs` is there. Default: true. */
  readonly docs?: boolean;
  /** Other names that clients may use besides the neutral ones (gap 113). */
  readonly dialect?: Dialect | undefined;
  /** How long a request may take to arrive whole, in milliseconds, and how often that is checked. Default: 27 and 2 seconds. */
  readonly lateRequests?: { readonly afterMs: number; readonly lookEveryMs: number };
  /** How long a client that takes an answer may take nothing of it, in milliseconds. Default: 30 seconds. */
  readonly stalledAnswerMs?: number;
  /** Holds every answer against its contract: for tests and development. Default: false. */
  readonly checkResponses?: boolean;
}

/** The longest path parameter; addresses have 44 characters. */
const pathParameterMax = 256;
/** Preflights of one remote address, from origins that no key lists, that are looked up. */
const preflightsPerAddressPerMinute = 60;
/** No listed origin is longer. */
const originMax = 255;
/** Of the requests with publishable keys from one address, the share that needs no session. */
const openShare = 1 / 3;
/** A request that has not arrived whole by then is given up: within half a minute, with the time until the next check. */
const lateRequests = { afterMs: 27_000, lookEveryMs: 2_000 };
/** A client that reads nothing of its answer for this long has left, or means harm: the answer lies in memory meanwhile. */
const stalledAnswerMs = 30_000;
/** Longer than the 60 s after which usual load balancers drop an idle connection. */
const keepAliveTimeoutMs = 72_000;

/**
 * Builds the HTTP server of the endpoints; `listen` and `close` are the caller's. `close` stops accepting, finishes what
 * runs, and then resolves. The database stays open.
 */
export async function createHttpServer<Needs>(options: HttpOptions<Needs>): Promise<FastifyInstance> {
  const { realClock, random, logger, networks, db, keyring, rateLimits } = options;
  const operational = operationalEndpoints(options.version, options.readiness);
  // Elsewhere the sandbox's paths do not exist (gap 49).
  const endpoints = options.endpoints.filter(
    ({ contract }) => contract.environment !== "sandbox" || networks.has("sandbox"),
  );
  const sandbox = networks.get("sandbox")?.sandbox;
  const contracts: Contract[] = [
    ...[...operational, ...endpoints].map(({ contract }) => contract),
    openApiContract,
    ...(sandbox ? [sandboxRpcContract] : []),
  ];
  const origins: AllowedOrigins = new Set(options.corsOrigins);
  const speaker = options.dialect && createSpeaker(options.dialect);

  const late = options.lateRequests ?? lateRequests;
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // One line a request is written by the hook below; a child logger for each would cost more than the line.
    childLoggerFactory: (parent) => parent,
    genReqId: (request) => givenRequestId(request.headers["x-request-id"]) ?? random.uuid(),
    // One hop: entries further left in x-forwarded-for are whatever the caller wrote there.
    trustProxy: options.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: late.afterMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Node would refuse a request without one in words of its own; the hook below does in ours.
    http: {
      requireHostHeader: false,
      connectionsCheckingInterval: late.lookEveryMs,
      // Of these two Node applies the one for headers, a minute, where a request was answered before its body has arrived.
      requestTimeout: late.afterMs,
      headersTimeout: late.afterMs,
    },
    rewriteUrl: ({ url = "/" }) => withPlainColons(speaker?.neutralUrl(url) ?? url),
    routerOptions: { maxParamLength: pathParameterMax },
    // What arrives on an open connection while the server drains is answered, and the connection closed.
    return503OnClosing: false,
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: true,
        strictTypes: false,
        strictTuples: false,
      },
    },
    schemaErrorFormatter: (rules, part) => validationError(rules as BrokenRule[], part),
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      sendError(error, request, reply);
      // No hook hears of these.
      noteAnswer(request, reply);
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, random.uuid(), realClock.now()),
  }) as unknown as FastifyInstance;

  function begin(request: FastifyRequest, reply: FastifyReply): void {
    reply.header("x-request-id", request.id);
    reply.header("cache-control", "no-store");
    reply.header("x-content-type-options", "nosniff");
    reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  }

  function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = toTrellisError(thrown);
    if (error.status >= 500) {
      logger.error({ err: thrown, request_id: request.id, route: request.routeOptions.url }, "request failed");
    }
    const { status, code, headers, body } = errorAnswer(error, request.id, realClock.now());
    request.refusal = code;
    reply.code(status).header("content-type", jsonContentType);
    for (const name in headers) reply.header(name, headers[name]);
    return reply.send(speaker?.isSpokenBy(request) ? speaker.sayError(body) : body);
  }

  const methodsOf = createMethodFinder(contracts);
  const nearPath = createNearPathFinder(contracts);
  const pages = createPageOrigins({ db, clock: realClock });
  const strangers = createRateLimiter(preflightsPerAddressPerMinute);
  /** A preflight shows no key: it is answered where any publishable key is for pages of this origin. */
  async function isListed(request: FastifyRequest): Promise<boolean> {
    const { origin = "" } = request.headers;
    if (origin.length > originMax) return false;
    const bucket = addressBucket(remoteAddressOf(request));
    // One that was listed lately costs a question in seconds at most, however many ask.
    if (!strangers.look(bucket, realClock.now()).allowed && !pages.isFamiliar(origin)) return false;
    const listed = await pages.isListed(origin);
    if (!listed) strangers.take(bucket, realClock.now());
    return listed;
  }

  async function answerNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const methods = methodsOf(pathOf(request.url));
    const isAllowed = allowOrigin(request, reply, origins);
    if (methods.length > 0 && isPreflight(request)) {
      reply.header("vary", "origin");
      if (isAllowed) return answerPreflight(reply, methods, speaker?.headers ?? []);
      if (await isListed(request)) {
        letRead(reply, request.headers.origin);
        return answerPreflight(reply, methods, speaker?.headers ?? []);
      }
    }
    const path = pathOf(request.url);
    const meant = nearPath(request.method, path, methods.length > 0);
    const hint = meant === undefined ? {} : { suggestion: `Did you mean ${meant}?` };
    if (methods.length === 0) {
      const suggestion = `Paths begin with /api/service/v1; ${openApiContract.path} has all of them.`;
      const unspoken = options.dialect === undefined ? dialectOfPath(path) : undefined;
      const spoken =
        unspoken === undefined
          ? {}
          : { suggestion: `This service does not speak that dialect: start it with TRELLIS_DIALECT=${unspoken}.` };
      return sendError(new TrellisError("route_not_found", { suggestion, ...hint, ...spoken }), request, reply);
    }
    reply.header("allow", methods.join(", "));
    const message = `${request.method} is not supported here; use ${methods.join(" or ")}.`;
    return sendError(new TrellisError("method_not_allowed", { message, ...hint }), request, reply);
  }

  app.decorateRequest("caller", null);
  app.decorateRequest("network", null);
  app.decorateRequest("bodyText", "");
  app.decorateRequest("refusal", "");
  readJsonBodies(app);

  app.addHook("onRequest", (request, reply, done) => {
    begin(request, reply);
    speaker?.hearHeaders(request);
    // At once: a body that was not asked for is not read.
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      sendError(new TrellisError("invalid_request", { message: "The Host header is missing." }), request, reply);
    } else if (!isWellEscaped(request.url)) {
      const message = "The URL has bytes or percent-escapes that are not UTF-8. Escape a percent sign itself as %25.";
      sendError(new TrellisError("invalid_request", { message }), request, reply);
    } else if (request.is404) answerNotFound(request, reply).catch((error) => sendError(error, request, reply));
    else done();
  });
  let draining = false;
  app.addHook("preClose", (done) => {
    draining = true;
    done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    // A connection kept alive past its last answer would hold up the close until it times out.
    if (draining) reply.header("connection", "close");
    // Until all of it is on its way; Node sets its own limits again between requests.
    const { socket } = request.raw;
    if (socket instanceof Socket) socket.setTimeout(options.stalledAnswerMs ?? stalledAnswerMs);
    done(null, payload);
  });
  function noteAnswer(request: FastifyRequest, reply: FastifyReply): void {
    logger.info(
      {
        request_id: request.id,
        tenant: request.caller?.tenantId,
        ...(reply.statusCode < 400
          ? {}
          : { code: request.refusal, key: request.caller?.apiKeyId, remote: remoteAddressOf(request) }),
        environment: request.network?.name,
        method: request.method,
        route: request.routeOptions.url ?? "unknown",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
      },
      "request",
    );
    options.metrics?.requestAnswered({
      operation: request.routeOptions.config?.operation ?? "other",
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
      code: request.refusal === "" ? undefined : request.refusal,
    });
  }
  app.addHook("onResponse", (request, reply, done) => {
    noteAnswer(request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));

  app.setNotFoundHandler(answerNotFound);

  const { perPublishableKeyPerMinute: ofKey = 0, publishablePerAddressPerMinute: ofAddress = 0 } = rateLimits;
  const { perTenantPerMinute: perTenant = 0, writesPerTenantPerDay: writesPerDay = 0 } = rateLimits;
  const limiterOf = (perMinute: number) => (perMinute > 0 ? createRateLimiter(perMinute) : undefined);
  const guards: Guards = {
    authenticator: createAuthenticator({ db, secret: keyring.deriveSecret("api-key"), clock: realClock }),
    networks,
    clock: realClock,
    ...(rateLimits.perKeyPerMinute > 0 ? { keyLimiter: createRateLimiter(rateLimits.perKeyPerMinute) } : {}),
    ...(perTenant > 0 ? { tenantLimiter: createRateLimiter(perTenant) } : {}),
    ...(writesPerDay > 0 ? { writes: createWriteBudget({ db, clock: realClock, perDay: writesPerDay }) } : {}),
    ...(rateLimits.failedAuthenticationsPerAddressPerMinute > 0
      ? { failureLimiter: createRateLimiter(rateLimits.failedAuthenticationsPerAddressPerMinute) }
      : {}),
    publishable: {
      ofKey: limiterOf(ofKey),
      ofAddress: limiterOf(ofAddress),
      openOfAddress: limiterOf(Math.ceil(ofAddress * openShare)),
    },
    proveSession: (network, claim) => proveSession({ db, keyring }, network, claim),
  };
  const idempotentRuns = createIdempotentRuns({ db, keyring, clock: realClock, random, log: logger });
  app.addHook("onClose", (_app, done) => {
    idempotentRuns.stop();
    done();
  });
  const common = { guards, clock: realClock, idempotentRuns, speaker, checkResponses: options.checkResponses ?? false };

  await app.register(async (api) => {
    if (options.corsOrigins.length > 0) {
      api.addHook("onRequest", (request, reply, done) => {
        allowOrigin(request, reply, origins);
        done();
      });
    }
    for (const operation of operational) addEndpointRoute(api, operation, { ...common, needs: undefined });
    const route: RouteNeeds<Needs> = { ...common, needs: options.needs };
    for (const operation of endpoints) addEndpointRoute(api, operation, route);
    const document = buildOpenApi(options.endpoints, { version: options.version, events: eventCatalogue });
    await addDocs(api, document, { page: options.docs ?? true, contracts, sandbox: sandbox !== undefined });
  });
  await addPackages(app);
  if (options.hostedPages) await addHostedPages(app, options.hostedPages);
  if (sandbox) await addSandboxRpc(app, { guards, sandbox });
  if (options.receiveNews) await addPartnerHooks(app, { clock: realClock, receive: options.receiveNews });

  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    refuseExpectation(request, response, random.uuid(), realClock.now());
  });
  await app.ready();
  return app;
}

/** Some clients encode the colon of `/accounts:custom`, which means the same (RFC 3986, section 2.2, leaves it to the scheme). */
function withPlainColons(url: string): string {
  const path = pathOf(url);
  return path.replaceAll(/%3a/gi, ":") + url.slice(path.length);
}

/** What is not, frameworks leave as it was received, or read as something else. */
function isWellEscaped(url: string): boolean {
  if (!/[%\x80-\uffff]/.test(url)) return true;
  if (/[\x80-\uffff]/.test(url)) return false;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
