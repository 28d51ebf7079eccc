import { type Kysely, sql } from "kysely";

/**
 * Everything that has served its time is found by an index, a batch at a time; indexes that nothing asks go. Signed bytes
 * are wiped earlier than their submission is forgotten. See `scheduler/retention.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `drop index prepared_transaction_expiry`,
  `create index prepared_transaction_age on prepared_transaction (environment, expires_at)`,
  `create index one_time_code_age on one_time_code (environment, expires_at)`,
  `create index otp_failure_age on otp_failure (environment, failed_at)`,
  `create index pending_account_age on pending_account (environment, created_at)`,
  `create index account_creation_age on account_creation (environment, created_at) where state <> 'pending'`,
  `create index account_creation_unsigned on account_creation (looked_at)
    where state = 'pending' and submission_id is null and type <> 'email'`,
  `create index session_age on session (chain_started_at)`,
  `create index kms_authorization_key_age on kms_authorization_key (expires_at)`,
  `create index mail_age on mail (queued_at_real)`,
  `create index mail_queued on mail (queued_at_real) where state = 'queued'`,
  `create index sponsorship_budget_age on sponsorship_budget (day)`,

  `drop index submission_unsettled`,
  `create index submission_unsettled on submission (environment, looked_at)
    where spent_lamports is null and reserved_lamports > 0 and state in ('landed', 'failed', 'expired')`,

  `create index submission_bytes on submission (environment, updated_at)
    where state in ('landed', 'failed', 'expired') and wire_transaction <> ''`,
  `create index submission_age on submission (environment, updated_at)
    where state in ('landed', 'failed', 'expired') and wire_transaction = ''`,
  `drop index submission_account`,

  `drop index payment_intent_prepared`,
  `drop index payment_intent_account`,
  `create index payment_intent_age on payment_intent (environment, created_at)`,
];
