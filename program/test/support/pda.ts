import { base58 } from "@scure/base";
import { address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit";
import { type Bytes, hex, u8, u32, u64, u128 } from "./bytes.js";
import { PROGRAM } from "./keys.js";

/** A derived address and its bump. */
export interface Derived {
  readonly key: Bytes;
  readonly bump: number;
}

const PREFIX = new Uint8Array(Buffer.from("smart_account"));
const ascii = (text: string): Bytes => new Uint8Array(Buffer.from(text));
const cache = new Map<string, Promise<Derived>>();
const programAddress = address(base58.encode(PROGRAM));

function derive(...seeds: readonly Uint8Array[]): Promise<Derived> {
  const name = seeds.map(hex).join(".");
  const known = cache.get(name);
  if (known !== undefined) return known;
  const found = getProgramDerivedAddress({ programAddress, seeds: [PREFIX, ...seeds] }).then(([derived, bump]) => ({
    key: new Uint8Array(getAddressEncoder().encode(derived)),
    bump,
  }));
  cache.set(name, found);
  return found;
}

/** Every address of specification section 2 that is used here. */
export const pda = {
  programConfig: () => derive(ascii("program_config")),
  settings: (seed: bigint | number) => derive(ascii("settings"), u128(seed)),
  vault: (settings: Uint8Array, index: number) => derive(settings, ascii("smart_account"), u8(index)),
  transaction: (settings: Uint8Array, index: bigint | number) => derive(settings, ascii("transaction"), u64(index)),
  proposal: (settings: Uint8Array, index: bigint | number) =>
    derive(settings, ascii("transaction"), u64(index), ascii("proposal")),
  batchTransaction: (settings: Uint8Array, batch: bigint | number, number: number) =>
    derive(settings, ascii("transaction"), u64(batch), ascii("batch_transaction"), u32(number)),
  transactionBuffer: (settings: Uint8Array, creator: Uint8Array, index: number) =>
    derive(settings, ascii("transaction_buffer"), creator, u8(index)),
  ephemeralSigner: (transaction: Uint8Array, number: number) =>
    derive(transaction, ascii("ephemeral_signer"), u8(number)),
  spendingLimit: (settings: Uint8Array, seed: Uint8Array) => derive(settings, ascii("spending_limit"), seed),
};
