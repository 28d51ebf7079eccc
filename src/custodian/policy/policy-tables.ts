/** What a custodian keeps to judge by; see `migrations.ts`. Times are Unix milliseconds of the environment's time. */
export interface PolicyTables {
  custodian_policy: PolicyTable;
  custodian_spent: SpentTable;
  custodian_pending: PendingTable;
  custodian_counted: CountedTable;
  custodian_destination: DestinationTable;
}

/** A row for each wallet. It is locked while the wallet is judged, and binds the rows of the two tables below. */
interface PolicyTable {
  wallet_id: string;
  environment: string;
  kind: string;
  /** Null: the default of its kind. */
  policy: string | null;
  version: number;
  /** The latest time at which something was recorded: no clock leads back behind it. */
  latest_at: bigint;
  rows_digest: Uint8Array;
  /** What becomes the policy, and from when on; null, both of them: nothing waits. */
  next_policy: string | null;
  next_from: bigint | null;
  /** Hash of the document that was taken last: received again it is answered, and changes nothing. */
  set_by: Uint8Array | null;
  binding: Uint8Array;
}

/** What was signed for, by mint and hour. */
interface SpentTable {
  wallet_id: string;
  /** `sol` is SOL. */
  mint: string;
  hour: bigint;
  amount: string;
}

/** What has to wait. */
interface PendingTable {
  wallet_id: string;
  what: string;
  not_before: bigint;
  ends_at: bigint;
  cancelled_at: bigint | null;
  used_at: bigint | null;
  used_by: Uint8Array | null;
  /** JSON of what it does to which settings: `what` is its hash. Null: it began before this was kept. */
  change: string | null;
}

/** Messages that were signed for. */
interface CountedTable {
  wallet_id: string;
  message_hash: Uint8Array;
  at: bigint;
  binding: Uint8Array;
}

/** Destinations that were approved on the custodian's own page. */
interface DestinationTable {
  wallet_id: string;
  address: string;
  approved_at: bigint;
  binding: Uint8Array;
}
