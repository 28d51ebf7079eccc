import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Signature,
  type Transaction,
} from "@solana/kit";
import { verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { addressBytes } from "@trellis/program-client";
import { type PlainMessage, readPlainMessage, readTransaction } from "@trellis/solana/transaction-bytes.js";
import { identifyMessage } from "@trellis/solana/wire-transaction.js";
import { signatureOf } from "./address-bytes.js";
import { invalidParams, type RpcError } from "./rpc-error.js";

/** The largest legacy and version 0 transaction, in bytes: what fits into one network packet. */
const packetSizeLimit = 1_232;
/** The largest version 1 transaction, in bytes (SIMD-0385). */
export const versionOneSizeLimit = 4_096;
const accountLimit = 256;
const versionOneByte = 0x81;
// SIMD-0385: two bits for the priority fee, then one each for units, loaded size and heap.
const configBits = 0b11111;
const priorityFeeBits = 0b11;
const versionOneSignatureLimit = 12;
const versionOneAccountLimit = 64;
const versionOneInstructionLimit = 64;

/** One instruction as the message holds it: positions in the account list, and data. */
interface MessageInstruction {
  readonly programIndex: number;
  readonly accountIndexes: readonly number[];
  readonly data: Uint8Array;
}

/** Which accounts a message takes from one lookup table. */
interface TableLookup {
  readonly table: Address;
  readonly writableIndexes: readonly number[];
  readonly readonlyIndexes: readonly number[];
}

/** A message whose form was checked: every index points somewhere, the header adds up. */
export interface CheckedMessage {
  readonly version: "legacy" | 0 | 1;
  readonly signerCount: number;
  readonly readonlySignerCount: number;
  readonly readonlyNonSignerCount: number;
  readonly staticAddresses: readonly Address[];
  readonly blockhash: string;
  readonly instructions: readonly MessageInstruction[];
  readonly lookups: readonly TableLookup[];
  /** Version 1 only: the whole priority fee in lamports. */
  readonly priorityFeeLamports: bigint;
  readonly config: readonly { readonly kind: "u32" | "u64"; readonly value: number | bigint }[];
  readonly configMask: number;
}

/** A transaction that may be given to the VM. */
export interface CheckedTransaction {
  readonly wire: Uint8Array;
  readonly message: CheckedMessage;
  /** The transaction's id: the fee payer's signature, zeros when it is missing. */
  readonly signature: Signature;
  readonly signatures: readonly Signature[];
  /** What the chain recognises a repetition by: lower-case hex SHA-256 of the message, whichever keys have signed it. */
  readonly messageId: string;
}

const transactionDecoder = getTransactionDecoder();
const transactionEncoder = getTransactionEncoder();
const messageDecoder = getCompiledTransactionMessageDecoder();
const messageEncoder = getCompiledTransactionMessageEncoder();
const zeroSignature = new Uint8Array(64);

/**
 * The gate before the VM. Some malformed transactions end the whole process inside native code, so nothing passes that
 * is not the one canonical encoding of a transaction, or whose indexes point outside its own account list. Throws
 * RpcError -32602. It does not verify signatures.
 */
export function checkTransaction(wire: Uint8Array): CheckedTransaction {
  if (wire.length > versionOneSizeLimit) throw tooLarge(wire.length, versionOneSizeLimit);
  const { signatures: slots, message, messageBytes } = isVersionOne(wire) ? readVersionOne(wire) : readPlain(wire);
  assertSanitary(message);
  if (message.version !== 1 && wire.length > packetSizeLimit) throw tooLarge(wire.length, packetSizeLimit);
  const signers = message.staticAddresses.slice(0, message.signerCount);
  const named = Object.keys(slots);
  if (named.length !== signers.length || named.some((address, index) => address !== signers[index])) {
    throw unsanitary("one signature is needed for each signer, and no more");
  }
  const [payer] = signers;
  if (payer === undefined) throw unsanitary("there is no fee payer");
  const signatureBy = (signer: Address) => signatureOf(new Uint8Array(slots[signer] ?? zeroSignature));
  let signature: Signature | undefined;
  let messageId: string | undefined;
  return {
    wire,
    message,
    // Base58 of 64 bytes takes its time: simulations ask for none, and few for all of them.
    get signature() {
      signature ??= signatureBy(payer);
      return signature;
    },
    get signatures() {
      return signers.map(signatureBy);
    },
    // A simulation with a blockhash of the node's own asks for none.
    get messageId() {
      messageId ??= identifyMessage(messageBytes);
      return messageId;
    },
  };
}

/** The `messageId` of the bytes of a transaction that was checked before. */
export function messageIdOf(wire: Uint8Array): string {
  const { messageBytes } = isVersionOne(wire) ? readVersionOne(wire) : readPlain(wire);
  return identifyMessage(messageBytes);
}

/** Whether every signature of a checked transaction is there and is its signer's, as a node asks before anything else. */
export function isSigned({ wire }: CheckedTransaction): boolean {
  const { messageBytes, signatures } = transactionDecoder.decode(wire);
  const message = Uint8Array.from(messageBytes);
  return Object.entries(signatures).every(
    ([signer, signature]) =>
      signature !== null && verifyEd25519(addressBytes(signer as Address), message, Uint8Array.from(signature)),
  );
}

/** The same gate for a message without signatures. Throws RpcError -32602. */
export function checkMessage(bytes: Uint8Array): CheckedMessage {
  const message = isVersionOne(bytes) ? flatten(readVersionOneMessage(bytes)) : flattenPlain(readPlainMessage(bytes));
  assertSanitary(message);
  return message;
}

type Slots = Transaction["signatures"];

/** Both a message and a transaction of version 1 begin with it; other transactions begin with how many signatures there are. */
function isVersionOne(bytes: Uint8Array): boolean {
  return bytes[0] === versionOneByte;
}

/** A transaction of one canonical encoding, apart. */
interface ReadWire {
  readonly signatures: Slots;
  readonly message: CheckedMessage;
  readonly messageBytes: Uint8Array;
}

function readPlain(wire: Uint8Array): ReadWire {
  const read = readTransaction(wire);
  if (read === undefined) throw invalidParams("failed to deserialize the transaction");
  const { signatures, messageBytes } = read.transaction;
  return { signatures, message: flatten(read.message), messageBytes: Uint8Array.from(messageBytes) };
}

function flattenPlain(message: PlainMessage | undefined): CheckedMessage {
  if (message === undefined) throw invalidParams("failed to deserialize the message");
  return flatten(message);
}

/** What does not decode and encode to the very same bytes is refused. */
function readVersionOne(wire: Uint8Array): ReadWire {
  const decoded = attempt(() => transactionDecoder.decode(wire), "failed to deserialize the transaction");
  const again = attempt(() => transactionEncoder.encode(decoded), "failed to deserialize the transaction");
  if (!sameBytes(again, wire)) throw invalidParams("the transaction is not in its canonical encoding");
  const messageBytes = Uint8Array.from(decoded.messageBytes);
  return { signatures: decoded.signatures, message: flatten(readVersionOneMessage(messageBytes)), messageBytes };
}

function readVersionOneMessage(bytes: Uint8Array): DecodedMessage {
  const decoded = attempt(() => messageDecoder.decode(bytes), "failed to deserialize the message");
  const again = attempt(() => messageEncoder.encode(decoded), "failed to deserialize the message");
  if (!sameBytes(again, bytes)) throw invalidParams("the message is not in its canonical encoding");
  return decoded;
}

type DecodedMessage = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;

function flatten(decoded: DecodedMessage): CheckedMessage {
  const common = {
    version: decoded.version,
    signerCount: decoded.header.numSignerAccounts,
    readonlySignerCount: decoded.header.numReadonlySignerAccounts,
    readonlyNonSignerCount: decoded.header.numReadonlyNonSignerAccounts,
    staticAddresses: decoded.staticAccounts,
    blockhash: decoded.lifetimeToken,
  };
  if (decoded.version === 1) {
    const fee = decoded.configValues.find((value) => value.kind === "u64");
    return {
      ...common,
      instructions: decoded.instructionHeaders.map((header, index) => {
        const payload = decoded.instructionPayloads[index];
        if (payload === undefined) throw unsanitary("an instruction has no payload");
        return {
          programIndex: header.programAccountIndex,
          accountIndexes: payload.instructionAccountIndices,
          data: new Uint8Array(payload.instructionData),
        };
      }),
      lookups: [],
      priorityFeeLamports: BigInt(fee?.value ?? 0),
      config: decoded.configValues,
      configMask: decoded.configMask,
    };
  }
  return {
    ...common,
    instructions: decoded.instructions.map((instruction) => ({
      programIndex: instruction.programAddressIndex,
      accountIndexes: instruction.accountIndices ?? [],
      data: new Uint8Array(instruction.data ?? []),
    })),
    lookups:
      decoded.version === 0
        ? (decoded.addressTableLookups ?? []).map((lookup) => ({
            table: lookup.lookupTableAddress,
            writableIndexes: lookup.writableIndexes,
            readonlyIndexes: lookup.readonlyIndexes,
          }))
        : [],
    priorityFeeLamports: 0n,
    config: [],
    configMask: 0,
  };
}

/** The sanity rules of a Solana message: agave's `sanitize`, for all three versions. */
function assertSanitary(message: CheckedMessage): void {
  const staticCount = message.staticAddresses.length;
  if (message.signerCount < 1) throw unsanitary("there is no fee payer");
  if (message.readonlySignerCount >= message.signerCount) throw unsanitary("the fee payer is not writable");
  if (message.signerCount + message.readonlyNonSignerCount > staticCount) {
    throw unsanitary("the header counts more accounts than there are");
  }
  if (message.version === 1) assertSanitaryVersionOne(message);
  let accountCount = staticCount;
  for (const lookup of message.lookups) {
    const loaded = lookup.writableIndexes.length + lookup.readonlyIndexes.length;
    if (loaded === 0) throw unsanitary("a lookup loads nothing");
    accountCount += loaded;
  }
  if (accountCount > accountLimit) throw unsanitary("there are too many accounts");
  for (const instruction of message.instructions) {
    if (instruction.programIndex === 0 || instruction.programIndex >= staticCount) {
      throw unsanitary("a program index points outside the account list");
    }
    if (instruction.accountIndexes.some((index) => index >= accountCount)) {
      throw unsanitary("an account index points outside the account list");
    }
  }
}

function assertSanitaryVersionOne(message: CheckedMessage): void {
  const { configMask } = message;
  const feeBits = configMask & priorityFeeBits;
  if ((configMask & ~configBits) !== 0 || (feeBits !== 0 && feeBits !== priorityFeeBits)) {
    throw unsanitary("the configuration mask names unknown values");
  }
  if (message.signerCount > versionOneSignatureLimit) throw unsanitary("there are too many signers");
  if (message.staticAddresses.length > versionOneAccountLimit) throw unsanitary("there are too many accounts");
  if (message.instructions.length > versionOneInstructionLimit) throw unsanitary("there are too many instructions");
}

function attempt<Value>(work: () => Value, reason: string): Value {
  try {
    return work();
  } catch {
    // Whatever the decoder objected to, the caller's bytes are at fault.
    throw invalidParams(reason);
  }
}

function sameBytes(left: { readonly length: number; [index: number]: number }, right: Uint8Array): boolean {
  return left.length === right.length && right.every((byte, index) => left[index] === byte);
}

function tooLarge(size: number, limit: number): RpcError {
  return invalidParams(`the transaction is too large: ${size} bytes (max: ${limit} bytes)`);
}

function unsanitary(reason: string): RpcError {
  return invalidParams(`invalid transaction: ${reason}`);
}
