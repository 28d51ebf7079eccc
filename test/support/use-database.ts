import type { OpenDatabase } from "../../src/adapters/db/open-database.js";
import { createTestLocation, openTestDatabase, type TestLocation } from "./test-database.js";
import { use } from "./use.js";

/** A database of its own for all tests of a file, as `openTestDatabase` opens it. */
export const useDatabase = (): OpenDatabase => use(openTestDatabase);

/** A place for a database, likewise. */
export const useTestLocation = (): TestLocation =>
  use(async () => {
    const place = await createTestLocation();
    return { ...place, close: place.drop };
  });
