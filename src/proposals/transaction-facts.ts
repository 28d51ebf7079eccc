import type { Address } from "@solana/kit";
import type { ProposalTable } from "@trellis/kernel/ports/database.js";
import {
  accountKindOf,
  type Batch,
  decodeAnyTransaction,
  decodeBatch,
  decodeSettingsTransaction,
  ProgramDataError,
  type SettingsAction,
  type SettingsTransaction,
  type StoredTransaction,
} from "@trellis/program-client";
import { type BatchRecord, encodeContent } from "@trellis/program-client/proposal-content.js";
import type { ChainAccount } from "@trellis/solana/read-accounts.js";

/** What a transaction index holds. It never changes once written, and outlives its account in the index. */
export interface TransactionFacts {
  readonly kind: ProposalTable["kind"];
  readonly creator: string | null;
  readonly rentCollector: string | null;
  /** As `encodeContent` writes it; null for a batch, whose content arrives in parts. */
  readonly content: Uint8Array | null;
  /** How a batch stands by its account, closing aside. */
  readonly batch?: Pick<BatchRecord, "accountIndex" | "size" | "executed">;
}

export const unknownFacts: TransactionFacts = { kind: "unknown", creator: null, rentCollector: null, content: null };

/**
 * Reads a transaction account of any kind; `unknownFacts` for what this client does not read, and for one that another account
 * decides about than `settings`, as policies do about their own.
 */
export function factsOfAccount(account: Pick<ChainAccount, "data">, settings: string): TransactionFacts {
  const ifOwn = <Stored extends { readonly settings: Address }>(
    stored: Stored,
    factsOf: (stored: Stored) => TransactionFacts,
  ) => (stored.settings === settings ? factsOf(stored) : unknownFacts);
  try {
    switch (accountKindOf(account.data)) {
      case "transaction":
        return ifOwn(decodeAnyTransaction(account.data), factsOfTransaction);
      case "settingsTransaction":
        return ifOwn(decodeSettingsTransaction(account.data), factsOfStoredChange);
      case "batch":
        return ifOwn(decodeBatch(account.data), factsOfBatch);
      default:
        return unknownFacts;
    }
  } catch (error) {
    if (error instanceof ProgramDataError) return unknownFacts;
    throw error;
  }
}

export function factsOfTransaction(transaction: StoredTransaction): TransactionFacts {
  return {
    kind: "transaction",
    creator: transaction.creator,
    rentCollector: transaction.rentCollector,
    content: encodeContent({ kind: "transaction", ...transaction }),
  };
}

/** Actions that cannot be read are kept as the chain has them: a view of the list says that they are there. */
function factsOfStoredChange({ creator, rentCollector, encodedActions }: SettingsTransaction): TransactionFacts {
  return { kind: "settings", creator, rentCollector, content: Uint8Array.from(encodedActions) };
}

/** A change that an event reported. One that grants by a policy is unknown: where it ends, an event does not say. */
export function factsOfSettingsTransaction(
  transaction: Pick<SettingsTransaction, "creator" | "rentCollector" | "actions">,
): TransactionFacts {
  const { creator, rentCollector, actions } = transaction;
  if (actions.some(touchesPolicy)) return unknownFacts;
  return { kind: "settings", creator, rentCollector, content: encodeContent({ kind: "settings", actions }) };
}

const touchesPolicy = ({ __kind }: SettingsAction): boolean => __kind === "PolicyCreate" || __kind === "PolicyUpdate";

function factsOfBatch({ creator, rentCollector, accountIndex, size, executedCount }: Batch): TransactionFacts {
  return { ...batchFacts(creator, rentCollector), batch: { accountIndex, size, executed: executedCount } };
}

/** Several transactions under one vote. */
export function batchFacts(creator: Address, rentCollector: Address): TransactionFacts {
  return { kind: "batch", creator, rentCollector, content: null };
}
