import type { Address } from "@solana/kit";
import type { AccountState } from "./account-state.js";
import { addressOf } from "./address-bytes.js";

/** The two programs whose accounts are token accounts and mints. */
export const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as Address;
/** Token-2022. */
export const token2022Program = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" as Address;

const mintLength = 82;
const accountLength = 165;
// Token-2022 accounts with extensions say at this offset what they are.
const accountTypeOffset = 165;
const mintType = 1;
const accountType = 2;
const states = ["uninitialized", "initialized", "frozen"] as const;

/** A token account's fields. */
export interface TokenAccount {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly delegate: Address | null;
  readonly state: (typeof states)[number];
  /** Lamports kept for rent, for wrapped SOL only. */
  readonly nativeReserve: bigint | null;
  readonly delegatedAmount: bigint;
  readonly closeAuthority: Address | null;
}

/** A mint's fields. */
export interface Mint {
  readonly mintAuthority: Address | null;
  readonly supply: bigint;
  readonly decimals: number;
  readonly freezeAuthority: Address | null;
}

/** Whether one of the token programs owns an account. */
export function isTokenOwned(state: AccountState): boolean {
  return state.owner === tokenProgram || state.owner === token2022Program;
}

/** Reads a token account; undefined when it is something else or not initialised. */
export function readTokenAccount(state: AccountState): TokenAccount | undefined {
  if (!isTokenOwned(state)) return undefined;
  const { data } = state;
  const sized =
    data.length === accountLength || (data.length > accountLength && data[accountTypeOffset] === accountType);
  const condition = states[data[108] ?? 0];
  if (!sized || condition === undefined || condition === "uninitialized") return undefined;
  const view = viewOf(data);
  return {
    mint: addressOf(data.subarray(0, 32)),
    owner: addressOf(data.subarray(32, 64)),
    amount: view.getBigUint64(64, true),
    delegate: readOptionalAddress(data, 72),
    state: condition,
    nativeReserve: view.getUint32(109, true) === 1 ? view.getBigUint64(113, true) : null,
    delegatedAmount: view.getBigUint64(121, true),
    closeAuthority: readOptionalAddress(data, 129),
  };
}

/** Reads a mint; undefined when it is something else or not initialised. */
export function readMint(state: AccountState): Mint | undefined {
  if (!isTokenOwned(state)) return undefined;
  const { data } = state;
  const sized = data.length === mintLength || (data.length > accountLength && data[accountTypeOffset] === mintType);
  if (!sized || data[45] !== 1) return undefined;
  return {
    mintAuthority: readOptionalAddress(data, 0),
    supply: viewOf(data).getBigUint64(36, true),
    decimals: data[44] ?? 0,
    freezeAuthority: readOptionalAddress(data, 46),
  };
}

/** The 82 bytes of an initialised mint with no supply and no freeze authority; without an authority none can be minted. */
export function encodeEmptyMint(mintAuthority: Uint8Array | null, decimals: number): Uint8Array {
  const data = new Uint8Array(mintLength);
  if (mintAuthority !== null) {
    data[0] = 1;
    data.set(mintAuthority, 4);
  }
  data[44] = decimals;
  data[45] = 1;
  return data;
}

/** An amount as RPC answers show it. */
export interface UiTokenAmount {
  readonly amount: string;
  readonly decimals: number;
  readonly uiAmount: number | null;
  readonly uiAmountString: string;
}

/** Shows base units with a mint's decimals. */
export function uiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  const uiAmountString = decimals > 0 && fraction !== "" ? `${whole}.${fraction}` : whole;
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function readOptionalAddress(data: Uint8Array, offset: number): Address | null {
  return data[offset] === 1 ? addressOf(data.subarray(offset + 4, offset + 36)) : null;
}
