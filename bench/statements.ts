import pg from "pg";

/** What the database has done for each piece of a work. */
export interface StatementFigures {
  /** Statements that the service sent; not those that triggers run. */
  readonly statements: number;
  /** Transactions that were committed. */
  readonly commits: number;
  readonly walBytes: number;
  /** Milliseconds within those statements. */
  readonly milliseconds: number;
}

/** Counts the statements of a database, in the extension `pg_stat_statements`. */
export interface StatementCounter {
  /** Begins anew. */
  reset(): Promise<void>;
  /** What was done since, divided by `count`. */
  read(count: number): Promise<StatementFigures>;
  close(): Promise<void>;
}

/** Undefined where the server does not have the extension, or the role may not use it. */
export async function openStatementCounter(url: string): Promise<StatementCounter | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("create extension if not exists pg_stat_statements");
    await client.query("select pg_stat_statements_reset(0, 0, 0)");
  } catch (error) {
    await client.end();
    if (error instanceof pg.DatabaseError) return undefined;
    throw error;
  }
  const commits = async (): Promise<number> => {
    const { rows } = await client.query("select xact_commit from pg_stat_database where datname = current_database()");
    return Number(rows[0].xact_commit);
  };
  let before = await commits();
  return {
    async reset() {
      await client.query(
        "select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)",
      );
      before = await commits();
    },
    async read(count) {
      // The server counts commits of a session within a second.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const { rows } = await client.query(
        `select sum(calls) as calls, sum(wal_bytes) as wal, sum(total_exec_time) as ms from pg_stat_statements
         where toplevel and dbid = (select oid from pg_database where datname = current_database())`,
      );
      const [{ calls, wal, ms }] = rows;
      return {
        statements: Number(calls) / count,
        commits: ((await commits()) - before) / count,
        walBytes: Number(wal) / count,
        milliseconds: Number(ms) / count,
      };
    },
    close: () => client.end(),
  };
}
