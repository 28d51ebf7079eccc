import type { Address } from "@solana/kit";
import type { InnerInstruction, InnerInstructionGroup } from "@trellis/program-client";

/** What a token account held before or after a transaction. */
export interface TokenBalance {
  /** Its place in the transaction's list of accounts. */
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner?: Address;
  readonly programId?: Address;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
}

/** The part of a `getTransaction` answer (encoding `json`) that history is read from. */
export interface ChainTransaction {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly blockTime: bigint | null;
  readonly meta: {
    /** As it stands in JSON-RPC; null when the transaction succeeded. */
    readonly err: unknown;
    readonly fee: bigint;
    readonly innerInstructions?: readonly InnerInstructionGroup[] | null;
    readonly loadedAddresses?: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] } | null;
    readonly preBalances: readonly bigint[];
    readonly postBalances: readonly bigint[];
    readonly preTokenBalances?: readonly TokenBalance[] | null;
    readonly postTokenBalances?: readonly TokenBalance[] | null;
  } | null;
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly Address[];
      readonly instructions: readonly InnerInstruction[];
    };
  };
}
