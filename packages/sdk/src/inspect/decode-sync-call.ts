import type { Address } from "@solana/addresses";
import { equalBytes } from "../encoding.js";
import { deriveSmartAccountAddress } from "../program-address.js";
import { readBytes } from "./byte-reader.js";
import { type DecodedInstruction, decodeInstruction, type RawInstruction } from "./decode-instruction.js";

/** First 8 bytes of `execute_transaction_sync_v2`. */
const syncV2Discriminator = new Uint8Array([0x5a, 0x51, 0xbb, 0x51, 0x27, 0x46, 0x80, 0x4e]);
const transactionPayloadTag = 0;

/** A synchronous call of the smart account program: members sign, the vault acts at once. */
export type SyncCall = {
  readonly type: "execute_transaction_sync_v2";
  readonly settings: Address;
  readonly accountIndex: number;
  /** Derived here from `settings` and `accountIndex`, not read from the transaction. */
  readonly vault: Address;
  /** The members whose signatures the call counts. */
  readonly members: readonly Address[];
  /** What the vault does, in order. */
  readonly instructions: readonly DecodedInstruction[];
};

/**
 * Reads an `execute_transaction_sync_v2` with a transaction payload. Gives undefined for any other instruction of the
 * program; throws a `RangeError` when it is that instruction but its accounts or bytes do not add up.
 */
export function decodeSyncCall(raw: RawInstruction): SyncCall | undefined {
  const call = readSyncCall(raw);
  return call && { ...call, instructions: call.instructions.map(decodeInstruction) };
}

/** The same with its instructions as they are. */
export function readSyncCall(
  raw: RawInstruction,
): (Omit<SyncCall, "instructions"> & { readonly instructions: readonly RawInstruction[] }) | undefined {
  if (!equalBytes(raw.data.subarray(0, syncV2Discriminator.length), syncV2Discriminator)) return undefined;
  const reader = readBytes(raw.data.subarray(syncV2Discriminator.length));
  const accountIndex = reader.u8();
  const memberCount = reader.u8();
  if (reader.u8() !== transactionPayloadTag) return undefined;
  const payload = reader.bytes(reader.u32());
  reader.end();
  const [settings, program, ...remaining] = raw.accounts;
  if (settings === undefined || program !== raw.programAddress) {
    throw new RangeError("the first two accounts are the settings and the program itself");
  }
  if (remaining.length < memberCount) throw new RangeError("the call counts more members than it lists");
  const innerAccounts = remaining.slice(memberCount);
  return {
    type: "execute_transaction_sync_v2",
    settings,
    accountIndex,
    vault: deriveSmartAccountAddress(settings, accountIndex, raw.programAddress),
    members: remaining.slice(0, memberCount),
    instructions: decodePayload(payload, innerAccounts),
  };
}

/** Reads counted instructions, whose programs and accounts are places in a list. Throws a `RangeError` where the bytes do not add up. */
export function decodePayload(payload: Uint8Array, accounts: readonly Address[]): RawInstruction[] {
  const resolve = (index: number): Address => {
    const address = accounts[index];
    if (address === undefined) throw new RangeError(`an inner instruction names account ${index}, which is not listed`);
    return address;
  };
  const reader = readBytes(payload);
  const instructions: RawInstruction[] = [];
  for (let left = reader.u8(); left > 0; left--) {
    const programAddress = resolve(reader.u8());
    const indexes = reader.bytes(reader.u8());
    const data = reader.bytes(reader.u16());
    instructions.push({ programAddress, accounts: Array.from(indexes, resolve), data });
  }
  reader.end();
  return instructions;
}
