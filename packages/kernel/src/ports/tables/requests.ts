/** A request that was answered: kept for a day, and only the newest of a tenant. */
export interface RequestRecordTable {
  tenant_id: string;
  /** In the tenant, in the order in which they were recorded. */
  number: bigint;
  /** Null: the operation has none, or it was refused before it was known. */
  environment: string | null;
  request_id: string;
  /** When it was received. Real time. */
  at: bigint;
  method: string;
  /** The route, with the names of its parameters. */
  path: string;
  /** The account in the path, where it is one of the tenant's. */
  account: string | null;
  /** Of its answer. */
  status: number;
  /** Follows from the status: `answered`, `refused` or `failed`. */
  outcome: string;
  /** Of the error catalogue; null: it succeeded. */
  code: string | null;
  duration_ms: number;
  api_key_id: string;
  /** With a publishable key. */
  is_by_page: boolean;
  remote_address: string | null;
}

/** How many requests of a tenant were ever recorded: the latest one's number. */
export interface RequestCountTable {
  tenant_id: string;
  last: bigint;
}
