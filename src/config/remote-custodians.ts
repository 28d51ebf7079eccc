import { resolve } from "node:path";
import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import { parseSwitch } from "./choices.js";
import type { ClusterConfig, SandboxConfig } from "./environments.js";
import type { Reader } from "./reader.js";
import { custodianVariableNames, guardianNames } from "./variables.js";

/** A custodian that is a process of its own: where it answers, and the keys by which both sides know each other. */
export interface RemoteCustodianConfig {
  readonly name: CustodianName;
  readonly url: string;
  readonly keyFolder: string;
  /** Its wallets obey passkeys that it has enrolled itself, and no session. */
  readonly isGuardian: boolean;
}

export function parseRemoteCustodians({ read, problems }: Reader): readonly RemoteCustodianConfig[] {
  const guardian = read("TRELLIS_GUARDIAN");
  if (guardian !== "" && !guardianNames.some((name) => name === guardian)) {
    problems.push(`TRELLIS_GUARDIAN must be ${guardianNames.join(" or ")}, or empty.`);
  } else if (guardian !== "" && read(`TRELLIS_CUSTODIAN_${guardian.toUpperCase() as "KMS_C"}_URL`) === "") {
    problems.push(`TRELLIS_CUSTODIAN_${guardian.toUpperCase()}_URL is required with TRELLIS_GUARDIAN.`);
  }
  return custodianVariableNames.flatMap((variable) => {
    const [urlName, keysName] = [`TRELLIS_CUSTODIAN_${variable}_URL`, `TRELLIS_CUSTODIAN_${variable}_KEYS`] as const;
    const [url, folder] = [read(urlName), read(keysName)];
    if (url === "" && folder === "") return [];
    if (!/^https:\/\/[^/\s?#@]+\/?$/.test(url) || !URL.canParse(url)) {
      problems.push(`${urlName} must be https://host:port, without a path.`);
    }
    if (folder === "") problems.push(`${keysName} is required with ${urlName}.`);
    const name = variable.toLowerCase() as Lowercase<typeof variable>;
    return { name, url, keyFolder: resolve(folder), isGuardian: name === guardian };
  });
}

/** What accounts of new tenants are by default (gap 191): guarded where a guardian is, and money of others than the sandbox's. */
export const newTenantProtection = ({
  clusters,
  remoteCustodians,
}: {
  readonly clusters: readonly ClusterConfig[];
  readonly remoteCustodians: readonly RemoteCustodianConfig[];
}): "plain" | "guarded" =>
  clusters.length > 0 && remoteCustodians.some(({ isGuardian }) => isGuardian) ? "guarded" : "plain";

/**
 * Whether the service starts a guardian beside itself: on a laptop alone, where nothing outside is configured. Real money is guarded by a
 * machine of its own.
 */
export function parseLocalGuardian(
  reader: Reader,
  beside: {
    readonly databaseUrl: string | null;
    readonly clusters: readonly ClusterConfig[];
    readonly sandbox: SandboxConfig;
    readonly remoteCustodians: readonly RemoteCustodianConfig[];
  },
): boolean {
  const isWanted = parseSwitch(reader, "TRELLIS_LOCAL_GUARDIAN", ["auto", "off"]);
  const { databaseUrl, clusters, sandbox, remoteCustodians } = beside;
  const isLaptop = databaseUrl === null && clusters.length === 0 && sandbox.kind !== "off";
  const hasOther = reader.read("TRELLIS_GUARDIAN") !== "" || remoteCustodians.some(({ name }) => name === "kms_c");
  return isWanted && isLaptop && !hasOther;
}
