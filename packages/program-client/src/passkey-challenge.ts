/** What a passkey signs for the signature program: 32 bytes each, the `challenge` of WebAuthn. */
import {
  type AccountMeta,
  type Address,
  getU64Decoder,
  getU64Encoder,
  isSignerRole,
  isWritableRole,
  type ReadonlyUint8Array,
} from "@solana/kit";
import { addressBytes } from "./program-address.js";
import { ProgramDataError } from "./program-data.js";
import { sha256 } from "./sha256.js";
import type { SyncPayload } from "./sync-payload.js";

/** The sysvar that holds the hashes of former slots. */
export const SLOT_HASHES_ADDRESS = "SysvarS1otHashes111111111111111111111111111" as Address;

/** A slot and its hash of 32 bytes: a challenge counts while the slot is one of the newest 150, about a minute. */
export type SlotHash = { readonly slot: bigint; readonly hash: Uint8Array };

const slotHashBytes = 40;
const countBytes = 8;

/** The newest slot in the data of the slot hashes sysvar. Throws a `ProgramDataError` where it holds none. */
export function decodeNewestSlotHash(data: ReadonlyUint8Array): SlotHash {
  const bytes = Uint8Array.from(data);
  if (bytes.length < countBytes + slotHashBytes || getU64Decoder().decode(bytes) === 0n) {
    throw new ProgramDataError("no slot hashes");
  }
  const hashAt = countBytes + 8;
  return { slot: getU64Decoder().decode(bytes, countBytes), hash: bytes.slice(hashAt, hashAt + 32) };
}

/** A session key with its end or its length, which the instruction says. */
export type PasskeySession = {
  readonly key: Address;
  /** Initialize: Unix seconds. Refresh: seconds from when it lands. At most 90 days ahead. */
  readonly expiration: bigint;
};

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** A session as it stands in instructions and challenges: 40 bytes. */
export const encodePasskeySession = ({ key, expiration }: PasskeySession): Uint8Array =>
  Uint8Array.of(...addressBytes(key), ...getU64Encoder().encode(expiration));

/**
 * The challenge that makes a passkey's account; `payer` pays its rent and signs. How long the session lasts shows on the
 * cluster's clock only, so one of more than 90 days is not noticed here.
 */
export function initializePasskeyChallenge(input: {
  readonly slotHash: SlotHash;
  readonly payer: Address;
  readonly session: PasskeySession | null;
}): Uint8Array {
  const { slotHash, payer, session } = input;
  const ending = session === null ? new Uint8Array(0) : encodePasskeySession(session);
  return sha256(slotHash.hash, addressBytes(payer), text("initialize_passkey"), ending);
}

/** The longest that the signature program lets a session last, in seconds: 90 days. */
const sessionSecondsMax = 7_776_000n;

/** Throws a `RangeError` for the session of a refresh, which says its length, that is too long. */
export function assertPasskeySessionLength({ expiration }: PasskeySession): void {
  if (expiration < 0n || expiration > sessionSecondsMax) {
    throw new RangeError(`a session lasts at most ${sessionSecondsMax} seconds, not ${expiration}`);
  }
}

/**
 * The challenge that replaces the session key; `nonceSigner` is any key that signs the transaction. Throws a `RangeError` for a
 * session of more than 90 days.
 */
export function refreshPasskeySessionChallenge(input: {
  readonly slotHash: SlotHash;
  readonly nonceSigner: Address;
  readonly session: PasskeySession;
}): Uint8Array {
  const { slotHash, nonceSigner, session } = input;
  assertPasskeySessionLength(session);
  return sha256(slotHash.hash, addressBytes(nonceSigner), text("refresh_session_key"), encodePasskeySession(session));
}

/** The transaction that a challenge is for. */
export type PasskeyTransaction = {
  readonly feePayer: Address;
  readonly passkeyAccount: Address;
  /** Any key that signs the transaction: what the passkey signs holds with it alone. */
  readonly nonceSigner: Address;
};

/**
 * The challenge that approves instructions, see `buildPasskeyExecution`. An account has one set of rights in a transaction, and
 * these are signed: the fee payer signs and changes, the passkey's account changes, the nonce signer signs, wherever
 * they stand. No other instruction of the transaction may name one of the accounts with more rights.
 */
export function executeByPasskeyChallenge(
  input: PasskeyTransaction & { readonly slotHash: SlotHash; readonly execution: SyncPayload },
): Uint8Array {
  const { slotHash, nonceSigner } = input;
  return sha256(
    slotHash.hash,
    addressBytes(nonceSigner),
    text("execute_instructions"),
    encodePasskeyExecution(input, input.execution),
  );
}

/**
 * What of instructions stands in that challenge, behind its words: the count of accounts in one byte; of each its address, whether it signs and
 * whether it changes, in a byte each; then the instructions as they stand in execute.
 */
export function encodePasskeyExecution(
  transaction: PasskeyTransaction,
  { accounts, payload }: SyncPayload,
): Uint8Array {
  const rights = accounts.flatMap((meta) => [...encodeRights(meta, transaction)]);
  return Uint8Array.of(accounts.length, ...rights, ...payload);
}

function encodeRights(
  { address, role }: AccountMeta,
  { feePayer, passkeyAccount, nonceSigner }: PasskeyTransaction,
): Uint8Array {
  const isSigner = isSignerRole(role) || address === feePayer || address === nonceSigner;
  const isWritable = isWritableRole(role) || address === feePayer || address === passkeyAccount;
  return Uint8Array.of(...addressBytes(address), isSigner ? 1 : 0, isWritable ? 1 : 0);
}
