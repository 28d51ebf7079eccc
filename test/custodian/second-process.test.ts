import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
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
