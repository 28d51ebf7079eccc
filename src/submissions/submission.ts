/** What became of a submission, for good. */
export type FinalOutcome =
  | {
      readonly state: "landed";
      readonly signature: string;
      readonly slot: bigint;
      /** Unix seconds. */
      readonly blockTime: number;
    }
  | { readonly state: "failed"; readonly signature: string; readonly failure: ChainFailure }
  | { readonly state: "expired"; readonly signature: string };

/** How the chain refused a transaction. */
export interface ChainFailure {
  /** The chain's error as it stands in JSON-RPC: `{"InstructionError":[1,{"Custom":6005}]}` or a word. */
  readonly error: unknown;
  readonly logs: readonly string[];
}

/** Signed bytes about to be sent under their identity. */
export interface SignedSubmission {
  /** Lower-case hex SHA-256 of the message bytes. */
  readonly id: string;
  readonly tenantId: string | null;
  readonly environment: string;
  readonly accountAddress: string | null;
  readonly purpose:
    | "transaction"
    | "account_creation"
    | "proposal_close"
    | "standing_order"
    | "token_account"
    | "passkey";
  /** Base58. */
  readonly signature: string;
  readonly wireTransaction: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  /** A slot at which it had not landed: the context of a read that was made before these bytes are recorded. */
  readonly recordedSlot: bigint;
  /** Reserved against the sponsorship budgets before signing; settled when the outcome is known. */
  readonly reservedLamports: bigint;
  /** The budgets' day it counts on (`budgetDay`). */
  readonly reservedOn: number;
  /** Whether these bytes are another message, which a wallet (gap 143) or a passkey's approval (gap 248) has made of the one with this id. */
  readonly carried?: boolean;
  /** Whether it changes its account's settings, so that its members are read when it has landed. */
  readonly changesSettings?: boolean;
}
