import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Address, getAddressDecoder, getAddressEncoder } from "@solana/addresses";
import { concatBytes, encodeUtf8 } from "./encoding.js";

const addressEncoder = getAddressEncoder();
const addressDecoder = getAddressDecoder();
const domain = encodeUtf8("ProgramDerivedAddress");
const smartAccountSeed = encodeUtf8("smart_account");
const transactionSeed = encodeUtf8("transaction");
const proposalSeed = encodeUtf8("proposal");
const batchTransactionSeed = encodeUtf8("batch_transaction");
const transactionBufferSeed = encodeUtf8("transaction_buffer");
const spendingLimitSeed = encodeUtf8("spending_limit");

/** The smart account program, the same on every cluster. */
export const smartAccountProgramAddress = "SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG" as Address;
/** The program by which passkey signers sign, the same on every cluster. */
export const signatureProgramAddress = "ExtSgUPtP3JyKUysFw2S5fpL5fWfUPzGUQLd2bTwftXN" as Address;
export const systemProgramAddress = "11111111111111111111111111111111" as Address;
export const computeBudgetProgramAddress = "ComputeBudget111111111111111111111111111111" as Address;
export const associatedTokenProgramAddress = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL" as Address;
export const tokenProgramAddress = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as Address;
export const memoProgramAddress = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" as Address;
/** The memo program before it, which is still called. */
export const firstMemoProgramAddress = "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo" as Address;
export const token2022ProgramAddress = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" as Address;

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    // As lenient as the runtime's own decompression, which takes non-canonical encodings.
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}

/** Whether a private key can belong to an address: never to one that a program derived. */
export const isKey = (address: Address): boolean => isOnCurve(Uint8Array.from(addressEncoder.encode(address)));

/**
 * Derives a program address: the first bump from 255 downwards whose hash lies off the curve. Kit's function needs
 * WebCrypto's digest, which React Native lacks.
 */
export function deriveProgramAddress(programAddress: Address, seeds: readonly Uint8Array[]): Address {
  const program = Uint8Array.from(addressEncoder.encode(programAddress));
  for (let bump = 255; bump >= 0; bump--) {
    const hash = sha256(concatBytes(...seeds, new Uint8Array([bump]), program, domain));
    if (!isOnCurve(hash)) return addressDecoder.decode(hash);
  }
  throw new RangeError("no bump leads off the curve");
}

/**
 * Derives the address that holds the money of a smart account: the vault of its settings account, index 0 unless stated.
 * The caller knows the vault's address; deriving it proves that a settings address is the one behind it.
 */
export function deriveSmartAccountAddress(
  settings: Address,
  accountIndex = 0,
  programAddress: Address = smartAccountProgramAddress,
): Address {
  const settingsBytes = Uint8Array.from(addressEncoder.encode(settings));
  const seeds = [smartAccountSeed, settingsBytes, smartAccountSeed, new Uint8Array([accountIndex])];
  return deriveProgramAddress(programAddress, seeds);
}

/** Derives the associated token account of `owner` for `mint` under a token program. */
export function deriveAssociatedTokenAddress(owner: Address, mint: Address, tokenProgram: Address): Address {
  const seeds = [owner, tokenProgram, mint].map((address) => Uint8Array.from(addressEncoder.encode(address)));
  return deriveProgramAddress(associatedTokenProgramAddress, seeds);
}

/** Derives the account that holds what is voted on at a transaction index of these settings. */
export function deriveTransactionAddress(settings: Address, transactionIndex: bigint): Address {
  return deriveProgramAddress(smartAccountProgramAddress, transactionSeeds(settings, transactionIndex));
}

/** Derives the proposal, the votes on the transaction with this index. */
export function deriveProposalAddress(settings: Address, transactionIndex: bigint): Address {
  return deriveProgramAddress(smartAccountProgramAddress, [
    ...transactionSeeds(settings, transactionIndex),
    proposalSeed,
  ]);
}

/** Derives the account that holds one transaction of the batch with this index; `number` counts from 1. */
export function deriveBatchTransactionAddress(settings: Address, batchIndex: bigint, number: number): Address {
  const place = new Uint8Array(4);
  new DataView(place.buffer).setUint32(0, number, true);
  return deriveProgramAddress(smartAccountProgramAddress, [
    ...transactionSeeds(settings, batchIndex),
    batchTransactionSeed,
    place,
  ]);
}

/** Derives the buffer in which `creator` puts a message together, by its number (0 to 255). */
export function deriveTransactionBufferAddress(settings: Address, creator: Address, bufferIndex: number): Address {
  return deriveProgramAddress(smartAccountProgramAddress, [
    smartAccountSeed,
    Uint8Array.from(addressEncoder.encode(settings)),
    transactionBufferSeed,
    Uint8Array.from(addressEncoder.encode(creator)),
    new Uint8Array([bufferIndex]),
  ]);
}

/** Derives the spending limit that was, or will be, made with this seed. */
export function deriveSpendingLimitAddress(settings: Address, seed: Address): Address {
  return deriveProgramAddress(smartAccountProgramAddress, [
    smartAccountSeed,
    Uint8Array.from(addressEncoder.encode(settings)),
    spendingLimitSeed,
    Uint8Array.from(addressEncoder.encode(seed)),
  ]);
}

function transactionSeeds(settings: Address, transactionIndex: bigint): readonly Uint8Array[] {
  const index = new Uint8Array(8);
  new DataView(index.buffer).setBigUint64(0, transactionIndex, true);
  return [smartAccountSeed, Uint8Array.from(addressEncoder.encode(settings)), transactionSeed, index];
}
