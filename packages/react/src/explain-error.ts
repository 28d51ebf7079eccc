import {
  InvalidInputError,
  InvalidKeyError,
  OutcomeUnknownError,
  PasskeyPageError,
  SignedOutError,
  TransactionMismatchError,
  TrellisApiError,
  TrellisNetworkError,
  WalletError,
} from "@trellis/sdk";
import { PaymentUnderWayError } from "./payment-under-way-error.js";
import { ProposalNotShownError } from "./proposal-not-shown-error.js";
import { ProposalUnderWayError } from "./proposal-under-way-error.js";

/** An error as a screen shows it. */
export type ExplainedError = {
  /** The service's permanent code, or `network`, `outcome_unknown`, `payment_under_way`, `proposal_under_way`, `proposal_not_shown`, `transaction_mismatch`, `invalid_key`, `window_blocked`, `unexpected`. */
  readonly code: string;
  /** A sentence for the person in front of the screen: what happened and what they can do. In English. */
  readonly help: string;
  /** After so many seconds trying again makes sense, where the service says so. */
  readonly retryAfterSeconds?: number;
  readonly cause: Error;
};

/** For people, so only of what people can do something about. What developers have to know is in `cause`. */
const helpByCode: Readonly<Record<string, string>> = {
  invalid_otp: "That code is not right, or not good any more. Check it, or ask for a new one.",
  otp_expired: "That code is too old. Ask for a new one.",
  otp_attempts_exceeded: "That code was wrong too often. Ask for a new one.",
  otp_address_blocked: "There were too many wrong codes for this address. Try again tomorrow.",
  mail_limit_exceeded: "This address has been sent many codes lately. Use the last one, or try again later.",
  mail_unavailable: "The mail could not be sent. Try again in a moment.",
  user_not_found: "There is no account for this e-mail address.",
  daily_limit_exceeded: "This application has done as much today as it may. Try again tomorrow.",
  rate_limit_exceeded: "That was too much in a short time. Wait a moment, then try again.",
  invalid_email: "That is not an e-mail address that can be written to.",
  invalid_session: "You have been signed out. Sign in again.",
  session_required: "You are signed out. Sign in again.",
  session_expired: "You have been signed out. Sign in again.",
  insufficient_balance: "There is not enough in the account for that. Nothing was paid.",
  payload_expired: "This took too long, and nothing was paid. Try again.",
  blockhash_expired: "This took too long, and nothing was paid. Try again.",
  already_voted: "You have already cast this vote.",
  stale_proposal: "The account's rules have changed since; this proposal cannot be decided any more.",
  invalid_proposal_status: "This proposal has been decided in the meantime.",
  insufficient_permissions:
    "You are not allowed to do this in this account, or other members have to approve it first.",
  proposal_required: "You cannot decide this alone. Put it to a vote, so that the others can approve it.",
  transaction_failed: "The network refused this, and nothing was paid.",
  invalid_amount: "This amount cannot be paid. Enter a number, such as 12.50.",
  invalid_address: "This is not an address on Solana. Copy the whole address from the person you want to pay.",
  destination_unconfirmed: "This may not be the address of a wallet. Ask the payee for it again.",
  destination_closed: "The payee cannot receive this there any more. Ask for another address.",
  destination_frozen: "The payee's account is frozen for this currency. Nothing was paid.",
  source_frozen: "Your account is frozen for this currency, by its issuer. Nothing was paid.",
  memo_required: "The payee takes payments with a memo only. Ask for it, or for another address.",
  mint_paused: "This currency cannot be moved at the moment. Try again later.",
  sponsorship_limit_exceeded: "The fees of this are not paid for you at the moment. Try again later.",
  service_unavailable: "The service is not available at the moment. Try again soon.",
  unreadable_content: "Part of what this proposal does cannot be read. Reject it, unless you know what it is.",
  undecided_content: "What this proposal does is not decided yet. Reject it, and have it proposed anew.",
  time_lock_not_released: "This is approved. It can be executed when the waiting time is over.",
  chain_unavailable: "The network does not answer at the moment. Try again soon.",
  origin_not_allowed: "This page is not set up for this service. Please contact support.",
  not_for_agents: "This application is not allowed to do this. Please contact support.",
  agent_key_required: "This application is not allowed to do this. Please contact support.",
  secret_key_required: "This application is not allowed to do this. Please contact support.",
  insufficient_scope: "This application is not allowed to do this. Please contact support.",
  destination_not_allowed: "This spending limit does not allow payments to this address.",
  spending_limit_exceeded: "This is more than the spending limit allows at the moment.",
  spending_limit_expired: "This spending limit has expired.",
  start_date_in_past: "The start date is in the past. Choose a later one.",
  unsupported_currency: "This currency cannot be paid here.",
  standing_order_limit_exceeded: "This account has as many standing orders as it can have. Cancel one first.",
  invalid_standing_order_status: "This standing order cannot be changed like that any more.",
  kyc_required: "Your identity has to be verified first.",
  kyc_not_found: "Your identity has not been verified yet.",
  rail_not_available: "Bank payments of this kind are not available here.",
  partner_refused: "The bank partner refuses this. Please contact support.",
  partner_unavailable: "The bank partner does not answer at the moment. Try again later.",
  virtual_account_deactivated: "This bank account does not accept money any more.",
  virtual_account_exists: "You already have a bank account in this currency.",
  submission_in_progress: "This is still being sent. Wait a moment, then check again.",
  account_creation_failed: "Your account could not be created. Ask for a new code and try again.",
  creation_queue_full: "Many accounts are being created at the moment. Try again shortly.",
  provider_unavailable: "The service cannot sign at the moment. Try again soon.",
  grid_account_already_exists_for_user: "There is already an account for this e-mail address. Sign in instead.",
  no_changes: "There is nothing to change.",
  proposal_index_conflict: "Another person proposed something at the same moment. Try again.",
  label_name_taken: "Another address has a name that looks like this one. Choose another name.",
  label_limit: "The address book is full. Remove a name first.",
  label_not_found: "This address has no name any more.",
  account_not_found: "This account was not found.",
  invalid_refresh_token: "You have been signed out. Sign in again.",
  passkey_required: "Sign in with your passkey beside the code.",
  invalid_passkey: "This passkey was not accepted. Try again, or use another one.",
  session_key_mismatch: "You have been signed out. Sign in again.",
};

/** Where a code has no sentence of its own, the kind of error has: the service's message is for developers, and stays in `cause`. */
function helpOfStatus(status: number): string {
  if (status === 401) return "You are signed out, or this application is not set up for this service. Sign in again.";
  if (status === 403) return "You are not allowed to do this.";
  if (status === 404) return "This was not found. It may have been removed.";
  if (status === 409) return "Something has changed in the meantime. Check it, then try again.";
  if (status === 429) return "That was too much in a short time. Wait a moment, then try again.";
  if (status >= 500) return "The service does not work at the moment. Try again soon.";
  return "This application asked for something that cannot be done. Please contact support.";
}

const helpByReason: Readonly<Record<NonNullable<InvalidInputError["reason"]>, string>> = {
  comma: "Write the amount with a point and without other separators, such as 12.50 in place of 12,50.",
  too_many_decimals: "This amount has more decimal places than the currency. Round it.",
};

/** What browsers reject with where they are asked for passkeys. */
const helpByName: Readonly<Record<string, Pick<ExplainedError, "code" | "help">>> = {
  NotAllowedError: { code: "passkey_declined", help: "The passkey was not used. Try again." },
  InvalidStateError: { code: "passkey_exists", help: "This device has a passkey for this account already." },
  NoAccountError: {
    code: "account_not_found",
    help: "This wallet is not a signer of an account here. Use another wallet, or sign in with a code.",
  },
  NoPasskeySessionError: {
    code: "passkey_session_required",
    help: "Your passkey's session is over. Open it again, then pay.",
  },
  SecurityError: {
    code: "passkeys_not_configured",
    help: "This page is not set up for passkeys. Please contact support.",
  },
};

/** What the page of passkey signers says of itself; other codes are the service's. */
const helpByPasskeyPage: Readonly<Record<string, Pick<ExplainedError, "code" | "help">>> = {
  window_blocked: {
    code: "window_blocked",
    help: "Your browser blocks new windows. Allow them for this page, then try again.",
  },
  closed: { code: "passkey_declined", help: "The passkey was not used. Try again." },
  cancelled: { code: "passkey_declined", help: "The passkey was not used. Try again." },
  expired: { code: "passkey_challenge_over", help: "That took too long. Try again." },
  outcome_unknown: { code: "outcome_unknown", help: "It is not known whether this succeeded. Try again in a moment." },
};

const helpByWallet: Readonly<Record<WalletError["reason"], string>> = {
  unsupported: "This wallet cannot sign here. Use another one.",
  not_connected: "The wallet is not connected. Open it, unlock it, and try again.",
  wrong_answer: "What was signed is not what this page asked for, so it was stopped. Try again, or use another wallet.",
};

/** The signer has changed what it was given. */
const walletHelp =
  "Your wallet added something of its own before it signed, so this was stopped and nothing was paid. Switch that off in the " +
  "wallet's settings, or use another wallet.";

/** Turns what was thrown into a code and a sentence for people. */
export function explainError(thrown: unknown): ExplainedError {
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (cause instanceof OutcomeUnknownError) {
    const help = "It is not known yet whether this succeeded. Do not do it again: it is being checked.";
    return { code: "outcome_unknown", help, cause };
  }
  if (cause instanceof TransactionMismatchError && cause.difference === "altered") {
    return { code: "transaction_mismatch", help: walletHelp, cause };
  }
  if (cause instanceof TransactionMismatchError) {
    const help =
      cause.difference === "content"
        ? "This is not what was displayed to you, so it was stopped and nothing was signed. Open it again. If this repeats, contact support."
        : "The payment did not match what you entered, so it was stopped and nothing was paid. Please contact support.";
    return { code: "transaction_mismatch", help, cause };
  }
  if (cause instanceof PaymentUnderWayError) {
    return {
      code: "payment_under_way",
      help: "Another payment is still in progress. Wait until it has ended.",
      cause,
    };
  }
  if (cause instanceof ProposalUnderWayError) {
    const help = "Something else is still being proposed. Check what happened to it, then propose this again.";
    return { code: "proposal_under_way", help, cause };
  }
  if (cause instanceof TrellisNetworkError) {
    return { code: "network", help: "The service did not answer. Check your connection and try again.", cause };
  }
  if (cause instanceof InvalidKeyError) {
    return { code: "invalid_key", help: "The sign-in could not be opened on this device. Sign in again.", cause };
  }
  if (cause instanceof SignedOutError)
    return { code: "session_required", help: "You are signed out. Sign in again.", cause };
  if (cause instanceof ProposalNotShownError) return { code: "proposal_not_shown", help: cause.message, cause };
  if (cause instanceof InvalidInputError) {
    const { code, reason } = cause;
    const help = reason === undefined ? helpByCode[code] : helpByReason[reason];
    return { code, help: help ?? helpOfStatus(400), cause };
  }
  if (cause instanceof WalletError) {
    return { code: `wallet_${cause.reason}`, help: helpByWallet[cause.reason], cause };
  }
  if (cause instanceof PasskeyPageError) {
    const known = helpByPasskeyPage[cause.code] ?? {
      code: cause.code,
      help: helpByCode[cause.code] ?? helpOfStatus(409),
    };
    return { ...known, cause };
  }
  const ofBrowser = helpByName[cause.name];
  if (ofBrowser !== undefined) return { ...ofBrowser, cause };
  if (!(cause instanceof TrellisApiError)) {
    const help = "Something unexpected happened. Try again. If it happens again, contact support.";
    return { code: "unexpected", help, cause };
  }
  const { code, status, retryAfterSeconds } = cause;
  if (code === "transaction_not_prepared" && cause.details[0]?.alterations !== undefined) {
    return { code, help: walletHelp, cause };
  }
  return {
    code,
    help: (Object.hasOwn(helpByCode, code) ? helpByCode[code] : undefined) ?? helpOfStatus(status),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause,
  };
}
