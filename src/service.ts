import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { createCreationQueue } from "./accounts/creation-queue.js";
import { connectByHttp } from "./adapters/chain/cluster/rpc-url.js";
import { createOutage } from "./adapters/db/outage.js";
import { createHttpDelivery } from "./adapters/http-delivery/http-delivery.js";
import { openKeyring } from "./adapters/keyring.js";
import { createBuiltInCustodian } from "./adapters/kms/built-in-custodian.js";
import { createPinoLog } from "./adapters/log/pino-log.js";
import { createRealClock, systemPause, systemRandom } from "./adapters/system.js";
import { checkServer, openConfiguredDatabase } from "./composition/open-database.js";
import { openMailer } from "./composition/open-mailer.js";
import { openNetworks } from "./composition/open-networks.js";
import { hostedPagesOf, openRails } from "./composition/open-rails.js";
import { readReadiness } from "./composition/readiness.js";
import { startPasses } from "./composition/start-passes.js";
import type { Config } from "./config/config.js";
import { warningsOf } from "./config/warnings.js";
import { custodianNames } from "./custody/custodians.js";
import { endpoints } from "./endpoints.js";
import { createHistoryRefreshes } from "./history/history-refreshes.js";
import { createHttpServer } from "./http/server.js";
import { submitHooks } from "./modules.js";
import type { Clock } from "./ports/clock.js";
import type { Db } from "./ports/database.js";
import type { EnvironmentName } from "./ports/environment.js";
import type { Network } from "./ports/network.js";
import type { Pause } from "./ports/pause.js";
import type { RailsByEnvironment } from "./ports/rails.js";
import type { WebhookSender } from "./ports/webhook-post.js";
import { createProposalRefreshes } from "./proposals/proposal-refreshes.js";
import { receiveNews } from "./rails/receive-news.js";
import { endInterruptedRuns } from "./scheduler/passes.js";
import { createPublishedKeys } from "./sign-in/identity-keys.js";
import { createProgramWatch } from "./solana/watch-program.js";
import { limitsOfOrders } from "./standing-orders/limits-of-orders.js";
import { createLookout } from "./submissions/lookout.js";
import { createFirstKey, ensureConfiguredKey } from "./tenants/api-key-store.js";

/** The release, as package.json says it. */
export const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

/** A service that answers. */
export interface RunningService {
  /** `http://host:port`. */
  readonly url: string;
  /** Where its metrics are read, if anywhere. */
  readonly metricsUrl: string | undefined;
  /** Made at the very first start in front of a person; shown once, stored nowhere. */
  readonly firstApiKey: string | undefined;
  readonly db: Db;
  readonly networks: ReadonlyMap<EnvironmentName, Network>;
  /** Stops accepting, finishes what runs, closes the chain and the database. */
  close(): Promise<void>;
}

/** What a test may replace; everything else is always the real thing. */
export interface ServiceParts {
  readonly realClock?: Clock;
  /** Waits between two looks at the chain. */
  readonly pause?: Pause;
  readonly webhookSender?: WebhookSender;
  /** Partners in place of the configured ones. */
  readonly rails?: (networks: ReadonlyMap<EnvironmentName, Network>) => RailsByEnvironment;
  /** Holds every answer against its contract. */
  readonly checkResponses?: boolean;
  /** Whether a person sees what is printed, so that the very first start may make a key to show. Default: nobody does. */
  readonly isWatched?: boolean;
}

/**
 * Puts the service together and starts it: configuration -> adapters -> needs -> server and scheduler. The only place
 * that chooses what stands behind a port. Throws when something is missing; nothing stays open then.
 */
export async function startService(config: Config, logger: Logger, parts: ServiceParts = {}): Promise<RunningService> {
  const log = createPinoLog(logger);
  const random = systemRandom;
  const realClock = parts.realClock ?? createRealClock();
  const opened: { close(): Promise<unknown> }[] = [];
  const closeAll = async () => {
    const failures: unknown[] = [];
    // One that fails to close leaves none of the others open.
    for (const part of opened.splice(0).reverse()) await part.close().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const database = await openConfiguredDatabase(config, {
      outage: createOutage(log, realClock),
      functionsReplaced: () =>
        log.warn(
          { event: "functions_replaced" },
          "the database had the functions of another release, and was given those of this one",
        ),
    });
    opened.push(database);
    const { db } = database;
    await checkServer(database, config, log);
    const keyring = await openKeyring(config, db);
    const metering = config.metrics === null ? undefined : await import("./adapters/metrics/index.js");
    const metrics = metering?.createPrometheus(version);
    const meterCluster = (name: EnvironmentName) =>
      metering && metrics ? metering.meterConnect(connectByHttp, name, metrics) : connectByHttp;
    const opening = await openNetworks(
      config,
      { database, db, keyring, realClock, random, log, connectTo: meterCluster },
      opened,
    );
    for (const warning of warningsOf(config)) log.warn({}, warning);
    const networks = new Map(opening.map((network) => [network.name, network] as const));
    const mailer = openMailer(config, opened);
    const makeCustodians = (over: Db) =>
      new Map(
        custodianNames.map(
          (provider) => [provider, createBuiltInCustodian({ provider, db: over, keyring, random })] as const,
        ),
      );
    const pause = parts.pause ?? systemPause;
    const urls = { own: "" };
    const sender =
      parts.webhookSender ??
      createHttpDelivery({ allowed: { ...config.webhooks, loopback: config.sandbox.kind === "embedded" } });
    const baseUrl = () => config.publicUrl ?? urls.own;
    const programs = createProgramWatch({ log, trusted: config.knownPrograms });
    const needs = {
      db,
      keyring,
      random,
      realClock,
      log,
      pause,
      mailer,
      otpLifetimeMs: config.otpLifetimeMs,
      custodians: makeCustodians(db),
      creationQueue: createCreationQueue(realClock),
      proposalRefreshes: createProposalRefreshes({ db, log, pause }),
      historyRefreshes: createHistoryRefreshes({ db, log, pause }),
      lookout: createLookout(pause),
      programs,
      submitHooks,
      limitsOfOrders,
      publishedKeys: createPublishedKeys({ db, clock: realClock }),
      publicUrl: baseUrl,
      rails:
        parts.rails?.(networks) ??
        (await openRails(config, { db, keyring, random, baseUrl, log, realClock }, networks)),
      webhookSender: metering && metrics ? metering.meterSender(sender, metrics) : sender,
    };
    // What nobody waits for has connections of its own.
    const background = { ...needs, db: database.background, custodians: makeCustodians(database.background) };

    const keyNeeds = { db, secret: keyring.deriveSecret("api-key"), random, now: realClock.now() };
    await ensureConfiguredKey(keyNeeds, config.apiKey?.value, config.apiKey?.environments ?? []);

    // On a server another process may be at them; the lock of the data directory says that here none is.
    if (config.databaseUrl === null) await endInterruptedRuns(db);
    await startPasses(background, opening, metrics, opened);

    const server = await createHttpServer({
      endpoints,
      needs,
      networks,
      db,
      keyring,
      realClock,
      random,
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
      logger,
      readiness: () => readReadiness(db, networks),
      receiveNews: (message) => receiveNews(needs, message),
      version,
      ...(metrics ? { metrics } : {}),
      ...hostedPagesOf(needs, networks.get("sandbox")),
      ...(parts.checkResponses === undefined ? {} : { checkResponses: parts.checkResponses }),
    });
    opened.push(server);
    let metricsUrl: string | undefined;
    if (metering && metrics && config.metrics) {
      const watched = await metering.openMetrics(config.metrics, {
        prometheus: metrics,
        db: background.db,
        networks,
        realClock,
        log,
        connections: database.connections,
        creations: needs.creationQueue.counts,
        programs,
      });
      opened.push(watched);
      metricsUrl = watched.url;
    }
    await server.listen({ host: config.host, port: config.port });
    // Last: it can be shown only once, and a start that fails shows nothing.
    const firstKey = parts.isWatched ? await createFirstKey(keyNeeds, firstKeyEnvironments(opening)) : undefined;
    const { port } = server.server.address() as AddressInfo;
    urls.own = `http://localhost:${port}`;
    const host = config.host.includes(":") ? `[${config.host}]` : config.host;
    const url = `http://${host}:${port}`;
    return { url, metricsUrl, firstApiKey: firstKey?.value, db, networks, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Environments of the key that a new installation shows: a test key wherever there is a test environment (gap 2). */
function firstKeyEnvironments(networks: readonly Network[]): EnvironmentName[] {
  const names = networks.map(({ name }) => name);
  const tests = names.filter((name) => name !== "mainnet");
  return tests.length > 0 ? tests : names;
}
