import { resolve } from "node:path";
import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import type { Reader } from "./reader.js";
import { custodianVariableNames } from "./variables.js";

/** A custodian that is a process of its own: where it answers, and the keys by which both sides know each other. */
export interface RemoteCustodianConfig {
  readonly name: CustodianName;
  readonly url: string;
  readonly keyFolder: string;
}

export function parseRemoteCustodians({ read, problems }: Reader): readonly RemoteCustodianConfig[] {
  return custodianVariableNames.flatMap((variable) => {
    const [urlName, keysName] = [`TRELLIS_CUSTODIAN_${variable}_URL`, `TRELLIS_CUSTODIAN_${variable}_KEYS`] as const;
    const [url, folder] = [read(urlName), read(keysName)];
    if (url === "" && folder === "") return [];
    if (!/^https:\/\/[^/\s?#@]+\/?$/.test(url) || !URL.canParse(url)) {
      problems.push(`${urlName} must be https://host:port, without a path.`);
    }
    if (folder === "") problems.push(`${keysName} is required with ${urlName}.`);
    const name = variable.toLowerCase() as Lowercase<typeof variable>;
    return { name, url, keyFolder: resolve(folder) };
  });
}
