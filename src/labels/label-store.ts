import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { isBefore } from "@trellis/kernel/page.js";
import type { Db, DbOrTrx, Trx } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { sql } from "kysely";
import { type Actor, asActor } from "../audit/actor.js";
import type { LabelRow } from "./label.js";
import type { LabelTexts } from "./label-name.js";

/** An address book: of a tenant, or of one of its accounts. */
export interface Book {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
  /** Undefined: the tenant's own. */
  readonly account: string | undefined;
}

/** How a row names the book that it is in. */
const accountOf = ({ account }: Book): string => account ?? "";

const rowsOf = (db: DbOrTrx, book: Book) =>
  db
    .selectFrom("label")
    .selectAll()
    .where("environment", "=", book.environment)
    .where("account_address", "=", accountOf(book))
    .where("tenant_id", "=", book.tenantId);

/** A book's labels, the newest first, from behind a place. */
export async function listLabels(
  db: DbOrTrx,
  book: Book,
  page: {
    readonly behind: { readonly createdAt: bigint; readonly address: string } | undefined;
    readonly limit: number;
  },
): Promise<readonly LabelRow[]> {
  const { behind, limit } = page;
  let found = rowsOf(db, book);
  if (behind !== undefined) found = found.where(isBefore({ created_at: behind.createdAt, address: behind.address }));
  return found.orderBy("created_at", "desc").orderBy("address", "desc").limit(limit).execute();
}

/** What is to be shown for each of these addresses that has a label, in their order: the account's, or else the tenant's. */
export async function findLabels(db: DbOrTrx, book: Book, addresses: readonly string[]): Promise<readonly LabelRow[]> {
  const { rows } = await sql<LabelRow>`
    select * from label where environment = ${book.environment} and tenant_id = ${book.tenantId}
      and account_address = any(${["", accountOf(book)]}::text[]) and address = any(${[...addresses]}::text[])`.execute(
    db,
  );
  return [...new Set(addresses)].flatMap((address) => {
    const found = rows.filter((row) => row.address === address);
    return found.find((row) => row.account_address !== "") ?? found[0] ?? [];
  });
}

/**
 * Calls an address by a name in a book, in place of what it was called there; the same again changes nothing. `now`: environment time,
 * Unix milliseconds. Throws `label_name_taken`, `label_limit`, `account_not_found` and `tenant_frozen`.
 */
export async function putLabel(
  db: Db,
  actor: Actor,
  book: Book,
  label: LabelTexts & { readonly address: string; readonly now: number },
): Promise<LabelRow> {
  const { address, name, foldedName, note, now } = label;
  return asActor(db, actor, async (trx) => {
    await holdBook(trx, book);
    const before = await rowsOf(trx, book).where("address", "=", address).executeTakeFirst();
    if (before?.name === name && before.note === note) return before;
    if (await isTaken(trx, book, label)) throw new TrellisError("label_name_taken", { field: "name" });
    if (before === undefined) await requireRoom(trx, book);
    const { rows } = await sql<LabelRow>`
      insert into label (environment, account_address, tenant_id, address, name, folded_name, note, created_at, updated_at)
      values (${book.environment}, ${accountOf(book)}, ${book.tenantId}, ${address}, ${name}, ${foldedName}, ${note}::text,
        ${now}::int8, ${now}::int8)
      on conflict (environment, account_address, tenant_id, address) do update
        set name = excluded.name, folded_name = excluded.folded_name, note = excluded.note, updated_at = excluded.updated_at
      returning *`.execute(trx);
    return rows[0] as LabelRow;
  });
}

/** Removes what an address is called in a book. Undefined: it had no name there. Throws `account_not_found` and `tenant_frozen`. */
export async function removeLabel(db: Db, actor: Actor, book: Book, address: string): Promise<LabelRow | undefined> {
  return asActor(db, actor, async (trx) => {
    await holdBook(trx, book);
    const { rows } = await sql<LabelRow>`
      delete from label where environment = ${book.environment} and account_address = ${accountOf(book)}
        and tenant_id = ${book.tenantId} and address = ${address} returning *`.execute(trx);
    return rows[0];
  });
}

/**
 * From here on this transaction alone writes in the book, and sees what was written before. One that writes in an account's holds back
 * those that write in the tenant's, too: their names are not given to other addresses. What freezes the tenant, and what releases the
 * account, waits, or came first.
 */
async function holdBook(trx: Trx, { tenantId, environment, account }: Book): Promise<void> {
  const { rows } = await sql<{ frozen_at: bigint | null }>`
    select frozen_at from tenant where id = ${tenantId} for share`.execute(trx);
  if (rows[0]?.frozen_at !== null) throw new TrellisError("tenant_frozen");
  const lock = account === undefined ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  await sql`select ${lock}(hashtextextended(${`labels/${environment}/${tenantId}`}::text, 0))`.execute(trx);
  if (account === undefined) return;
  const held = await sql`select from account where environment = ${environment} and address = ${account}
    and tenant_id = ${tenantId} for no key update`.execute(trx);
  if (held.rows.length === 0) throw new TrellisError("account_not_found");
}

/** Whether another address has a name that looks like this one, in the book or in its tenant's. */
async function isTaken(
  trx: Trx,
  book: Book,
  { address, foldedName }: Pick<LabelTexts, "foldedName"> & { readonly address: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from label where environment = ${book.environment} and tenant_id = ${book.tenantId}
      and account_address = any(${["", accountOf(book)]}::text[]) and folded_name = ${foldedName} and address <> ${address}
    limit 1`.execute(trx);
  return rows.length > 0;
}

async function requireRoom(trx: Trx, book: Book): Promise<void> {
  const most = book.account === undefined ? limits.labelsOfTenantMax : limits.labelsOfAccountMax;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from label where environment = ${book.environment}
      and account_address = ${accountOf(book)} and tenant_id = ${book.tenantId}`.execute(trx);
  if ((rows[0]?.count ?? 0) >= most) throw new TrellisError("label_limit");
}
