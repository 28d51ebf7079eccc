import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { ProgramChecks } from "@trellis/solana/check-program.js";
import type { ConnectionCounts } from "../db/open-database.js";
import type { Figure } from "./figures.js";
import { type MetricsServer, startMetricsServer } from "./metrics-server.js";
import { contentType, type Prometheus } from "./prometheus.js";
import { readDeliveries, readEnvironment } from "./read-database.js";
import { createReadings, type Source } from "./readings.js";

/** What lies in tables is read this seldom, and what the chain is asked for; milliseconds of real time. */
const tablesGoodForMs = 15_000;
const balancesGoodForMs = 60_000;

/** What figures are read from. */
export interface MetricsParts {
  readonly prometheus: Prometheus;
  readonly db: Db;
  readonly networks: ReadonlyMap<EnvironmentName, Network>;
  readonly realClock: Clock;
  readonly log: Log;
  readonly connections: () => readonly ConnectionCounts[];
  readonly creations: (environment: EnvironmentName) => { readonly underWay: number; readonly waiting: number };
  readonly programs: Pick<ProgramChecks, "isKnown">;
}

/** Starts the server of the metrics. */
export function openMetrics(
  place: { readonly host: string; readonly port: number; readonly token: string | null },
  parts: MetricsParts,
): Promise<MetricsServer> {
  const { prometheus, realClock, log } = parts;
  const write = createReadings({ prometheus, realClock, log, sources: sourcesOf(parts) });
  return startMetricsServer({ ...place, contentType, write });
}

function sourcesOf({ db, networks, realClock, connections, creations, programs }: MetricsParts): readonly Source[] {
  return [
    { name: "deliveries", goodForMs: tablesGoodForMs, read: () => readDeliveries(db) },
    { name: "connections", goodForMs: 0, read: () => connections().flatMap(figuresOfPool) },
    ...[...networks.values()].flatMap((network): Source[] => [
      {
        name: `tables_${network.name}`,
        goodForMs: tablesGoodForMs,
        read: () => readEnvironment(db, network, realClock),
      },
      { name: `balances_${network.name}`, goodForMs: balancesGoodForMs, read: () => readBalances(network) },
      {
        name: `creations_${network.name}`,
        goodForMs: 0,
        read: () => {
          const { underWay, waiting } = creations(network.name);
          const labels = { environment: network.name };
          return [
            { name: "trellis_creations_under_way", labels, value: underWay },
            { name: "trellis_creations_waiting", labels, value: waiting },
          ];
        },
      },
      {
        name: `program_${network.name}`,
        goodForMs: 0,
        read: () => {
          const isKnown = programs.isKnown(network.name);
          if (isKnown === undefined) return [];
          return [{ name: "trellis_program_known", labels: { environment: network.name }, value: Number(isKnown) }];
        },
      },
    ]),
  ];
}

function figuresOfPool({ pool, max, inUse, idle, waiting }: ConnectionCounts): readonly Figure[] {
  return [
    { name: "trellis_database_connections", labels: { pool, state: "in_use" }, value: inUse },
    { name: "trellis_database_connections", labels: { pool, state: "idle" }, value: idle },
    { name: "trellis_database_connections_max", labels: { pool }, value: max },
    { name: "trellis_database_waiting", labels: { pool }, value: waiting },
  ];
}

/** All keys in one question. */
async function readBalances(network: Network): Promise<readonly Figure[]> {
  const { name: environment, executor, feePayer, passkeyPayer, rpc } = network;
  const keys = [
    ["fee_payer", feePayer.address] as const,
    ...(executor === null ? [] : [["executor", executor.address] as const]),
    ...(passkeyPayer === undefined ? [] : [["passkey_payer", passkeyPayer.address] as const]),
  ];
  const { value } = await rpc
    .getMultipleAccounts(
      keys.map(([, address]) => address),
      { commitment: "confirmed", encoding: "base64" },
    )
    .send();
  return keys.map(([key], i) => ({
    name: "trellis_service_key_lamports" as const,
    labels: { environment, key },
    value: Number(value[i]?.lamports ?? 0n),
  }));
}
