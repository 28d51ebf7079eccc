export interface KmsWalletTable {
  id: string;
  /** Which custodian holds it. */
  provider: string;
  /** The custodian's name for the owner of the wallet: the user's id. */
  owner_id: string;
  environment: string;
  /** Base58 Ed25519 public key. */
  address: string;
  /** The 32-byte Ed25519 seed, envelope-encrypted, bound to this row. */
  secret: Uint8Array;
  created_at: bigint;
}

export interface KmsAuthorizationKeyTable {
  id: string;
  wallet_id: string;
  /** 65-byte uncompressed P-256 point. The private half was sealed to the client and forgotten. */
  public_key: Uint8Array;
  /** Environment time, as the next two. */
  created_at: bigint;
  expires_at: bigint;
  revoked_at: bigint | null;
  /** HMAC over id, wallet, key and end, under a secret outside the database. */
  binding: Uint8Array;
}
