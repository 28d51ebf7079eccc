import { createCustodianClient } from "../adapters/kms/custodian-client.js";
import { identityText, readKeyFolder } from "../adapters/kms/key-folder.js";
import { ConfigError } from "../config/config.js";
import { createReader } from "../config/reader.js";
import { parseRemoteCustodians } from "../config/remote-custodians.js";
import { whyOf } from "./why.js";

/** What was found out about a custodian of its own process. */
export interface CheckedCustodian {
  readonly answers: boolean;
  /** A line for people. */
  readonly text: string;
}

/** Asks every custodian that the service's variables name who it is. Throws ConfigError for variables that name none. */
export async function checkCustodians(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly CheckedCustodian[]> {
  const problems: string[] = [];
  const remotes = parseRemoteCustodians(createReader(environment, problems));
  if (problems.length > 0) throw new ConfigError(problems);
  return Promise.all(remotes.map(check));
}

async function check({
  name,
  url,
  keyFolder,
}: ReturnType<typeof parseRemoteCustodians>[number]): Promise<CheckedCustodian> {
  try {
    const keys = await readKeyFolder(keyFolder);
    const client = createCustodianClient({ url, keys, now: Date.now });
    try {
      const found = await client.ask("getIdentity", {}, undefined);
      const pinned = identityText(keys.peer);
      if (found.identity !== pinned || found.name !== name) {
        return { answers: false, text: `${name} at ${url}: it calls itself ${found.name}, and not ${name}` };
      }
      const [places, off] = [found.environments.join(", "), Math.round((found.time - Date.now()) / 1000)];
      return {
        answers: true,
        text: `${name} at ${url}: answers as ${pinned}, for ${places}; its clock is ${off} s off`,
      };
    } finally {
      client.close();
    }
  } catch (error) {
    return { answers: false, text: `${name} at ${url}: does not answer. ${whyOf(error)}` };
  }
}
