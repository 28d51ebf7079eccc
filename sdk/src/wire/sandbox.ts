/** Gap 49: one mail of the sandbox's outbox. */
export type OutboxMail = {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly otp_code: string;
  readonly created_at: string;
};

/** Gap 49; `amount` in base units. */
export type AirdropRequest = { readonly address: string; readonly currency: string; readonly amount: string };

/** Gap 49. */
export type Airdropped = AirdropRequest & { readonly transaction_signature: string };

/**
 * Gap 126: what goes wrong in the sandbox on purpose, so often for each transaction or blockhash; 1000000: always. `price` is
 * what it takes to land, micro-lamports per compute unit; `lag` is by how many slots the node that answers is behind.
 */
export type SandboxFaults = {
  readonly drop: number;
  readonly blockhash_not_found: number;
  readonly full_blocks: number;
  readonly price: number;
  readonly fork: number;
  readonly lag: number;
};

/** Gap 49: the environment's time and slot after the move. */
export type AdvancedClock = { readonly now: string; readonly slot: number };
