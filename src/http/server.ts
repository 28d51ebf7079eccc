import type { Endpoint } from "@trellis/kernel/endpoint.js";
import type { Metrics } from "@trellis/kernel/ports/metrics.js";
import type { FastifyInstance } from "fastify";
import type { ServedLog } from "../audit/served-log.js";
import type { PartnerMessage } from "../rails/receive-news.js";
import type { RequestLog } from "../requests/request-log.js";
import { createAnswers } from "./answers.js";
import { addAuditLog } from "./audit-log.js";
import { allowOrigin } from "./cors.js";
import type { Dialect } from "./dialects/dialect.js";
import { createSpeaker } from "./dialects/speaker.js";
import { addEndpointRoute, type RouteNeeds } from "./endpoint-route.js";
import { type FrameworkOptions, openFramework } from "./framework.js";
import { addHooks } from "./hooks.js";
import { addHostedPages, type HostedPagesOptions } from "./hosted-pages.js";
import { createIdempotentRuns } from "./idempotent-runs.js";
import { readJsonBodies } from "./json-body.js";
import { addMcp } from "./mcp.js";
import { createNotFound } from "./not-found.js";
import { type GuardNeeds, openGuards } from "./open-guards.js";
import { openApiContract, operationalEndpoints, type Readiness } from "./operational-endpoints.js";
import { addPackages } from "./packages.js";
import { addPartnerHooks } from "./partner-hooks.js";
import { addSandboxRpc } from "./sandbox-rpc.js";
import { servedContracts, servedEndpoints } from "./served-contracts.js";
import { addPages, addSite, type Site } from "./site.js";

export interface HttpOptions<Needs> extends FrameworkOptions, GuardNeeds {
  readonly endpoints: readonly Endpoint<Needs>[];
  /** What the endpoints' handlers ask for. */
  readonly needs: Needs;
  /** Browser origins that may call; none means no CORS at all (gap 8). */
  readonly corsOrigins: readonly string[];
  readonly readiness: () => Promise<Readiness>;
  /** Keeps what a partner of bank rails sent; false: there is none such. */
  readonly receiveNews?: (message: PartnerMessage) => Promise<boolean>;
  /** What anybody may read of the audit log. */
  readonly auditLog?: ServedLog;
  readonly version: string;
  /** Hears of every answer. */
  readonly metrics?: Pick<Metrics, "requestAnswered">;
  /** Receives what the tenant may ask for later. Default: nothing is kept. */
  readonly requestLog?: Pick<RequestLog, "note">;
  /** The pages of the sandbox's simulated partner, where it has one. */
  readonly hostedPages?: HostedPagesOptions;
  /** What anybody may read: `/openapi.json` and `/docs`. Default: nothing. */
  readonly site?: Site | undefined;
  /** Whether of the site `/docs` is there. Default: true. */
  readonly docs?: boolean;
  /** The files of the console and of the treasury. Default: there are none. */
  readonly pages?: Site | undefined;
  /** Other names that clients may use besides the neutral ones (gap 113). */
  readonly dialect?: Dialect | undefined;
  /** How long a client that takes an answer may take nothing of it, in milliseconds. Default: 30 seconds. */
  readonly stalledAnswerMs?: number;
  /** Holds every answer against its contract: for tests and development. Default: false. */
  readonly checkResponses?: boolean;
}

/**
 * Builds the HTTP server of the endpoints; `listen` and `close` are the caller's. `close` stops accepting, finishes what
 * runs, and then resolves. The database stays open.
 */
export async function createHttpServer<Needs>(given: HttpOptions<Needs>): Promise<FastifyInstance> {
  const options = given.takesCookies === false ? withoutConsole(given) : given;
  const { realClock, networks, receiveNews, auditLog } = options;
  const sandbox = networks.get("sandbox")?.sandbox;
  const site: Site = options.site ?? new Map();
  const origins = new Set(options.corsOrigins);
  const speaker = options.dialect && createSpeaker(options.dialect);
  const answers = createAnswers({ ...options, speaker });
  const guards = openGuards(options);
  const idempotentRuns = createIdempotentRuns({ ...options, clock: realClock, log: options.logger });

  const app = openFramework(options, { answers, speaker });
  readJsonBodies(app);
  const contracts = servedContracts(options.endpoints, { sandbox: sandbox !== undefined }).filter(
    (contract) => contract !== openApiContract || site.has(openApiContract.path),
  );
  const answerNotFound = createNotFound({ ...options, contracts, answers, origins, dialect: options.dialect, speaker });
  addHooks(app, { ...options, answers, answerNotFound, speaker });
  app.addHook("onClose", (_app, done) => {
    idempotentRuns.stop();
    done();
  });

  await app.register(async (api) => {
    if (origins.size > 0) {
      api.addHook("onRequest", (request, reply, done) => {
        allowOrigin(request, reply, origins);
        done();
      });
    }
    addEndpoints(api, options, { guards, clock: realClock, idempotentRuns, speaker });
    addSite(api, site, { pages: options.docs ?? true });
  });
  addPages(app, options.pages ?? new Map(), { console: options.takesCookies !== false });
  await addPackages(app);
  if (options.hostedPages) await addHostedPages(app, options.hostedPages);
  if (sandbox) await addSandboxRpc(app, { guards, sandbox });
  await addMcp(app, { guards, site, version: options.version });
  if (receiveNews) await addPartnerHooks(app, { clock: realClock, receive: receiveNews });
  if (auditLog) await addAuditLog(app, { clock: realClock, served: auditLog });
  await app.ready();
  return app;
}

/** Nobody signs in where the console is off. */
const withoutConsole = <Needs>(options: HttpOptions<Needs>): HttpOptions<Needs> => ({
  ...options,
  endpoints: options.endpoints.filter(({ contract }) => contract.console === undefined),
});

/** Those of every server, and those of its own. */
function addEndpoints<Needs>(
  app: FastifyInstance,
  options: HttpOptions<Needs>,
  common: Omit<RouteNeeds<Needs>, "needs" | "checkResponses">,
): void {
  const { needs, networks, checkResponses = false } = options;
  for (const operation of operationalEndpoints(options.version, options.readiness))
    addEndpointRoute(app, operation, { ...common, checkResponses, needs: undefined });
  for (const operation of servedEndpoints(options.endpoints, { sandbox: networks.has("sandbox") }))
    addEndpointRoute(app, operation, { ...common, checkResponses, needs });
}
