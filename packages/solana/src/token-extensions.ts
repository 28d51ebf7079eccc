import type { ReadonlyUint8Array } from "@solana/kit";

/** What an extension of Token-2022 says, by its number; the value is its data. Empty where there is none. */
type Extensions = ReadonlyMap<number, Uint8Array>;

/** Extensions follow the base layout, which takes as much for mints as for accounts, and a byte that tells them apart. */
const extensionsOffset = 166;

const number = {
  transferFeeConfig: 1,
  confidentialTransferAccount: 5,
  defaultAccountState: 6,
  memoTransfer: 8,
  nonTransferable: 9,
  transferHook: 14,
  pausable: 26,
} as const;

const frozen = 2;

function readExtensions(data: ReadonlyUint8Array): Extensions {
  const found = new Map<number, Uint8Array>();
  const view = new DataView(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  for (let at = extensionsOffset; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    if (type === 0 || at + 4 + length > data.length) break;
    found.set(type, new Uint8Array(data.slice(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return found;
}

/**
 * Why exactly the amount sent, and nothing else, could not be what arrives of this mint's tokens, in words that follow
 * "the currency"; undefined where it is. `data` is that of a mint account under either token program. `epoch`: the chain's
 * present one, without which a fee that is over counts as one still; see `hasFeeOfOldEpoch`.
 *
 * A fee that is set takes two epochs until it is charged, so that what is judged here holds for as long as a transaction lives.
 */
export function whyNotPlainMint(data: ReadonlyUint8Array, epoch?: bigint): string | undefined {
  const extensions = readExtensions(data);
  if (extensions.has(number.nonTransferable)) return "cannot be transferred";
  const hook = extensions.get(number.transferHook);
  if (hook?.subarray(32).some((byte) => byte !== 0)) return "runs a program of its own at every transfer";
  const fees = feesOf(extensions);
  if (fees === undefined) return undefined;
  if (fees.newer.isTaken) return "takes a fee from every transfer, or will from a later epoch on";
  if (fees.older.isTaken && (epoch === undefined || epoch < fees.newer.epoch)) return "takes a fee from every transfer";
  return undefined;
}

/** Whether a mint's fee was ended, now or for a later epoch: only the chain's epoch decides which. */
export function hasFeeOfOldEpoch(data: ReadonlyUint8Array): boolean {
  const fees = feesOf(readExtensions(data));
  return fees?.older.isTaken === true && !fees.newer.isTaken;
}

/** The two fees of a mint: the newer one is charged from its epoch on, the older one before. */
function feesOf(extensions: Extensions) {
  const config = extensions.get(number.transferFeeConfig);
  if (config === undefined) return undefined;
  const view = new DataView(config.buffer, config.byteOffset, config.byteLength);
  const at = (offset: number) => ({
    epoch: view.getBigUint64(offset, true),
    // No more than the second, whatever the basis points say.
    isTaken: view.getUint16(offset + 16, true) !== 0 && view.getBigUint64(offset + 8, true) !== 0n,
  });
  return { older: at(72), newer: at(90) };
}

/** Whether a mint freezes every token account that is opened. */
export function freezesNewAccounts(data: ReadonlyUint8Array): boolean {
  return readExtensions(data).get(number.defaultAccountState)?.[0] === frozen;
}

/** Whether a mint's issuer has stopped all transfers at present. */
export function isPausedMint(data: ReadonlyUint8Array): boolean {
  return (readExtensions(data).get(number.pausable)?.[32] ?? 0) !== 0;
}

/** Bytes of a plain token account, and what each extension of an account takes beside its own. */
const plainAccountBytes = 165;
const extensionHeadBytes = 4;

/** What an extension of a mint has each of its accounts carry, in bytes: withheld fees, whether a transfer runs, a mark. */
const carriedBytes = [
  [number.transferFeeConfig, 8],
  [number.nonTransferable, 0],
  [number.transferHook, 1],
  [number.pausable, 0],
] as const;

/**
 * How many bytes an associated token account of this mint takes when it is opened. `data` is that of a mint account;
 * `isExtended` whether Token-2022 is its program, whose associated accounts never change their owner and say so.
 */
export function associatedAccountBytes(data: ReadonlyUint8Array, isExtended: boolean): number {
  if (!isExtended) return plainAccountBytes;
  const extensions = readExtensions(data);
  const carried = carriedBytes.filter(([extension]) => extensions.has(extension));
  return carried.reduce((sum, [, bytes]) => sum + extensionHeadBytes + bytes, extensionsOffset + extensionHeadBytes);
}

/** Whether a token account takes payments only with a memo. */
export function demandsMemo(data: ReadonlyUint8Array): boolean {
  const required = readExtensions(data).get(number.memoTransfer)?.[0] ?? 0;
  return required !== 0;
}

/** Where a confidential token account says whether it takes plain transfers, too. */
const plainCreditsOffset = 262;

/** Whether a token account takes confidential transfers only. */
export function refusesPlainTransfers(data: ReadonlyUint8Array): boolean {
  return readExtensions(data).get(number.confidentialTransferAccount)?.[plainCreditsOffset] === 0;
}
