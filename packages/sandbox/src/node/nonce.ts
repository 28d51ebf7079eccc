import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import type { Address } from "@solana/kit";
import type { AccountState } from "./account-state.js";
import { addressOf } from "./address-bytes.js";
import type { AccountChange } from "./execution.js";
import type { CheckedMessage } from "./guard.js";
import type { Vm } from "./vm.js";

const systemProgram = "11111111111111111111111111111111";
const nonceLength = 80;
const currentVersion = 1;
const initialized = 1;
const advanceInstruction = 4;
const nonceOffset = 40;

/** An initialised nonce account's fields. */
export interface Nonce {
  readonly authority: Address;
  /** What stands in place of a blockhash, in base58. */
  readonly durableNonce: string;
  readonly lamportsPerSignature: bigint;
}

/** Reads a nonce account; undefined when it is something else or not initialised. */
export function readNonce({ owner, data }: AccountState): Nonce | undefined {
  if (owner !== systemProgram || data.length !== nonceLength) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint32(0, true) !== currentVersion || view.getUint32(4, true) !== initialized) return undefined;
  return {
    authority: addressOf(data.subarray(8, 40)),
    durableNonce: base58.encode(data.subarray(nonceOffset, 72)),
    lamportsPerSignature: view.getBigUint64(72, true),
  };
}

/**
 * The nonce account by which a message lives in place of a blockhash: its first instruction advances it, the message names
 * its present nonce, and its authority signs. Undefined for all others.
 */
export function findNonce(
  message: CheckedMessage,
  read: (address: Address) => AccountState | undefined,
): Address | undefined {
  const [first] = message.instructions;
  if (first === undefined || message.staticAddresses[first.programIndex] !== systemProgram) return undefined;
  const [kind, ...rest] = first.data;
  if (first.data.length !== 4 || kind !== advanceInstruction || rest.some((byte) => byte !== 0)) return undefined;
  const [index] = first.accountIndexes;
  if (index === undefined || !isWritable(message, index)) return undefined;
  const account = message.staticAddresses[index];
  const state = account && read(account);
  const nonce = state && readNonce(state);
  if (account === undefined || nonce === undefined || nonce.durableNonce !== message.blockhash) return undefined;
  const isSigned = first.accountIndexes.some(
    (each) => each < message.signerCount && message.staticAddresses[each] === nonce.authority,
  );
  return isSigned ? account : undefined;
}

/** A nonce account with the nonce that follows a blockhash. */
function advancedNonce(state: AccountState, blockhash: string): AccountState {
  const data = new Uint8Array(state.data);
  data.set(createHash("sha256").update("DURABLE_NONCE").update(base58.decode(blockhash)).digest(), nonceOffset);
  return { ...state, data };
}

/** Advances a nonce account on the head, as part of what a transaction has changed. */
export function useUpNonce(nonce: Address, changes: AccountChange[], vm: Vm, blockhash: string): void {
  const state = vm.get(nonce);
  if (state === undefined) return;
  const after = advancedNonce(state, blockhash);
  vm.set(nonce, after);
  const known = changes.findIndex(({ address }) => address === nonce);
  changes.push({ address: nonce, before: changes[known]?.before ?? state, after });
  if (known >= 0) changes.splice(known, 1);
}

/** Of the accounts a message names itself: a nonce account in a lookup table does not count. */
function isWritable(message: CheckedMessage, index: number): boolean {
  if (index < message.signerCount) return index < message.signerCount - message.readonlySignerCount;
  return index < message.staticAddresses.length - message.readonlyNonSignerCount;
}
