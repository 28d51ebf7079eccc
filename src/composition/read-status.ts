import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network, NetworkHealth, NodeStanding } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import type { OpenDatabase } from "../adapters/db/open-database.js";
import type { Figure, FigureName } from "../adapters/metrics/figures.js";
import { readDeliveries, readEnvironment } from "../adapters/metrics/read-database.js";
import type { CustodianLogs } from "../audit/cosign-custodians.js";
import type { PassBook, PassStanding } from "../scheduler/pass-book.js";
import type { ServiceStatus } from "../status/service-status.js";

export interface StatusParts {
  readonly version: string;
  readonly kind: ServiceStatus["database"]["kind"];
  readonly mail: ServiceStatus["mail"];
  readonly database: Pick<OpenDatabase, "db" | "findFaults" | "connections">;
  readonly networks: ReadonlyMap<EnvironmentName, Network>;
  readonly passes: Pick<PassBook, "list">;
  readonly custodianLogs: Pick<CustodianLogs, "faults">;
  readonly realClock: Clock;
  /** How long it waits for all parts together, in milliseconds. Default: two seconds. */
  readonly patienceMs?: number;
}

const usualPatienceMs = 2_000;

/** Reads a part; undefined where that failed, or took too long. */
type ReadPart = () => Promise<unknown>;

/**
 * Makes the reader of the status. All parts are read at once, and none is waited for longer than the patience. A part that hangs is not read
 * again meanwhile, whatever is asked: it costs one reading.
 */
export function createStatusReader(parts: StatusParts): () => Promise<ServiceStatus> {
  const { realClock, database, networks, patienceMs = usualPatienceMs } = parts;
  const startedAt = realClock.now();
  const readers = new Map<string, ReadPart>([
    ["database", () => readServer(database.db)],
    ["database.faults", () => database.findFaults()],
    ["event_deliveries", () => readDeliveries(database.db)],
  ]);
  for (const [name, network] of networks) {
    readers.set(`${name}.health`, () => network.health());
    readers.set(`${name}.queues`, () => readEnvironment(database.db, network, realClock));
    const { nodes } = network;
    if (nodes) readers.set(`${name}.nodes`, () => nodes.compare());
  }
  const under = new Map<string, Promise<unknown>>();
  const readOnce = (name: string, read: ReadPart): Promise<unknown> => {
    const known = under.get(name);
    if (known) return known;
    const reading = Promise.resolve()
      .then(read)
      .catch(() => undefined)
      .finally(() => under.delete(name));
    under.set(name, reading);
    return reading;
  };

  return async () => {
    const found = new Map<string, unknown>();
    const own = new AbortController();
    const all = [...readers].map(async ([name, read]) => {
      const value = await readOnce(name, read);
      if (value !== undefined && !own.signal.aborted) found.set(name, value);
    });
    const patience = wait(patienceMs, undefined, { ref: false, signal: own.signal }).catch(() => undefined);
    await Promise.race([Promise.all(all), patience]);
    own.abort();
    return toWire(
      parts,
      startedAt,
      found,
      [...readers.keys()].filter((name) => !found.has(name)),
    );
  };
}

interface Server {
  readonly version: string;
  readonly migration: string;
}

async function readServer(db: Db): Promise<Server | undefined> {
  const { rows } = await sql<Server>`
    select current_setting('server_version') as version,
      (select name from kysely_migration order by name desc limit 1) as migration`.execute(db);
  return rows[0];
}

/** Everything is named here: what a part has besides stays inside. */
function toWire(
  parts: StatusParts,
  startedAt: number,
  found: ReadonlyMap<string, unknown>,
  unread: string[],
): ServiceStatus {
  const { version, kind, mail, database, networks, passes, custodianLogs, realClock } = parts;
  const server = found.get("database") as Server | undefined;
  const faults = found.get("database.faults") as Awaited<ReturnType<OpenDatabase["findFaults"]>> | undefined;
  const deliveries = found.get("event_deliveries") as readonly Figure[] | undefined;
  return {
    version,
    started_at: iso(startedAt),
    uptime_seconds: Math.max(0, Math.floor((realClock.now() - startedAt) / 1000)),
    database: {
      kind,
      answers: server !== undefined,
      ...(server === undefined ? {} : { server_version: server.version, migration: server.migration }),
      ...(faults === undefined
        ? {}
        : { faults: faults.map(({ setting, value, message }) => ({ setting, value, message })) }),
      connections: database
        .connections()
        .map(({ pool, max, inUse, idle, waiting }) => ({ pool, max, in_use: inUse, idle, waiting })),
    },
    environments: [...networks.values()].map((network) => toWireEnvironment(network, found)),
    ...(deliveries === undefined
      ? {}
      : { event_deliveries_pending: sumOf(deliveries, "trellis_event_deliveries_pending") }),
    passes: passes.list().map(toWirePass),
    mail,
    custodian_log_faults: [...custodianLogs.faults.keys()],
    unread,
  };
}

function toWireEnvironment(
  network: Network,
  found: ReadonlyMap<string, unknown>,
): ServiceStatus["environments"][number] {
  const { name, feePayer, nodes, changesState } = network;
  const health = found.get(`${name}.health`) as NetworkHealth | undefined;
  const figures = found.get(`${name}.queues`) as readonly Figure[] | undefined;
  const message = health === undefined ? "does not answer" : health.message;
  return {
    environment: name,
    ok: health?.ok ?? false,
    poor: health?.poor ?? false,
    ...(message === undefined ? {} : { message }),
    fee_payer: feePayer.address,
    nodes: toWireNodes(nodes?.list() ?? []),
    websocket: changesState?.() ?? "none",
    ...(figures === undefined
      ? {}
      : {
          queues: {
            submissions_open: sumOf(figures, "trellis_submissions_open"),
            creations_open: sumOf(figures, "trellis_creations_open"),
            mails_queued: sumOf(figures, "trellis_mails_queued"),
            webhook_endpoints_due: sumOf(figures, "trellis_endpoints_due"),
            standing_orders_due: sumOf(figures, "trellis_standing_orders_due"),
          },
        }),
  };
}

function toWireNodes(nodes: readonly NodeStanding[]): ServiceStatus["environments"][number]["nodes"] {
  const heights = nodes.flatMap(({ height }) => (height === undefined ? [] : [height]));
  const highest = heights.reduce((most, height) => (height > most ? height : most), 0n);
  return nodes.map(({ number, origin, standing, height, comparedAt }) => ({
    number,
    origin,
    standing,
    answers: height !== undefined,
    ...(height === undefined ? {} : { block_height: Number(height), blocks_behind: Number(highest - height) }),
    ...(comparedAt === undefined ? {} : { compared_at: iso(comparedAt) }),
  }));
}

function toWirePass({ pass, environment, everyMs, nextRunAt, last, succeededAt }: PassStanding) {
  return {
    pass,
    environment: environment as ServiceStatus["passes"][number]["environment"],
    every_seconds: everyMs / 1000,
    next_run_at: iso(nextRunAt),
    ...(last === undefined
      ? {}
      : {
          last_run_at: iso(last.endedAt),
          last_run_ok: last.isOk,
          last_duration_ms: Math.round(last.durationMs),
        }),
    ...(succeededAt === undefined ? {} : { last_success_at: iso(succeededAt) }),
  };
}

const sumOf = (figures: readonly Figure[], wanted: FigureName): number =>
  figures.reduce((sum, { name, value }) => sum + (name === wanted ? value : 0), 0);

const iso = (instant: number): string => new Date(instant).toISOString();
