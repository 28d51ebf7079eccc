export interface AccountTable {
  environment: string;
  /** The smart account: vault 0. */
  address: string;
  tenant_id: string;
  settings_address: string;
  type: "email" | "signers" | "custom";
  user_id: string;
  memo: string | null;
  /** Environment time. */
  created_at: bigint;
  updated_at: bigint;
  /** A change of its settings landed in this slot, and who its members are since has not been read. Null: nothing of that. */
  members_due: bigint | null;
  /** When it was imported; null: it was created here, or is older than this column (`number` 0). Environment time. */
  imported_at: bigint | null;
  /**
   * Tells an account from what it was before it was released and imported again: what is imported gets a higher one than was ever there.
   * 0: it is older than this column.
   */
  number: bigint;
}

export interface AccountSignerTable {
  environment: string;
  account_address: string;
  signer_address: string;
  role: "primary" | "backup";
  provider: string;
  /** The custodian's wallet, where a built-in custodian holds the key. */
  wallet_id: string | null;
  /** List order. */
  position: number;
}

/** For whom a key signs, as lists find it. Triggers on `account_signer` write and remove it. */
export interface SignedAccountTable {
  tenant_id: string;
  environment: string;
  signer_address: string;
  /** As `account` has it, as the next. */
  type: AccountTable["type"];
  created_at: bigint;
  account_address: string;
}

export interface AccountCreationTable {
  id: string;
  tenant_id: string;
  environment: string;
  user_id: string;
  type: "email" | "signers" | "custom";
  /** JSON: what is to be created (signers with roles, threshold, time lock, admin, memo). */
  plan: string;
  state: "pending" | "landed" | "failed";
  /** The one-time code that proved the address, and the fingerprint of the public key received with it. */
  one_time_code_id: string | null;
  client_key_fingerprint: Uint8Array | null;
  /** The submission that carries it at present. */
  submission_id: string | null;
  account_address: string | null;
  /** Set once a session was issued for it: from then on the code is spent for good. Environment time. */
  answered_at: bigint | null;
  /** Environment time. */
  created_at: bigint;
  /** When a process last claimed it, or said that it is still at it: passes leave it alone for a while. Real time. */
  looked_at: bigint;
}

export interface PendingAccountTable {
  tenant_id: string;
  environment: string;
  email: string;
  memo: string | null;
  /** JSON of a `CreationPlan`, where another than that of a plain account was asked for. */
  plan: string | null;
  created_at: bigint;
  /** Whether a passkey is to sign beside the code once the user has one. */
  requires_passkey: boolean;
}

/** What an address is called. */
export interface LabelTable {
  environment: string;
  /** The account it is of; empty: of the tenant. */
  account_address: string;
  tenant_id: string;
  /** What is called so. */
  address: string;
  name: string;
  /** The same for every name that looks like this one: unique among the labels of one tenant or account. */
  folded_name: string;
  note: string | null;
  /** Environment time, as the next. */
  created_at: bigint;
  updated_at: bigint;
}
