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

/** A database whose connection breaks once, where a test says. */
export interface FrailDatabase {
  readonly db: Db;
  /** How many statements were run since the last call of this or of `breakAt`. */
  countStatements(): number;
  /** The statement with this number from now on breaks: the server has not heard of it, or its answer is lost. */
  breakAt(statement: number, when: "before" | "after"): void;
}

/** The same database over a connection that can break at a single statement. */
export function openFrailDatabase(db: Db): FrailDatabase {
  let count = 0;
  let breaking: { readonly statement: number; readonly when: "before" | "after" } | undefined;

  const connect = (): DatabaseConnection & { transaction: ControlledTransaction<DatabaseSchema> | undefined } => ({
    transaction: undefined,
    executeQuery: async function <Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const when = breaking?.statement === count ? breaking.when : undefined;
      count += 1;
      if (when === "before") throw new Error("the connection broke");
      const result = await (this.transaction ?? db).executeQuery(query);
      if (when === "after") throw new Error("the connection broke");
      return result as QueryResult<Row>;
    },
    streamQuery: () => {
      throw new Error("the service streams no rows");
    },
  });
  type Connection = ReturnType<typeof connect>;
  const driver: Driver = {
    init: async () => undefined,
    destroy: async () => undefined,
    acquireConnection: async () => connect(),
    releaseConnection: async () => undefined,
    beginTransaction: async (connection) => {
      (connection as Connection).transaction = await db.startTransaction().execute();
    },
    commitTransaction: async (connection) => {
      await (connection as Connection).transaction?.commit().execute();
    },
    rollbackTransaction: async (connection) => {
      await (connection as Connection).transaction?.rollback().execute();
    },
  };
  return {
    db: new Kysely<DatabaseSchema>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (instance) => new PostgresIntrospector(instance),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }),
    countStatements: () => {
      const counted = count;
      count = 0;
      breaking = undefined;
      return counted;
    },
    breakAt: (statement, when) => {
      count = 0;
      breaking = { statement, when };
    },
  };
}
