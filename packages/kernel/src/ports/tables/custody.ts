export interface KmsWalletTable {
  id: string;
  /** Which custodian holds it. */
  provider: string;
  /** The custodian's name for the owner of the wallet: the user's id. */
  owner_id: string;
  environment: string;
  /** Base58 Ed25519 public key. */
  address: string;
  /** The 32-byte Ed25519 seed, envelope-encrypted, bound to this row; null: its custodian is another process, which has it. */
  secret: Uint8Array | null;
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
  /** HMAC over id, wallet, key and end, under a secret outside the database; empty: its custodian is another process, which obeys no row here. */
  binding: Uint8Array;
}

/** A passkey as its custodian knows it. */
export interface KmsPasskeyTable {
  id: string;
  wallet_id: string;
  /** Base64url. */
  credential_id: string;
  /** 65-byte uncompressed P-256 point. */
  public_key: Uint8Array;
  /** The domain it belongs to. */
  rp_id: string;
  /** What its authenticator reported last; 0: it does not count. */
  counter: bigint;
  /** SHA-256 of the assertion that brought this count: the same one again is no step back. */
  last_stamp: Uint8Array | null;
  aaguid: string;
  is_synced: boolean;
  /** Environment time, as the next. */
  created_at: bigint;
  removed_at: bigint | null;
  /** HMAC over what commands, where, how far it counted and whether it was removed, under a secret outside the database. */
  binding: Uint8Array;
}

/** The registration of a passkey that is expected. */
export interface KmsCeremonyTable {
  id: string;
  wallet_id: string;
  rp_id: string;
  challenge: Uint8Array;
  /** Environment time, as the next. */
  created_at: bigint;
  expires_at: bigint;
  /** The passkey that answered it. */
  passkey_id: string | null;
  /** HMAC over all but the answer, under a secret outside the database. */
  binding: Uint8Array;
}

/** A nonce that signed somebody in, until it is over. */
export interface PasskeySignInTable {
  nonce: string;
  /** Environment time. */
  expires_at: bigint;
}

/** A passkey as the service knows it: whose it is, and how it is called. */
export interface PasskeyTable {
  /** As its custodian named it. */
  id: string;
  tenant_id: string;
  environment: string;
  /** Whose wallet it commands. */
  user_id: string;
  provider: string;
  wallet_id: string;
  signer_address: string;
  /** Base64url. */
  credential_id: string;
  /** 65-byte point. */
  public_key: Uint8Array;
  rp_id: string;
  /** As the holder calls it. */
  name: string;
  aaguid: string;
  is_synced: boolean;
  /** Environment time, as all that follow. */
  created_at: bigint;
  last_used_at: bigint | null;
  removed_at: bigint | null;
}
