/** What is known of a wallet, as it is read and written under a lock on its row. */
export interface Pending {
  readonly what: string;
  readonly notBefore: number;
  readonly endsAt: number;
  readonly cancelledAt: number | null;
  readonly usedAt: number | null;
  /** Hash of the one message that it was used for, in hex. */
  readonly usedBy: string | null;
  /** Canonical JSON of what it does; null: it began before this was kept. */
  readonly change: string | null;
}

/** What becomes the policy when its delay is over. */
export interface NextPolicy {
  readonly policy: string;
  readonly from: number;
}

export interface Spent {
  readonly mint: string;
  readonly hour: number;
  readonly amount: bigint;
}

export interface WalletState {
  /** Nothing was recorded of it yet. */
  readonly isNew: boolean;
  readonly policy: string | null;
  /** Counts the documents that were taken. */
  readonly version: number;
  readonly next: NextPolicy | null;
  /** Hash of the document that was taken last, in hex. */
  readonly setBy: string | null;
  readonly latestAt: number;
  readonly spent: readonly Spent[];
  readonly pending: readonly Pending[];
}
