import type { DatabaseSchema, Db } from "@trellis/kernel/ports/database.js";
import {
  type CompiledQuery,
  type ControlledTransaction,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Draw } from "./draw.js";
import type { ProcessLife } from "./process-life.js";
import type { Timeline } from "./timeline.js";

interface MortalConnection extends DatabaseConnection {
  begin(): Promise<void>;
  end(how: "commit" | "rollback"): Promise<void>;
  release(): void;
}

const never = <Value>(): Promise<Value> => new Promise(() => undefined);

/**
 * The database as one process has it: every statement takes a moment of virtual time and is a point at which the process can
 * die, before it or after it. What it had not committed is rolled back then, as a server does with a broken connection.
 */
export function openMortalDatabase(db: Db, timeline: Timeline, life: ProcessLife, draw: Draw): Db {
  const open = (release: () => void): MortalConnection => {
    let transaction: ControlledTransaction<DatabaseSchema> | undefined;
    const end = async (how: "commit" | "rollback"): Promise<void> => {
      const ending = transaction;
      transaction = undefined;
      await ending?.[how]().execute();
    };
    const die = async <Value>(): Promise<Value> => {
      await end("rollback");
      release();
      return never();
    };
    return {
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        const text = query.sql.replace(/\s+/g, " ").trim().slice(0, 60);
        if (!life.step(`asks: ${text}`)) return die();
        const result = await (transaction ?? db).executeQuery(query);
        return life.step("has its answer") ? (result as QueryResult<Row>) : die();
      },
      streamQuery: () => {
        throw new Error("the service streams no rows");
      },
      begin: async () => {
        transaction = await db.startTransaction().execute();
      },
      end: async (how) => {
        if (!life.step(how)) return die();
        await end(how);
        if (!life.step(`after ${how}`)) return die();
      },
      release,
    };
  };

  const driver: Driver = {
    init: async () => undefined,
    destroy: async () => undefined,
    // The event lasts until the connection is given back: nothing else happens meanwhile.
    acquireConnection: () =>
      new Promise((resolve) => {
        timeline.at(timeline.now() + draw.between(0, 4), () => {
          if (!life.isAlive()) return undefined;
          return new Promise<void>((release) => resolve(open(release)));
        });
      }),
    releaseConnection: async (connection) => (connection as MortalConnection).release(),
    beginTransaction: (connection) => (connection as MortalConnection).begin(),
    commitTransaction: (connection) => (connection as MortalConnection).end("commit"),
    rollbackTransaction: (connection) => (connection as MortalConnection).end("rollback"),
  };
  return new Kysely<DatabaseSchema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (instance) => new PostgresIntrospector(instance),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
