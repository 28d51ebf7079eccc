import { existsSync } from "node:fs";
import { join } from "node:path";
import { embeddedFolder } from "../adapters/db/open-database.js";
import { createCustodianClient } from "../adapters/kms/custodian-client.js";
import { createCustodianLog } from "../adapters/kms/custodian-log.js";
import { identityText, type KeyFolder, readKeyFolder } from "../adapters/kms/key-folder.js";
import { compareLogs } from "../audit/compare-logs.js";
import { type Config, ConfigError, parseConfig } from "../config/config.js";
import { createReader } from "../config/reader.js";
import { parseRemoteCustodians } from "../config/remote-custodians.js";
import { withDatabase } from "../operator/with-database.js";
import { whyOf } from "./why.js";

/** What was found out about a custodian of its own process. */
export interface CheckedCustodian {
  readonly answers: boolean;
  /** Its log, or what it has seen of the service's, contradicts what was seen before. */
  readonly hasLogFault: boolean;
  /** Lines for people. */
  readonly text: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Remote = ReturnType<typeof parseRemoteCustodians>[number];

/** Asks every custodian that the service's variables name who it is. Throws ConfigError for variables that name none. */
export async function checkCustodians(environment: Environment): Promise<readonly CheckedCustodian[]> {
  const problems: string[] = [];
  const remotes = parseRemoteCustodians(createReader(environment, problems));
  if (problems.length > 0) throw new ConfigError(problems);
  const database = findDatabase(environment);
  const checked: CheckedCustodian[] = [];
  // One after the other: an embedded database is opened by one at a time.
  for (const remote of remotes) checked.push(await check(remote, database));
  return checked;
}

async function check(remote: Remote, database: Config | undefined): Promise<CheckedCustodian> {
  const { name, url, keyFolder } = remote;
  try {
    const keys = await readKeyFolder(keyFolder);
    const client = createCustodianClient({ url, keys, now: Date.now });
    try {
      const found = await client.ask("getIdentity", {}, undefined);
      const pinned = identityText(keys.peer);
      if (found.identity !== pinned || found.name !== name) {
        const text = `${name} at ${url}: it calls itself ${found.name}, and not ${name}`;
        return { answers: false, hasLogFault: false, text };
      }
      const [places, off] = [found.environments.join(", "), Math.round((found.time - Date.now()) / 1000)];
      const line = `${name} at ${url}: answers as ${pinned}, for ${places}; its clock is ${off} s off`;
      return { answers: true, ...(await checkLogs(remote, { line, client, keys, database })) };
    } finally {
      client.close();
    }
  } catch (error) {
    return { answers: false, hasLogFault: false, text: `${name} at ${url}: does not answer. ${whyOf(error)}` };
  }
}

async function checkLogs(
  { name }: Remote,
  parts: {
    readonly line: string;
    readonly client: ReturnType<typeof createCustodianClient>;
    readonly keys: KeyFolder;
    readonly database: Config | undefined;
  },
): Promise<Pick<CheckedCustodian, "hasLogFault" | "text">> {
  const { line, client, keys, database } = parts;
  // Without the service's variables: on another machine, where only the custodian is asked.
  if (database === undefined) return { hasLogFault: false, text: line };
  const theirs = { ...createCustodianLog(name, client, keys), isRunning: () => true };
  try {
    const faults = await withDatabase(database, ({ db }) => compareLogs(db, theirs));
    return { hasLogFault: faults.length > 0, text: [line, ...faults.map((fault) => `    ${fault}`)].join("\n") };
  } catch (error) {
    const text = `${line}\n    The logs were not compared: ${whyOf(error)} /readyz of the running service says whether they fit.`;
    return { hasLogFault: false, text };
  }
}

/** The service's database, where the variables name one that is there: none is made for this. */
function findDatabase(environment: Environment): Config | undefined {
  try {
    const config = parseConfig(environment);
    const isThere = config.databaseUrl !== null || existsSync(join(config.dataDirectory, embeddedFolder));
    return isThere ? config : undefined;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
