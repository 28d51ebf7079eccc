import { type Kysely, sql } from "kysely";

/** Payments that can land without the service's key are ended by the chain's history, and by no clock. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table payment_intent add column open_until_height int8, add column prepared_slot int8, add column attempt_at int8,
    add column searched_to text, add column alarmed_at int8`,
  `alter table prepared_transaction add column simulated_slot int8`,
  `alter table submission add column searched_to text`,
  // The fee payer is among those who have to sign where it is not the service's.
  `update payment_intent as intent set open_until_height = prepared.last_valid_block_height, attempt_at = 0
    from prepared_transaction as prepared
    where prepared.id = intent.prepared_id and intent.state = 'awaiting_funds'
      and exists (select from json_array_elements_text(prepared.transaction_signers::json) as signer
        where signer = prepared.fee_payer)`,
  `create index payment_intent_search on payment_intent (environment, attempt_at) where attempt_at is not null`,
  `create index payment_intent_search_turn on payment_intent (environment, tenant_id, attempt_at)
    where attempt_at is not null`,
  `drop index payment_intent_waiting`,
  `create index payment_intent_waiting on payment_intent (environment, created_at)
    where state = 'awaiting_funds' and open_until_height is null`,
];
