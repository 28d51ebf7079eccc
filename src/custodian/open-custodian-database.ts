import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { lockDataDirectory } from "../adapters/db/data-directory-lock.js";
import { embeddedFolder, type OpenDatabase, openDatabase } from "../adapters/db/open-database.js";
import { takePostgresLease } from "../adapters/db/postgres-lease.js";
import type { CustodianConfig } from "../config/custodian.js";
import { custodianMigrations } from "./migrations/index.js";
import type { TakeLease } from "./take-database.js";

/** Opens a custodian's own database. */
export const openCustodianDatabase = ({
  databaseUrl,
  dataDirectory,
}: Pick<CustodianConfig, "databaseUrl" | "dataDirectory">): Promise<OpenDatabase> =>
  openDatabase(
    databaseUrl === null ? { kind: "embedded", directory: dataDirectory } : { kind: "postgres", url: databaseUrl },
    { schema: custodianMigrations },
  );

/** What takes that database for one process. The embedded one belongs to the process that opens it. */
export const leaseOf =
  ({ databaseUrl }: Pick<CustodianConfig, "databaseUrl">): TakeLease =>
  (onLost) =>
    databaseUrl === null
      ? Promise.resolve({ release: async () => undefined })
      : takePostgresLease(databaseUrl, "custodian", onLost);

/**
 * Makes the embedded database of a custodian's first start, whole or not at all; says whether it did. The process that has done this keeps
 * several times the memory that the custodian needs: it is for a process that ends then.
 */
export async function prepareCustodianDatabase({
  databaseUrl,
  dataDirectory,
}: Pick<CustodianConfig, "databaseUrl" | "dataDirectory">): Promise<boolean> {
  const made = join(dataDirectory, embeddedFolder);
  if (databaseUrl !== null || existsSync(made)) return false;
  // A former process may be at it still, and about to end.
  const lock = await lockDataDirectory(dataDirectory);
  try {
    const unfinished = join(dataDirectory, "unfinished");
    await rm(unfinished, { recursive: true, force: true });
    await (await openDatabase({ kind: "embedded", directory: unfinished }, { schema: custodianMigrations })).close();
    await rename(join(unfinished, embeddedFolder), made);
    await rm(unfinished, { recursive: true });
    return true;
  } finally {
    await lock.release();
  }
}
