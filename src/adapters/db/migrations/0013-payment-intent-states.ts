import { type Kysely, sql } from "kysely";

/**
 * Payment intents have a state of their own, and can be listed by it. Those that were never submitted are left to the pass
 * that cancels them. See `ports/database.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table payment_intent
    add column state text not null default 'awaiting_funds',
    add column updated_at int8 not null default 0`,
  `update payment_intent set updated_at = created_at`,
  `update payment_intent as intent
    set state = case submission.state when 'landed' then 'payment_processed' when 'failed' then 'error'
        when 'expired' then 'canceled' else 'payment_submitted' end,
      updated_at = submission.updated_at
    from submission where submission.id = intent.prepared_id`,
  `create unique index payment_intent_prepared on payment_intent (prepared_id)`,
  `create index payment_intent_list on payment_intent (environment, account_address, state, created_at, id)`,
  `create index payment_intent_waiting on payment_intent (environment, created_at) where state = 'awaiting_funds'`,
];
