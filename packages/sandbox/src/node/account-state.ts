import type { Address } from "@solana/kit";

/** An account as the chain holds it; one with no lamports does not exist. */
export interface AccountState {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
}
