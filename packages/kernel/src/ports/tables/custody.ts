import type { Generated } from "kysely";

/** Which wallet a custodian has made for whom. */
export interface WalletTable {
  id: string;
  provider: string;
  /** The user's id. */
  owner_id: string;
  environment: string;
  /** Base58 Ed25519 public key. */
  address: string;
  created_at: bigint;
  /** Which of the owner's wallets at this custodian: the first, or one that takes the place of those before it. */
  number: Generated<number>;
  /** Its custodian was the guardian when the wallet was last asked for. */
  is_guarded: Generated<boolean>;
  /** The wallet whose sessions and passkeys command this one; null: its own do. */
  commanded_by: string | null;
  /** When its owner brought the key; null: its custodian made it. Environment time. */
  imported_at: Generated<bigint | null>;
}

export interface KmsWalletTable {
  id: string;
  /** Which custodian holds it. */
  provider: string;
  /** The custodian's name for the owner of the wallet: the user's id. */
  owner_id: string;
  environment: string;
  /** Base58 Ed25519 public key. */
  address: string;
  /** The 32-byte Ed25519 seed, envelope-encrypted, bound to this row; null: it derives from a root. */
  secret: Uint8Array | null;
  created_at: bigint;
  /** Of the root that its key derives from; null: its key is sealed in the row. */
  generation: number | null;
  /** Which of the owner's wallets at this custodian. */
  number: Generated<number>;
  /** The owner's first wallet, whose authorization keys and passkeys command this one; null: it is the first. */
  commanded_by: string | null;
  /** HMAC over which wallet it is, whose, and what commands it, under a secret outside the database; null: it is the first. */
  binding: Uint8Array | null;
  /** When its owner brought the key, which is sealed in the row; null: it was made here. Environment time. */
  imported_at: Generated<bigint | null>;
}

/** What the keys of a built-in custodian's wallets derive from. */
export interface WalletRootTable {
  provider: string;
  /** Counts from 1. New wallets derive from the newest that is in use. */
  generation: number;
  /** 32 bytes, envelope-encrypted, bound to this row; null: retired. */
  sealed: Uint8Array | null;
  /** Real time, Unix milliseconds, as the others. */
  created_at: bigint;
  /** From when on new wallets derive from it. */
  used_from: bigint;
  retired_at: bigint | null;
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

/** A challenge of the signature program, which a passkey is asked to sign: with it, a session key signs in the passkey's place. */
export interface PasskeyCeremonyTable {
  /** Base64url of its 32 bytes. */
  challenge: string;
  tenant_id: string;
  environment: string;
  /** Whether the passkey gets its account with it, or has one. */
  kind: "create" | "auth";
  /** Whose hash the challenge has in it. */
  slot: bigint;
  /** That hash, in base58, and the address that pays: with the session they make the challenge. */
  slot_hash: string;
  payer: string;
  session_key: string;
  /** As the caller asked; 0: no session is to be. */
  session_seconds: number;
  /** Unix seconds; null: the signature program counts from when it lands. */
  session_ends_at: bigint | null;
  app_name: string;
  redirect_url: string | null;
  /** A UUID: what authenticators tell passkeys of one domain apart by. */
  user_handle: string;
  /** The domain of the passkey, and the only origin whose page may ask for it. */
  relying_party_id: string;
  origin: string;
  /** Environment time, as the next. */
  created_at: bigint;
  expires_at: bigint;
  /** The passkey's account, once bytes were stored. */
  passkey_address: string | null;
  /** The submission that carries it at present. */
  submission_id: string | null;
  /** Real time: until when one call alone has bytes signed for it. Null: none does. */
  signing_until: bigint | null;
  /** How many answers without an API key had the chain read. */
  answers: number;
}

/** A challenge of the signature program that approves one prepared transaction: the passkey signs for it itself. */
export interface PasskeyApprovalTable {
  /** Base64url of its 32 bytes. */
  challenge: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  /** The passkey's account, a signer of that account. */
  passkey_address: string;
  /** What is approved: the submission has this identity, though the bytes that land are others. */
  prepared_id: string;
  /** Whose hash the challenge has in it. */
  slot: bigint;
  /** That hash, in base58, and the address that pays. */
  slot_hash: string;
  payer: string;
  /** Base64: the accounts and instructions that are signed. */
  execution: string;
  /** JSON: owners of the token accounts in it, as the chain had them. */
  owners: string;
  app_name: string;
  redirect_url: string | null;
  /** The domain of the passkey, and the only origin whose page may ask for it. */
  relying_party_id: string;
  origin: string;
  /** Environment time, as the next. */
  created_at: bigint;
  expires_at: bigint;
  /** Base64: the one transaction that carries it out, unsigned, with what it costs; null until the passkey has answered. */
  transaction: string | null;
  fee_lamports: bigint | null;
  last_valid_block_height: bigint | null;
  /** Real time, of the row with the transaction: until then one call alone has it signed. */
  signing_until: bigint | null;
  /** Answers without an API key that had the chain read. */
  answers: number;
}

/** Which tenant had a passkey made that signs on chain: no other one opens a session of it. */
export interface PasskeySignerTable {
  environment: string;
  /** The passkey's account. */
  address: string;
  tenant_id: string;
}

/** An export of a wallet's key as its custodian keeps it. */
export interface KmsWalletExportTable {
  id: string;
  wallet_id: string;
  /** Of the document that its holder signed. */
  nonce: string;
  /** 65-byte uncompressed P-256 point: to whom the key is sealed. */
  recipient: Uint8Array;
  /** The custodian's time, which is the environment's for the sandbox, as all that follow. */
  requested_at: bigint;
  not_before: bigint;
  expires_at: bigint;
  cancelled_at: bigint | null;
  /** When the key left first. */
  exported_at: bigint | null;
  /** HMAC over all of it, under a secret outside the database. */
  binding: Uint8Array;
}

/** The same as the service knows it. */
export interface WalletExportTable {
  /** As its custodian named it. */
  id: string;
  tenant_id: string;
  environment: string;
  user_id: string;
  account_address: string;
  provider: string;
  wallet_id: string;
  signer_address: string;
  /** Base64 of an SPKI, as it was signed. */
  recipient_public_key: string;
  state: "waiting" | "exported" | "cancelled";
  /** The state that its owner was last mailed about; null: none. */
  noticed_state: "waiting" | "exported" | "cancelled" | null;
  /** When a mail about it is next tried: real time. */
  notice_due_at: bigint;
  /** How often a mail about this state was tried. */
  notice_tries: number;
  /** Environment time, as all that follow. */
  requested_at: bigint;
  not_before: bigint;
  expires_at: bigint;
  cancelled_at: bigint | null;
  exported_at: bigint | null;
}

/** A change of settings that waits at a guardian, of which its owner is mailed. */
export interface GuardianChangeTable {
  /** The wallet's, with the name that the guardian gave the change. */
  id: string;
  wallet_id: string;
  tenant_id: string;
  environment: string;
  account_address: string;
  /** Environment time. */
  not_before: bigint;
  /** When the mail is next tried, in real time; null: it was sent, or given up. */
  notice_due_at: bigint | null;
  /** How often it was. */
  notice_tries: number;
  /** When it was sent: real time. */
  noticed_at: bigint | null;
}

/** An import of a key as its custodian keeps it. */
export interface KmsWalletImportTable {
  id: string;
  /** The owner's wallet whose authority has to sign. */
  wallet_id: string;
  /** Of the key. */
  address: string;
  /** The recipient's 32-byte private scalar, envelope-encrypted, bound to all that stands above and the end; null: it is over. */
  sealed: Uint8Array | null;
  /** The custodian's time, which is the environment's for the sandbox, as the next. */
  created_at: bigint;
  expires_at: bigint;
  /** The wallet that it has become. */
  imported_wallet_id: string | null;
}

/** The same as the service knows it. */
export interface WalletImportTable {
  /** As its custodian named it. */
  id: string;
  tenant_id: string;
  environment: string;
  user_id: string;
  account_address: string;
  provider: string;
  /** The owner's wallet whose authority has to sign, and its address. */
  wallet_id: string;
  wallet_address: string;
  /** Of the key. */
  signer_address: string;
  /** Base64 of an SPKI: what the key is sealed to. */
  recipient_public_key: string;
  state: "open" | "imported";
  /** Its owner was mailed. */
  is_noticed: boolean;
  /** When a mail about it is next tried: real time. */
  notice_due_at: bigint;
  /** How often it was. */
  notice_tries: number;
  /** Environment time, as all that follow. */
  requested_at: bigint;
  expires_at: bigint;
  imported_at: bigint | null;
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
