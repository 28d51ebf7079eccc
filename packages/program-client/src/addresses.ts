import type { Address } from "@solana/kit";
import { remembered } from "@trellis/kernel/remembered.js";
import { SMART_ACCOUNT_PROGRAM_PROGRAM_ADDRESS } from "./generated/programs/index.js";
import { addressBytes, findProgramDerivedAddress } from "./program-address.js";

/** The on-chain smart account program, the same id on every cluster. */
export const SMART_ACCOUNT_PROGRAM_ADDRESS = SMART_ACCOUNT_PROGRAM_PROGRAM_ADDRESS;

/** The account that holds the program's counter, creation fee and treasury. */
export const PROGRAM_CONFIG_ADDRESS = "GmY9kVi3FhrCUn2MJkzzpE6C5618YoHuGsgqHU78cKus" as Address;

export const SYSTEM_PROGRAM_ADDRESS = "11111111111111111111111111111111" as Address;

/** All zero bytes: "no authority" in a settings account, "SOL" in a spending limit. */
export const ZERO_ADDRESS = SYSTEM_PROGRAM_ADDRESS;

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const PREFIX = text("smart_account");
const SETTINGS = text("settings");
const SMART_ACCOUNT = text("smart_account");
const TRANSACTION = text("transaction");
const PROPOSAL = text("proposal");
const EPHEMERAL_SIGNER = text("ephemeral_signer");
const SPENDING_LIMIT = text("spending_limit");
const POLICY = text("policy");
const BATCH_TRANSACTION = text("batch_transaction");
const TRANSACTION_BUFFER = text("transaction_buffer");

const derive = (...seeds: Uint8Array[]): Address =>
  findProgramDerivedAddress(SMART_ACCOUNT_PROGRAM_ADDRESS, [PREFIX, ...seeds]).address;

/** The settings account with the given number (1 is the first ever created). Throws a `RangeError` outside u128. */
export const deriveSettingsAddress = (seed: bigint): Address => derive(SETTINGS, littleEndian(seed, 16));

/** A request asks for the same smart account several times. */
const smartAccountsAtHand = 10_000;
const deriveSmartAccount = remembered(
  smartAccountsAtHand,
  ({ settings, accountIndex }: { settings: Address; accountIndex: number }) => `${settings}/${accountIndex}`,
  ({ settings, accountIndex }) => derive(addressBytes(settings), SMART_ACCOUNT, littleEndian(BigInt(accountIndex), 1)),
);

/** The smart account: the address that holds the money. Its public address is the one at index 0. */
export const deriveSmartAccountAddress = (settings: Address, accountIndex = 0): Address =>
  deriveSmartAccount({ settings, accountIndex });

/** The account of a wrapped message, settings change or batch: one index space for all, from 1. */
export const deriveTransactionAddress = (settings: Address, transactionIndex: bigint): Address =>
  derive(addressBytes(settings), TRANSACTION, littleEndian(transactionIndex, 8));

/** The account that holds the votes on the transaction with that index. */
export const deriveProposalAddress = (settings: Address, transactionIndex: bigint): Address =>
  derive(addressBytes(settings), TRANSACTION, littleEndian(transactionIndex, 8), PROPOSAL);

/** The message number `number` (from 1) of the batch with that index. */
export const deriveBatchTransactionAddress = (settings: Address, batchIndex: bigint, number: number): Address =>
  derive(
    addressBytes(settings),
    TRANSACTION,
    littleEndian(batchIndex, 8),
    BATCH_TRANSACTION,
    littleEndian(BigInt(number), 4),
  );

/** The transaction buffer that `creator` numbered `bufferIndex` (0 to 255). */
export const deriveTransactionBufferAddress = (settings: Address, creator: Address, bufferIndex: number): Address =>
  derive(addressBytes(settings), TRANSACTION_BUFFER, addressBytes(creator), littleEndian(BigInt(bufferIndex), 1));

/** The throw-away signer number `signerIndex` (from 0) of a wrapped message; in a batch, where `transaction` is the batch. */
export const deriveEphemeralSignerAddress = (transaction: Address, signerIndex: number): Address =>
  derive(addressBytes(transaction), EPHEMERAL_SIGNER, littleEndian(BigInt(signerIndex), 1));

/** The spending limit that was created with `seed`, any 32 bytes written as an address. */
export const deriveSpendingLimitAddress = (settings: Address, seed: Address): Address =>
  derive(addressBytes(settings), SPENDING_LIMIT, addressBytes(seed));

/** The policy with the given number (1 is the first of its settings). */
export const derivePolicyAddress = (settings: Address, seed: bigint): Address =>
  derive(POLICY, addressBytes(settings), littleEndian(seed, 8));

/** The same as builds of the program made it before policies recorded who gets their rent. */
export const deriveEarlyPolicyAddress = (settings: Address, seed: bigint): Address =>
  derive(addressBytes(settings), POLICY, littleEndian(seed, 8));

/**
 * The settings addresses that the next `count` creations will take, given how many accounts exist
 * (`smartAccountIndex` of the program configuration). A creation that carries them all lands unless more than
 * `count - 1` others get in before it.
 */
export const candidateSettings = (smartAccountIndex: bigint, count: number): Address[] =>
  Array.from({ length: count }, (_, offset) => deriveSettingsAddress(smartAccountIndex + 1n + BigInt(offset)));

function littleEndian(value: bigint, size: number): Uint8Array {
  if (value < 0n || value >= 1n << BigInt(8 * size)) throw new RangeError(`${value} does not fit ${size} bytes`);
  const bytes = new Uint8Array(size);
  let rest = value;
  for (let i = 0; i < size; i++) {
    bytes[i] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}
