import type { DatabaseSchema } from "@trellis/kernel/ports/database.js";
import { type CarriedTable, carriedTables } from "./catalogue.js";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const belongs = "tenant_environment";

/** Money between banks and the chain, what is paid again and again, and what was reported of it. */
const otherTables: readonly CarriedTable[] = [
  {
    table: "rail_verification",
    belongs,
    order: ["id"],
    columns:
      words(`id tenant_id environment account_address partner partner_ref customer_ref operation_key operation_begun_at
      operation_open type wanted status terms endorsements told_at told_at_real version active_since look_at created_at
      updated_at`),
    treated: { email_key: "email_hash", person: "sealed", told: "sealed" },
  },
  {
    table: "rail_owner",
    belongs,
    order: ["environment", "partner", "ref"],
    columns: words("environment partner ref tenant_id"),
  },
  {
    table: "rail_external_account",
    belongs,
    order: ["id"],
    // The fingerprint is made with a secret that stays: the same bank account, given again, is a second one.
    columns:
      words(`id tenant_id environment account_address partner partner_ref customer_ref operation_key operation_begun_at
      fingerprint kind currency last4 active removal_key removed_at removal_refused_at told_at_real look_at created_at
      updated_at`),
    treated: { details: "sealed", shown: "sealed" },
  },
  {
    table: "rail_payout_address",
    belongs,
    order: ["id"],
    columns:
      words(`id tenant_id environment account_address partner partner_ref customer_ref operation_key operation_begun_at
      external_account_id external_account_ref coin mint fiat rail endorsement address status was_active retired_at
      active_since look_at wakes created_at updated_at`),
  },
  {
    table: "rail_virtual_account",
    belongs,
    order: ["id"],
    columns: words(`id tenant_id environment account_address user_id partner partner_ref customer_ref operation_key
      operation_begun_at asked_as currency coin mint status rails last4 fee_percent deposits_after version active_since
      look_at created_at updated_at`),
    treated: { instructions: "sealed" },
  },
  {
    table: "rail_deposit",
    belongs,
    order: ["id"],
    columns:
      words(`id virtual_account_id tenant_id environment account_address partner_ref state amount currency coin mint
      decimals fees rail signature received confirmed_at happened_at created_at updated_at`),
    treated: { sender: "sealed" },
  },
  {
    table: "rail_transfer",
    belongs,
    order: ["id"],
    columns:
      words(`id tenant_id environment account_address user_id partner partner_ref customer_ref operation_id operation_key
      operation_begun_at cancel_key direction external_account_id external_account_ref coin mint decimals base_units fiat
      rail amount reference to_address state told receipt return_reason acknowledged_at_real acknowledged_by
      acknowledged_for signature received credited_at answer given_up_at cancel_refused_at astray_since version
      active_since look_at created_at updated_at`),
    treated: {
      sealed_reference: "sealed",
      instructions: "sealed",
      sealed_receipt: "sealed",
      sealed_return_reason: "sealed",
    },
  },
  {
    table: "payment_intent",
    belongs,
    order: ["id"],
    columns:
      words(`id tenant_id environment account_address prepared_id rail ended_by amount currency source destination state
      updated_at created_at open_until_height prepared_slot attempt_at searched_to alarmed_at`),
  },
  {
    table: "standing_order",
    belongs,
    order: ["id"],
    columns:
      words(`id tenant_id environment account_address settings_address status reason suspended_for suspended_from amount
      currency mint frequency source destination payee payout_address_id start_at end_at occurrences executor_address
      spending_limit_address limit_expires_at prepared_id proposal_address removal_prepared_id renewal_limit_address place
      valid_until mandate mandated_at next_index next_due_at attempt_at missed_in_a_row last_paid_at created_at
      updated_at`),
    treated: { leased_until: "left" },
  },
  {
    table: "standing_order_run",
    belongs: { of: "standing_order", by: { order_id: "id" }, whose: belongs },
    order: ["order_id", "due_at"],
    columns:
      words(`order_id due_at environment state attempts refusals paid_at submission_id signature error searched_to
      created_at updated_at`),
  },
  {
    table: "rail_payout",
    belongs,
    order: ["id"],
    columns:
      words(`id payout_address_id tenant_id environment account_address order_id due_at partner_ref signature state
      amount return_reason astray_since acknowledged_at_real acknowledged_by acknowledged_for created_at updated_at`),
    treated: { receipt: "sealed", sealed_return_reason: "sealed" },
  },
  {
    table: "label",
    belongs,
    order: ["environment", "account_address", "address"],
    columns: words("environment account_address tenant_id address name folded_name note created_at updated_at"),
  },
  {
    table: "passkey_signer",
    belongs,
    order: ["environment", "address"],
    columns: words("environment address tenant_id"),
  },
  {
    table: "event",
    belongs,
    // As its readers saw them: what was committed late has its place late. Those without a place are last.
    order: ["place", "sequence"],
    columns: words("id tenant_id environment type object_id data previous_status is_example once created_at placed_at"),
    treated: { place: "event_place" },
    generated: ["sequence"],
  },
  {
    table: "webhook_endpoint",
    belongs,
    order: ["id"],
    columns:
      words(`id tenant_id environment url types object_id description status disabled_reason previous_secret_until
      failing_since next_due_at created_at updated_at`),
    treated: { secret: "sealed", previous_secret: "sealed", leased_until: "left" },
  },
  {
    table: "webhook_delivery",
    belongs: { of: "webhook_endpoint", by: { endpoint_id: "id" }, whose: belongs },
    order: ["endpoint_id", "event_id"],
    columns: words("endpoint_id event_id environment state attempts next_attempt_at ahead_ms created_at"),
  },
  {
    table: "webhook_attempt",
    belongs: { of: "webhook_endpoint", by: { endpoint_id: "id" }, whose: belongs },
    order: ["id"],
    columns:
      words(`id endpoint_id event_id event_type environment attempt is_delivered response_status fault response_body
      duration_ms attempted_at`),
  },
  {
    table: "idempotency_record",
    belongs,
    order: ["environment", "method", "path", "idempotency_key"],
    // The fingerprint is made with a secret that stays: a repetition is refused as another request, and carried out by neither.
    columns:
      words(`tenant_id environment method path idempotency_key fingerprint state attempt_id leased_until expires_at
      status`),
    treated: { answer: "sealed" },
  },
  {
    table: "audit_entry",
    belongs: "tenant",
    order: ["sequence"],
    columns: words(`sequence tenant_id environment kind subject user_id at salt body subject_hash body_hash place
      published_at`),
    toRead: true,
  },
];

/** Every table that is in an archive, in the order in which they refer to each other. */
export const archivedTables: readonly CarriedTable[] = [...carriedTables, ...otherTables];

/** The tables that are in none, each with the reason. */
export const stayingTables: Readonly<Partial<Record<keyof DatabaseSchema, string>>> & Readonly<Record<string, string>> =
  {
    kysely_migration: "of the database",
    kysely_migration_lock: "of the database",
    meta: "of the installation",
    wallet_root: "of the installation; each wallet's own key is carried",
    history_sum: "made of the transfers, by their triggers, where they are inserted",
    derived_secret: "of the installation; the secrets of the tenant's API keys are carried with them",
    identity_key: "signs identity tokens of all tenants: tokens of the other installation have another issuer",
    member: "decides who signs in at this installation: there the operator invites the first owner",
    member_secret: "with the members",
    member_session: "with the members",
    member_passkey: "with the members: it belongs to the domain of this installation's console",
    member_nonce: "lives for minutes, and names no tenant",
    proposal_mail: "with the members",
    proposal_mail_count: "with the members",
    proposal_mail_feed: "made anew of what the tenant set: nothing that happened before the move is mailed after it",
    session: "users sign in again: a session's token, key and counterpart end with the installation that issued them",
    session_chain: "with the sessions",
    wallet_session: "as sessions: who has a wallet of their own signs in with it again",
    kms_authorization_key: "commands a wallet for a session, and ends with it",
    key_removal: "about keys of sessions",
    signed_account: "made of accounts and their signers there",
    one_time_code: "lives for minutes: users ask for another",
    passkey_sign_in: "lives for minutes, and names no tenant",
    kms_wallet_import: "lives for minutes: a key is begun to be imported again; what was imported is a wallet",
    wallet_import:
      "says for whom a key was imported, which the wallet and the audit log say, too; a mail about it that a mail server has refused until the move is not sent",
    passkey_ceremony: "lives for minutes: a challenge is asked for again",
    passkey_approval: "lives for minutes: what was not approved is prepared again",
    kms_ceremony: "lives for minutes: a passkey is begun to be added again",
    guardian_change: "whose owner was mailed: a change that is asked for there again is mailed again",
    spending_limit_watch:
      "which limits are read anew from the chain: of carried accounts and histories, that is found again there",
    spending_limit_listing: "read anew from the chain",
    proposal_listing: "made anew of the proposals and of who votes on them",
    mail: "sent, or out of date by then; its limits count anew",
    tenant_writes: "counts what this installation's database was given in a day",
    request_record: "a day's requests of this installation",
    request_count: "counts those",
    sponsorship_budget: "counts what this installation has paid in a day",
    sponsored_cost: "the books of this installation's fee payer, whom rent returns to",
    event_feed: "counts the events of all tenants",
    rail_notice: "news of a partner, of all tenants: read again there",
    rail_feed: "how far those were asked for",
    tlog: "the log of this installation; a tenant's entries can be read in the archive",
    tlog_tile: "the same",
    tlog_checkpoint: "the same",
    tlog_cosignature: "the same",
    tlog_witnessed: "about logs of others",
    tlog_refused: "the same",
    chain_state: "the sandbox's chain, of all tenants",
    chain_account: "the same",
    chain_transaction: "the same",
    chain_address_signature: "the same",
    simulated_verification: "the sandbox's bank partner, which belongs to its chain",
    simulated_bank_account: "the same",
    simulated_transfer: "the same",
    simulated_payout_address: "the same",
    simulated_feed: "the same",
    simulated_news: "the same",
    simulated_virtual_account: "the same",
    simulated_deposit: "the same",
  };
