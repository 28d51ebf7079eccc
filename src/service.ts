import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import type { Logger } from "pino";
import { createCreationQueue } from "./accounts/creation-queue.js";
import { openAccountSubscriptions } from "./adapters/chain/cluster/account-subscriptions.js";
import { openClusterNetwork } from "./adapters/chain/cluster/cluster-network.js";
import { connectByHttp, type RpcConnect } from "./adapters/chain/cluster/rpc-url.js";
import { loadSandbox } from "./adapters/chain/load-sandbox.js";
import { seedContext } from "./adapters/chain/sandbox/chain-keys.js";
import { openRemoteSandbox } from "./adapters/chain/sandbox-process/remote-network.js";
import { serviceKeyOf } from "./adapters/chain/service-key.js";
import { UnusableEnvironmentError } from "./adapters/chain/unusable-environment-error.js";
import { type OpenDatabase, openDatabase } from "./adapters/db/open-database.js";
import { createOutage, type Outage } from "./adapters/db/outage.js";
import { UnusableDatabaseError } from "./adapters/db/server-faults.js";
import { createHttpDelivery } from "./adapters/http-delivery/http-delivery.js";
import { openKeyring } from "./adapters/keyring.js";
import { createBuiltInCustodian, walletContext } from "./adapters/kms/built-in-custodian.js";
import { createPinoLog } from "./adapters/log/pino-log.js";
import { createSmtpMailer, createUnconfiguredMailer } from "./adapters/mail/smtp-mail.js";
import { openBridge } from "./adapters/rails/bridge/open-bridge.js";
import { createSandboxRails } from "./adapters/rails/sandbox/index.js";
import { simulatedRedirectContext } from "./adapters/rails/sandbox/verifications.js";
import { resealEverything, type SealedColumn } from "./adapters/reseal.js";
import { createRealClock, systemPause, systemRandom } from "./adapters/system.js";
import type { Config } from "./config/config.js";
import { warningsOf } from "./config/warnings.js";
import { custodianNames } from "./custody/custodians.js";
import { endpoints } from "./endpoints.js";
import { secretContext } from "./events/webhook-endpoint.js";
import { createHistoryLooks } from "./history/look-at-history.js";
import { type HistoryCounts, rebuildHistories } from "./history/rebuild-histories.js";
import type { Readiness } from "./http/operational-endpoints.js";
import { createHttpServer } from "./http/server.js";
import type { Keyring } from "./kernel/crypto/envelope.js";
import { allOf } from "./kernel/each-of.js";
import { answerContext } from "./kernel/idempotency/idempotency-store.js";
import {
  endAllForOperator,
  type FoundSession,
  findSessionsForOperator,
  type OpenSessionFilter,
} from "./people/end-sessions.js";
import { mailContext } from "./people/outgoing-mail.js";
import type { Clock } from "./ports/clock.js";
import type { Db } from "./ports/database.js";
import type { EnvironmentName } from "./ports/environment.js";
import type { Log } from "./ports/log.js";
import type { Mailer } from "./ports/mail.js";
import type { Network, NetworkHealth } from "./ports/network.js";
import type { Pause } from "./ports/pause.js";
import type { Rails, RailsByEnvironment } from "./ports/rails.js";
import type { Random } from "./ports/random.js";
import type { WebhookSender } from "./ports/webhook-post.js";
import { followProposals } from "./proposals/follow-proposals.js";
import { createAccountLooks } from "./proposals/look-at-account.js";
import { type RebuildCounts, rebuildProposals } from "./proposals/rebuild-proposals.js";
import { senderContext } from "./rails/deposit-store.js";
import { detailsContext, shownContext } from "./rails/external-accounts.js";
import { type FailedRefunds, findFailedRefunds, type Settlement, settleFailedRefund } from "./rails/failed-refunds.js";
import { settleRails } from "./rails/follow-rails.js";
import { payoutReasonContext, payoutReceiptContext } from "./rails/payouts.js";
import type { RailNeeds } from "./rails/rail-needs.js";
import { receiveNews } from "./rails/receive-news.js";
import {
  receiptContext,
  referenceContext,
  returnReasonContext,
  instructionsContext as transferInstructionsContext,
} from "./rails/transfer-store.js";
import { personContext, toldContext } from "./rails/verification-store.js";
import { instructionsContext } from "./rails/virtual-account-store.js";
import { every } from "./scheduler/every.js";
import { endInterruptedRuns, finishOpenWork, type Pass, passesOf, sharedPasses } from "./scheduler/passes.js";
import { timed } from "./scheduler/timed.js";
import { createPublishedKeys, identityKeyContext } from "./sign-in/identity-keys.js";
import { createProgramWatch } from "./solana/watch-program.js";
import {
  type ExecutorLimits,
  findExecutorLimits,
  findOfferedRenewals,
  type OfferedRenewals,
} from "./standing-orders/executor-limits.js";
import { findSuspended, releaseOrder, type Suspension, suspendOrder } from "./standing-orders/suspend-order.js";
import { createLookout } from "./submissions/lookout.js";
import { countTenantsWithKeys, createFirstKey, ensureConfiguredKey } from "./tenants/api-key-store.js";

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

const followSandboxEveryMs = 1_000;

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
    const database = await openConfiguredDatabase(config, createOutage(log, realClock));
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
      accountLooks: createAccountLooks({ db, log, pause }),
      historyLooks: createHistoryLooks({ db, log, pause }),
      lookout: createLookout(pause),
      programs,
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
    // All of them stop at once, whichever of them is under way.
    const passes: { stop(): Promise<unknown> }[] = [];
    opened.push({ close: () => allOf(passes.map((pass) => pass.stop())) });
    opened.push({ close: () => programs.stop() });
    const repeat = (environment: EnvironmentName | "all", { name, everyMs, run, stop }: Pass) => {
      const repeating = every(everyMs, timed({ name, environment }, run, { metrics, realClock }), log);
      passes.push({ stop: () => repeating.stop().then(stop) });
    };
    for (const network of opening) {
      // A real cluster takes its time until something is final: that must not hold up the start.
      if (network.sandbox) {
        await finishOpenWork(background, network);
        await followProposals(background, network);
      } else {
        // Nobody waits for what it logs.
        void programs.read(network);
      }
      for (const pass of passesOf(background, network)) repeat(network.name, pass);
    }
    for (const pass of sharedPasses(background, opening)) repeat("all", pass);

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

/**
 * Makes the indexes of proposals and histories anew from the chain alone, in one environment or in all that are configured, with the same
 * database and chains as the service, and tells what it found. Throws when something is missing, as `startService` does;
 * an environment that is not configured is left out.
 */
export async function rebuildIndex(
  config: Config,
  logger: Logger,
  only: EnvironmentName | undefined,
): Promise<ReadonlyMap<EnvironmentName, RebuildCounts & { readonly histories: HistoryCounts }>> {
  const log = createPinoLog(logger);
  const realClock = createRealClock();
  const opened: { close(): Promise<unknown> }[] = [];
  try {
    const database = await openConfiguredDatabase(config);
    opened.push(database);
    // Nobody waits for it, and its statements may take longer.
    const db = database.background;
    const keyring = await openKeyring(config, db);
    const networks = await openNetworks(
      config,
      { database, db, keyring, realClock, random: systemRandom, log },
      opened,
    );
    const counts = new Map<EnvironmentName, RebuildCounts & { readonly histories: HistoryCounts }>();
    for (const network of networks) {
      if (only !== undefined && network.name !== only) continue;
      const proposals = await rebuildProposals({ db, log }, network);
      counts.set(network.name, { ...proposals, histories: await rebuildHistories({ db, log }, network) });
    }
    return counts;
  } finally {
    for (const part of opened.reverse()) await part.close();
  }
}

/** Every column that holds sealed values. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "kms_wallet", column: "secret", key: ["id"], contextOf: ({ id }) => walletContext(String(id)) },
  { table: "identity_key", column: "private_key", key: ["id"], contextOf: ({ id }) => identityKeyContext(String(id)) },
  { table: "mail", column: "message", key: ["id"], contextOf: ({ id }) => mailContext(String(id)) },
  {
    table: "idempotency_record",
    column: "answer",
    key: ["tenant_id", "environment", "method", "path", "idempotency_key"],
    contextOf: (row) =>
      answerContext({
        tenantId: String(row.tenant_id),
        environment: String(row.environment),
        method: String(row.method),
        path: String(row.path),
        key: String(row.idempotency_key),
      }),
  },
  ...["secret", "previous_secret"].map((column) => ({
    table: "webhook_endpoint",
    column,
    key: ["id"],
    contextOf: ({ id }: Readonly<Record<string, unknown>>) => secretContext(String(id)),
  })),
  {
    table: "rail_verification",
    column: "person",
    key: ["id"],
    contextOf: ({ id }) => personContext(String(id)),
  },
  { table: "rail_verification", column: "told", key: ["id"], contextOf: ({ id }) => toldContext(String(id)) },
  {
    table: "rail_virtual_account",
    column: "instructions",
    key: ["id"],
    contextOf: ({ id }) => instructionsContext(String(id)),
  },
  {
    table: "rail_deposit",
    column: "sender",
    key: ["virtual_account_id", "partner_ref"],
    contextOf: (row) => senderContext(String(row.virtual_account_id), String(row.partner_ref)),
  },
  {
    table: "simulated_verification",
    column: "redirect_uri",
    key: ["ref"],
    contextOf: ({ ref }) => simulatedRedirectContext(String(ref)),
  },
  ...[
    ["details", detailsContext],
    ["shown", shownContext],
  ].map(([column, context]) => ({
    table: "rail_external_account",
    column: column as string,
    key: ["id"],
    contextOf: ({ id }: Readonly<Record<string, unknown>>) => (context as typeof shownContext)(String(id)),
  })),
  ...[
    ["instructions", transferInstructionsContext],
    ["sealed_receipt", receiptContext],
    ["sealed_reference", referenceContext],
    ["sealed_return_reason", returnReasonContext],
  ].map(([column, context]) => ({
    table: "rail_transfer",
    column: column as string,
    key: ["id"],
    contextOf: ({ id }: Readonly<Record<string, unknown>>) => (context as typeof receiptContext)(String(id)),
  })),
  {
    table: "rail_payout",
    column: "receipt",
    key: ["payout_address_id", "partner_ref"],
    contextOf: (row) => payoutReceiptContext(String(row.payout_address_id), String(row.partner_ref)),
  },
  {
    table: "rail_payout",
    column: "sealed_return_reason",
    key: ["payout_address_id", "partner_ref"],
    contextOf: (row) => payoutReasonContext(String(row.payout_address_id), String(row.partner_ref)),
  },
  { table: "chain_state", column: "seed", key: ["id"], contextOf: () => seedContext },
];

/**
 * Moves everything that is sealed to the first master key of the configuration, and tells how many values of each table
 * were moved. Afterwards the other keys can be left out. Throws `EnvelopeError` when a key is missing.
 */
export async function rotateMasterKey(config: Config): Promise<ReadonlyMap<string, number>> {
  const database = await openConfiguredDatabase(config);
  try {
    const keyring = await openKeyring(config, database.db);
    return await resealEverything(database.background, keyring, sealedColumns);
  } finally {
    await database.close();
  }
}

/** What an operator wants of a standing order: a reason suspends it, none releases it. */
export type OrderCommand = { readonly id: string; readonly reason: string } | { readonly id: string };

/** Suspends a standing order, or releases it (gap 111), in the database alone; undefined where there is no such order. */
export async function commandOrder(config: Config, command: OrderCommand): Promise<Suspension | undefined> {
  const database = await openConfiguredDatabase(config);
  const realNow = createRealClock().now();
  try {
    return "reason" in command
      ? await suspendOrder(database.db, command.id, command.reason, realNow)
      : await releaseOrder(database.db, command.id, realNow);
  } finally {
    await database.close();
  }
}

/** Which sessions an operator means, and whether they are to end. Members that are absent narrow nothing. */
export type SessionCommand = OpenSessionFilter & { readonly ends: boolean };

/**
 * Finds the open sessions that an operator means, the first thousand; or ends all of them, where that is asked (gap 158), in
 * the database alone: their keys command nothing from then on, in every process.
 */
export async function commandSessions(config: Config, command: SessionCommand): Promise<readonly FoundSession[]> {
  const database = await openConfiguredDatabase(config);
  try {
    return command.ends
      ? await endAllForOperator(database.db, command, createRealClock().now())
      : await findSessionsForOperator(database.db, command, 1_000);
  } finally {
    await database.close();
  }
}

/** The standing orders that are suspended: the first thousand. */
export async function listSuspendedOrders(config: Config): Promise<Awaited<ReturnType<typeof findSuspended>>> {
  const database = await openConfiguredDatabase(config);
  try {
    return await findSuspended(database.db, 1_000);
  } finally {
    await database.close();
  }
}

/** The refunds that failed and that nobody has seen to (gap 132): the first thousand of each kind in each environment. */
export async function listFailedRefunds(config: Config): Promise<FailedRefunds> {
  const database = await openConfiguredDatabase(config);
  try {
    return await findFailedRefunds(database.db, 1_000);
  } finally {
    await database.close();
  }
}

/** Notes that an operator has seen to one; undefined where there is neither a payment nor a payout of this id. */
export async function settleRefund(
  config: Config,
  id: string,
  word: { readonly by: string; readonly note: string },
): Promise<Settlement | undefined> {
  const database = await openConfiguredDatabase(config);
  try {
    return await settleFailedRefund(database.db, id, word, createRealClock().now());
  } finally {
    await database.close();
  }
}

/**
 * Which limits executors hold in each configured cluster: a former one's are named, the first thousand (gap 130). The
 * sandbox's executor derives from the master key and stays what it is.
 */
export async function listExecutorLimits(config: Config): Promise<
  readonly {
    readonly environment: string;
    readonly executors: readonly ExecutorLimits[];
    readonly renewals: OfferedRenewals;
  }[]
> {
  const database = await openConfiguredDatabase(config);
  const now = createRealClock().now();
  try {
    const told = [];
    for (const { name, executorSeed } of config.clusters) {
      const present = executorSeed === null ? undefined : serviceKeyOf(executorSeed).address;
      const executors = await findExecutorLimits(database.db, name, present, { now, most: 1_000 });
      const renewals = await findOfferedRenewals(database.db, name, { most: 1_000 });
      told.push({ environment: name, executors, renewals });
    }
    return told;
  } finally {
    await database.close();
  }
}

/** What managing tenants and keys asks of the world: the database alone, whatever runs beside it. */
export interface KeyOffice {
  readonly db: Db;
  /** The keyring's secret `api-key`. */
  readonly secret: Uint8Array;
  readonly random: Random;
  /** Real time, Unix milliseconds. */
  readonly now: number;
}

/** Opens what is needed to manage tenants and keys (gap 122), does it, and closes it again. */
export async function inKeyOffice<T>(config: Config, work: (office: KeyOffice) => Promise<T>): Promise<T> {
  const database = await openConfiguredDatabase(config);
  try {
    const { db } = database;
    const keyring = await openKeyring(config, db);
    return await work({
      db,
      secret: keyring.deriveSecret("api-key"),
      random: systemRandom,
      now: createRealClock().now(),
    });
  } finally {
    await database.close();
  }
}

function openConfiguredDatabase(config: Config, outage?: Outage): Promise<OpenDatabase> {
  return openDatabase(
    config.databaseUrl === null
      ? { kind: "embedded", directory: config.dataDirectory }
      : { kind: "postgres", url: config.databaseUrl, poolSize: config.databasePoolSize },
    outage,
  );
}

/**
 * Says how the database server is set up where that is dangerous. Throws UnusableDatabaseError where mainnet's keys would
 * stand on a server that a power cut can destroy.
 */
async function checkServer(database: OpenDatabase, config: Config, log: Log): Promise<void> {
  for (const fault of await database.findFaults()) {
    const { setting, value, message, losesEverything } = fault;
    if (losesEverything && config.clusters.some(({ name }) => name === "mainnet")) {
      throw new UnusableDatabaseError(fault);
    }
    log.warn({ setting, value }, message);
  }
}

function openMailer(config: Config, opened: { close(): Promise<unknown> }[]): Mailer {
  if (!config.smtp) return createUnconfiguredMailer(config.appName);
  const mailer = createSmtpMailer({ ...config.smtp, senderName: config.appName });
  opened.push({ close: async () => mailer.close() });
  return mailer;
}

/**
 * Opens every configured environment, and names what has to be closed or called again. The sandbox's virtual machine is
 * native code: it is loaded only where no other environment is, and so never shares a process with their keys (gap 1).
 */
async function openNetworks(
  config: Config,
  parts: {
    readonly database: OpenDatabase;
    readonly db: Db;
    readonly keyring: Keyring;
    readonly realClock: Clock;
    readonly random: Random;
    readonly log: Log;
    readonly connectTo?: (environment: EnvironmentName) => RpcConnect;
  },
  opened: { close(): Promise<unknown> }[],
): Promise<Network[]> {
  const { sandbox: sponsorship } = config.sponsorship;
  const networks: Network[] = [];
  if (config.sandbox.kind === "embedded") {
    const { openSandboxNetwork } = await loadSandbox();
    const sandbox = await openSandboxNetwork({
      ...parts,
      sponsorship,
      programPath: config.sandboxProgramPath,
      faults: config.sandboxFaults,
    });
    opened.push(sandbox);
    networks.push(sandbox.network);
  }
  if (config.sandbox.kind === "remote") {
    const { network, follow } = await openRemoteSandbox({ ...parts, sponsorship, url: config.sandbox.url });
    const following = every(followSandboxEveryMs, follow, parts.log);
    opened.push({ close: () => following.stop() });
    networks.push(network);
  }
  for (const cluster of config.clusters) {
    const network = await openClusterNetwork({
      ...cluster,
      ...parts,
      sponsorship: config.sponsorship.cluster,
      pause: systemPause,
      ...(parts.connectTo ? { connect: parts.connectTo(cluster.name) } : {}),
    });
    if (cluster.wsUrl === null) {
      networks.push(network);
      continue;
    }
    const subscriptions = openAccountSubscriptions({ url: cluster.wsUrl, log: parts.log });
    opened.push(subscriptions);
    networks.push({ ...network, changes: subscriptions.changes });
  }
  return networks;
}

/** The partner of every environment that has one. Throws UnusableEnvironmentError where one cannot be used. */
async function openRails(
  config: Config,
  parts: {
    readonly db: Db;
    readonly keyring: Keyring;
    readonly random: Random;
    readonly baseUrl: () => string;
    readonly log: Log;
    readonly realClock: Clock;
  },
  networks: ReadonlyMap<EnvironmentName, Network>,
): Promise<RailsByEnvironment> {
  const rails = new Map<EnvironmentName, Rails>();
  const sandbox = networks.get("sandbox");
  const pace = config.sandboxRails;
  if (sandbox !== undefined && pace !== "off") {
    rails.set("sandbox", createSandboxRails({ ...parts, network: sandbox, pace }));
  }
  for (const bridge of config.bridges) {
    const network = networks.get(bridge.environment);
    if (network === undefined) continue;
    const tenants = await countTenantsWithKeys(parts.db, bridge.environment);
    if (tenants > 1) {
      // One key is one developer there, and one address of mail one customer: tenants would share them.
      throw new UnusableEnvironmentError(
        bridge.environment,
        `Bridge serves one tenant, and ${tenants} have API keys for it. Give each a service of its own, with its own key of Bridge.`,
      );
    }
    rails.set(bridge.environment, { partner: await openBridge(bridge, { ...parts, network }) });
  }
  return rails;
}

/** The pages of a simulated partner, if there is one. */
function hostedPagesOf(needs: RailNeeds, network: Network | undefined) {
  const simulator = network && needs.rails.get(network.name)?.simulator;
  if (network === undefined || simulator === undefined) return {};
  return { hostedPages: { pages: simulator.pages, settle: () => settleRails(needs, network) } };
}

/** Environments of the key that a new installation shows: a test key wherever there is a test environment (gap 2). */
function firstKeyEnvironments(networks: readonly Network[]): EnvironmentName[] {
  const names = networks.map(({ name }) => name);
  const tests = names.filter((name) => name !== "mainnet");
  return tests.length > 0 ? tests : names;
}

/** What `/readyz` says: whether the database answers, and any chain. */
async function readReadiness(db: Db, networks: ReadonlyMap<EnvironmentName, Network>): Promise<Readiness> {
  const [database, ...chains] = await Promise.all([
    check(async () => {
      await sql`select 1`.execute(db);
      return { ok: true };
    }),
    ...[...networks.values()].map((network) => check(() => network.health())),
  ]);
  const byName = Object.fromEntries([...networks.keys()].map((name, i) => [name, chains[i] ?? { ok: false }]));
  return { ready: database.ok && chains.some(({ ok }) => ok), checks: { database, ...byName } };
}

async function check(ask: () => Promise<NetworkHealth>): Promise<NetworkHealth> {
  try {
    return await ask();
  } catch {
    // The cause may name machines; this answer is public.
    return { ok: false, message: "does not answer" };
  }
}
