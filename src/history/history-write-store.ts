import type { DbOrTrx, HistoryTransferTable } from "@trellis/kernel/ports/database.js";
import { type HistoryAccount, heldAccount, keyOf, type ReadTransaction, run, toJson } from "./history-store.js";

/** Every column of a transaction and of a transfer but the account's, with its type. */
const transactionColumns = {
  signature: "text",
  slot: "int8",
  confirmed_at: "int8",
  finalized: "boolean",
  failed: "boolean",
  error: "text",
  kind: "text",
  found_at: "text",
} as const satisfies Record<keyof ReadTransaction["transaction"], string>;

const transferColumns = {
  signature: "text",
  position: "int4",
  slot: "int8",
  confirmed_at: "int8",
  instruction_index: "int4",
  direction: "text",
  own_address: "text",
  mint: "text",
  is_token_2022: "boolean",
  decimals: "int4",
  from_address: "text",
  to_address: "text",
  amount: "text",
  is_first_of_mint: "boolean",
} as const satisfies Record<Exclude<keyof HistoryTransferTable, "environment" | "account_address">, string>;

const recordOf = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(", ");

const namesOf = (columns: Readonly<Record<string, string>>): string => Object.keys(columns).join(", ");

/** Those that a transaction keeps: it becomes final. */
const readNames = namesOf(transactionColumns).replace(" finalized,", "");

// The process that inserts a transaction inserts its transfers and adds them up, and no other does. Another may have seen it
// as final since it was removed from the list, and has noted that where it was then: there, or in the row that is there by now.
const saveQuery = `with ${heldAccount("$6")}, done as (
    delete from history_unread where environment = $1 and account_address = $2 and signature = any($5::text[])
      and exists (select from held)
    returning signature, finalized
  ), reported as (
    select ${readNames}, read.finalized or coalesce(done.finalized, false) as finalized
    from json_to_recordset($3::json) as read (${recordOf(transactionColumns)}) left join done using (signature)
    where exists (select from held)
  ), written as (
    insert into history_transaction (environment, account_address, ${readNames}, finalized)
    select $1, $2, ${readNames}, finalized from reported order by signature
    on conflict (environment, account_address, signature) do update set finalized = true
      where excluded.finalized and not history_transaction.finalized
    returning signature, (xmax = 0) as is_new
  ), moved as (
    insert into history_transfer (environment, account_address, ${namesOf(transferColumns)})
    select $1, $2, ${namesOf(transferColumns)}
    from json_to_recordset($4::json) as read (${recordOf(transferColumns)})
    where signature in (select signature from written where is_new)
    returning own_address, case when direction = 'inflow' then amount::numeric else -amount::numeric end as change
  ), summed as (
    insert into history_address as followed (environment, account_address, address, role, total)
    select $1, $2, own_address, case when own_address = $2 then 'vault' else 'token' end, sum(change)
    from moved group by own_address order by own_address
    on conflict (environment, account_address, address) do update set total = followed.total + excluded.total
  )
  select count(*)::int4 as written from written where is_new`;

/**
 * Writes down transactions that were read, with their transfers, and takes `read` off the list of what is to be read. One
 * that is there already stays as it is, but for being final by now: else transactions never change. Returns how many were
 * new.
 */
export async function saveRead(
  db: DbOrTrx,
  account: HistoryAccount,
  transactions: readonly ReadTransaction[],
  read: readonly string[],
): Promise<number> {
  if (read.length === 0 && transactions.length === 0) return 0;
  const transfers = transactions.flatMap(({ transaction: { signature, slot, confirmed_at }, transfers }) =>
    transfers.map((transfer) => ({ ...transfer, signature, slot, confirmed_at })),
  );
  const values = [toJson(transactions.map(({ transaction }) => transaction)), toJson(transfers), read];
  const rows = await run<{ written: number }>(db, saveQuery, [...keyOf(account), ...values, account.number]);
  return rows[0]?.written ?? 0;
}

const dropQuery = `with ${heldAccount("$6")}, removed as (
    delete from history_transaction
    where exists (select from held) and environment = $1 and account_address = $2 and found_at = $3 and not finalized and slot < $4
      and not signature = any($5::text[])
    returning signature
  ), undone as (
    delete from history_transfer where environment = $1 and account_address = $2
      and signature in (select signature from removed)
    returning own_address, case when direction = 'inflow' then amount::numeric else -amount::numeric end as change
  ), summed as (
    update history_address set total = total - undone.change
    from (select own_address, sum(change) as change from undone group by own_address) as undone
    where environment = $1 and account_address = $2 and address = undone.own_address
  ), unread as (
    delete from history_unread where exists (select from held) and environment = $1 and account_address = $2
      and found_at = $3 and not finalized and slot < $4 and not signature = any($5::text[])
  )
  select signature from removed`;

/**
 * Takes away what a fork had confirmed and the cluster has dropped: transactions found at this address that are not final,
 * are older than `beforeSlot`, and no longer among those listed. Returns their signatures.
 */
export async function dropForked(
  db: DbOrTrx,
  account: HistoryAccount,
  foundAt: string,
  { beforeSlot, listed }: { readonly beforeSlot: bigint; readonly listed: readonly string[] },
): Promise<readonly string[]> {
  const values = [foundAt, beforeSlot, listed, account.number];
  const rows = await run<{ signature: string }>(db, dropQuery, [...keyOf(account), ...values]);
  return rows.map(({ signature }) => signature);
}

const forgetCompleteQuery =
  "update history_watch set complete_at = null where environment = $1 and account_address = $2";

/** An index that was made anew is complete when a refresh has found it so, and not since it once was. */
export async function forgetComplete(trx: DbOrTrx, account: HistoryAccount): Promise<void> {
  await run(trx, forgetCompleteQuery, keyOf(account));
}
