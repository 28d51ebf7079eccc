import { AsyncLocalStorage } from "node:async_hooks";
import { type Dialect, type Driver, Kysely, type TransactionBuilder } from "kysely";

/**
 * A Kysely instance on which one mistake fails loudly: a query on the outer handle while the same call chain holds a
 * transaction. On the embedded database, with its single connection, it would hang for ever; on PostgreSQL it would
 * read outside the transaction.
 */
export function openGuarded<Schema>(dialect: Dialect): Kysely<Schema> {
  const inTransaction = new AsyncLocalStorage<{ open: boolean }>();
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createIntrospector: (instance) => dialect.createIntrospector(instance),
      createDriver: () => guardDriver(dialect.createDriver(), inTransaction),
    },
  });
  const begin = db.transaction.bind(db);
  db.transaction = () => guardBuilder(begin(), inTransaction);
  return db;
}

function guardBuilder<Schema>(
  builder: TransactionBuilder<Schema>,
  inTransaction: AsyncLocalStorage<{ open: boolean }>,
): TransactionBuilder<Schema> {
  const execute = builder.execute.bind(builder);
  builder.execute = (work) =>
    execute(async (trx) => {
      const mark = { open: true };
      try {
        return await inTransaction.run(mark, () => work(trx));
      } finally {
        mark.open = false;
      }
    });
  return builder;
}

function guardDriver(driver: Driver, inTransaction: AsyncLocalStorage<{ open: boolean }>): Driver {
  const guarded = Object.create(driver) as Driver;
  guarded.acquireConnection = async (options) => {
    if (inTransaction.getStore()?.open) {
      throw new Error(
        "A query was made on the outer database handle inside an open transaction; pass the transaction on.",
      );
    }
    return driver.acquireConnection(options);
  };
  for (const name of [
    "init",
    "beginTransaction",
    "commitTransaction",
    "rollbackTransaction",
    "releaseConnection",
    "destroy",
  ] as const) {
    guarded[name] = (driver[name] as (...args: unknown[]) => Promise<void>).bind(driver);
  }
  for (const name of ["savepoint", "rollbackToSavepoint", "releaseSavepoint"] as const) {
    const method = driver[name];
    if (method) guarded[name] = method.bind(driver);
  }
  return guarded;
}
