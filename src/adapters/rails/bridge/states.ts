import type {
  BankRail,
  DepositState,
  Fiat,
  RailTransferState,
  VerificationStatus,
} from "@trellis/kernel/ports/rails.js";
import { bankRails, fiatCurrencies, railTransferStates } from "@trellis/kernel/ports/rails.js";

/** Notifies an operator of a word the partner used that this release does not know. */
export type Alarm = (about: string, word: string) => void;

const verificationOf: Readonly<Record<string, VerificationStatus>> = {
  not_started: "not_started",
  incomplete: "incomplete",
  pending: "incomplete",
  awaiting_questionnaire: "incomplete",
  awaiting_ubo: "incomplete",
  under_review: "under_review",
  paused: "under_review",
  approved: "approved",
  active: "approved",
  rejected: "rejected",
  offboarded: "rejected",
};

/** No person is approved or rejected by a word that is not known. */
export function verificationStatus(word: string | undefined, alarm: Alarm): VerificationStatus {
  const known = word === undefined ? undefined : own(verificationOf, word.toLowerCase());
  if (known === undefined) alarm("kyc_status", word ?? "");
  return known ?? "under_review";
}

const transferOf: Readonly<Record<string, RailTransferState>> = {
  ...Object.fromEntries(railTransferStates.map((state) => [state, state] as const)),
  cancelled: "canceled",
  kyc_required: "in_review",
  kyc_in_review: "in_review",
  developer_kyb_required: "in_review",
  // Its money lies with the partner until it has been instructed where to give it back.
  missing_return_policy: "error",
  refund_in_flight: "returned",
  refund_failed: "error",
};

/** Money whose state has an unknown name is held to be under review: neither paid nor free. */
export function transferState(word: string | undefined, alarm: Alarm): RailTransferState {
  const known = word === undefined ? undefined : own(transferOf, word.toLowerCase());
  if (known === undefined) alarm("transfer state", word ?? "");
  return known ?? "in_review";
}

/** Whether a bank returned money, or has to go back, by the word for its state alone. */
export const isBackWord = (word: string | undefined): boolean =>
  ["undeliverable", "returned", "refunded", "refund_in_flight", "refund_failed", "missing_return_policy"].includes(
    word?.toLowerCase() ?? "",
  );

const depositOf: Readonly<Record<string, DepositState | null>> = {
  funds_scheduled: "scheduled",
  funds_received: "received",
  in_review: "in_review",
  payment_submitted: "submitted",
  payment_processed: "processed",
  refund: "refunded",
  refunded: "refunded",
  refund_in_flight: "refunded",
  microdeposit: "not_credited",
  microdeposits: "not_credited",
  account_update: null,
  activation: null,
  reactivation: null,
  deactivation: null,
};

/** What an activity of an account says about a deposit; null: nothing, undefined: the word is not known. */
export function depositState(type: string): DepositState | null | undefined {
  // Some documents put the category before the name.
  return own(depositOf, type.toLowerCase().split(".").at(-1) ?? "");
}

/** States of one deposit in the order in which they occur; the highest one seen is where it stands, whichever arrived last. */
export const depositRank: Readonly<Record<DepositState, number>> = {
  scheduled: 0,
  received: 1,
  in_review: 2,
  submitted: 3,
  processed: 4,
  refunded: 5,
  not_credited: 6,
};

const railOf: Readonly<Record<string, BankRail>> = {
  ...Object.fromEntries(bankRails.map((rail) => [rail, rail] as const)),
  ach: "ach_push",
  ach_same_day: "ach_push",
  sepa_credit: "sepa",
  sepa_instant: "sepa",
  fps: "faster_payments",
};

/** Undefined for ways between banks that this release does not speak of, such as `fednow`. */
export function bankRail(word: string | undefined): BankRail | undefined {
  return word === undefined ? undefined : own(railOf, word.toLowerCase());
}

/** What the partner calls a way to a bank that is paid; as a source it takes our own name. */
export function paidRail(rail: BankRail): string {
  return rail === "ach_push" ? "ach" : rail;
}

export function fiat(word: string | undefined): Fiat | undefined {
  return fiatCurrencies.find((currency) => currency === word?.toLowerCase());
}

/** What a customer needs to have for a currency. */
export const endorsementOf: Readonly<Record<Fiat, string>> = {
  usd: "base",
  eur: "sepa",
  gbp: "faster_payments",
  mxn: "spei",
  brl: "pix",
};

/** Other names under which callers ask for one: those of ways to pay, and of currencies. */
export function endorsementNamed(name: string): string {
  const plain = name.toLowerCase();
  if (["ach", "ach_push", "wire"].includes(plain)) return "base";
  return fiat(plain) === undefined ? plain : endorsementOf[plain as Fiat];
}

function own<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
