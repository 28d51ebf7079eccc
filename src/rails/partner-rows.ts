import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import { type RawBuilder, sql } from "kysely";
import type { RailAccount, RailKind } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";

/** What the row of every object at a partner has. */
export interface PartnerRow {
  readonly id: string;
  readonly environment: string;
  /** Whose: its refs are valid under this name alone. */
  readonly partner: string;
  /** Null until the partner has reported it. */
  readonly partner_ref: string | null;
  /** What the partner knows the operation by, stored before the first call; and since when (real time). */
  readonly operation_key: string;
  readonly operation_begun_at: bigint;
}

/** The SQL that is the same for every object at a partner. */
export interface PartnerRows<Row extends PartnerRow> {
  readonly table: RailKind["table"];
  /** The row of an id, of any tenant. */
  read(db: DbOrTrx, id: string): Promise<Row | undefined>;
  /** Replaces a key that the partner may have forgotten, once for all who use it. Returns the row as it is afterwards. */
  renewKey(needs: Pick<RailNeeds, "db" | "random" | "realClock">, row: Row): Promise<Row | undefined>;
  /** Deletes what the partner never reported. An operation that began meanwhile under another key keeps its row. */
  drop(db: DbOrTrx, row: Row): Promise<void>;
  /** Deletes all of an account, and says how many there were. */
  forget(trx: DbOrTrx, account: RailAccount): Promise<number>;
  /** What an update of this row means: none that matched is one that another process overtook, or whose row is removed. */
  outcomeOf(db: DbOrTrx, id: string, updated: readonly unknown[]): Promise<"written" | "overtaken" | "gone">;
}

/** `open`: which rows have an operation that the partner has not answered, in SQL. */
export function partnerRows<Row extends PartnerRow>(
  name: RailKind["table"],
  open: RawBuilder<unknown> = sql`partner_ref is null`,
): PartnerRows<Row> {
  const table = sql.table(name);
  const read = async (db: DbOrTrx, id: string): Promise<Row | undefined> =>
    (await sql<Row>`select * from ${table} where id = ${id}`.execute(db)).rows[0];
  return {
    table: name,
    read,
    renewKey: async ({ db, random, realClock }, { id, operation_key }) => {
      await sql`update ${table} set operation_key = ${random.uuid()},
          operation_begun_at = ${Math.floor(realClock.now())}::int8
        where id = ${id} and operation_key = ${operation_key} and ${open}`.execute(db);
      return read(db, id);
    },
    drop: async (db, { id, operation_key }) => {
      await sql`delete from ${table} where id = ${id} and operation_key = ${operation_key} and partner_ref is null`.execute(
        db,
      );
    },
    forget: async (trx, { tenantId, environment, address }) => {
      const { numAffectedRows } = await sql`delete from ${table}
        where environment = ${environment} and account_address = ${address} and tenant_id = ${tenantId}`.execute(trx);
      return Number(numAffectedRows ?? 0n);
    },
    outcomeOf: async (db, id, updated) => {
      if (updated.length > 0) return "written";
      return (await read(db, id)) === undefined ? "gone" : "overtaken";
    },
  };
}
