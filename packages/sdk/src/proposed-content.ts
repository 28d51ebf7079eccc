import { isAddress } from "@solana/addresses";
import { requireAddress } from "./address.js";
import { contentView, type ShownProposal } from "./assert-shown.js";
import type { GivenAmount } from "./base-units.js";
import type { LookupTables } from "./inspect/decode-wrapped-message.js";
import type { Currencies } from "./mints.js";
import type { ProposalContent } from "./proposal-content.js";
import type { ProposedAction } from "./wire.js";

/** What is to be put to a vote. */
export type ProposedContent =
  | (GivenAmount & {
      readonly type: "transfer";
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
    })
  /** Up to ten changes of the settings, in the order in which they take effect. */
  | { readonly type: "settings"; readonly actions: readonly ProposedAction[] }
  /** A transaction of the caller's own, with the smart account as payer and authority. */
  | { readonly type: "custom"; readonly transaction: string; readonly lookupTables?: LookupTables }
  /** Two to twenty of them, voted on together and executed one after the other (gap 109). */
  | { readonly type: "batch"; readonly transactions: readonly string[]; readonly lookupTables?: LookupTables };

export function contentIn(
  { content, shown: view }: { readonly content?: ProposedContent; readonly shown?: ShownProposal },
  currencies: Currencies,
): ProposalContent | undefined {
  if (content !== undefined) return contentOf(content, currencies);
  return view && contentView(view);
}

export function contentOf(content: ProposedContent, { mintOf, exactAmount }: Currencies): ProposalContent {
  if (content.type !== "transfer") return content;
  const { currency, destination, destinationIsTokenAccount, decimals, memo } = content;
  const mint = mintOf(currency);
  return {
    type: "transfer",
    to: requireAddress(destination),
    mint,
    toIsTokenAccount: destinationIsTokenAccount ?? false,
    ...(memo === undefined ? {} : { memo }),
    ...exactAmount(content, mint, decimals),
  };
}

export function requestOf(content: ProposedContent, { mintOf, exactAmount }: Currencies) {
  switch (content.type) {
    case "custom":
      return { type: "custom", transaction: content.transaction } as const;
    case "batch":
      return { type: "custom", transactions: content.transactions } as const;
    case "settings":
      return { type: "settings", actions: content.actions } as const;
    case "transfer": {
      const { currency, decimals, memo } = content;
      const destination =
        content.confirmProgramAddress === true
          ? { address: content.destination, confirm_program_address: true }
          : content.destination;
      const { amount } = exactAmount(content, mintOf(currency), decimals);
      const named = isAddress(currency) ? { mint: currency } : { currency };
      const noted = memo === undefined ? {} : { memo };
      return { type: "transfer", amount: amount.toString(), destination, ...noted, ...named } as const;
    }
  }
}
