import type { Address } from "@solana/addresses";
import { type AccountHolder, addressesOfHolder, type Signable } from "./account-holder.js";
import { requireAddress } from "./address.js";
import { assertProposalCreationMatches } from "./assert-proposal-creation.js";
import {
  assertLimitChangeMatches,
  type ExpectedLimitChange,
  type SpendingLimitTerms,
} from "./assert-spending-limit.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import { readProposalCalls } from "./proposal-frame.js";
import { readSettingsCalls } from "./read-settings-calls.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { ProposedAction } from "./wire.js";

export type AboutOrders = AccountHolder & {
  /** The smart account. */
  readonly account: string;
  /** True: the admin gives or takes the limit, whose key is the one in `keys`. */
  readonly admin?: boolean;
  /** Further demands on the transaction; see `ExpectedLimitChange`. */
  readonly limits?: Pick<ExpectedLimitChange, "settings" | "feePayer" | "maxFeeLamports" | "maxUnitPriceMicroLamports">;
};

/** The vote on a limit. */
type OpenedVote = { readonly proposalAddress: string; readonly transactionIndex: number };

/** What the checked transaction is to do, and who signs it. */
export function checkLimitChange(
  about: AboutOrders,
  prepared: Signable & { readonly proposal_address?: string | undefined; readonly transaction_index?: number },
  add: (SpendingLimitTerms & { readonly spendingLimit: Address }) | undefined,
  removal: { readonly remove?: Address } = {},
): { readonly members: readonly string[]; readonly proposal: OpenedVote | undefined } {
  const account = requireAddress(about.account);
  const decoded = decodeTransaction(prepared.transaction);
  const { proposal_address: proposalAddress, transaction_index: transactionIndex } = prepared;
  if (transactionIndex === undefined || proposalAddress === undefined) {
    const by = about.admin === true ? "admin" : "members";
    const expected = { ...about.limits, ...removal, ...(add === undefined ? {} : { add }), account, by } as const;
    return { members: assertLimitChangeMatches(decoded, expected), proposal: undefined };
  }
  if (about.admin === true) {
    throw new TransactionMismatchError("proposal", "a vote is opened where none was asked for", {
      actual: proposalAddress,
    });
  }
  const signers = addressesOfHolder(about).map(requireAddress);
  assertProposalCreationMatches([decoded], {
    ...about.limits,
    account,
    proposal: requireAddress(proposalAddress),
    transactionIndex,
    creators: signers,
    approvers: signers,
    content: {
      type: "settings",
      actions: [
        ...(add === undefined ? [] : [proposedOf(add)]),
        ...(removal.remove === undefined
          ? []
          : [{ type: "RemoveSpendingLimit", spendingLimit: removal.remove } as const]),
      ],
    },
  });
  const members = decoded.requiredSigners.filter((address) => signers.includes(address));
  return { members, proposal: { proposalAddress, transactionIndex } };
}

function proposedOf({ mint, amount, period, signers, destinations, expiration }: SpendingLimitTerms): ProposedAction {
  return {
    type: "AddSpendingLimit",
    mint,
    amount: amount.toString(),
    period,
    signers,
    destinations,
    ...(expiration === null ? {} : { expiration }),
  };
}

/** What a renewal changes, or puts to the vote that it says it opens. */
export function actionsIn({
  transaction,
  proposal_address,
}: Signable & { readonly proposal_address?: string | undefined }) {
  const decoded = decodeTransaction(transaction);
  if (proposal_address === undefined) return readSettingsCalls(decoded).flatMap(({ actions }) => actions);
  return readProposalCalls(decoded).calls.flatMap((call) =>
    call.type === "create_settings_transaction" ? call.actions : [],
  );
}

/** The new limit in a renewal: over whole payments, and no more of them than the order has in all. */
export function renewalIn(actions: ReturnType<typeof actionsIn>, amount: bigint, most: bigint) {
  const added = actions.find((action) => action.type === "add_spending_limit");
  const sum = added?.type === "add_spending_limit" ? added.amount : 0n;
  if (sum === 0n || sum > most || sum % amount !== 0n) {
    throw new TransactionMismatchError("settings_change", "the new limit allows another sum", {
      expected: most.toString(),
      actual: sum.toString(),
    });
  }
  return { amount: sum, removes: actions.some(({ type }) => type === "remove_spending_limit") };
}

/** The only key that the new limit in a renewal names. */
export function executorIn(actions: ReturnType<typeof actionsIn>): string {
  const added = actions.find((action) => action.type === "add_spending_limit");
  const signers = added?.type === "add_spending_limit" ? added.signers : [];
  const [executor] = signers;
  if (executor !== undefined && signers.length === 1) return executor;
  throw new TransactionMismatchError("settings_change", "others may use the spending limit", {
    actual: signers.join(),
  });
}
