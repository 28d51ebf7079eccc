import type { Address } from "@solana/kit";
import { isKey, SIGNATURE_PROGRAM_ADDRESS, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";

/**
 * Addresses that the chain itself and its common programs occupy. Some of them are points of the curve by chance, and
 * no one can hold a key for them.
 */
const occupiedAddresses: ReadonlySet<string> = new Set([
  // Programs of the chain
  "11111111111111111111111111111111",
  "AddressLookupTab1e1111111111111111111111111",
  "BPFLoader1111111111111111111111111111111111",
  "BPFLoader2111111111111111111111111111111111",
  "BPFLoaderUpgradeab1e11111111111111111111111",
  "ComputeBudget111111111111111111111111111111",
  "Config1111111111111111111111111111111111111",
  "Ed25519SigVerify111111111111111111111111111",
  "Feature111111111111111111111111111111111111",
  "KeccakSecp256k11111111111111111111111111111",
  "LoaderV411111111111111111111111111111111111",
  "NativeLoader1111111111111111111111111111111",
  "Secp256r1SigVerify1111111111111111111111111",
  "Stake11111111111111111111111111111111111111",
  "StakeConfig11111111111111111111111111111111",
  "Vote111111111111111111111111111111111111111",
  "ZkE1Gama1Proof11111111111111111111111111111",
  "1nc1nerator11111111111111111111111111111111",
  // What it reports to programs about itself
  "Sysvar1111111111111111111111111111111111111",
  "Sysvar1nstructions1111111111111111111111111",
  "SysvarC1ock11111111111111111111111111111111",
  "SysvarEpochRewards1111111111111111111111111",
  "SysvarEpochSchedu1e111111111111111111111111",
  "SysvarFees111111111111111111111111111111111",
  "SysvarLastRestartS1ot1111111111111111111111",
  "SysvarRecentB1ockHashes11111111111111111111",
  "SysvarRent111111111111111111111111111111111",
  "SysvarS1otHashes111111111111111111111111111",
  "SysvarS1otHistory11111111111111111111111111",
  "SysvarStakeHistory1111111111111111111111111",
  // Programs everybody uses, and the mint of wrapped SOL
  "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo",
  "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  "So11111111111111111111111111111111111111112",
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
  SMART_ACCOUNT_PROGRAM_ADDRESS,
  SIGNATURE_PROGRAM_ADDRESS,
]);

/** So many of base58's zeros in a row are written by hand; no search finds a key with them. */
const writtenByHand = /1{12}/;

/** Whether the chain, one of its common programs, or an address that is made like theirs: no key and no program signs for it. */
export function isOccupied(address: Address): boolean {
  return occupiedAddresses.has(address) || writtenByHand.test(address);
}

/** Why an address cannot sign: for people, as the end of a sentence. Undefined where its key may exist. */
export function whyNoCallerSigns(address: Address): string | undefined {
  if (isOccupied(address)) return "belongs to the chain or to one of its programs, or is made like theirs";
  if (!isKey(address)) return "is derived by a program, or no public key at all";
  return undefined;
}
