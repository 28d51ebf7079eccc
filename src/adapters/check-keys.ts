import { EnvelopeError, type Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { ReplaceableSecret, SealedColumn } from "@trellis/kernel/module.js";
import type { Db, DerivedSecretTable } from "@trellis/kernel/ports/database.js";
import { sql } from "kysely";
import { countUses } from "./secret-uses.js";

/** How the sealed values of a column are. */
export interface CheckedColumn {
  readonly name: string;
  /** How many open, by the master key that they are sealed under. */
  readonly opened: ReadonlyMap<string, number>;
  /** Names of those that do not. */
  readonly broken: readonly string[];
}

/** How the secret of a purpose is, under one of its ids. */
export interface CheckedSecret {
  readonly purpose: string;
  readonly id: number;
  readonly state: "waiting" | "active" | "former" | "retired";
  /** Until when it stays at least, Unix milliseconds. */
  readonly endsAt: number | undefined;
  /** Stored values that were made with it. */
  readonly uses: number;
}

/** What a check of everything has found. */
export interface CheckedKeys {
  readonly columns: readonly CheckedColumn[];
  readonly secrets: readonly CheckedSecret[];
  /** By purpose: stored values that do not hold. */
  readonly brokenBindings: ReadonlyMap<string, number>;
}

const batch = 1_000;

/** Opens every sealed value, holds every binding against its row, and counts what was made with which secret. Changes nothing. */
export async function checkKeys(
  needs: { readonly db: Db; readonly keyring: Keyring },
  columns: readonly SealedColumn[],
  replaceable: readonly ReplaceableSecret[],
): Promise<CheckedKeys> {
  const checked: CheckedColumn[] = [];
  for (const column of columns) checked.push(await checkColumn(needs, column));
  const secrets: CheckedSecret[] = [];
  const brokenBindings = new Map<string, number>();
  for (const each of replaceable) {
    secrets.push(...(await checkSecrets(needs.db, each)));
    const broken = (await each.check?.(needs)) ?? 0;
    if (broken > 0) brokenBindings.set(each.purpose, broken);
  }
  return { columns: checked, secrets, brokenBindings };
}

async function checkColumn(
  { db, keyring }: { readonly db: Db; readonly keyring: Keyring },
  { table, column, key, contextOf }: SealedColumn,
): Promise<CheckedColumn> {
  const opened = new Map<string, number>();
  const broken: string[] = [];
  const names = sql.join(key.map((name) => sql.ref(name)));
  let last: Record<string, unknown> | undefined;
  for (;;) {
    const behind =
      last === undefined ? sql`` : sql`and (${names}) > (${sql.join(key.map((name) => sql`${last?.[name]}`))})`;
    const { rows } = await sql<Record<string, unknown> & { sealed_value: Uint8Array }>`
      select ${names}, ${sql.ref(column)} as sealed_value from ${sql.table(table)}
      where ${sql.ref(column)} is not null ${behind} order by ${names} limit ${batch}::int4`.execute(db);
    for (const { sealed_value: sealed, ...row } of rows) {
      const context = contextOf(row);
      if (!opens(keyring, sealed, context)) broken.push(context);
      else opened.set(keyring.masterKeyIdOf(sealed), (opened.get(keyring.masterKeyIdOf(sealed)) ?? 0) + 1);
    }
    last = rows.at(-1);
    if (last === undefined) return { name: `${table}.${column}`, opened, broken };
  }
}

function opens(keyring: Keyring, sealed: Uint8Array, context: string): boolean {
  try {
    keyring.unwrap(sealed, context).fill(0);
    return true;
  } catch (error) {
    if (error instanceof EnvelopeError) return false;
    throw error;
  }
}

async function checkSecrets(db: Db, replaceable: ReplaceableSecret): Promise<readonly CheckedSecret[]> {
  const { purpose } = replaceable;
  const rows = await db.selectFrom("derived_secret").selectAll().where("purpose", "=", purpose).orderBy("id").execute();
  const uses = await countUses(db, replaceable);
  const ids = new Set([...rows.map(({ id }) => id), ...uses.keys(), ...(rows.length === 0 ? [0] : [])]);
  const active = Math.max(0, ...rows.filter(({ activated_at: at }) => at !== null).map(({ id }) => id));
  return [...ids]
    .sort((a, b) => a - b)
    .map((id) => {
      const row = rows.find((each) => each.id === id);
      const endsAt = row?.ends_at == null ? undefined : Number(row.ends_at);
      return { purpose, id, state: stateOf(row, id, active), endsAt, uses: uses.get(id) ?? 0 };
    });
}

function stateOf(row: DerivedSecretTable | undefined, id: number, active: number): CheckedSecret["state"] {
  if (row !== undefined && row.retired_at !== null) return "retired";
  if (row !== undefined && row.activated_at === null) return "waiting";
  return id === active ? "active" : "former";
}
