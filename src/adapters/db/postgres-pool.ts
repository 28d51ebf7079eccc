import { createHash } from "node:crypto";
import { DatabaseUnavailable } from "@trellis/kernel/ports/database.js";
import { type Dialect, PostgresAdapter, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import type { Outage } from "./outage.js";
import { releaseName } from "./releases.js";

/** How a pool's statements are bounded, in milliseconds; null: not at all. */
export interface StatementBounds {
  readonly statementMs: number | null;
  /** How long a transaction may hold its locks and do nothing. */
  readonly idleInTransactionMs: number | null;
}

/** What a pool is made of. */
export interface PoolOptions {
  readonly url: string;
  readonly connections: number;
  readonly bounds: StatementBounds;
  /** Whether each connection ends at a server session of its own, which takes settings and keeps statements prepared. */
  readonly isDirect: boolean;
}

const INT8 = 20;
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

/** Longer than anything waits for a connection that is free, or made. */
const connectMs = 10_000;
/** How much later than the server this side gives up: a server that answers says more than one that does not. */
const silenceMs = 5_000;
/** How often a statement is run that the server undid or did not run. */
const runsMax = 5;

/** The settings that a connection begins with. */
export function startupSettings({ statementMs, idleInTransactionMs }: StatementBounds): pg.ClientConfig {
  return {
    ...(statementMs === null ? {} : { statement_timeout: statementMs }),
    ...(idleInTransactionMs === null ? {} : { idle_in_transaction_session_timeout: idleInTransactionMs }),
  };
}

/** Makes a pool; it connects when it is used. */
export function createPool({ url, connections, bounds, isDirect }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: releaseName,
    types,
    max: connections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    ...(isDirect ? startupSettings(bounds) : {}),
    ...(bounds.statementMs === null ? {} : { query_timeout: bounds.statementMs + silenceMs }),
  });
  // An idle connection that breaks is replaced by the pool; without a listener Node would end the process.
  pool.on("error", () => undefined);
  // The same for one that is in use, which the pool does not listen to: its query rejects, and that is enough.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Kysely's dialect over a pool. On direct connections statements are prepared by name, because planning costs more than
 * running most of ours; a pooler may give every transaction another server session, where no name is known. A database
 * that does not answer is a `DatabaseUnavailable`; every other error is the driver's.
 */
export function pooledDialect(
  pool: pg.Pool,
  { isDirect, outage }: Pick<PoolOptions, "isDirect"> & { readonly outage?: Outage | undefined },
): Dialect {
  const dialect = new PostgresDialect({ pool: subscription(pool, isDirect, outage) });
  return {
    createAdapter: () => new MigratedUnderLock(),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

/** The process that migrates holds a lock that ends with the transaction; Kysely's own belongs to a connection. */
class MigratedUnderLock extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

function subscription(pool: pg.Pool, isDirect: boolean, outage: Outage | undefined): PostgresPool {
  const lost = (cause: unknown): DatabaseUnavailable => {
    outage?.lost(cause);
    return new DatabaseUnavailable({ cause, isLost: true });
  };
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw lost(error);
      });
      let isSpoilt = false;
      let isInTransaction = false;
      const run = async (text: string, values: unknown[]): Promise<pg.QueryResult> => {
        for (let runs = 1; ; runs += 1) {
          const name = isDirect && !isSpoilt && values.length > 0 ? nameOf(text) : undefined;
          try {
            const result = await (name === undefined
              ? client.query(text, values)
              : client.query({ name, text, values }));
            outage?.answered();
            return result;
          } catch (error) {
            const isStale = isStaleName(error);
            isSpoilt ||= isStale || isConnectionRemoved(error);
            // Alone it was a transaction of its own: the server has undone all of it, or not begun.
            if ((isStale || isDeadlock(error)) && !isInTransaction && runs < runsMax) continue;
            if (isConnectionRemoved(error)) throw lost(error);
            if (isStale || isDeadlock(error) || isGivenUp(error)) {
              throw new DatabaseUnavailable({ cause: error });
            }
            throw error;
          }
        }
      };
      const query = (text: string, values: readonly unknown[]) => {
        isInTransaction ||= /^(?:begin|start transaction)\b/.test(text);
        return run(text, values as unknown[]);
      };
      return { query: query as never, release: () => client.release(isSpoilt) };
    },
    end: () => pool.end(),
  };
}

/** Statements a server is asked to remember at most on a connection; texts beyond that are planned every time. */
const namesMax = 500;
const names = new Map<string, string>();

/** The same name is the same text everywhere: a session that is shared after all cannot mistake one for another. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = `trellis_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** Not run: a name is unknown here, or the tables have changed since it was given. */
function isStaleName(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === "26000" || error.code === "42P05" || error.routine === "RevalidateCachedQuery";
}

/** Undone by the server to end a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "40P01";
}

/** Took too long, or could not be put in order with others. */
function isGivenUp(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ["57014", "55P03", "40001"].includes(error.code ?? "");
}

/** What the driver says where it gives no code. */
const removedMessage = /^(?:Connection terminated|Client (?:has encountered|was closed)|Query read timeout)/;

/**
 * Refused, shut down, out of resources, ended for idling in a transaction, silent, or at a server that only reads, as a former primary
 * does: nothing arrives over this connection.
 */
function isConnectionRemoved(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const { code = "", severity, routine } = error;
    // A pooler's errors name no routine; a protocol violation that the server itself reports is our mistake.
    return severity === "FATAL" || (/^(?:08|53|57P|25P0[34]|25006)/.test(code) && !(code === "08P01" && routine));
  }
  if (!(error instanceof Error)) return false;
  return /^E[A-Z_]+$/.test((error as NodeJS.ErrnoException).code ?? "") || removedMessage.test(error.message);
}
