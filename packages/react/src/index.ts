"use client";

/** React hooks for Trellis; see `TrellisProvider`. */
export type { DecisionAction, DecisionState } from "./decisions.js";
export { type ExplainedError, explainError } from "./explain-error.js";
export type { PasskeyAction, PasskeyState } from "./passkey-acts.js";
export type { PaymentRequest, PaymentState, PaymentStep } from "./payment-slot.js";
export { PaymentUnderWayError } from "./payment-under-way-error.js";
export type { PaymentStorage, Visibility } from "./platform.js";
export { ProposalNotShownError } from "./proposal-not-shown-error.js";
export type { ProposalReview, ReviewedEffect, ReviewedWarning } from "./proposal-review.js";
export { ProposalUnderWayError } from "./proposal-under-way-error.js";
export { TrellisProvider, type TrellisProviderProps, useClient } from "./provider.js";
export type { SentencePart } from "./sentence.js";
export type { SignInState } from "./sign-in-flow.js";
export { useAccount } from "./use-account.js";
export { useBalances } from "./use-balances.js";
export type { List, ListOptions } from "./use-list.js";
export { useDeposits, useHistory, useSpendingLimits, useStandingOrders, useVirtualAccounts } from "./use-lists.js";
export { type Passkeys, usePasskeys } from "./use-passkeys.js";
export { type Payment, usePayment } from "./use-payment.js";
export { type OneProposal, type Proposals, type ProposalsOptions, useProposal, useProposals } from "./use-proposals.js";
export type { Read, ReadOptions } from "./use-reading.js";
export { type SignIn, useSignIn } from "./use-sign-in.js";
export { CodeForm, type CodeFormProps } from "./web.js";
