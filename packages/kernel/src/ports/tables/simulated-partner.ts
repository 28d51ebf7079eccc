import type { Generated } from "kysely";

/** An address at which the simulated partner takes coins. */
export interface SimulatedPayoutAddressTable {
  ref: string;
  environment: string;
  customer_ref: string;
  operation_key: string;
  bank_account_ref: string;
  coin: string;
  mint: string;
  fiat: string;
  rail: string;
  address: string;
  /** It takes no more coins, and another one can be opened; which of them this is. */
  closed: Generated<boolean>;
  /** When: environment time, Unix milliseconds; null while it takes coins. */
  closed_at: bigint | null;
  number: Generated<number>;
  /** Base units that were seen there, all of which became payouts or were too few for one. */
  held: Generated<string>;
  /** The last payment on chain that was checked. */
  seen_signature: string | null;
  looked_at: Generated<bigint>;
  created_at: bigint;
}

/** What the simulated partner knows of a bank account: no number. */
export interface SimulatedBankAccountTable {
  ref: string;
  customer_ref: string;
  operation_key: string;
  /** HMAC of its numbers. */
  fingerprint: Uint8Array;
  currency: string;
  last4: string;
  bank_name: string | null;
  created_at: bigint;
}

/** What the simulated partner moves. */
export interface SimulatedTransferTable {
  ref: string;
  environment: string;
  customer_ref: string;
  operation_key: string;
  client_reference: string;
  direction: "in" | "out";
  amount: string;
  coin: string;
  mint: string;
  base_units: string;
  /** JSON. */
  from_leg: string;
  to_leg: string;
  /** The address where the coins of a pay-out are accepted. */
  watched: string | null;
  /** Of coins that arrived at a payout address: which. */
  payout_address_ref: string | null;
  state: string;
  /** JSON: what it reaches next, and how long that takes. */
  steps: Generated<string>;
  /** Environment time. */
  due_at: bigint | null;
  /** How often the chain refused the payment of a pay-in. */
  tries: Generated<number>;
  /** Base units of a pay-out that were seen there. */
  held: string | null;
  source_signature: string | null;
  destination_signature: string | null;
  looked_at: Generated<bigint>;
  created_at: bigint;
  updated_at: bigint;
}

/** What the simulated partner knows of a person. */
export interface SimulatedVerificationTable {
  ref: string;
  owner: string;
  /** HMAC of the address. */
  email_key: Uint8Array;
  type: string;
  customer_ref: string;
  status: string;
  terms: string;
  /** JSON. */
  rejections: string;
  /** JSON: endorsement -> wanted or revoked. */
  endorsements: string;
  /** Sealed. */
  redirect_uri: Uint8Array | null;
  /** Environment time, as all that is simulated. */
  due_at: bigint | null;
  due_status: string | null;
  created_at: bigint;
  updated_at: bigint;
}

export interface SimulatedFeedTable {
  id: number;
  next_place: bigint;
}

/** News of the simulated partner, in the order in which it reports them. */
export interface SimulatedNewsTable {
  place: bigint;
  environment: string;
  event_id: string;
  kind: string;
  ref: string;
  happened_at: bigint;
}

/** A virtual account of the simulated partner. */
export interface SimulatedVirtualAccountTable {
  ref: string;
  customer_ref: string;
  operation_key: string;
  currency: string;
  coin: string;
  address: string;
  status: "activated" | "deactivated";
  /** Its bank details follow from it. */
  number: Generated<bigint>;
  /** Environment time. */
  created_at: bigint;
}

/** Money that a caller pretends was sent. */
export interface SimulatedDepositTable {
  ref: string;
  account_ref: string;
  /** What asked for it, from an idempotency key. */
  asked_as: string | null;
  amount: string;
  rail: string;
  state: string;
  /** JSON: the states it reaches, and after how long. */
  steps: string;
  /** How many of them it has reached. */
  step: number;
  /** Environment time, as all that is simulated; null: nothing happens to it any more. */
  due_at: bigint | null;
  /** Its payment may have been sent. */
  is_paying: Generated<boolean>;
  /** How often the chain refused it. */
  tries: Generated<number>;
  signature: string | null;
  /** Rises with every change. */
  changed: Generated<bigint>;
  environment: string;
  created_at: bigint;
  updated_at: bigint;
}
