import type { Trx } from "@trellis/kernel/ports/database.js";
import { environmentNames } from "@trellis/kernel/ports/environment.js";
import { anyOf } from "@trellis/kernel/states.js";
import { type RawBuilder, sql } from "kysely";
import { submissionStates } from "../../submissions/submission-states.js";
import type { CarriedTable } from "./catalogue.js";
import type { ColumnTypes, StoredRow } from "./row-form.js";

/** Whose rows are read, and of which environments; rows of none go with the tenant. */
export interface Chosen {
  readonly tenantId: string;
  readonly environments: readonly string[];
}

/** An archive takes as long as it takes. */
export async function unbind(trx: Trx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
}

/** The name of the last migration: what is in an archive fits a database at the same one. */
export async function readSchemaVersion(trx: Trx): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(trx);
  return rows[0]?.name ?? "";
}

/** The columns of a table, with their types. */
export async function readColumnTypes(trx: Trx, table: string): Promise<ColumnTypes> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname::text as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(trx);
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}

/** SQL: whether a row of the table called `alias` is among the chosen. */
function isChosen({ belongs }: Pick<CarriedTable, "belongs">, alias: string, chosen: Chosen): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  if (typeof belongs !== "string") {
    const other = `${alias}_of`;
    const pairs = Object.entries(belongs.by).map(
      ([here, there]) => sql`${column(here)} = ${sql.ref(`${other}.${there}`)}`,
    );
    const joined = sql.join(pairs, sql` and `);
    const theirs = isChosen({ belongs: belongs.whose }, other, chosen);
    return sql`exists (select from ${sql.table(belongs.of)} as ${sql.id(other)} where ${joined} and ${theirs})`;
  }
  const others = environmentNames.filter((name) => !chosen.environments.includes(name));
  const elsewhere = sql`${column("environment")} <> all(${others}::text[])`;
  const theirs = sql<boolean>`${column("tenant_id")} = ${chosen.tenantId}::text`;
  return belongs === "tenant" ? theirs : sql`${theirs} and ${elsewhere}`;
}

/** SQL: the same, of the tables that an archive has. */
export function isAmong(carried: CarriedTable, alias: string, chosen: Chosen): RawBuilder<boolean> {
  const { table, only = "true" } = carried;
  if (table === "tenant") return sql`${sql.ref(`${alias}.id`)} = ${chosen.tenantId}::text`;
  return sql`${isChosen(carried, alias, chosen)} and ${sql.raw(only)}`;
}

/** Rows that are read in one turn. */
const rowsAtOnce = 500;

/** The chosen rows of a table, in its order, some at a time. It needs the transaction for itself until it has ended. */
export async function* readRows(
  trx: Trx,
  carried: CarriedTable,
  types: ColumnTypes,
  chosen: Chosen,
): AsyncGenerator<readonly StoredRow[]> {
  const { table, columns, treated = {}, order } = carried;
  const names = sql.join([...columns, ...Object.keys(treated)].map((name) => sql.ref(`mine.${name}`)));
  // By their bytes, whatever the database's own order of letters.
  const places = order.map((name) => {
    const place = sql.ref(`mine.${name}`);
    return types[name] === "text" ? sql`${place} collate "C"` : place;
  });
  await sql`declare carried_rows no scroll cursor for select ${names} from ${sql.table(table)} as mine
    where ${isAmong(carried, "mine", chosen)} order by ${sql.join(places)}`.execute(trx);
  for (;;) {
    const { rows } = await sql<StoredRow>`fetch ${sql.raw(String(rowsAtOnce))} from carried_rows`.execute(trx);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close carried_rows`.execute(trx);
}

/** What must have ended before a tenant's rows are read, and is still open: in words, with how many. */
export async function findOpenWork(
  trx: Trx,
  { tenantId, environments }: Chosen,
  now: number,
): Promise<readonly string[]> {
  const here = sql`tenant_id = ${tenantId}::text and environment = any(${environments}::text[])`;
  const { rows } = await sql<{ what: string; count: number }>`
    select 'transactions whose outcome is not known' as what, count(*)::int4 as count from submission
      where ${here} and state in ${anyOf(submissionStates.open)}
    union all select 'payments of standing orders that are under way', count(*)::int4 from standing_order_run as run
      join standing_order on standing_order.id = run.order_id
      where standing_order.tenant_id = ${tenantId}::text and run.environment = any(${environments}::text[]) and run.state = 'sending'
    union all select 'requests that are being answered', count(*)::int4 from idempotency_record
      where tenant_id = ${tenantId}::text and state = 'running' and leased_until > ${now}::int8
    union all select 'wallets whose keys a custodian in a process of its own has', count(*)::int4 from wallet
      join app_user on app_user.id = wallet.owner_id
      where app_user.tenant_id = ${tenantId}::text and app_user.environment = any(${environments}::text[])
        and not exists (select from kms_wallet where kms_wallet.id = wallet.id)
    union all select 'exports of wallets that wait for their owners', count(*)::int4 from wallet_export
      where ${here} and state = 'waiting' and expires_at > ${now}::int8
    union all select 'imports of keys that a custodian took and the service is about to note', count(*)::int4 from wallet_import as open
      where ${here} and state = 'open' and exists (select from kms_wallet_import as taken
        where taken.id = open.id and taken.imported_wallet_id is not null)`.execute(trx);
  return rows.filter(({ count }) => count > 0).map(({ what, count }) => `${count} ${what}`);
}
