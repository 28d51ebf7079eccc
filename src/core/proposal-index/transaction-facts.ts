import { type Address, getAddressDecoder } from "@solana/kit";
import type { ProposalTable } from "../../ports/database.js";
import type { ChainAccount } from "../chain/read-accounts.js";
import {
  accountKindOf,
  decodeAnyTransaction,
  decodeSettingsTransaction,
  ProgramDataError,
  type SettingsAction,
  type SettingsTransaction,
  type StoredTransaction,
} from "../program-client/index.js";
import { encodeContent } from "./proposal-content.js";

/** What a transaction index holds. It never changes once written, and outlives its account in the index. */
export interface TransactionFacts {
  readonly kind: ProposalTable["kind"];
  readonly creator: string | null;
  readonly rentCollector: string | null;
  /** As `encodeContent` writes it. */
  readonly content: Uint8Array | null;
}

export const unknownFacts: TransactionFacts = { kind: "unknown", creator: null, rentCollector: null, content: null };

/** Reads a transaction account of any kind; `unknownFacts` for what this client does not read. */
export function factsOfAccount(account: Pick<ChainAccount, "data">): TransactionFacts {
  try {
    switch (accountKindOf(account.data)) {
      case "transaction":
        return factsOfTransaction(decodeAnyTransaction(account.data));
      case "settingsTransaction":
        return factsOfSettingsTransaction(decodeSettingsTransaction(account.data));
      case "batch":
        return batchFacts(
          getAddressDecoder().decode(account.data, batchCreatorAt),
          getAddressDecoder().decode(account.data, batchCollectorAt),
        );
      default:
        return unknownFacts;
    }
  } catch (error) {
    if (error instanceof ProgramDataError) return unknownFacts;
    throw error;
  }
}

/** Discriminator and settings stand before. */
const batchCreatorAt = 40;
const batchCollectorAt = 72;

export function factsOfTransaction(transaction: StoredTransaction): TransactionFacts {
  return {
    kind: "transaction",
    creator: transaction.creator,
    rentCollector: transaction.rentCollector,
    content: encodeContent({ kind: "transaction", ...transaction }),
  };
}

/** A change that touches policies is unknown: nobody here reads it, and once it is closed nobody can. */
export function factsOfSettingsTransaction(
  transaction: Pick<SettingsTransaction, "creator" | "rentCollector" | "actions">,
): TransactionFacts {
  const { creator, rentCollector, actions } = transaction;
  if (actions.some(touchesPolicy)) return unknownFacts;
  return { kind: "settings", creator, rentCollector, content: encodeContent({ kind: "settings", actions }) };
}

const touchesPolicy = ({ __kind }: SettingsAction): boolean => __kind === "PolicyCreate" || __kind === "PolicyUpdate";

/** Several transactions under one vote; what they do is not read. */
export function batchFacts(creator: Address, rentCollector: Address): TransactionFacts {
  return { kind: "batch", creator, rentCollector, content: null };
}
