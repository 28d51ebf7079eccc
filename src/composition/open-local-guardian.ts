import { fileURLToPath } from "node:url";
import type { Log } from "@trellis/kernel/ports/log.js";
import { ensureGuardianFolder } from "../adapters/kms/guardian-folder.js";
import { createGuardianProcess, type GuardianProcess } from "../adapters/kms/guardian-process.js";
import { type KeyFolder, readKeyFolder } from "../adapters/kms/key-folder.js";
import type { Config } from "../config/config.js";
import { guardianNames } from "../config/variables.js";

/** The custodian whose name a guardian beside the service has. */
export const [localGuardianName] = guardianNames;

/**
 * The guardian beside the service: its keys, which are made at the first start, and its process, which is not started before it is asked
 * for. It takes a second of a core and 190 MB, where the service takes 290 MB: most sandboxes never need it.
 */
export async function openLocalGuardian(
  { dataDirectory, logLevel }: Pick<Config, "dataDirectory" | "logLevel">,
  log: Log,
): Promise<GuardianProcess & { readonly name: typeof localGuardianName; readonly keys: KeyFolder }> {
  const folder = await ensureGuardianFolder(dataDirectory);
  const environment = {
    TRELLIS_CUSTODIAN_NAME: localGuardianName,
    TRELLIS_CUSTODIAN_HOST: "127.0.0.1",
    TRELLIS_CUSTODIAN_PORT: "0",
    TRELLIS_CUSTODIAN_KEYS: folder.custodianKeys,
    TRELLIS_CUSTODIAN_DATA_DIR: folder.data,
    TRELLIS_CUSTODIAN_ENVIRONMENTS: "sandbox",
    TRELLIS_LOG_LEVEL: logLevel,
  };
  const guardian = createGuardianProcess({ program: process.execPath, args: program(), environment }, log);
  return { name: localGuardianName, keys: await readKeyFolder(folder.serviceKeys), ...guardian };
}

/** What was compiled runs as it is; sources run by whatever runs this process from sources. */
function program(): readonly string[] {
  const isSource = import.meta.url.endsWith(".ts");
  const entry = fileURLToPath(new URL(`../cli/guardian-beside.${isSource ? "ts" : "js"}`, import.meta.url));
  return isSource ? [...process.execArgv, entry] : ["--max-old-space-size=256", entry];
}
