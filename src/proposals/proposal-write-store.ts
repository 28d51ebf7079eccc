import { Buffer } from "node:buffer";
import type { DbOrTrx, ProposalTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { CompiledQuery } from "kysely";

/** Every column that following writes, with its type. */
const written = {
  environment: "text",
  settings_address: "text",
  transaction_index: "int8",
  proposal_address: "text",
  transaction_address: "text",
  kind: "text",
  status: "text",
  chain_status: "text",
  status_timestamp: "int8",
  approved: "text",
  rejected: "text",
  cancelled: "text",
  votes: "text",
  creator: "text",
  proposal_rent_collector: "text",
  transaction_rent_collector: "text",
  content: "text",
  batch_size: "int4",
  batch_executed: "int4",
  batch_reclaimed_lamports: "int8",
  opened_at: "int8",
  last_modified_signature: "text",
  last_modified_at: "int8",
  uses_durable_nonce: "boolean",
  reclaimed_lamports: "int8",
  seen_signature: "text",
  read_slot: "int8",
} as const satisfies Record<Exclude<keyof ProposalTable, "close_tried_at">, string>;

export const columns = Object.keys(written);

const keyColumns = ["environment", "settings_address", "transaction_index"];

/**
 * SQL: holds the row that says how far each account is followed, and makes it where there is none. Behind it stand the account's proposals
 * and their places in lists. A conflict locks a row that was made at this moment, too, which no reading of this statement would see.
 * `held`: the accounts.
 */
const holdWatches = (held: string): string => `insert into proposal_watch as watch
    (environment, settings_address, tenant_id, active_at, due_at, transaction_index, stale_transaction_index, read_slot)
  select environment, settings_address, tenant_id, 0, null, 0, 0, -1 from ${held} order by environment, settings_address
  on conflict (environment, settings_address) do update set due_at = watch.due_at where false`;

// An older reading never replaces a newer one. Content is written once: following does not carry it about, batches aside. Locks are taken in
// the order in which all take them: accounts, how far they are followed (the lists across accounts stand behind that row), and proposals.
const saveQuery = `with read as materialized (
    select * from json_to_recordset($1::json) as read (${Object.entries(written)
      .map(([name, type]) => `${name} ${type}`)
      .join(", ")})
  ), held as materialized (
    -- Of an account that was released meanwhile nothing is written.
    select environment, settings_address, tenant_id from account
    where (environment, settings_address) in (select environment, settings_address from read)
    order by environment, settings_address for key share
  ), made as (
    ${holdWatches("held")} returning environment
  )
  insert into proposal (${columns.join(", ")})
  select ${columns.map((name) => (name === "content" ? "decode(content, 'base64')" : `read.${name}`)).join(", ")}
  from read join held using (environment, settings_address)
  -- Counted before anything is written.
  where (select count(*) from made) >= 0
  order by read.settings_address, read.transaction_index
  on conflict (environment, settings_address, transaction_index) do update set
    ${columns
      .filter((name) => !keyColumns.includes(name))
      .map((name) =>
        name === "content" ? "content = coalesce(excluded.content, proposal.content)" : `${name} = excluded.${name}`,
      )
      .join(", ")}
  where excluded.read_slot >= proposal.read_slot`;

/** Rows in one statement at most. */
const saveMax = 200;

/**
 * Writes readings of the chain. One that is older than what is there changes nothing: of several processes that follow
 * at once the newest reading stays.
 */
export async function saveProposals(
  db: DbOrTrx,
  rows: readonly Omit<ProposalTable, "close_tried_at">[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += saveMax) {
    const batch = rows.slice(at, at + saveMax).map(toJson);
    await db.executeQuery(CompiledQuery.raw(saveQuery, [JSON.stringify(batch)]));
  }
}

function toJson(row: Omit<ProposalTable, "close_tried_at">): object {
  return {
    ...Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? value.toString() : value]),
    ),
    content: row.content === null ? null : Buffer.from(row.content).toString("base64"),
  };
}

const heldQuery = "select from account where environment = $1 and settings_address = $2 for key share";
const heldWatchQuery = holdWatches("(select * from account where environment = $1 and settings_address = $2) as held");
const replaceQuery = "delete from proposal where environment = $1 and settings_address = $2";

/** Puts these rows in the place of all the account had. Meant for one transaction. */
export async function replaceProposals(
  trx: DbOrTrx,
  environment: EnvironmentName,
  settingsAddress: string,
  rows: readonly Omit<ProposalTable, "close_tried_at">[],
): Promise<void> {
  // What is made again from the chain has not happened again. For this transaction only.
  await trx.executeQuery(CompiledQuery.raw("select set_config('trellis.unreported', 'on', true)"));
  // Held first, as everywhere, so that this and a release never wait for each other.
  await trx.executeQuery(CompiledQuery.raw(heldQuery, [environment, settingsAddress]));
  // Who saves how far it is followed holds that row first, too, and what stands in lists behind it.
  await trx.executeQuery(CompiledQuery.raw(heldWatchQuery, [environment, settingsAddress]));
  await trx.executeQuery(CompiledQuery.raw(replaceQuery, [environment, settingsAddress]));
  await saveProposals(trx, rows);
}
