import { type Address, getAddressDecoder } from "@solana/addresses";
import { encodeHex } from "../encoding.js";
import { readBytes } from "./byte-reader.js";

/** Who may act for a smart account, as the chain keeps it. */
export type ChainPolicy = {
  /** Who alone changes the settings; null: the signers. */
  readonly admin: Address | null;
  readonly threshold: number;
  readonly timeLockSeconds: number;
  /** `mask`: 1 initiate, 2 vote, 4 execute. */
  readonly signers: readonly { readonly address: Address; readonly mask: number }[];
  /** How many policies of the program were ever made under these settings. Which of them are left is not kept here. */
  readonly policiesMade: bigint;
};

/** What the data of a settings account begins with. */
const discriminator = "dfb3a3beb1e043ad";
const nobody = "11111111111111111111111111111111";

/** Reads the data of a settings account; undefined for anything else. */
export function decodeSettings(data: Uint8Array): ChainPolicy | undefined {
  try {
    return read(data);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function read(data: Uint8Array): ChainPolicy | undefined {
  const reader = readBytes(data);
  const readAddress = () => getAddressDecoder().decode(reader.bytes(32));
  if (encodeHex(reader.bytes(8)) !== discriminator) return undefined;
  reader.bytes(16);
  const admin = readAddress();
  const threshold = reader.u16();
  const timeLockSeconds = reader.u32();
  // The indexes of transactions, then who archives it, which is nobody so far, and when.
  reader.bytes(16);
  if (reader.u8() !== 0) reader.bytes(32);
  reader.bytes(8 + 1);
  const signers = Array.from({ length: reader.u32() }, () => ({ address: readAddress(), mask: reader.u8() }));
  reader.bytes(1);
  const policiesMade = reader.u8() === 0 ? 0n : reader.u64();
  return { admin: admin === nobody ? null : admin, threshold, timeLockSeconds, signers, policiesMade };
}
