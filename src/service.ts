import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Logger } from "pino";
import { connectByHttp } from "./adapters/chain/cluster/rpc-url.js";
import type { OpenDatabase } from "./adapters/db/open-database.js";
import { createOutage } from "./adapters/db/outage.js";
import { followSecrets } from "./adapters/derived-secrets.js";
import { openKeyring } from "./adapters/keyring.js";
import { createPinoLog } from "./adapters/log/pino-log.js";
import { createRealClock, systemRandom } from "./adapters/system.js";
import { witnessSigner } from "./audit/log-key.js";
import { recordConfiguration } from "./audit/record-configuration.js";
import { createServedWitness } from "./audit/serve-witness.js";
import { createServedLog } from "./audit/served-log.js";
import { readAuditedConfiguration } from "./composition/audited-configuration.js";
import { checkServer, openConfiguredDatabase } from "./composition/open-database.js";
import { openMetering } from "./composition/open-metering.js";
import { openNeeds, type ReplacedNeeds } from "./composition/open-needs.js";
import { openNetworks } from "./composition/open-networks.js";
import { hostedPagesOf } from "./composition/open-rails.js";
import { readPages, readSite } from "./composition/read-site.js";
import { createStatusReader } from "./composition/read-status.js";
import { readReadiness } from "./composition/readiness.js";
import { startPasses } from "./composition/start-passes.js";
import type { Config } from "./config/config.js";
import { warningsOf } from "./config/warnings.js";
import { endpoints } from "./endpoints.js";
import { siteOfServer } from "./http/document-server.js";
import { createHttpServer } from "./http/server.js";
import type { Site } from "./http/site.js";
import { linkFirstOwner } from "./members/first-owner.js";
import { linkTo } from "./members/member-mails.js";
import { receiveNews } from "./rails/receive-news.js";
import { createPassBook } from "./scheduler/pass-book.js";
import { endInterruptedRuns } from "./scheduler/passes.js";
import { createFirstKey, ensureConfiguredKey } from "./tenants/api-key-store.js";

/** The release, as package.json says it. */
export const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

/** A service that answers. */
export interface RunningService {
  /** `http://host:port`. */
  readonly url: string;
  /** Where its metrics are read, if anywhere. */
  readonly metricsUrl: string | undefined;
  /** Made at the very first start in front of a person; displayed once, stored nowhere. */
  readonly firstApiKey: string | undefined;
  /** Signs the first owner of a sandbox in to the console, once; made where a person sees what is printed. */
  readonly signInLink: string | undefined;
  /** The identity of the guardian beside it, if there is one. */
  readonly guardian: string | undefined;
  readonly db: Db;
  readonly networks: ReadonlyMap<EnvironmentName, Network>;
  /** Stops accepting, finishes what runs, closes the chain and the database. */
  close(): Promise<void>;
}

/** What a test may replace; everything else is always the real thing. */
export interface ServiceParts extends ReplacedNeeds {
  readonly realClock?: Clock;
  /** What anybody may read, in place of what was built. */
  readonly site?: Site;
  /** Holds every answer against its contract. */
  readonly checkResponses?: boolean;
  /** Whether a person sees what is printed, so that the very first start may make a key to show. Default: none does. */
  readonly isInteractive?: boolean;
}

/** What has to be closed, in the order in which it was opened. */
type Opened = { close(): Promise<unknown> }[];

/**
 * Puts the service together and starts it: configuration -> adapters -> needs -> server and scheduler. The only place
 * that chooses what stands behind a port. Throws when something is missing; nothing stays open then.
 */
export async function startService(config: Config, logger: Logger, parts: ServiceParts = {}): Promise<RunningService> {
  const opened: Opened = [];
  try {
    return await start(config, logger, parts, opened);
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

async function start(config: Config, logger: Logger, parts: ServiceParts, opened: Opened): Promise<RunningService> {
  const log = createPinoLog(logger);
  const random = systemRandom;
  const { realClock = createRealClock() } = parts;
  const database = await openDatabase(config, log, realClock);
  opened.push(database);
  const { db } = database;
  await checkServer(database, config, log);
  const keyring = await openKeyring(config, db);
  opened.push(followSecrets(keyring));
  const metering = await openMetering(config, version);
  const common = { db, keyring, random, realClock, log };
  const connectTo = (name: EnvironmentName) => metering?.connectTo(name) ?? connectByHttp;
  const opening = await openNetworks(config, { ...common, database, connectTo }, opened);
  // operator: read `reason`, and set the variable that it names
  for (const warning of warningsOf(config))
    log.warn({ event: "configuration_risky", reason: warning }, "configuration has a risk");
  const networks = new Map(opening.map((network) => [network.name, network] as const));
  const urls = { own: "" };
  const baseUrl = () => config.publicUrl ?? urls.own;
  const { needs, background, guardian } = await openNeeds(
    config,
    { ...common, database, networks, metering, baseUrl, version },
    parts,
    opened,
  );

  const passes = createPassBook(realClock);
  const { custodianLogs } = needs;
  const readStatus = createStatusReader({
    ...configuredStatus(config),
    database,
    networks,
    passes,
    custodianLogs,
    realClock,
  });

  const keyNeeds = { db, secret: keyring.macs("api-key"), random, now: realClock.now() };
  await ensureConfiguredKey(keyNeeds, config.apiKey?.value, config.apiKey?.environments ?? []);
  await recordConfiguration(db, await readAuditedConfiguration(config, guardian));

  // On a server another process may be at them; the lock of the data directory says that here none is.
  if (config.databaseUrl === null) await endInterruptedRuns(db);
  await startPasses(background, opening, [passes, ...(metering ? [metering.metrics] : [])], opened);

  const built = parts.site ?? readSite({ sandbox: networks.has("sandbox") });
  if (built === undefined)
    log.warn({ event: "site_missing" }, "there is no documentation here: npm run build makes it");
  const site = built && config.publicUrl !== null ? await siteOfServer(built, config.publicUrl) : built;
  const server = await createHttpServer({
    ...httpOptionsOf(config),
    ...common,
    endpoints,
    takesCookies: config.console,
    needs: { ...needs, readStatus },
    networks,
    publicUrl: baseUrl,
    site,
    pages: readPages(),
    logger,
    readiness: () => readReadiness(db, networks, needs.custodianLogs),
    auditLog: {
      ...createServedLog(db, needs.auditSigner),
      addCheckpoint: createServedWitness(common, witnessSigner(keyring, config.auditOrigin), config.auditWitnessedLogs),
    },
    receiveNews: (message) => receiveNews(needs, message),
    version,
    requestLog: needs.requestLog,
    ...(metering ? { metrics: metering.metrics } : {}),
    ...hostedPagesOf(needs, networks.get("sandbox")),
    ...(parts.checkResponses === undefined ? {} : { checkResponses: parts.checkResponses }),
  });
  opened.push(server);
  const sources = { ...common, networks, connections: database.connections, programs: needs.programs };
  const metrics = await metering?.open({ ...sources, db: background.db, creations: needs.creationQueue.counts });
  if (metrics) opened.push(metrics);
  await server.listen({ host: config.host, port: config.port });
  // Last: it can be displayed only once, and a start that fails displays nothing.
  const firstKey = parts.isInteractive ? await createFirstKey(keyNeeds, firstKeyEnvironments(opening)) : undefined;
  const { port } = server.server.address() as AddressInfo;
  urls.own = urlOf("localhost", port);
  const url = urlOf(config.host, port);
  const isForOwner =
    parts.isInteractive === true && config.console && networks.has("sandbox") && !networks.has("mainnet");
  const link = isForOwner ? await linkFirstOwner({ ...keyNeeds, keyring }, firstKeyEnvironments(opening)) : undefined;
  const signInLink = link && linkTo(config.publicUrl ?? url, link.token);
  const found = { url, metricsUrl: metrics?.url, firstApiKey: firstKey?.value, signInLink, guardian };
  return { ...found, db, networks, close: () => closeAll(opened) };
}

/** What the status says of the configuration. */
const configuredStatus = ({ databaseUrl, smtp }: Config) =>
  ({
    version,
    kind: databaseUrl === null ? "embedded" : "postgresql",
    mail: smtp ? "smtp" : "none",
  }) as const;

/** One that fails to close leaves none of the others open. */
async function closeAll(opened: Opened): Promise<void> {
  const failures: unknown[] = [];
  for (const part of opened.splice(0).reverse()) await part.close().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

function openDatabase(config: Config, log: Log, realClock: Clock): Promise<OpenDatabase> {
  return openConfiguredDatabase(config, {
    outage: createOutage(log, realClock),
    functionsReplaced: () =>
      log.warn(
        { event: "functions_replaced" },
        "database functions of another release were replaced with those of this one",
      ),
  });
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** What the configuration says of the server. */
function httpOptionsOf(config: Config) {
  return {
    corsOrigins: config.corsOrigins,
    docs: config.docs,
    dialect: config.dialect,
    rateLimits: {
      perKeyPerMinute: config.rateLimitPerMinute,
      perTenantPerMinute: config.tenantRateLimitPerMinute,
      writesPerTenantPerDay: config.tenantWritesPerDay,
      failedAuthenticationsPerAddressPerMinute: 60,
      perPublishableKeyPerMinute: config.publishableRateLimitPerMinute,
      publishablePerAddressPerMinute: config.publishableAddressRateLimitPerMinute,
    },
    trustProxy: config.trustProxy,
  };
}

/** Environments of the key that a new installation shows: a test key wherever there is a test environment (gap 2). */
function firstKeyEnvironments(networks: readonly Network[]): EnvironmentName[] {
  const names = networks.map(({ name }) => name);
  const tests = names.filter((name) => name !== "mainnet");
  return tests.length > 0 ? tests : names;
}
