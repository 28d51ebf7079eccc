import { assertPayloadMatches } from "./assert-payload.js";
import { decodeTransaction } from "./inspect/decode-transaction.js";
import { type OfflineKey, signOffline } from "./offline-key.js";
import { type PasskeySigner, passkeysFor, signPayloadByPasskey } from "./passkey-signer.js";
import type { SigningSession } from "./session.js";
import { signPayload } from "./sign-payload.js";
import { addressOfKey, type SignerKey, signTransaction } from "./sign-transaction.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { KmsPayload, SubmitKmsPayload, SubmitTransactionRequest, WireEnvironment } from "./wire.js";

/** Who signs: sessions or passkeys of custodians' wallets, keys of the caller's own, or several where all are needed. */
export type AccountHolder = {
  readonly session?: SigningSession;
  /** Where more than one person's session is at hand. */
  readonly sessions?: readonly SigningSession[];
  /** Passkeys. Where both are at hand for one wallet, the passkey signs for it. */
  readonly passkeys?: PasskeySigner;
  /** Ed25519 keys; the prepared transaction is signed with each of them, here and nowhere else. */
  readonly keys?: readonly SignerKey[];
  /** Ed25519 keys that sign elsewhere, before anything else does. */
  readonly offlineKeys?: readonly OfflineKey[];
  /** Passkey signers, by the keys of their sessions (gap 242). */
  readonly passkeySessions?: readonly PasskeySession[];
};

/** A session of a passkey signer. Until it ends, its key alone does all that the signer may. */
export type PasskeySession = {
  /** The signer: the passkey's address in the account. */
  readonly passkeyAccount: string;
  readonly key: SignerKey;
};

/** A transaction as the service prepared it, and what custodians' wallets are to sign of it. */
export type Signable = { readonly transaction: string; readonly kms_payloads: readonly KmsPayload[] };

/** Where and when a payload has to hold. */
export type SigningPlace = {
  /** The smart account. */
  readonly account: string;
  readonly environment: WireEnvironment;
  /** Real time in Unix milliseconds, for the `kms_b` form (gap 28). */
  readonly nowMs: number;
};

/** Every session of a holder. */
export function sessionsOf({ session, sessions = [] }: AccountHolder): readonly SigningSession[] {
  return session === undefined ? sessions : [session, ...sessions];
}

/** The addresses a holder can sign for. Throws a `TypeError` when there is none. */
export function addressesOfHolder(holder: AccountHolder): readonly string[] {
  const wallets = sessionsOf(holder).flatMap((session) => session.wallets.map(({ address }) => address));
  const byPasskey = (holder.passkeys?.passkeys ?? []).map(({ signer }) => signer);
  const ownKeys = (holder.keys ?? []).map((key): string => addressOfKey(key));
  const elsewhere = (holder.offlineKeys ?? []).map(({ address }) => address);
  const bySession = (holder.passkeySessions ?? []).map(({ passkeyAccount }) => passkeyAccount);
  const addresses = [...new Set([...wallets, ...byPasskey, ...ownKeys, ...elsewhere, ...bySession])];
  if (addresses.length === 0) throw new TypeError("there is no signer: give a session, passkeys, or keys");
  return addresses;
}

/** The part of a holder that signs for these members: what signs for others stays out. */
export function narrowHolder(holder: AccountHolder, members: readonly string[]): AccountHolder {
  const { passkeys } = holder;
  return {
    ...(passkeys && {
      passkeys: { ...passkeys, passkeys: passkeys.passkeys.filter(({ signer }) => members.includes(signer)) },
    }),
    sessions: sessionsOf(holder).filter(({ wallets }) => wallets.some(({ address }) => members.includes(address))),
    keys: (holder.keys ?? []).filter((key) => members.includes(addressOfKey(key))),
    offlineKeys: (holder.offlineKeys ?? []).filter(({ address }) => members.includes(address)),
    passkeySessions: (holder.passkeySessions ?? []).filter(({ passkeyAccount }) => members.includes(passkeyAccount)),
  };
}

/**
 * The addresses of a holder that a request about an account names. A request that named a provider alone would have the
 * service choose among everybody's wallets there. A session commands one wallet; of one that commands several, those count
 * that are signers of the account, which `readSigners` reads. Rejects with a `TypeError` when there is no signer.
 */
export async function addressesInAccount(
  holder: AccountHolder,
  readSigners: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const addresses = addressesOfHolder(holder);
  const several = sessionsOf(holder).flatMap(({ wallets }) => (wallets.length > 1 ? wallets : []));
  if (several.length === 0) return addresses;
  const unsure = new Set(several.map(({ address }) => address));
  const signers = new Set(await readSigners());
  const certain = addresses.filter((address) => signers.has(address) || !unsure.has(address));
  // Where none is, the service says so.
  return certain.length === 0 ? addresses : certain;
}

/**
 * Signs a checked transaction with everything the holder has, ready for submit. `members` are those who sign for it. Rejects with
 * `TransactionMismatchError`, with nothing signed, when a payload is not for this transaction or for no signer here.
 */
export async function signAs(
  holder: AccountHolder,
  prepared: Signable,
  members: readonly string[],
  place: SigningPlace,
): Promise<SubmitTransactionRequest> {
  const { keys = [], offlineKeys = [], passkeySessions = [], passkeys } = holder;
  const sessions = sessionsOf(holder);
  const hasCustody = sessions.length > 0 || (passkeys?.passkeys ?? []).length > 0;
  const own = [
    ...keys.map(addressOfKey),
    ...offlineKeys.map((key) => key.address),
    ...passkeySessions.map(({ passkeyAccount }) => passkeyAccount),
  ];
  for (const address of own) {
    if (members.includes(address)) continue;
    throw new TransactionMismatchError("signers", "a key was given that does not sign for the account", {
      actual: address,
    });
  }
  if (passkeySessions.length > 0) assertOwnSessions(passkeySessions, prepared.transaction);
  if (!hasCustody && prepared.kms_payloads.length > 0) {
    throw new TransactionMismatchError(
      "payload",
      "a payload is to be signed, and there is no session and no passkey for it",
    );
  }
  let transaction = prepared.transaction;
  for (const key of offlineKeys) transaction = await signOffline(transaction, key);
  return {
    transaction: signTransaction(transaction, [...keys, ...passkeySessions.map(({ key }) => key)]),
    kms_payloads: hasCustody ? await signAllPayloads(prepared, members, { sessions, passkeys }, place) : [],
  };
}

/** Makes sure that these sessions sign for their passkeys, and no other key does. */
function assertOwnSessions(sessions: readonly PasskeySession[], transaction: string): void {
  const { passkeySessions: uses } = decodeTransaction(transaction);
  for (const { passkeyAccount, key } of sessions) {
    const own = addressOfKey(key);
    const use = uses.find((each) => each.passkeyAccount === passkeyAccount);
    if (use?.sessionKey === own) continue;
    const difference = { expected: own, actual: use?.sessionKey };
    throw new TransactionMismatchError("signers", "another key is to sign for the passkey", difference);
  }
}

/** Signs every payload, by a passkey of its wallet where there is one: after all were checked, one is asked for after the other. */
async function signAllPayloads(
  prepared: Signable,
  members: readonly string[],
  {
    sessions,
    passkeys = { passkeys: [] },
  }: { readonly sessions: readonly SigningSession[]; readonly passkeys: PasskeySigner | undefined },
  place: SigningPlace,
): Promise<readonly SubmitKmsPayload[]> {
  const isAsked = (payload: KmsPayload) => passkeysFor(passkeys, payload).length > 0;
  const byPasskey = prepared.kms_payloads.filter(isAsked);
  const others = prepared.kms_payloads.filter((payload) => !isAsked(payload));
  for (const payload of byPasskey) assertForMember(payload, prepared.transaction, members, place);
  if (byPasskey.length === 0) return signPayloads(prepared, members, sessions, place);
  const sign = (nowMs: number) =>
    others.length === 0
      ? []
      : signPayloads({ ...prepared, kms_payloads: others }, members, sessions, { ...place, nowMs });
  // Checks them, too, before a passkey is asked for.
  sign(place.nowMs);
  const begun = Date.now();
  const signed: SubmitKmsPayload[] = [];
  for (const payload of byPasskey) signed.push(await signPayloadByPasskey(payload, passkeys));
  // The user took a while, and some stamps have a time.
  return [...signed, ...sign(place.nowMs + Date.now() - begun)];
}

/** Makes sure that a payload is for this transaction, and for a wallet of one who signs for it. */
function assertForMember(
  { payload, provider, address }: KmsPayload,
  transaction: string,
  members: readonly string[],
  { account, environment }: SigningPlace,
): void {
  if (!members.includes(address)) {
    throw new TransactionMismatchError("payload", "a payload is for a wallet that does not sign here", {
      actual: `${provider} ${address}`,
    });
  }
  assertPayloadMatches(payload, { transaction, environment, account, wallet: address });
}

/** Signs every payload with the session of its wallet, after checking all of them. */
export function signPayloads(
  prepared: Signable,
  members: readonly string[],
  sessions: readonly SigningSession[],
  place: SigningPlace,
): readonly SubmitKmsPayload[] {
  if (prepared.kms_payloads.length === 0) {
    throw new TransactionMismatchError("payload", "the service gave no payload to sign");
  }
  const assigned = prepared.kms_payloads.map((payload) => {
    const session = sessions.find(
      ({ provider, wallets }) =>
        provider === payload.provider && wallets.some(({ address }) => address === payload.address),
    );
    if (session === undefined || !members.includes(payload.address)) {
      throw new TransactionMismatchError("payload", "a payload is for a wallet this session does not sign with", {
        actual: `${payload.provider} ${payload.address}`,
      });
    }
    assertForMember(payload, prepared.transaction, members, place);
    return { payload, session };
  });
  return assigned.map(({ payload, session }) => signPayload(payload, session.authorizationKey, place.nowMs));
}
