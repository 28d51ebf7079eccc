import type { DatabaseSchema, Trx } from "@trellis/kernel/ports/database.js";
import { type RawBuilder, sql } from "kysely";
import { ArchiveError } from "./archive-error.js";
import type { TableSum } from "./archive-lines.js";
import type { CarriedTable } from "./catalogue.js";
import { archivedTables } from "./catalogue-rest.js";
import { type Chosen, isAmong } from "./read-tables.js";

/** What columns of these names refer to, with or without a foreign key. */
export const references: Readonly<
  Record<string, { readonly of: keyof DatabaseSchema; readonly by: Readonly<Record<string, string>> }>
> = {
  user_id: { of: "app_user", by: { user_id: "id" } },
  wallet_id: { of: "wallet", by: { wallet_id: "id" } },
  commanded_by: { of: "wallet", by: { commanded_by: "id" } },
  account_address: { of: "account", by: { environment: "environment", account_address: "address" } },
  settings_address: { of: "account", by: { environment: "environment", settings_address: "settings_address" } },
  prepared_id: { of: "prepared_transaction", by: { prepared_id: "id" } },
  removal_prepared_id: { of: "prepared_transaction", by: { removal_prepared_id: "id" } },
  follows: { of: "prepared_transaction", by: { follows: "id" } },
  submission_id: { of: "submission", by: { submission_id: "id" } },
  event_id: { of: "event", by: { event_id: "id" } },
  endpoint_id: { of: "webhook_endpoint", by: { endpoint_id: "id" } },
  order_id: { of: "standing_order", by: { order_id: "id" } },
  payout_address_id: { of: "rail_payout_address", by: { payout_address_id: "id" } },
  virtual_account_id: { of: "rail_virtual_account", by: { virtual_account_id: "id" } },
  external_account_id: { of: "rail_external_account", by: { external_account_id: "id" } },
};

/**
 * Requires that what was imported is of its tenant alone: a source that lies could have its rows belong to another tenant of this
 * installation, or refer to what is another's. Throws ArchiveError.
 */
export async function requireOwnRows(
  trx: Trx,
  chosen: Chosen,
  sums: Readonly<Record<string, TableSum>>,
): Promise<void> {
  for (const carried of archivedTables) {
    const { table, toRead } = carried;
    if (toRead) continue;
    const mine = isAmong(carried, "mine", chosen);
    const count = await countRows(trx, carried, mine);
    if (count !== (table === "tenant" ? 1 : sums[table]?.rows)) throw foreign(table);
    for (const column of carried.columns) {
      const reference = references[column];
      if (reference === undefined) continue;
      if ((await countRows(trx, carried, sql`${mine} and ${isOfOthers(reference, chosen)}`)) > 0) throw foreign(table);
    }
  }
}

/**
 * Requires that each wallet has come with its key: the address of one without would be taken from its holder. And that a wallet which is not
 * its owner's first obeys that one, and none of another owner. Throws ArchiveError.
 */
export async function requireWalletKeys(trx: Trx, chosen: Chosen): Promise<void> {
  const wallets = catalogued("wallet");
  const count = await countRows(
    trx,
    wallets,
    sql`${isAmong(wallets, "mine", chosen)} and not exists (select from kms_wallet as held where held.id = mine.id
      and held.provider = mine.provider and held.owner_id = mine.owner_id and held.environment = mine.environment
      and held.address = mine.address and held.number = mine.number and held.imported_at is not distinct from mine.imported_at
      and held.commanded_by is not distinct from mine.commanded_by)`,
  );
  if (count > 0) throw new ArchiveError("The archive has wallets without their keys.");
  const keys = catalogued("kms_wallet");
  const strange = await countRows(
    trx,
    keys,
    sql`${isAmong(keys, "mine", chosen)} and mine.number > 1 and not exists (select from kms_wallet as first
      where first.id = mine.commanded_by and first.number = 1 and first.provider = mine.provider
      and first.owner_id = mine.owner_id and first.environment = mine.environment)`,
  );
  if (strange > 0) throw new ArchiveError("The archive has wallets that would obey what is not their owner's.");
}

const foreign = (table: string) =>
  new ArchiveError(`The archive has rows of ${table} that are not of its tenant alone. Nothing was changed.`);

/** SQL: whether `mine` refers to a row that is there, and not among the chosen. */
function isOfOthers({ of, by }: (typeof references)[string], chosen: Chosen): RawBuilder<boolean> {
  const pairs = Object.entries(by).map(
    ([here, there]) => sql`${sql.ref(`mine.${here}`)} = ${sql.ref(`theirs.${there}`)}`,
  );
  return sql`exists (select from ${sql.table(of)} as theirs
    where ${sql.join(pairs, sql` and `)} and (${isAmong(catalogued(of), "theirs", chosen)}) is not true)`;
}

function catalogued(table: keyof DatabaseSchema): CarriedTable {
  const found = archivedTables.find((carried) => carried.table === table);
  if (found === undefined) throw new Error(`${table} is in no archive`);
  return found;
}

async function countRows(trx: Trx, { table }: CarriedTable, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from ${sql.table(table)} as mine where ${which}`.execute(trx);
  return rows[0]?.count ?? 0;
}
