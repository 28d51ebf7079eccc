import {
  InvalidKeyError,
  OutcomeUnknownError,
  SignedOutError,
  TransactionMismatchError,
  TrellisApiError,
  TrellisNetworkError,
} from "@trellis/sdk";
import { PaymentUnderWayError } from "./payment-under-way-error.js";
import { ProposalUnderWayError } from "./proposal-under-way-error.js";

/** An error as a screen shows it. */
export type ExplainedError = {
  /** The service's permanent code, or `network`, `outcome_unknown`, `payment_under_way`, `proposal_under_way`, `transaction_mismatch`, `invalid_key`, `unexpected`. */
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
  rate_limit_exceeded: "That was too much in a short time. Wait a moment, then try again.",
  invalid_email: "That is not an e-mail address that can be written to.",
  invalid_session: "You have been signed out. Sign in again.",
  session_required: "You are signed out. Sign in again.",
  session_expired: "You have been signed out. Sign in again.",
  insufficient_balance: "There is not enough in the account for that. Nothing was paid.",
  payload_expired: "That took too long, and nothing was paid. Try again.",
  blockhash_expired: "That took too long, and nothing was paid. Try again.",
  already_voted: "You have voted so already.",
  stale_proposal: "The account's rules have changed since; this proposal cannot be decided any more.",
  invalid_proposal_status: "The proposal has been decided in the meantime.",
  insufficient_permissions: "You are not allowed to do that in this account.",
  proposal_required: "You cannot decide that alone: it has to be proposed, and voted on.",
  transaction_failed: "The chain has refused that. Nothing was paid.",
  invalid_amount: "That amount cannot be paid. Check it.",
  invalid_address: "That is not an address. Check it.",
  sponsorship_limit_exceeded: "The fees of this are not paid for you at the moment. Try again later.",
  service_unavailable: "The service is not available at the moment. Try again soon.",
  unreadable_content: "Part of what this proposal does cannot be read. Reject it, unless you know what it is.",
  undecided_content: "What this proposal does is not decided yet. Reject it, and have it proposed anew.",
  time_lock_not_released: "It is approved, and may be carried out only after a waiting period.",
  chain_unavailable: "The chain does not answer at the moment. Try again soon.",
  origin_not_allowed: "This page may not use its key: its address is not on the key's list.",
  secret_key_required: "This application's key may not do that.",
  insufficient_scope: "This application's key was not made for that.",
};

/** Turns what was thrown into a code and a sentence for people. */
export function explainError(thrown: unknown): ExplainedError {
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (cause instanceof OutcomeUnknownError) {
    const help = "It is not known yet whether this went through. Do not do it again: it is being looked up.";
    return { code: "outcome_unknown", help, cause };
  }
  if (cause instanceof TransactionMismatchError) {
    const help =
      "Something else was prepared than you asked for, so nothing was signed. Tell whoever runs this application.";
    return { code: "transaction_mismatch", help, cause };
  }
  if (cause instanceof PaymentUnderWayError) {
    return { code: "payment_under_way", help: "Another payment is still under way. Wait until it is through.", cause };
  }
  if (cause instanceof ProposalUnderWayError) {
    const help = "Something else is still being proposed. Look what became of it, then propose this again.";
    return { code: "proposal_under_way", help, cause };
  }
  if (cause instanceof TrellisNetworkError) {
    return { code: "network", help: "No answer. Check the connection and try again.", cause };
  }
  if (cause instanceof InvalidKeyError) {
    return { code: "invalid_key", help: "The sign-in could not be opened on this device. Sign in again.", cause };
  }
  if (cause instanceof SignedOutError)
    return { code: "session_required", help: "You are signed out. Sign in again.", cause };
  if (!(cause instanceof TrellisApiError)) return { code: "unexpected", help: cause.message, cause };
  const { code, message, retryAfterSeconds } = cause;
  return {
    code,
    help: helpByCode[code] ?? message,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause,
  };
}
