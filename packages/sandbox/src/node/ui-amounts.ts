import type { Address } from "@solana/kit";
import type { AccountState } from "./account-state.js";
import { readMint, token2022Program, type UiTokenAmount, uiTokenAmount } from "./token-layout.js";

type ReadAccount = (address: Address) => AccountState | undefined;

const clockSysvar = "SysvarC1ock11111111111111111111111111111111" as Address;
/** Where the extensions of a Token-2022 account begin: behind what says whether it is a mint or an account. */
const firstExtension = 166;
const headerLength = 4;
const kinds = { interestBearing: 10, scaledUiAmount: 25 } as const;
/** As the token program counts it: of 365.24 days. */
const secondsPerYear = 31_556_736;
const basisPoints = 10_000;

/** The extensions of a Token-2022 account in their order, with their bytes. */
export function* extensionsOf({ owner, data }: AccountState): Iterable<{ kind: number; bytes: Uint8Array }> {
  if (owner !== token2022Program || data.length <= firstExtension) return;
  const view = viewOf(data);
  for (let at = firstExtension; at + headerLength <= data.length; ) {
    const kind = view.getUint16(at, true);
    const start = at + headerLength;
    const end = start + view.getUint16(at + 2, true);
    // Kind 0 is what has not been written yet.
    if (kind === 0 || end > data.length) return;
    yield { kind, bytes: data.subarray(start, end) };
    at = end;
  }
}

/**
 * Base units of a mint as a validator shows them for accounts and supplies: with the interest that it bears, or the multiplier
 * it has, by the chain's present time. Undefined where `mint` is none. What a transaction's record says is never scaled.
 */
export function viewAmount(
  amount: bigint,
  mint: AccountState | undefined,
  read: ReadAccount,
): UiTokenAmount | undefined {
  const decimals = mint && readMint(mint)?.decimals;
  if (mint === undefined || decimals === undefined) return undefined;
  for (const { kind, bytes } of extensionsOf(mint)) {
    const view = viewOf(bytes);
    if (kind === kinds.interestBearing && bytes.length >= 52) {
      const scale = interestUntil(unixTime(read), view) / 10 ** decimals;
      return scaled(amount, decimals, rustFixed(Number(amount) * scale, decimals));
    }
    if (kind === kinds.scaledUiAmount && bytes.length >= 56) {
      const isNew = unixTime(read) >= Number(view.getBigInt64(40, true));
      const multiplier = view.getFloat64(isNew ? 48 : 32, true);
      const whole = Math.trunc(Number(amount) * multiplier);
      return scaled(amount, decimals, rustFixed(whole / 10 ** decimals, decimals));
    }
  }
  return uiTokenAmount(amount, decimals);
}

/** What one unit has become, compounded at every moment: by the average rate until the last change, by the present one since. */
function interestUntil(now: number, view: DataView): number {
  const began = Number(view.getBigInt64(32, true));
  const changed = Number(view.getBigInt64(42, true));
  const grown = (rate: number, seconds: number) => Math.exp((rate * seconds) / secondsPerYear / basisPoints);
  return grown(view.getInt16(40, true), changed - began) * grown(view.getInt16(50, true), now - changed);
}

/** Unix seconds, as the chain's clock has them. */
function unixTime(read: ReadAccount): number {
  const clock = read(clockSysvar);
  return clock && clock.data.length >= 40 ? Number(viewOf(clock.data).getBigInt64(32, true)) : 0;
}

function scaled(amount: bigint, decimals: number, text: string): UiTokenAmount {
  const uiAmount = Number(text);
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: Number.isFinite(uiAmount) ? uiAmount : null,
    uiAmountString: text,
  };
}

/** A number as Rust writes it with so many digits behind the point, ties to the even one, without the zeros at the end. */
function rustFixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf";
  const { whole, exponent } = partsOf(Math.abs(value));
  const shifted = whole * 10n ** BigInt(digits);
  const units = exponent >= 0 ? shifted << BigInt(exponent) : halved(shifted, BigInt(-exponent));
  const text = units.toString().padStart(digits + 1, "0");
  const fraction = text.slice(text.length - digits).replace(/0+$/, "");
  const before = text.slice(0, text.length - digits);
  return `${value < 0 ? "-" : ""}${digits > 0 && fraction !== "" ? `${before}.${fraction}` : before}`;
}

/** A positive number is `whole` times two to the power of `exponent`, exactly. */
function partsOf(value: number): { whole: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const raw = Number(bits >> 52n);
  const mantissa = bits & ((1n << 52n) - 1n);
  return raw === 0 ? { whole: mantissa, exponent: -1_074 } : { whole: mantissa | (1n << 52n), exponent: raw - 1_075 };
}

/** Divided by two so many times, ties to the even one. */
function halved(value: bigint, times: bigint): bigint {
  const quotient = value >> times;
  const rest = value - (quotient << times);
  const half = 1n << (times - 1n);
  return rest > half || (rest === half && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
