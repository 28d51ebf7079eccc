import { type OpenDatabase, openDatabase } from "../adapters/db/open-database.js";
import type { CustodianConfig } from "../config/custodian.js";
import { custodianMigrations } from "./migrations/index.js";

/** Opens a custodian's own database. */
export const openCustodianDatabase = ({
  databaseUrl,
  dataDirectory,
}: Pick<CustodianConfig, "databaseUrl" | "dataDirectory">): Promise<OpenDatabase> =>
  openDatabase(
    databaseUrl === null ? { kind: "embedded", directory: dataDirectory } : { kind: "postgres", url: databaseUrl },
    { schema: custodianMigrations },
  );
