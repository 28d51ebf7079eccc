import type { OpenDatabase } from "../adapters/db/open-database.js";
import { openConfiguredDatabase } from "../composition/open-database.js";
import type { Config } from "../config/config.js";

/** Opens the configured database, does the work, and closes it again, whatever runs beside it. */
export async function withDatabase<T>(config: Config, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await openConfiguredDatabase(config, { keepsFunctions: true });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
