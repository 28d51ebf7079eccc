import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import type pg from "pg";
import type { Lanes } from "./lanes.js";

/** Where statements go that stand alone. */
interface SharedLanes {
  readonly reads: Lanes;
  readonly writes: Lanes;
}

/**
 * Kysely's dialect for PostgreSQL, except that statements outside a transaction share lanes. A transaction has a
 * connection of the pool to itself. Nothing else has: what lives as long as a connection (locks, settings, transactions
 * by hand) would be another's, so `db.connection()` is refused where it can be noticed.
 */
export class SharingDialect extends PostgresDialect {
  readonly #pool: pg.Pool;
  readonly #lanes: SharedLanes;

  constructor(pool: pg.Pool, lanes: SharedLanes) {
    super({ pool });
    this.#pool = pool;
    this.#lanes = lanes;
  }

  override createDriver(): Driver {
    return new SharingDriver(new PostgresDriver({ pool: this.#pool }), this.#lanes);
  }
}

class SharingDriver implements Driver {
  constructor(
    private readonly own: Driver,
    private readonly lanes: SharedLanes,
  ) {}

  init(): Promise<void> {
    return this.own.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SharingConnection(this.own, this.lanes);
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await this.own.beginTransaction(await (connection as SharingConnection).hold(), settings);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.own.commitTransaction(await (connection as SharingConnection).hold());
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.own.rollbackTransaction(await (connection as SharingConnection).hold());
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await (connection as SharingConnection).release();
  }

  destroy(): Promise<void> {
    return this.own.destroy();
  }
}

/** What is taken for one query or one transaction. A connection of the pool is only taken when one is needed. */
class SharingConnection implements DatabaseConnection {
  #held: DatabaseConnection | undefined;
  #isUsed = false;

  constructor(
    private readonly own: Driver,
    private readonly lanes: SharedLanes,
  ) {}

  async hold(): Promise<DatabaseConnection> {
    this.#held ??= await this.own.acquireConnection();
    return this.#held;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#held !== undefined) return this.#held.executeQuery(query);
    if (this.#isUsed || forSession.test(query.sql)) {
      throw new Error("statements that need the same connection need a transaction");
    }
    this.#isUsed = true;
    const lanes = isRead(query.sql) ? this.lanes.reads : this.lanes.writes;
    const { command, rowCount, rows } = await lanes.query(query.sql, query.parameters);
    return countedCommands.has(command)
      ? { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
      : { rows: rows as Row[] };
  }

  // biome-ignore lint/correctness/useYield: there is nothing to hand out
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error("rows are not streamed here");
  }

  async release(): Promise<void> {
    if (this.#held !== undefined) await this.own.releaseConnection(this.#held);
  }
}

/** Those that tell how many rows they changed. */
const countedCommands: ReadonlySet<string> = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

/** What changes the connection it runs on. */
const forSession =
  /^\s*(?:begin|start|commit|end|rollback|abort|savepoint|release|set|reset|discard|lock|(un)?listen|prepare|deallocate)\b/i;

/** Our texts: what writes begins with its verb, or with `with`. */
function isRead(text: string): boolean {
  return /^\s*select\s/.test(text);
}
