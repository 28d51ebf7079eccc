export interface ChainStateTable {
  /** Always 1. */
  id: number;
  /** Secret from which the chain's blockhashes and faucet keys are derived; envelope-encrypted. */
  seed: Uint8Array;
  /** Environment time of slot zero's start, Unix milliseconds. */
  genesis_at: bigint;
  /** How far environment time runs ahead of real time. */
  clock_offset_ms: bigint;
  /** Fencing token: raised whenever a process takes the chain over; a commit under an older one fails. */
  writer_epoch: bigint;
}

export interface ChainAccountTable {
  address: Uint8Array;
  lamports: bigint;
  owner: Uint8Array;
  executable: boolean;
  data: Uint8Array;
  slot: bigint;
}

export interface ChainTransactionTable {
  signature: Uint8Array;
  slot: bigint;
  /** Position within the slot. */
  position: number;
  /** Unix seconds. */
  block_time: bigint;
  wire_transaction: Uint8Array;
  /** JSON: error, fee, logs, balances, inner instructions: what getTransaction returns. */
  meta: string;
  /** JSON of the error alone, null for a success. */
  error: string | null;
  /** Its memos, as getSignaturesForAddress shows them. */
  memo: string | null;
}

export interface ChainAddressSignatureTable {
  address: Uint8Array;
  slot: bigint;
  position: number;
  signature: Uint8Array;
}
