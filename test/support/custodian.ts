import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import { openDatabase } from "../../src/adapters/db/open-database.js";
import { createCustodianClient } from "../../src/adapters/kms/custodian-client.js";
import { makeKey, readKeyFolder, writePeer } from "../../src/adapters/kms/key-folder.js";
import { createLogger, createPinoLog } from "../../src/adapters/log/pino-log.js";
import { parseCustodianConfig } from "../../src/config/custodian.js";
import { asCustodianDb, type CustodianDb } from "../../src/custodian/custodian-db.js";
import { custodianMigrations } from "../../src/custodian/migrations/index.js";
import type { SigningPolicy } from "../../src/custodian/signing-policy.js";
import { type RunningCustodian, startCustodian } from "../../src/custodian/start-custodian.js";
import { createTestLocation } from "./test-database.js";

/** Keys of both sides in one folder: `service` and `custodian`. */
export async function makeKeyFolders(directory: string): Promise<{ service: string; custodian: string }> {
  const folders = { service: join(directory, "service"), custodian: join(directory, "keys") };
  const [service, custodian] = [
    await makeKey(folders.service, "service"),
    await makeKey(folders.custodian, "custodian"),
  ];
  await writePeer(folders.service, custodian);
  await writePeer(folders.custodian, service);
  return folders;
}

/** Signs whatever a live authority has stamped: for tests of what commands a wallet, whatever it signs. */
export const allowStamped: SigningPolicy = { decide: async () => ({ kind: "allow" }) };

/** A custodian on a real socket, with a database and keys of its own, that can be stopped and started again on them. */
export async function startTestCustodian({
  variables = {},
  policy,
  clock = { now: () => Date.now() },
  launch,
}: {
  readonly variables?: Readonly<Record<string, string>>;
  readonly policy?: SigningPolicy;
  readonly clock?: Clock;
  /** Starts it elsewhere than in this process, where neither `policy` nor `clock` reach it. */
  readonly launch?: (variables: Readonly<Record<string, string>>) => Promise<RunningCustodian>;
} = {}) {
  const directory = await mkdtemp(join(tmpdir(), "trellis-custodian-"));
  const place = await createTestLocation();
  const folders = await makeKeyFolders(directory);
  const given: Readonly<Record<string, string>> = {
    TRELLIS_CUSTODIAN_NAME: "kms_b",
    TRELLIS_CUSTODIAN_PORT: "0",
    TRELLIS_CUSTODIAN_KEYS: folders.custodian,
    TRELLIS_CUSTODIAN_DATA_DIR: join(directory, "data"),
    TRELLIS_CUSTODIAN_MASTER_KEY: randomBytes(32).toString("base64"),
    TRELLIS_CUSTODIAN_DATABASE_URL: place.url ?? "",
    TRELLIS_CUSTODIAN_ENVIRONMENTS: "sandbox,devnet",
    ...variables,
  };
  const config = parseCustodianConfig(given);
  const log = createPinoLog(createLogger("fatal"));
  const parts = { clock, ...(policy === undefined ? {} : { policy }) };
  const run = (port: number, more: object = {}) =>
    launch === undefined
      ? startCustodian({ ...config, port }, log, { ...parts, ...more })
      : launch({ ...given, TRELLIS_CUSTODIAN_PORT: String(port) });
  let running = await run(config.port);
  let url = running.url;
  const keys = await readKeyFolder(folders.service);
  return {
    config,
    folders,
    /** Of the service that may ask it. */
    keys,
    get url() {
      return url;
    },
    get identity() {
      return running.identity;
    },
    get pagePort() {
      return running.pagePort;
    },
    clientWith: (more: { now?: () => number; url?: string; timeoutMs?: number } = {}) =>
      createCustodianClient({ url, keys, now: clock.now, ...more }),
    stop: () => running.close(),
    /** `port`: where others know it. */
    async start(port = config.port, more: { readonly afterRestore?: boolean; readonly onDisplaced?: () => void } = {}) {
      running = await run(port, more);
      url = running.url;
    },
    /** What the operator of its database can do, while it is stopped. */
    async inDatabase(work: (db: CustodianDb) => Promise<void>) {
      const { databaseUrl, dataDirectory: directory } = config;
      const opened = await openDatabase(
        databaseUrl === null ? { kind: "embedded", directory } : { kind: "postgres", url: databaseUrl },
        { schema: custodianMigrations },
      );
      await work(asCustodianDb(opened.db));
      await opened.close();
    },
    async close() {
      await running.close();
      await place.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
