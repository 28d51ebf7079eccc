import { setTimeout as wait } from "node:timers/promises";
import { parseConfig } from "../config/config.js";
import { AgeError } from "../operator/age.js";
import { ArchiveError } from "../operator/archive/archive-error.js";
import { type ExportOrder, exportToFile, type ImportOrder, importFromFile } from "../operator/archive-files.js";
import { warnOfOthers } from "./manage-keys.js";

type Environment = Readonly<Record<string, string | undefined>>;

const replaceSecret =
  "The archive has the secret that API keys of all tenants are hashed with. Give it a new one now: trellis keys rotate api-key\n";

/** `trellis export`: writes the archive of a frozen tenant, and prints what its import needs. */
export const runExport = (environment: Environment, order: Omit<ExportOrder, "waits" | "warns">): Promise<void> =>
  reporting(async () => {
    const waits = async (ms: number) => {
      process.stderr.write(`Frozen. What began before has ${Math.ceil(ms / 1000)} s to end …\n`);
      await wait(ms);
    };
    const warns = (names: readonly string[]) => {
      if (names.length > 0) process.stderr.write(`${warnOfOthers(names).trimStart()}\n`);
    };
    const { id, sha256, tables } = await exportToFile(parseConfig(environment), { ...order, waits, warns });
    for (const [name, { rows }] of Object.entries(tables)) if (rows > 0) process.stdout.write(`${name}: ${rows}\n`);
    process.stdout.write(
      `Archive ${id} is in ${order.file}. Take its SHA-256 to the other installation by another way than the file:\n` +
        `  trellis import ${order.file} --identity <file> --sha256 ${sha256}\n` +
        `The tenant stays frozen here.\n${order.withApiKeys ? replaceSecret : ""}`,
    );
  });

/** `trellis import`: takes an archive, whole or not at all. */
export const runImport = (environment: Environment, order: ImportOrder): Promise<void> =>
  reporting(async () => {
    const { id, tenantId, tables } = await importFromFile(parseConfig(environment), order);
    for (const [name, { rows }] of Object.entries(tables)) if (rows > 0) process.stdout.write(`${name}: ${rows}\n`);
    process.stdout.write(
      `Archive ${id} is here as the tenant ${tenantId}. ${describeKeys(tenantId, tables.api_key?.rows ?? 0)} Its users sign in again. ` +
        "Its standing orders are paid by this installation once their limits name its executor.\n",
    );
  });

const describeKeys = (tenantId: string, count: number): string =>
  count > 0 ? "Its API keys work." : `It has no API keys: make one with trellis api-key create --tenant ${tenantId}.`;

/** What is wrong with an archive or an order is the operator's to mend: it is printed. */
async function reporting(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ArchiveError || error instanceof AgeError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
