import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import type { Bytes } from "./bytes.js";

/** Decodes a base58 address to its 32 bytes. */
export const key = (address: string): Bytes => new Uint8Array(base58.decode(address));

/** The key made of 32 equal bytes; the specification's A is `repeated(1)`. */
export const repeated = (byte: number): Bytes => new Uint8Array(32).fill(byte);

/** A key that no other test uses, derived from a name. */
export const named = (name: string): Bytes => new Uint8Array(createHash("sha256").update(`key ${name}`).digest());

export const PROGRAM = key("SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG");
export const SIGNATURE_PROGRAM = key("ExtSgUPtP3JyKUysFw2S5fpL5fWfUPzGUQLd2bTwftXN");
export const SECP256R1_PROGRAM = key("Secp256r1SigVerify1111111111111111111111111");
export const SYSTEM = new Uint8Array(32);
export const TOKEN = key("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
export const TOKEN_2022 = key("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
export const LOOKUP_TABLE_PROGRAM = key("AddressLookupTab1e1111111111111111111111111");
export const CONFIG_INITIALIZER = key("init9xckLHfofCRp5SCisRK4f6eDehGRtFSAw5mLhE8");
