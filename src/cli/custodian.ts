import { resolve } from "node:path";
import { identityText, makeKey, readKeyFolder, writePeer } from "../adapters/kms/key-folder.js";
import { createLogger, createPinoLog } from "../adapters/log/pino-log.js";
import { parseCustodianConfig } from "../config/custodian.js";
import { startCustodian } from "../custodian/start-custodian.js";
import { stopOnSignals } from "./stop-on-signals.js";

/** `trellis custodian`: one custodian as a process of its own. Throws ConfigError. */
export async function runCustodian(
  environment: Readonly<Record<string, string | undefined>>,
  afterRestore: boolean,
): Promise<void> {
  const config = parseCustodianConfig(environment);
  const logger = createLogger(config.logLevel);
  const custodian = await startCustodian(config, createPinoLog(logger), {
    afterRestore,
    onDisplaced: () => process.exit(1),
  });
  stopOnSignals(logger, () => custodian.close());
  const variable = `TRELLIS_CUSTODIAN_${config.name.toUpperCase()}`;
  process.stdout.write(
    `\n  The custodian ${config.name} answers. Give the service\n\n  ${variable}_URL=${custodian.url}\n` +
      `  ${variable}_KEYS=<its own folder of keys>\n\n  Identity  ${custodian.identity}\n\n`,
  );
}

/** Both sides on one machine, or one of them where it will stand. */
export type Side = "both" | "custodian" | "service";

/**
 * `trellis custodian init`: makes keys and certificates. Of both sides at once each gets the other's certificate; of one side alone the
 * operator carries its identity.crt to the other, as peer.crt. Gives what is to be printed. Throws KeyFolderError.
 */
export async function initCustodian(directory: string, side: Side): Promise<string> {
  const folderOf = (name: "custodian" | "service") =>
    resolve(directory, name === "custodian" ? "keys" : "service-keys");
  const sides = side === "both" ? (["custodian", "service"] as const) : ([side] as const);
  const made = new Map<string, string>();
  for (const each of sides) made.set(each, await makeKey(folderOf(each), `trellis ${each}`));
  const [custodian, service] = [made.get("custodian"), made.get("service")];
  if (custodian !== undefined && service !== undefined) {
    await writePeer(folderOf("custodian"), service);
    await writePeer(folderOf("service"), custodian);
    const { peer } = await readKeyFolder(folderOf("service"));
    return (
      `The custodian's keys are in ${folderOf("custodian")}: TRELLIS_CUSTODIAN_KEYS.\n` +
      `The service's keys are in ${folderOf("service")}: move them to its machine, for TRELLIS_CUSTODIAN_<NAME>_KEYS.\n` +
      `The custodian's identity is ${identityText(peer)}.\n`
    );
  }
  const [only] = sides;
  return (
    `The keys of the ${only} are in ${folderOf(only)}. Copy its identity.crt to the other side's folder as peer.crt, and the ` +
    "other side's identity.crt here as peer.crt.\n"
  );
}
