import type { Address } from "@solana/addresses";
import { encodeHex } from "../encoding.js";
import { smartAccountProgramAddress, systemProgramAddress } from "../program-address.js";
import { readBytes } from "./byte-reader.js";
import type { RawInstruction } from "./decode-instruction.js";
import { readAbsentMemo } from "./decode-settings-change.js";

/** A payment out of a spending limit, which a signer of the limit makes alone. */
export type SpendingLimitUse = {
  readonly settings: Address;
  readonly signer: Address;
  readonly spendingLimit: Address;
  /** The smart account that pays. */
  readonly from: Address;
  /** The owner who is paid. */
  readonly to: Address;
  /** Base units. */
  readonly amount: bigint;
  readonly decimals: number;
  /** Null: SOL is paid. */
  readonly token: {
    readonly mint: Address;
    readonly tokenProgram: Address;
    readonly source: Address;
    readonly destination: Address;
  } | null;
};

/** First 8 bytes of the instruction. */
const discriminator = "29b34605c293ef9e";

/**
 * Reads a payment out of a spending limit. Gives undefined for any other instruction; throws a `RangeError` when it is one
 * but its accounts or bytes do not add up, or it carries a memo.
 */
export function decodeSpendingLimitUse(raw: RawInstruction): SpendingLimitUse | undefined {
  const { programAddress, accounts, data } = raw;
  if (programAddress !== smartAccountProgramAddress || encodeHex(data.subarray(0, 8)) !== discriminator)
    return undefined;
  const reader = readBytes(data.subarray(8));
  const amount = reader.u64();
  const decimals = reader.u8();
  readAbsentMemo(reader);
  reader.end();
  const [settings, signer, spendingLimit, from, to, system, mint, source, destination, tokenProgram, program, ...rest] =
    accounts;
  if (
    settings === undefined ||
    signer === undefined ||
    spendingLimit === undefined ||
    from === undefined ||
    to === undefined ||
    program !== programAddress ||
    rest.length > 0
  ) {
    throw new RangeError("the accounts are not those of a payment out of a spending limit");
  }
  const common = { settings, signer, spendingLimit, from, to, amount, decimals };
  // Optional accounts are left out by naming the program itself.
  const token = [mint, source, destination, tokenProgram];
  if (token.every((address) => address === programAddress)) {
    if (system !== systemProgramAddress) throw new RangeError("the system program is missing");
    return { ...common, token: null };
  }
  if (
    mint === undefined ||
    source === undefined ||
    destination === undefined ||
    tokenProgram === undefined ||
    token.includes(programAddress)
  ) {
    throw new RangeError("the accounts of the token are missing");
  }
  return { ...common, token: { mint, tokenProgram, source, destination } };
}
