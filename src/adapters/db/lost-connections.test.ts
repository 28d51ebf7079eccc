import { sql } from "kysely";
import { expect, it } from "vitest";
import { openTestDatabase } from "../../../test/support/test-database.js";

// The embedded database has no connections to lose.
it.runIf(process.env.TRELLIS_TEST_DATABASE_URL)(
  "connections that the server ends, in use or not, end no process",
  async () => {
    const { db, close } = await openTestDatabase();
    try {
      const others = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
      // In a transaction, as a query that stands alone is asked again.
      const waiting = db.transaction().execute((trx) => sql`select pg_sleep(600)`.execute(trx));
      const ended = expect(waiting).rejects.toThrow();
      // As soon as the server shows that it sleeps.
      const sleepers = sql<{ count: number }>`select count(*)::int4 as count from pg_stat_activity
      where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`;
      while ((await sleepers.execute(db)).rows[0]?.count !== 1);
      await others.execute(db);
      await ended;
      await expect(sql`select 1`.execute(db)).resolves.toBeDefined();
    } finally {
      await close();
    }
  },
);
