import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { createLogger, createPinoLog } from "../../src/adapters/log/pino-log.js";
import { startCustodian } from "../../src/custodian/start-custodian.js";
import { makeKeyFolders, startTestCustodian } from "../support/custodian.js";
import { postgresUrl } from "../support/test-database.js";
import { use } from "../support/use.js";

const custodian = use(() => startTestCustodian());
const place = use(async () => {
  const directory = await mkdtemp(join(tmpdir(), "trellis-second-"));
  const folders = await makeKeyFolders(directory);
  return { directory, folders, close: () => rm(directory, { recursive: true, force: true }) };
});
const log = createPinoLog(createLogger("fatal"));
const taken =
  postgresUrl === undefined ? /in use|another process/i : "Another custodian process runs over this database";

it("is refused beside the first one, whatever its identity, its folder and its clock, and the first one goes on", async () => {
  const same = { ...custodian.config, port: 0 };
  const embedded = same.databaseUrl === null;
  const otherFolder = embedded ? same : { ...same, dataDirectory: join(place.directory, "data") };
  const seconds = [same, otherFolder, { ...otherFolder, keyFolder: place.folders.custodian }];
  for (const second of seconds) await expect(startCustodian(second, log)).rejects.toThrow(taken);
  const late = { clock: { now: () => Date.now() + 3_600_000 }, afterRestore: true };
  await expect(startCustodian(same, log, late)).rejects.toThrow(taken);
  expect((await custodian.clientWith().ask("getIdentity", {}, undefined)).identity).toBe(custodian.identity);
  // Nothing of the others stays behind: the first one starts again over what it has left.
  await custodian.stop();
  await custodian.start();
  await custodian.stop();
  // One after the other is another thing: it is the operator's, and in the log.
  const next = await startCustodian({ ...same, keyFolder: place.folders.custodian }, log);
  await next.close();
  await custodian.start();
});

describe.runIf(postgresUrl !== undefined)("a custodian whose connection that holds the database is lost", () => {
  const displaced: string[] = [];
  const started = use(async () => {
    const one = await startTestCustodian();
    await one.stop();
    await one.start(one.config.port, { onDisplaced: () => displaced.push("ended") });
    return one;
  });
  const onServer = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: started.config.databaseUrl ?? "" });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const locks =
    "select pid from pg_locks where locktype = 'advisory' and database = " +
    "(select oid from pg_database where datname = current_database())";
  const holders = `${locks} and granted`;
  const holdersOf = (client: pg.Client) => client.query<{ pid: number }>(holders).then(({ rows }) => rows);
  const terminate = (client: pg.Client) => client.query(`select pg_terminate_backend(pid) from (${holders}) as held`);

  it("takes it again", async () => {
    await onServer(async (client) => {
      const [before] = await holdersOf(client);
      expect(before).toBeDefined();
      await terminate(client);
      await expect.poll(async () => (await holdersOf(client)).filter(({ pid }) => pid !== before?.pid)).toHaveLength(1);
    });
    await expect(startCustodian({ ...started.config, port: 0 }, log)).rejects.toThrow(taken);
    expect(displaced).toEqual([]);
  });

  it("ends where another process was faster", async () => {
    await onServer(async (client) => {
      const other = new pg.Client({ connectionString: started.config.databaseUrl ?? "" });
      await other.connect();
      // It waits in line, so that it has the name as soon as that is free.
      await other.query("begin");
      const waiting = other.query("select pg_advisory_xact_lock(hashtext('trellis/custodian'))");
      const inLine = async () => (await client.query(`${locks} and not granted`)).rowCount;
      await expect.poll(inLine).toBeGreaterThan(0);
      await terminate(client);
      await waiting;
      await expect.poll(() => displaced, { timeout: 10_000 }).toEqual(["ended"]);
      await other.end();
    });
  });
});
