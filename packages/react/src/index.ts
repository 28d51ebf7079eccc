"use client";

/** React hooks for Trellis; see `TrellisProvider`. */
export { AccountProvider, type AccountProviderProps, useChosenAccount } from "./account-provider.js";
export type { ProposableContent } from "./connection.js";
export type { ActState, Decided, DecisionAction, DecisionState } from "./decisions.js";
export type { Description } from "./describe-effect.js";
export { describeEntry } from "./describe-entry.js";
export { type ExplainedError, explainError } from "./explain-error.js";
export { NoAccountError } from "./no-account-error.js";
export type { OrderAction, OrderDone, OrderState } from "./order-acts.js";
export type { OwnPowers } from "./own-powers.js";
export type { PasskeyAction, PasskeyState } from "./passkey-acts.js";
export type { BeginAtServer, PasskeySessionAction, PasskeySessionState } from "./passkey-session-keeper.js";
export type { PaymentRequest, PaymentState, PaymentStep } from "./payment-slot.js";
export { PaymentUnderWayError } from "./payment-under-way-error.js";
export type { PaymentStorage, Visibility, WalletRegistry } from "./platform.js";
export { ProposalNotShownError } from "./proposal-not-shown-error.js";
export type { ProposalReview, ReviewedEffect, ReviewedWarning } from "./proposal-review.js";
export { ProposalUnderWayError } from "./proposal-under-way-error.js";
export { TrellisProvider, type TrellisProviderProps, useClient } from "./provider.js";
export { createSpelling, type SentencePart, type SpellAmount } from "./sentence.js";
export type { SignInState } from "./sign-in-flow.js";
export { type ListedOwnedAccount, type OwnedAccount, useAccount, useAccounts } from "./use-account.js";
export { useAddressBook } from "./use-address-book.js";
export { type Allowances, useAllowances } from "./use-allowances.js";
export { useBalanceHistory } from "./use-balance-history.js";
export { useBalances } from "./use-balances.js";
export { type LabelChange, type Labels, useLabels, useShownLabels } from "./use-labels.js";
export type { List, ListOptions } from "./use-list.js";
export {
  type StandingOrders,
  type TransferFilter,
  useDeposits,
  useHistory,
  useSpendingLimits,
  useStandingOrders,
  useVirtualAccounts,
} from "./use-lists.js";
export { type PasskeySessionUse, usePasskeySession } from "./use-passkey-session.js";
export { type Passkeys, usePasskeys } from "./use-passkeys.js";
export { type Payment, usePayment } from "./use-payment.js";
export {
  type OneProposal,
  type ProposalActs,
  type Proposals,
  type ProposalsOptions,
  type Propose,
  useProposal,
  useProposalActs,
  useProposals,
  usePropose,
} from "./use-proposals.js";
export type { Read, ReadOptions } from "./use-reading.js";
export { type SignIn, useSignIn } from "./use-sign-in.js";
export { useWaitingProposals } from "./use-waiting-proposals.js";
export { useWallets } from "./use-wallets.js";
export { CodeForm, type CodeFormProps } from "./web.js";
