import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { eachOf } from "@trellis/kernel/each-of.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { type RawBuilder, sql } from "kysely";
import { derivationRootContext, derivationRootKey } from "./keyring.js";

/** A column of sealed values. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Columns that name the row. */
  readonly key: readonly string[];
  /** What the values of a row are bound to. */
  contextOf(row: Readonly<Record<string, unknown>>): string;
}

/** Rows moved in one turn. */
const batch = 500;
const writesAtOnce = 4;
const valuesBetweenTurns = 25;

/**
 * Moves every sealed value, and the root of the derived secrets, to the first master key of the list, so that the others
 * can be left out. What is sealed does not change, only the layer around its data key, or with "rekey" the data key as well. May be broken off and begun again
 * at any point, and run while services do that know the new key: a value that changes meanwhile is checked again.
 * Returns how many values were moved, by table. Throws `EnvelopeError` at a value whose master key is not in the list.
 */
export async function resealEverything(
  db: Db,
  keyring: Keyring,
  columns: readonly SealedColumn[],
  how: "rewrap" | "rekey" = "rewrap",
): Promise<ReadonlyMap<string, number>> {
  const root = Buffer.from(keyring.wrapDerivationRoot(derivationRootContext)).toString("base64");
  await db
    .insertInto("meta")
    .values({ key: derivationRootKey, value: root })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: root }))
    .execute();
  const moved = new Map<string, number>();
  for (const sealed of columns) {
    let count = 0;
    for (
      let some = await resealSome(db, keyring[how], keyring, sealed);
      some > 0;
      some = await resealSome(db, keyring[how], keyring, sealed)
    ) {
      count += some;
    }
    moved.set(sealed.table, (moved.get(sealed.table) ?? 0) + count);
  }
  return moved;
}

/** Moves up to a batch of values; 0 when there is none left. */
async function resealSome(
  db: Db,
  reseal: Keyring["rewrap"],
  keyring: Keyring,
  { table, column, key, contextOf }: SealedColumn,
): Promise<number> {
  // An envelope begins with its version, the length of the key's name, and the name.
  const header = Buffer.from([1, keyring.activeId.length, ...Buffer.from(keyring.activeId, "latin1")]);
  const { rows } = await sql<Record<string, unknown> & { sealed_value: Uint8Array }>`
    select ${sql.join(key.map((name) => sql.ref(name)))}, ${sql.ref(column)} as sealed_value from ${sql.table(table)}
    where ${sql.ref(column)} is not null
      and substring(${sql.ref(column)} from 1 for ${header.length}::int4) <> ${header}::bytea
    limit ${batch}::int4`.execute(db);
  let written = 0;
  const move = async ({ sealed_value: before, ...row }: (typeof rows)[number]): Promise<void> => {
    const after = reseal(before, contextOf(row));
    const isThis: RawBuilder<unknown>[] = key.map((name) => sql`${sql.ref(name)} = ${row[name]}`);
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${after}::bytea
      where ${sql.join(isThis, sql` and `)} and ${sql.ref(column)} = ${before}::bytea`.execute(db);
    written += 1;
    // The embedded database answers without a turn of the event loop: whatever else this process does has to get one.
    if (written % valuesBetweenTurns === 0) await setImmediate();
  };
  await eachOf(rows, writesAtOnce, move, { stopsAtFailure: true });
  return rows.length;
}
