import type { Generated } from "kysely";

export interface MetaTable {
  key: string;
  value: string;
}

/** A secret that keyed hashes of one purpose are made with, under an id of its own. */
export interface DerivedSecretTable {
  purpose: string;
  /** 0: the one that derives from the root. */
  id: number;
  /** 32 bytes, envelope-encrypted, bound to this row. Null for the one that derives from the root, and once it is retired. */
  sealed: Uint8Array | null;
  /** Real time, as the next three. */
  created_at: bigint;
  /** Since when new values are made with it, unless a later one is active. */
  activated_at: bigint | null;
  /** Until when values made with it may have to be recognised; null while it is the active one. */
  ends_at: bigint | null;
  /** Since when nothing that was made with it counts. */
  retired_at: bigint | null;
}

export interface TenantTable {
  id: string;
  name: string;
  /** Real time, as the next. */
  created_at: bigint;
  /** Its keys are dead while this is set. */
  disabled_at: Generated<bigint | null>;
  /** Nothing of it is signed here any more while this is set: it is being moved, or was. */
  frozen_at: Generated<bigint | null>;
  /** The archive that it was imported from. */
  archive_id: Generated<string | null>;
  /** The operation that made it, so that a repetition knows its own. */
  made_by: Generated<string | null>;
  /** How long a session may rest before it ends; null: as long as it lives. */
  session_idle_seconds: Generated<number | null>;
  /** A new sign-in ends the sessions that its user had before. */
  one_session: Generated<boolean>;
  /** JSON: the domain its users' passkeys belong to, its name, and the origins of pages that ask for them; null: none was set. */
  relying_party: Generated<string | null>;
  /** The domain that an operator has said is this tenant's, whichever set it first; null: none was. */
  confirmed_relying_party: Generated<string | null>;
  /** How long the key of a user's wallet is held back that its owner wants handed out; null: `limits.walletExportDelaySeconds`. */
  wallet_export_delay_seconds: Generated<number | null>;
  /** What its e-mail accounts are where a request says nothing. */
  default_protection: Generated<"plain" | "guarded">;
  /** The recovery signer of guarded accounts where a request names none; null: a request has to. */
  recovery_address: Generated<string | null>;
  /** JSON: what its pages at `/app/` are called and look like, and their publishable key; null: they are off. */
  treasury_page: Generated<string | null>;
  /** JSON: which mails about proposals members get (gap 210); null: none. */
  proposal_mails: Generated<string | null>;
}

/** Requests of a tenant that left something behind, by day. */
export interface TenantWritesTable {
  tenant_id: string;
  /** Days since 1970 in real time. */
  day: number;
  /** `prepares` and `others`, with `page_` before it for those of publishable keys. */
  kind: string;
  /** What processes have claimed for themselves: each claims some at a time, and may leave a few of them. */
  count: bigint;
}

export interface ApiKeyTable {
  id: string;
  tenant_id: string;
  name: string;
  /** What it is for: a server, or the browsers of an application (gap 123). */
  kind: Generated<"secret" | "publishable" | "agent">;
  /** `sk_test_…` or `pk_live_…` with the first characters, for people to recognise a key by. */
  visible_prefix: string;
  /** HMAC-SHA256 of the whole key under a secret outside the database. */
  key_hash: Uint8Array;
  /** JSON array of scope names. */
  scopes: string;
  /** JSON array of environment names. */
  environments: string;
  /** How it was made: `created`, `first_start`, or `configured` (from TRELLIS_API_KEY). */
  origin: "created" | "first_start" | "configured";
  /** Of a publishable key: the origins of pages that may use it. */
  allowed_origins: Generated<string[]>;
  /** CIDR ranges of remote addresses that may use it; none: all. */
  allowed_addresses: Generated<string[]>;
  /** Real time, as all that follow. */
  created_at: bigint;
  expires_at: bigint | null;
  disabled_at: bigint | null;
  /** With `disabled_at`: for good, also where it is the configured key. */
  revoked_at: Generated<bigint | null>;
  /** To the minute. */
  last_used_at: Generated<bigint | null>;
}

/** What signs identity tokens (gap 124). */
export interface IdentityKeyTable {
  /** The public half's thumbprint (RFC 7638). */
  id: string;
  /** The public half, base64url. */
  x: string;
  y: string;
  /** PKCS #8, envelope-encrypted. */
  private_key: Uint8Array;
  /** Real time, as the next: it is published before. */
  signs_from: bigint;
  /** From then on it is not published any more. Null while it has no successor. */
  retires_at: bigint | null;
}

export interface IdempotencyRecordTable {
  tenant_id: string;
  environment: string;
  method: string;
  path: string;
  idempotency_key: string;
  fingerprint: Uint8Array;
  state: "running" | "answered";
  /** Who runs it: a fresh value per attempt, so that a late finisher cannot overwrite a newer attempt. */
  attempt_id: string;
  /** Real time, as the next. A running record whose lease has passed may be claimed again. */
  leased_until: bigint;
  expires_at: bigint;
  status: number | null;
  /** The stored answer, envelope-encrypted: gap 6. */
  answer: Uint8Array | null;
}
