import { verifyStamp } from "../../core/custody/stamp.js";
import { TrellisError } from "../../errors.js";
import type { AuthorizationKey, CustodianName, Custodians, Stamp } from "../../ports/custodian.js";
import type { Db, KmsPayloadTable } from "../../ports/database.js";
import { findClientKeys } from "../sessions/session-store.js";

/** A payload as it was handed out. */
export type StoredPayload = Pick<KmsPayloadTable, "id" | "provider" | "wallet_id" | "address" | "payload" | "used_by">;

/** A payload with the holder's signature that was found to be over it. */
export interface SignedPayload {
  readonly payload: StoredPayload;
  readonly provider: CustodianName;
  readonly stamp: Stamp;
  /** The key it was made with. */
  readonly authorizationKeyId: string;
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

/**
 * Finds for every signature the one open payload it is over (gap 27): entries carry no address, so each is tried against
 * the payloads of its provider with the authorization keys of that payload's wallet. Every payload is used once.
 *
 * Throws, consuming nothing: `invalid_signature` for an entry that fits no payload, `payload_already_used` when it fits one
 * of another transaction that was submitted, `session_expired` when its key has expired, `wrong_signing_key` when it was
 * made with the client's encryption key, `missing_signature` for a payload without an entry.
 */
export async function matchStamps(
  needs: Needs,
  payloads: readonly StoredPayload[],
  entries: readonly StampEntry[],
  times: Times,
): Promise<readonly SignedPayload[]> {
  const keys = await findKeys(needs.custodians, payloads, entries);
  const open = new Set(payloads);
  const matched: SignedPayload[] = [];
  for (const entry of entries) {
    const found = findPayload(entry, [...open], keys, times);
    if (!found) throw await explainMismatch(needs.db, entry, payloads, keys, times);
    if (found.key.revokedAt !== null || found.key.expiresAt <= times.now) {
      throw new TrellisError("session_expired", { field: entry.field });
    }
    open.delete(found.payload);
    matched.push({
      payload: found.payload,
      provider: entry.provider,
      stamp: entry.stamp,
      authorizationKeyId: found.key.id,
    });
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

async function findKeys(
  custodians: Custodians,
  payloads: readonly StoredPayload[],
  entries: readonly StampEntry[],
): Promise<readonly AuthorizationKey[]> {
  const asked = new Set(entries.map(({ provider }) => provider));
  const lists = await Promise.all(
    [...asked].map(async (provider) => {
      const custodian = custodians.get(provider);
      if (!custodian)
        throw new TrellisError("provider_not_available", {
          message: `The provider ${provider} is not available here.`,
        });
      const wallets = payloads.filter((payload) => payload.provider === provider).map(({ wallet_id }) => wallet_id);
      return wallets.length === 0 ? [] : custodian.findAuthorizationKeys(wallets);
    }),
  );
  return lists.flat();
}

function findPayload(
  entry: StampEntry,
  open: readonly StoredPayload[],
  keys: readonly AuthorizationKey[],
  times: Times,
): { payload: StoredPayload; key: AuthorizationKey } | undefined {
  for (const payload of open) {
    if (payload.provider !== entry.provider) continue;
    // The newest session is the likeliest, and a live key goes before a dead one.
    const own = keys.filter(({ walletId }) => walletId === payload.wallet_id).sort((a, b) => b.expiresAt - a.expiresAt);
    const key = own.find(({ publicKey }) => verifyStamp(payload.payload, entry.stamp, publicKey, times).ok);
    if (key) return { payload, key };
  }
  return undefined;
}

/** How many of a wallet's used payloads an entry is tried against. */
const usedPayloadsTried = 20;

/** Says what an entry is that fits no open payload: two things are known to happen, and are told apart (gaps 26, 27). */
async function explainMismatch(
  db: Db,
  entry: StampEntry,
  payloads: readonly StoredPayload[],
  keys: readonly AuthorizationKey[],
  times: Times,
): Promise<TrellisError> {
  const own = payloads.filter(({ provider }) => provider === entry.provider);
  const walletIds = own.map(({ wallet_id }) => wallet_id);
  const clientKeys = await findClientKeys(db, walletIds);
  const confused = own.some(({ payload }) =>
    clientKeys.some((publicKey) => verifyStamp(payload, entry.stamp, publicKey, times).ok),
  );
  if (confused) {
    return new TrellisError("wrong_signing_key", {
      field: entry.field,
      message:
        "This signature was made with the encryption key pair that was sent at verify. Open encrypted_authorization_key " +
        "with it, and sign with the key found inside.",
    });
  }
  if (findPayload(entry, await findUsedPayloads(db, walletIds, times.now), keys, times)) {
    return new TrellisError("payload_already_used", {
      field: entry.field,
      message: "This signature is over the payload of another transaction, which has been submitted.",
    });
  }
  return new TrellisError("invalid_signature", {
    field: entry.field,
    message: "This signature does not verify against any open payload of its provider.",
  });
}

/** Those that have not expired, the latest first: what is older is not worth a look through all there ever were. */
async function findUsedPayloads(db: Db, walletIds: readonly string[], now: number): Promise<readonly StoredPayload[]> {
  if (walletIds.length === 0) return [];
  return db
    .selectFrom("kms_payload as payload")
    .innerJoin("prepared_transaction as prepared", "prepared.id", "payload.prepared_id")
    .select([
      "payload.id",
      "payload.provider",
      "payload.wallet_id",
      "payload.address",
      "payload.payload",
      "payload.used_by",
    ])
    .where("prepared.expires_at", ">", BigInt(now))
    .where("payload.wallet_id", "in", [...walletIds])
    .where("payload.used_by", "is not", null)
    .orderBy("prepared.expires_at", "desc")
    .limit(usedPayloadsTried)
    .execute();
}
