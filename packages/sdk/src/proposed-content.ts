import { isAddress } from "@solana/addresses";
import { requireAddress } from "./address.js";
import { contentView, type ShownProposal } from "./assert-shown.js";
import type { GivenAmount } from "./base-units.js";
import type { LookupTables } from "./inspect/decode-wrapped-message.js";
import type { Currencies } from "./mints.js";
import { actionsToPolicy, type SignersChange } from "./policy-actions.js";
import type { ProposalContent } from "./proposal-content.js";
import { type NewSpendingLimit, termsOf } from "./spending-limit-terms.js";
import type { Policies, ProposedAction } from "./wire.js";

/** A payment that is to be put to a vote. */
export type ProposedTransfer = GivenAmount & TransferTerms;

type TransferTerms = {
  /** Symbol (`sol`, `usdc`, …) or mint address. */
  readonly currency: string;
  /** An owner's address, or a token account when `destinationIsTokenAccount` is set. */
  readonly destination: string;
  readonly destinationIsTokenAccount?: boolean;
  /** True: `destination` is an address that a program signs for, such as a vault that was never used (gap 147). */
  readonly confirmProgramAddress?: boolean;
  /** What the payee is to read with it, at most 256 bytes. */
  readonly memo?: string;
  /** Decimals of the mint, when the caller knows them. */
  readonly decimals?: number;
};

/** What is to be put to a vote. */
export type ProposedContent =
  | (ProposedTransfer & { readonly type: "transfer" })
  /** Two to twenty of them, voted on together and paid one after the other (gap 224). */
  | { readonly type: "transfers"; readonly transfers: readonly ProposedTransfer[] }
  /** Whatever changes of the settings lead from `current` to this policy: at most ten. What is absent stays as it is. */
  | ({ readonly type: "policy"; readonly changes: SignersChange; readonly current: Policies } & ForeignPasskeys)
  /** A spending limit, to be granted. */
  | { readonly type: "spending_limit"; readonly limit: NewSpendingLimit }
  /** Up to ten changes of the settings, in the order in which they take effect. */
  | ({ readonly type: "settings"; readonly actions: readonly ProposedAction[] } & ForeignPasskeys)
  /** A transaction of the caller's own, with the smart account as payer and authority. */
  | { readonly type: "custom"; readonly transaction: string; readonly lookupTables?: LookupTables }
  /** Two to twenty of them, voted on together and executed one after the other (gap 109). */
  | { readonly type: "batch"; readonly transactions: readonly string[]; readonly lookupTables?: LookupTables };

type ForeignPasskeys = {
  /** True: the signers may depend on passkeys of other hosts or tenants, which open no session for you here (gap 247). */
  readonly confirmForeignPasskeys?: boolean;
};

const confirmationOf = ({ confirmForeignPasskeys }: ForeignPasskeys) =>
  confirmForeignPasskeys === true ? { confirm_foreign_passkeys: true } : {};

export function contentIn(
  { content, shown: view }: { readonly content?: ProposedContent; readonly shown?: ShownProposal },
  currencies: Currencies,
): ProposalContent | undefined {
  if (content !== undefined) return contentOf(content, currencies);
  return view && contentView(view);
}

export function contentOf(content: ProposedContent, currencies: Currencies): ProposalContent {
  switch (content.type) {
    case "transfer":
      return transferOf(content, currencies);
    case "transfers":
      return { type: "batch", transfers: content.transfers.map((transfer) => transferOf(transfer, currencies)) };
    case "policy":
    case "spending_limit":
      return { type: "settings", actions: actionsOf(content, currencies) };
    default:
      return content;
  }
}

function transferOf(transfer: ProposedTransfer, { mintOf, exactAmount }: Currencies) {
  const { currency, destination, destinationIsTokenAccount, decimals, memo } = transfer;
  const mint = mintOf(currency);
  return {
    type: "transfer",
    to: requireAddress(destination),
    mint,
    toIsTokenAccount: destinationIsTokenAccount ?? false,
    ...(memo === undefined ? {} : { memo }),
    ...exactAmount(transfer, mint, decimals),
  } as const;
}

function actionsOf(
  content: Extract<ProposedContent, { type: "policy" | "spending_limit" }>,
  currencies: Currencies,
): readonly ProposedAction[] {
  if (content.type === "policy") return actionsToPolicy(content.current, content.changes);
  const { amount, expiration, ...terms } = termsOf(content.limit, currencies);
  const end = expiration === null ? {} : { expiration };
  return [{ type: "AddSpendingLimit", ...terms, amount: amount.toString(), ...end }];
}

export function requestOf(content: ProposedContent, currencies: Currencies) {
  switch (content.type) {
    case "custom":
      return { type: "custom", transaction: content.transaction } as const;
    case "batch":
      return { type: "custom", transactions: content.transactions } as const;
    case "settings":
      return { type: "settings", actions: content.actions, ...confirmationOf(content) } as const;
    case "policy":
      return { type: "settings", actions: actionsOf(content, currencies), ...confirmationOf(content) } as const;
    case "spending_limit":
      return { type: "settings", actions: actionsOf(content, currencies) } as const;
    case "transfer":
      return { type: "transfer", ...requestedTransfer(content, currencies) } as const;
    case "transfers":
      return {
        type: "transfers",
        transfers: content.transfers.map((transfer) => requestedTransfer(transfer, currencies)),
      } as const;
  }
}

function requestedTransfer(transfer: ProposedTransfer, { mintOf, exactAmount }: Currencies) {
  const { currency, decimals, memo } = transfer;
  const destination =
    transfer.confirmProgramAddress === true
      ? { address: transfer.destination, confirm_program_address: true }
      : transfer.destination;
  const { amount } = exactAmount(transfer, mintOf(currency), decimals);
  const named = isAddress(currency) ? { mint: currency } : { currency };
  const noted = memo === undefined ? {} : { memo };
  return { amount: amount.toString(), destination, ...noted, ...named };
}
