import type { Generated } from "kysely";

/**
 * By what kind of key a code was asked for or tried (gap 123): a secret one, a publishable one, or a publishable one of a
 * browser that has proven to have held a session of the address. Each has its own codes, and uses up only its own.
 */
export type CodeShare = "secret" | "publishable" | "returning";

/**
 * Whether a passkey signs beside the code when its user signs in: never has to, has to from the first passkey that is added on, has
 * to.
 */
export type PasskeySignIn = "optional" | "from_first" | "required";

export interface UserTable {
  /** The wire's `grid_user_id`. */
  id: string;
  tenant_id: string;
  environment: string;
  email: string;
  /** Environment time. */
  created_at: bigint;
  passkey_sign_in: PasskeySignIn;
}

export interface OneTimeCodeTable {
  /** The wire's `otp_id`. */
  id: string;
  tenant_id: string;
  environment: string;
  email: string;
  purpose: "create" | "authenticate" | "export";
  share: Generated<CodeShare>;
  provider: string;
  code_hmac: Uint8Array;
  attempts: number;
  state: "live" | "spent" | "void";
  /** Seconds of session life asked for when the code was requested, if any. */
  requested_session_seconds: bigint | null;
  /** Environment time. */
  created_at: bigint;
  expires_at: bigint;
}

export interface OtpFailureTable {
  id: string;
  tenant_id: string;
  environment: string;
  email: string;
  share: Generated<CodeShare>;
  /** Environment time. */
  failed_at: bigint;
}

export interface SessionTable {
  id: string;
  user_id: string;
  provider: string;
  wallet_id: string;
  authorization_key_id: string;
  /** Its 65-byte point: by which a signature is matched to a session. The custodian obeys its own record of the key. */
  authorization_public_key: Uint8Array;
  /** 65-byte point of the client's encryption key: gap 20. */
  client_public_key: Uint8Array;
  token_hash: Uint8Array;
  access_token_hash: Uint8Array;
  refresh_token_hash: Uint8Array;
  state: "live" | "rotated" | "revoked";
  /** All refreshed sessions that go back to one code share the chain. */
  chain_id: string;
  parent_id: string | null;
  /** The session whose place it took, because the answer with that one was lost. */
  replaces_id: string | null;
  /** Environment time, all below. */
  chain_started_at: bigint;
  created_at: bigint;
  expires_at: bigint;
  rotated_at: bigint | null;
  /** When its authorization key or refresh token was first used. */
  used_at: bigint | null;
  /** Since when the custodian has known its authorization key as revoked. */
  key_revoked_at: bigint | null;
}

/** Why the sessions of one code ended before their time (gap 158). */
export type SessionEndReason =
  /** A token that was used up was received again: another holder has it. */
  | "refresh_token_reused"
  /** Its holder ended the session that asked. */
  | "signed_out"
  /** Its holder ended it from another session. */
  | "ended_by_holder"
  | "ended_by_tenant"
  | "ended_by_operator"
  /** A later sign-in took its place, where the tenant allows one session. */
  | "replaced"
  /** It rested longer than the tenant allows. */
  | "idle";

/** What the sessions of one code have in common. What opens or ends one of them locks this row. */
export interface SessionChainTable {
  id: string;
  /** From then on none of its sessions is good for anything, whatever their own state. Environment time, as the next. */
  ended_at: bigint | null;
  /** Null while it has not ended, and before it opens where a sign-in first has to end others. */
  end_reason: Generated<SessionEndReason | null>;
  /** When one of its keys last signed something, or it was last refreshed; to the minute. */
  active_at: bigint;
  /** When the minute began in which `refreshes` are counted. */
  refreshed_since: bigint;
  refreshes: number;
}

/** A session of a person who signed in with a wallet of their own. Its chain has the same id, and no other session (gap 221). */
export interface WalletSessionTable {
  id: string;
  tenant_id: string;
  environment: string;
  /** Whose key signed the sign-in. */
  signer_address: string;
  /** Of the page where that was. */
  origin: string;
  /** What was signed with it is good for one session. */
  nonce: string;
  token_hash: Uint8Array;
  /** Environment time, as the next. */
  created_at: bigint;
  expires_at: bigint;
}

/** The key of an ended session that its custodian has not revoked yet. Triggers write and remove it. */
export interface KeyRemovalTable {
  session_id: string;
  tenant_id: string;
  environment: string;
  /** When it is next tried: environment time. */
  attempt_at: bigint;
}

export interface MailTable {
  id: string;
  tenant_id: string;
  environment: string;
  /** What the code in it is for: shares are counted apart. Null in rows from before there were shares. */
  purpose: "create" | "authenticate" | "export" | "notice" | null;
  share: Generated<CodeShare>;
  /** HMAC of the address: what the mail limits count by. */
  recipient_hash: Uint8Array;
  /** Envelope-encrypted JSON message; wiped after sending, kept in the sandbox's outbox. */
  message: Uint8Array | null;
  state: "queued" | "sent" | "refused";
  /** Environment time. */
  created_at: bigint;
  /** Real time: limits count on it. */
  queued_at_real: bigint;
}
