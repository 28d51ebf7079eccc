import type { Generated } from "kysely";

export type MemberRole = "owner" | "developer" | "viewer";

/** A person who signs in to the console of a tenant (gap 215). */
export interface MemberTable {
  id: string;
  tenant_id: string;
  /** In stored form (gap 13). */
  email: string;
  name: string | null;
  role: MemberRole;
  /** Commands alone set it: the member administers tenants, too. */
  is_operator: Generated<boolean>;
  /** JSON array of environment names: no more than the caller who invited the member had. */
  environments: string;
  status: "invited" | "active" | "disabled";
  /** Real time, as the next. */
  created_at: bigint;
  last_signed_in_at: Generated<bigint | null>;
  /** Whether the member wants mails about proposals, where the tenant has them sent (gap 210). */
  proposal_mails: Generated<boolean>;
  /** Whether codes by mail do not sign the member in (gap 225). */
  passkey_required: Generated<boolean>;
}

/** Up to where in the feed of events the news about proposals of a tenant were handed on to its members. */
export interface ProposalMailFeedTable {
  tenant_id: string;
  environment: string;
  seen_place: bigint;
  /** Since when there is something behind it; null: nothing. The database's own time. */
  due_at: bigint | null;
}

/** Up to where in the feed a member was mailed about proposals of an environment, and when the next mail is due. */
export interface ProposalMailTable {
  id: string;
  tenant_id: string;
  environment: string;
  member_id: string;
  mailed_place: bigint;
  /** Up to where there is something to mail. */
  news_place: bigint;
  /** Real time. Null: there is nothing to mail. */
  notice_due_at: bigint | null;
  notice_tries: Generated<number>;
  /** When the last mail was sent. Real time. */
  mailed_at: bigint | null;
}

/** How many mails about proposals a member was sent in a day, refused ones included. */
export interface ProposalMailCountTable {
  member_id: string;
  /** Real time, in days since 1970. */
  day: number;
  mails: number;
}

/** What signs a member in once (gap 216). */
export interface MemberSecretTable {
  id: string;
  member_id: string;
  kind: "invitation" | "link" | "code";
  /** A keyed hash: of a link's token, or of a code with the row's id. */
  secret_hash: Uint8Array;
  /** Wrong tries of a code. */
  attempts: Generated<number>;
  /** Real time, as the next two. */
  created_at: bigint;
  expires_at: bigint;
  /** Since when it is good for nothing: it was used, or another one took its place. */
  used_at: Generated<bigint | null>;
  /** Of a code: whether a browser asked for it that had signed the member in before (gap 226). */
  is_known_browser: Generated<boolean>;
}

/** A passkey that signs a member in to the console (gap 225). */
export interface MemberPasskeyTable {
  id: string;
  member_id: string;
  /** Base64url: what browsers call it by. */
  credential_id: string;
  /** 65-byte point. */
  public_key: Uint8Array;
  /** The domain it belongs to: the host of the public address when it was added. */
  rp_id: string;
  /** How far its authenticator has counted; 0: it does not count. */
  counter: bigint;
  name: string;
  aaguid: string;
  is_synced: boolean;
  /** Real time, as the next. */
  created_at: bigint;
  last_used_at: Generated<bigint | null>;
}

/** A nonce that a member's passkey has signed: it is good once. */
export interface MemberNonceTable {
  nonce: string;
  /** Real time. */
  expires_at: bigint;
}

/** A member who is signed in to the console. */
export interface MemberSessionTable {
  id: string;
  member_id: string;
  /** A keyed hash of the cookie. */
  token_hash: Uint8Array;
  /** Real time, as the next two. */
  created_at: bigint;
  /** To the minute. */
  last_used_at: bigint;
  expires_at: bigint;
  /** The passkey that opened it, for as long as there is one. */
  passkey_id: Generated<string | null>;
}
