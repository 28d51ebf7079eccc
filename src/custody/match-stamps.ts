import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type {
  Authority,
  CustodianName,
  Custodians,
  KeyStamp,
  PasskeyStamp,
  Stamp,
} from "@trellis/kernel/ports/custodian.js";
import type { Db, KmsPayloadTable } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { explainStamp } from "./explain-stamp.js";
import { formOf, howToSign } from "./forms.js";
import { findUnknownSigners } from "./passkey/guardian-passkeys.js";
import { type Asserted, findAsserted } from "./passkey/match-passkey.js";
import { passkeyParts } from "./passkey/passkey-stamp.js";
import { findSigningPasskeys, type SigningPasskey } from "./passkey/passkey-store.js";
import { findLiveSessions, findOtherSessions, type LiveSession, type SigningSession } from "./session-store.js";
import { readStamp, verifyClaim } from "./stamp.js";

/** A payload as it was handed out. */
export type StoredPayload = Pick<KmsPayloadTable, "id" | "provider" | "wallet_id" | "address" | "payload" | "used_by">;

/** A payload with the holder's signature that was found to be over it. */
export interface SignedPayload {
  readonly payload: StoredPayload;
  readonly provider: CustodianName;
  readonly stamp: Stamp;
  /** The key or the passkey it was made with. */
  readonly authority: Authority;
  /** Whether it is known already that this is in use: noting it would change nothing. */
  readonly isUseNoted: boolean;
}

/** One entry of a submit request's `kms_payloads`, in its custodian's form. */
export interface StampEntry {
  readonly provider: CustodianName;
  readonly stamp: Stamp;
  /** Where it stood in the request, for messages. */
  readonly field: string;
}

interface Needs {
  readonly db: Db;
  readonly custodians: Custodians;
}

/** Both times a signature is judged by, Unix milliseconds (gap 50). */
interface Times {
  readonly now: number;
  readonly realNow: number;
}

/** What a used payload's stamp is recognised by: a hash of all of it. */
export function hashStamp(stamp: Stamp): Uint8Array {
  return createHash("sha256")
    .update(JSON.stringify(stamp.form === "passkey" ? passkeyParts(stamp) : formOf(stamp.form).partsOf(stamp)))
    .digest();
}

/**
 * Finds for every signature the one open payload it is over (gap 27): entries carry no address, so each is tried against
 * the payloads of its provider with the newest live authorization keys of that payload's wallet. Every payload is used
 * once.
 *
 * Throws, consuming nothing: `invalid_signature` for an entry that fits no payload, `payload_already_used` when it was used
 * for another transaction that was submitted, `session_expired` when its key is one of the last that have ended,
 * `wrong_signing_key` when it was made with the client's encryption key, `missing_signature` for a payload without an entry.
 *
 * An entry costs at most `liveKeysTried` signature verifications for each open payload of its provider, and the first
 * that fits none, which ends the call, twice `explainingKeysTried` more for each, and to say what is wrong with it some
 * twenty for each of that many payloads and keys; an entry in a form that names its key
 * costs one for each, and two more. How many keys and payloads there ever were has no part in it.
 */
export async function matchStamps(
  needs: Needs,
  payloads: readonly StoredPayload[],
  entries: readonly StampEntry[],
  times: Times & {
    readonly tenantId: string;
    readonly environment: EnvironmentName;
    /** Whether a passkey signs, too, that its guardian alone knows: for what only that guardian's wallet does. */
    readonly asksGuardian?: boolean;
  },
): Promise<readonly SignedPayload[]> {
  requireCustodians(needs.custodians, entries);
  const asked = new Set<string>(entries.map(({ provider }) => provider));
  const walletIds = payloads.filter(({ provider }) => asked.has(provider)).map(({ wallet_id }) => wallet_id);
  const sessions = await findLiveSessions(needs.db, { tenantId: times.tenantId, walletIds }, times.now);
  const { tenantId, asksGuardian = false } = times;
  const known = await findPasskeysIn(needs.db, entries, { tenantId, walletIds });
  const others = asksGuardian ? await findUnknownSigners(needs, tenantId, payloads, entries, known) : [];
  const passkeys = [...known, ...others];
  const open = new Set(payloads);
  const matched: SignedPayload[] = [];
  for (const entry of entries) {
    const { stamp, provider } = entry;
    const found =
      stamp.form === "passkey"
        ? await matchPasskey(needs.db, { ...entry, stamp }, payloads, [...open], passkeys, times)
        : await matchKey(needs.db, { ...entry, stamp }, payloads, [...open], sessions, times);
    open.delete(found.payload);
    matched.push({ ...found, provider, stamp });
  }
  const [missing] = open;
  if (missing) {
    throw new TrellisError("missing_signature", {
      field: "kms_payloads",
      message: `The payload for ${missing.address} (${missing.provider}) has no signature.`,
      facts: { address: missing.address },
    });
  }
  return matched;
}

function requireCustodians(custodians: Custodians, entries: readonly StampEntry[]): void {
  for (const { provider } of entries) {
    if (custodians.has(provider)) continue;
    throw new TrellisError("provider_not_available", { message: `The provider ${provider} is not available here.` });
  }
}

type Found = Asserted<StoredPayload>;
type EntryOf<S extends Stamp> = StampEntry & { readonly stamp: S };

async function findPasskeysIn(
  db: Db,
  entries: readonly StampEntry[],
  of: { readonly tenantId: string; readonly walletIds: readonly string[] },
): Promise<readonly SigningPasskey[]> {
  const credentialIds = entries.flatMap(({ stamp }) => (stamp.form === "passkey" ? [stamp.credentialId] : []));
  return findSigningPasskeys(db, { ...of, credentialIds });
}

async function matchPasskey(
  db: Db,
  entry: EntryOf<PasskeyStamp>,
  payloads: readonly StoredPayload[],
  open: readonly StoredPayload[],
  passkeys: readonly SigningPasskey[],
  times: Times & { readonly environment: EnvironmentName },
): Promise<Found> {
  try {
    return findAsserted(entry, open, passkeys, times);
  } catch (refusal) {
    const wallets = payloads.filter(({ provider }) => provider === entry.provider).map(({ wallet_id }) => wallet_id);
    if (!(await wasUsed(db, entry.stamp, wallets))) throw refusal;
    throw new TrellisError("payload_already_used", { field: entry.field });
  }
}

async function matchKey(
  db: Db,
  entry: EntryOf<KeyStamp>,
  payloads: readonly StoredPayload[],
  open: readonly StoredPayload[],
  sessions: readonly LiveSession[],
  times: Times,
): Promise<Found> {
  const found = findSigned(entry, open, authorizationKeysIn(sessions), times);
  if (!found) throw await explainMismatch(db, entry, payloads, sessions, times);
  const session = sessions.find(({ authorization_public_key }) => authorization_public_key === found.key);
  assertOurs(session, "a signature was matched by a session's key");
  const authority: Authority = { kind: "session", authorizationKeyId: session.authorization_key_id };
  return { payload: found.payload, authority, isUseNoted: session.is_noted };
}

/** The payload that the entry is a signature over, and the key of its wallet that made it. */
function findSigned(
  entry: EntryOf<KeyStamp>,
  payloads: readonly StoredPayload[],
  keysOf: (walletId: string) => readonly Uint8Array[],
  times: Times,
): { payload: StoredPayload; key: Uint8Array } | undefined {
  for (const payload of payloads) {
    if (payload.provider !== entry.provider) continue;
    const read = readStamp(payload.payload, entry.stamp, times);
    if (!read.ok) continue;
    const key = keysOf(payload.wallet_id).find((each) => verifyClaim(read.claim, each).ok);
    if (key) return { payload, key };
  }
  return undefined;
}

/** Says what an entry is that fits no open payload: what is known to happen is distinguished (gaps 26, 27, 29). */
async function explainMismatch(
  db: Db,
  entry: EntryOf<KeyStamp>,
  payloads: readonly StoredPayload[],
  live: readonly SigningSession[],
  times: Times,
): Promise<TrellisError> {
  const { field } = entry;
  const own = payloads.filter(({ provider }) => provider === entry.provider);
  const wallets = own.map(({ wallet_id }) => wallet_id);
  if (await wasUsed(db, entry.stamp, wallets)) {
    return new TrellisError("payload_already_used", {
      field,
      message: "This signature is over the payload of another transaction, which has been submitted.",
    });
  }
  const others = (await Promise.all(wallets.map((walletId) => findOtherSessions(db, walletId, live)))).flat();
  if (findSigned(entry, own, authorizationKeysIn(others), times)) return new TrellisError("session_expired", { field });
  if (findSigned(entry, own, clientKeysIn([...live, ...others]), times)) {
    return new TrellisError("wrong_signing_key", {
      field,
      message:
        "This signature was made with the encryption key pair that was sent at verify. Open encrypted_authorization_key " +
        "with it, and sign with the key found inside.",
    });
  }
  const tried = limits.explainingKeysTried;
  const explained = own.slice(0, tried).flatMap(({ payload, wallet_id }) => {
    const keys = authorizationKeysIn(live)(wallet_id).slice(0, tried);
    return explainStamp(payload, entry.stamp, keys, times) ?? [];
  })[0];
  return new TrellisError("invalid_signature", {
    field,
    ...(explained ?? { message: noPayloadFits, ...howToSign(entry.stamp) }),
  });
}

const noPayloadFits =
  "This signature does not verify against any open payload of its provider: it is over another document, or by a key that " +
  "no live session of the payload's wallet has.";

function authorizationKeysIn(sessions: readonly SigningSession[]) {
  return (walletId: string): readonly Uint8Array[] =>
    sessions.filter(({ wallet_id }) => wallet_id === walletId).map((session) => session.authorization_public_key);
}

/** The latest encryption keys that clients of a wallet gave, each once. */
function clientKeysIn(sessions: readonly SigningSession[]) {
  return (walletId: string): readonly Uint8Array[] => {
    const own = sessions.filter(({ wallet_id }) => wallet_id === walletId).map((session) => session.client_public_key);
    const isFirst = (key: Uint8Array, i: number) => own.findIndex((each) => Buffer.compare(each, key) === 0) === i;
    return own.filter(isFirst).slice(0, limits.explainingKeysTried);
  };
}

async function wasUsed(db: Db, stamp: Stamp, walletIds: readonly string[]): Promise<boolean> {
  if (walletIds.length === 0) return false;
  const used = await db
    .selectFrom("kms_payload")
    .select("id")
    .where("stamp_hash", "=", hashStamp(stamp))
    .where("wallet_id", "in", [...walletIds])
    .executeTakeFirst();
  return used !== undefined;
}
