import type { Generated } from "kysely";

/** A partner's check of the person or business behind an account (gap 43). */
export interface RailVerificationTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  /** Who checks: its refs are valid under this name alone. */
  partner: string;
  /** Null until the partner has reported it. */
  partner_ref: string | null;
  /** Null until the partner has reported it. */
  customer_ref: string | null;
  /** What the partner knows this operation by, stored before the first call; and since when (real time). */
  operation_key: string;
  operation_begun_at: bigint;
  /** Whether the partner has not answered it yet: then it is begun again, and not only read. */
  operation_open: Generated<boolean>;
  type: "individual" | "business";
  /** HMAC of the address: the same person of the same account is one row. */
  email_key: Uint8Array;
  /** Sealed JSON: e-mail address, full name, where the browser goes afterwards. */
  person: Uint8Array;
  /** Endorsements asked for, sorted. */
  wanted: string[];
  status: string;
  terms: string;
  /** JSON: endorsement -> where it stands; sorted. */
  endorsements: string;
  /** Sealed JSON: links, reasons of a rejection, what is asked for. */
  told: Uint8Array | null;
  /** When the partner last reported: environment time, and real time. */
  told_at: bigint | null;
  told_at_real: bigint | null;
  /** Counts what was written: what was read before another one wrote is read again. */
  version: Generated<bigint>;
  /** A caller asked for it, or it changed: checks are close together afterwards. Real time. */
  active_since: bigint;
  /** Real time. */
  look_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** Whose a partner's customer is: two tenants never share one. */
export interface RailOwnerTable {
  environment: string;
  partner: string;
  /** Of a verification or a customer. */
  ref: string;
  tenant_id: string;
}

/** A bank account that a partner can pay. Its numbers are sealed until the partner has them, and are nowhere afterwards. */
export interface RailExternalAccountTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  partner: string;
  /** Null until the partner has reported it. */
  partner_ref: string | null;
  customer_ref: string;
  /** What the partner knows the operation by, stored before the first call; and since when (real time). */
  operation_key: string;
  operation_begun_at: bigint;
  /** HMAC of all details, however they are written: the same ones of one account are one row. */
  fingerprint: Uint8Array;
  /** Sealed JSON; null once the partner has them. */
  details: Uint8Array | null;
  /** Sealed JSON of what is displayed: the owner's name, the bank's. */
  shown: Uint8Array;
  kind: string;
  currency: string;
  last4: string;
  active: Generated<boolean>;
  removal_key: string;
  /** When a caller asked for its removal, which the partner has not answered yet: environment time. */
  removed_at: bigint | null;
  /** When the partner refused that. Real time, as the next two. */
  removal_refused_at: bigint | null;
  /** When it last reported whether it can pay it. */
  told_at_real: bigint | null;
  /** Null: no caller needs to know at present. */
  look_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** Money that a partner moves between a bank and the chain; a payment intent with a bank has the same id. */
export interface RailTransferTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  user_id: string;
  partner: string;
  /** Null until the partner has reported it. */
  partner_ref: string | null;
  customer_ref: string;
  /** By which a repetition finds it: the operation of an idempotency key; null without one, and once it was given up. */
  operation_id: string | null;
  /** What the partner knows it by, stored before the first call; and since when (real time). */
  operation_key: string;
  operation_begun_at: bigint;
  cancel_key: string;
  direction: "in" | "out";
  external_account_id: string | null;
  external_account_ref: string | null;
  coin: string;
  mint: string;
  decimals: number;
  /** What is moved on chain, where it is known beforehand: decimal string. */
  base_units: string;
  fiat: string;
  rail: string;
  /** As it was sent to the partner. */
  amount: string;
  /** In clear in rows of earlier releases only, as `receipt` and `return_reason`: they are sealed soon. */
  reference: string | null;
  /** Sealed text. */
  sealed_reference: Uint8Array | null;
  /** Where the coins of a pay-out go. */
  to_address: string | null;
  /** Sealed JSON: where the payer of a pay-in sends the money. */
  instructions: Uint8Array | null;
  /** Folded by rank; a pay-in is processed once it was seen on chain. */
  state: string;
  /** As the partner says. */
  told: string;
  receipt: string | null;
  /** Sealed JSON. */
  sealed_receipt: Uint8Array | null;
  return_reason: string | null;
  /** Sealed text: why a bank gave it back. What is in `error` with one could not be given back. */
  sealed_return_reason: Uint8Array | null;
  /** When an operator has seen to that, by real time, who, and in which words: for operators alone. */
  acknowledged_at_real: bigint | null;
  acknowledged_by: string | null;
  acknowledged_for: string | null;
  /** Of the payment to the account; of a pay-out: that of its refund, as the partner says. */
  signature: string | null;
  /** What that brought, in base units. */
  received: string | null;
  /** When that was seen on chain: environment time. */
  credited_at: bigint | null;
  /** JSON of the prepared transaction as it was answered, so that a repetition is answered the same. */
  answer: string | null;
  /** When it was decided that it will not be paid, which nothing undoes; then it is cancelled at the partner. Real time. */
  given_up_at: bigint | null;
  /** When the partner would not cancel it. Real time. */
  cancel_refused_at: bigint | null;
  /** Since when its coins are where nothing moves them on, as far as it is known: environment time. */
  astray_since: bigint | null;
  /** Counts what was written: what was read before another one wrote is read again. */
  version: Generated<bigint>;
  /** Since when checks are close together. Real time, as the next. */
  active_since: bigint;
  look_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** An address on chain at which a partner takes coins and pays them out to one bank account. */
export interface RailPayoutAddressTable {
  id: string;
  tenant_id: string;
  environment: string;
  /** Whose orders pay there, and whom coins go back to. */
  account_address: string;
  partner: string;
  /** Null until the partner has reported it, as the address and the status. */
  partner_ref: string | null;
  customer_ref: string;
  /** What the partner knows the operation by, stored before the first call; and since when (real time). */
  operation_key: string;
  operation_begun_at: bigint;
  external_account_id: string;
  external_account_ref: string;
  coin: string;
  mint: string;
  fiat: string;
  rail: string;
  /** What the customer needs for it. */
  endorsement: string;
  /** The owner that is paid on chain: never changes once it is known. */
  address: string | null;
  status: "activated" | "deactivated" | null;
  /** Whether coins were ever accepted there. */
  was_active: Generated<boolean>;
  /** When another one took its place for new orders: environment time. */
  retired_at: bigint | null;
  /** Since when checks are close together; null: since the next one. Real time, as the next. */
  active_since: bigint | null;
  look_at: bigint | null;
  /** Counts requests for a check: a check that began before plans none that is later. */
  wakes: Generated<bigint>;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** What became at the bank of one payment of a standing order. */
export interface RailPayoutTable {
  id: string;
  payout_address_id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  /** The due date that it was paid for. */
  order_id: string;
  due_at: bigint;
  partner_ref: string;
  /** Of the payment on chain. */
  signature: string;
  /** As the partner says, folded by rank. */
  state: string;
  /** Of the coin, decimal, as the partner says. */
  amount: string;
  /** Sealed JSON. */
  receipt: Uint8Array | null;
  /** In clear in rows of earlier releases only. */
  return_reason: string | null;
  /** Sealed text, as that of a transfer. */
  sealed_return_reason: Uint8Array | null;
  /** Since when its coins are where nothing moves them on, as far as it is known: environment time. */
  astray_since: bigint | null;
  /** As those of a transfer. */
  acknowledged_at_real: bigint | null;
  acknowledged_by: string | null;
  acknowledged_for: string | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** News of a partner: something to read again, nothing more. */
export interface RailNoticeTable {
  environment: string;
  partner: string;
  event_id: string;
  kind: string;
  ref: string;
  /** As the partner says. */
  happened_at: bigint;
  /** Real time. */
  received_at: bigint;
  tries: Generated<number>;
  /** Real time; null: done. */
  look_at: bigint | null;
}

/** How far the news of a partner have been asked for. */
export interface RailFeedTable {
  environment: string;
  partner: string;
  cursor: string | null;
  /** Real time. */
  asked_at: bigint;
}

/** Bank details under which money for an account arrives (gap 44). */
export interface RailVirtualAccountTable {
  id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  user_id: string;
  /** Whose: its refs are valid under this name alone. */
  partner: string;
  /** Null until the partner has reported it. */
  partner_ref: string | null;
  customer_ref: string;
  /** What the partner knows this operation by, stored before the first call; and since when (real time). */
  operation_key: string;
  operation_begun_at: bigint;
  /** The name of the request that asked for it, from its idempotency key; null without one. */
  asked_as: string | null;
  /** Of the bank, and what arrives on chain. */
  currency: string;
  coin: string;
  mint: string;
  /** Null until the partner has reported it. */
  status: "activated" | "deactivated" | null;
  /** JSON array. */
  rails: string;
  /** Sealed JSON: names and values as a payer needs them. */
  instructions: Uint8Array | null;
  last4: string | null;
  fee_percent: string | null;
  /** Where the next check that reads deposits continues, in the partner's words; null: nothing is left over. */
  deposits_after: string | null;
  /** Counts what was written: what was read before another one wrote is read again. */
  version: Generated<bigint>;
  /** Something happened here: checks are close together afterwards. Real time. */
  active_since: bigint;
  /** Real time. */
  look_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}

/** Money that arrived at a virtual account: where its partner has it, and what the chain says. */
export interface RailDepositTable {
  id: string;
  virtual_account_id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  partner_ref: string;
  /** Only ever rises, by the database's `deposit_rank`. */
  state: "scheduled" | "received" | "in_review" | "submitted" | "processed" | "not_credited" | "refunded";
  /** Decimal, in the currency of the bank. */
  amount: string;
  currency: string;
  /** What it becomes on chain. */
  coin: string;
  mint: string;
  decimals: number;
  /** JSON: developer_fee, exchange_fee, gas_fee. */
  fees: string | null;
  /** Sealed: who sent it. */
  sender: Uint8Array | null;
  rail: string | null;
  /** Of its payment, as the partner says. */
  signature: string | null;
  /** What that payment brought, base units, and when (Unix seconds): from the chain, once it is final there. */
  received: string | null;
  confirmed_at: bigint | null;
  /** As the partner says, Unix milliseconds. */
  happened_at: bigint;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
}
