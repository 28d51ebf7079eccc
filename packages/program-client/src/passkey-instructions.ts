/** Instructions of the signature program, and the signature check that stands before them. */
import { AccountRole, type Address, getU16Encoder, type Instruction, type ReadonlyUint8Array } from "@solana/kit";
import { SYSTEM_PROGRAM_ADDRESS } from "./addresses.js";
import {
  assertPasskeyKey,
  derivePasskeyAddress,
  derivePasskeyExecutionAddress,
  SIGNATURE_PROGRAM_ADDRESS,
} from "./passkey-addresses.js";
import type { ClientDataForm, ReadPasskeyAssertion } from "./passkey-assertion.js";
import {
  assertPasskeySessionLength,
  encodePasskeySession,
  type PasskeySession,
  SLOT_HASHES_ADDRESS,
} from "./passkey-challenge.js";
import type { PlainInstruction } from "./plain-instruction.js";
import { buildSyncPayload, decodeSyncPayload, type SyncPayload } from "./sync-payload.js";

const secp256r1Program = "Secp256r1SigVerify1111111111111111111111111" as Address;
const instructionsSysvar = "Sysvar1nstructions1111111111111111111111111" as Address;

const instruction = { initialize: 0, execute: 1, refreshSession: 2, executeBySession: 3 } as const;
/** WebAuthn over P-256, the one scheme. */
const webAuthn = 0;
/** What the slot is named by in instructions. */
const slotModulus = 1_000n;

/** Which of a passkey's two addresses signs inside. */
export type PasskeySigningAddress = "execution_account" | "passkey_account";
const signingAddressByte = { execution_account: 0, passkey_account: 1 } as const;

/** A key, and how what it signed is written. */
export type PasskeyClaim = {
  /** P-256, compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly form: ClientDataForm;
  /** The slot of the challenge. */
  readonly slot: bigint;
};

/**
 * Builds the instruction that has the runtime check a passkey's signature: it has to be the first of the transaction, and costs
 * 5,000 lamports more. Throws a `RangeError` for a key of another form, as all of these do that take one.
 */
export function checkPasskeySignatureInstruction(
  publicKey: Uint8Array,
  { message, signature }: Pick<ReadPasskeyAssertion, "message" | "signature">,
): PlainInstruction {
  assertPasskeyKey(publicKey);
  const thisInstruction = 0xffff;
  const keyAt = 16;
  const signatureAt = keyAt + publicKey.length;
  const messageAt = signatureAt + signature.length;
  const words = [
    ...[signatureAt, thisInstruction, keyAt, thisInstruction],
    ...[messageAt, message.length, thisInstruction],
  ];
  const head = words.flatMap((word) => [...getU16Encoder().encode(word)]);
  const data = Uint8Array.of(1, 0, ...head, ...publicKey, ...signature, ...message);
  return { programAddress: secp256r1Program, accounts: [], data };
}

/** What the program takes as a host. */
const hostForm = /^[a-z0-9.-]{1,32}$/;

/**
 * Builds initialize: makes a passkey's account with its first session, whose `expiration` is in Unix seconds. Throws a
 * `RangeError` for a relying party that the program refuses.
 */
export function initializePasskeyInstruction(
  input: PasskeyClaim & {
    /** Pays the rent and signs. */
    readonly payer: Address;
    /** 1 to 32 small letters, digits, dots and hyphens. */
    readonly relyingPartyId: string;
    readonly session: PasskeySession | null;
  },
): PlainInstruction {
  const { publicKey, payer, relyingPartyId, session, slot } = input;
  if (!hostForm.test(relyingPartyId)) throw new RangeError("not a host of a passkey's account");
  const name = new TextEncoder().encode(relyingPartyId);
  return {
    programAddress: SIGNATURE_PROGRAM_ADDRESS,
    accounts: [
      { address: derivePasskeyAddress(publicKey), role: AccountRole.WRITABLE },
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address: instructionsSysvar, role: AccountRole.READONLY },
      { address: SLOT_HASHES_ADDRESS, role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
    ],
    data: Uint8Array.of(
      instruction.initialize,
      ...encodeSlot(slot),
      webAuthn,
      ...counted(Uint8Array.of(...counted(name), ...encodeClaim(input))),
      ...(session === null ? [0] : [1, ...encodePasskeySession(session)]),
    ),
  };
}

/**
 * Builds refresh: replaces the session key, whose `expiration` is in seconds from when it lands; 0 ends it. Throws a
 * `RangeError` for more than 90 days.
 */
export function refreshPasskeySessionInstruction(
  input: PasskeyClaim & { readonly nonceSigner: Address; readonly session: PasskeySession },
): PlainInstruction {
  assertPasskeySessionLength(input.session);
  return {
    programAddress: SIGNATURE_PROGRAM_ADDRESS,
    accounts: accountsOfClaim(input),
    data: Uint8Array.of(
      instruction.refreshSession,
      ...encodeSlot(input.slot),
      webAuthn,
      ...counted(encodeClaim(input)),
      ...encodePasskeySession(input.session),
    ),
  };
}

/**
 * Encodes instructions, written as if the passkey's address could sign them, for the two that follow. Throws a
 * `SyncPayloadError` where they do not fit.
 */
export function buildPasskeyExecution(
  passkeyAccount: Address,
  signingAddress: PasskeySigningAddress,
  instructions: readonly Instruction[],
): SyncPayload {
  const address = signingAddress === "passkey_account" ? passkeyAccount : derivePasskeyExecutionAddress(passkeyAccount);
  // The form is that of synchronous executions: one address signs inside, here without members.
  return buildSyncPayload({ settings: address, smartAccount: address, members: [] }, instructions);
}

/** What is executed, by which address. */
type Execution = { readonly signingAddress: PasskeySigningAddress; readonly execution: SyncPayload };

/** Builds execute: instructions that the passkey has signed. */
export function executeByPasskeyInstruction(
  input: PasskeyClaim & Execution & { readonly nonceSigner: Address },
): PlainInstruction {
  const { signingAddress, slot, execution } = input;
  return {
    programAddress: SIGNATURE_PROGRAM_ADDRESS,
    accounts: [...accountsOfClaim(input), ...execution.accounts],
    data: Uint8Array.of(
      instruction.execute,
      webAuthn,
      signingAddressByte[signingAddress],
      ...encodeSlot(slot),
      ...counted(encodeClaim(input)),
      ...execution.payload,
    ),
  };
}

/** Builds execute by session: instructions that the session key signs, without the passkey. */
export function executeByPasskeySessionInstruction(
  input: Execution & { readonly passkeyAccount: Address; readonly sessionKey: Address },
): PlainInstruction {
  const { signingAddress, execution, passkeyAccount, sessionKey } = input;
  return {
    programAddress: SIGNATURE_PROGRAM_ADDRESS,
    accounts: [
      { address: passkeyAccount, role: AccountRole.WRITABLE },
      { address: sessionKey, role: AccountRole.READONLY_SIGNER },
      ...execution.accounts,
    ],
    data: Uint8Array.of(
      instruction.executeBySession,
      webAuthn,
      signingAddressByte[signingAddress],
      ...execution.payload,
    ),
  };
}

/** Instructions that are executed for a passkey. */
export type DecodedPasskeyExecution = {
  readonly passkeyAccount: Address;
  /** With the roles that the accounts have inside: the passkey's own address signs. */
  readonly instructions: readonly PlainInstruction[];
};

/** Instructions that a session key has executed in a passkey's place. */
export type DecodedPasskeySession = DecodedPasskeyExecution & { readonly sessionKey: Address };

/**
 * Reads execute by session back, where the passkey's own address signs; undefined for everything else. Throws a `ProgramDataError` for
 * one whose instructions cannot be read.
 */
export function parsePasskeySessionExecution({
  programAddress,
  accounts = [],
  data = new Uint8Array(0),
}: Instruction): DecodedPasskeySession | undefined {
  const [passkey, session, ...rest] = accounts;
  if (programAddress !== SIGNATURE_PROGRAM_ADDRESS || passkey === undefined || session === undefined) return undefined;
  const [kind, scheme, signer] = data;
  const isOwn = signer === signingAddressByte.passkey_account;
  if (kind !== instruction.executeBySession || scheme !== webAuthn || !isOwn) return undefined;
  return {
    sessionKey: session.address,
    ...decodeExecution(passkey.address, Uint8Array.from(data).subarray(3), rest),
  };
}

/**
 * Reads execute back, where the passkey's own address signs; undefined for everything else. Throws a `ProgramDataError` for one whose
 * instructions cannot be read.
 */
export function parsePasskeyExecution({
  programAddress,
  accounts = [],
  data = new Uint8Array(0),
}: Instruction): DecodedPasskeyExecution | undefined {
  const [passkey, , , nonceSigner, ...rest] = accounts;
  if (programAddress !== SIGNATURE_PROGRAM_ADDRESS || passkey === undefined || nonceSigner === undefined) {
    return undefined;
  }
  const [kind, scheme, signer] = data;
  const isOwn = signer === signingAddressByte.passkey_account;
  if (kind !== instruction.execute || scheme !== webAuthn || !isOwn) return undefined;
  // The slot takes two bytes, and the claim is counted.
  const claimAt = 6;
  const payloadAt = claimAt + (data[claimAt - 1] ?? 0);
  return decodeExecution(passkey.address, Uint8Array.from(data).subarray(payloadAt), rest);
}

function decodeExecution(
  passkeyAccount: Address,
  payload: Uint8Array,
  accounts: readonly { readonly address: Address; readonly role: AccountRole }[],
): DecodedPasskeyExecution {
  const call = { settings: passkeyAccount, smartAccount: passkeyAccount, members: [] };
  const inner = accounts.map(({ address, role }) => ({ address, role }));
  return { passkeyAccount, instructions: decodeSyncPayload(call, payload, inner) };
}

const accountsOfClaim = ({ publicKey, nonceSigner }: { publicKey: Uint8Array; nonceSigner: Address }) => [
  { address: derivePasskeyAddress(publicKey), role: AccountRole.WRITABLE },
  { address: instructionsSysvar, role: AccountRole.READONLY },
  { address: SLOT_HASHES_ADDRESS, role: AccountRole.READONLY },
  { address: nonceSigner, role: AccountRole.READONLY_SIGNER },
];

const encodeSlot = (slot: bigint): ReadonlyUint8Array => getU16Encoder().encode(Number(slot % slotModulus));

/** Bytes after their count in one byte. */
function counted(bytes: Uint8Array): Uint8Array {
  if (bytes.length > 255) throw new RangeError(`${bytes.length} bytes do not fit`);
  return Uint8Array.of(bytes.length, ...bytes);
}

/** The key, flags, and the port as an option. */
function encodeClaim({ publicKey, form }: PasskeyClaim): Uint8Array {
  const flags =
    (form.ceremony === "get" ? 0x10 : 0) |
    (form.isCrossOrigin ? 1 : 0) |
    (form.isHttp ? 2 : 0) |
    (form.hasRemark ? 4 : 0);
  return Uint8Array.of(...publicKey, flags, ...(form.port === null ? [0] : [1, ...getU16Encoder().encode(form.port)]));
}
