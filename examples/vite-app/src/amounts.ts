import { knownMints } from "@trellis/sdk";

/** What this page pays in, and how many decimals that has. */
export const currencies = { usdc: { symbol: "USDC", decimals: 6 }, sol: { symbol: "SOL", decimals: 9 } } as const;

export type Currency = keyof typeof currencies;

/** "12.5" as base units; undefined for what is no amount. No number is made of it: numbers are not exact. */
export function baseUnitsOf(text: string, currency: Currency): bigint | undefined {
  const { decimals } = currencies[currency];
  const [, whole = "", part = ""] = /^(\d*)(?:[.,](\d*))?$/.exec(text.trim()) ?? [];
  if (whole + part === "" || part.length > decimals) return undefined;
  const units = BigInt(whole + part.padEnd(decimals, "0"));
  return units > 0n ? units : undefined;
}

/** "1234.500000" as "1,234.50": at least two decimals, and no zeros behind them. */
export function shownAmount(decimal: string): string {
  const [whole = "0", part = ""] = decimal.split(".");
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return `${grouped}.${part.replace(/0+$/, "").padEnd(2, "0")}`;
}

/** Base units as a decimal text. */
export function decimalOf(units: bigint, currency: Currency): string {
  const { decimals } = currencies[currency];
  const digits = units.toString().padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

export const short = (text: string): string => `${text.slice(0, 4)}…${text.slice(-4)}`;

/** Base units of a mint, null for SOL, as this page shows them; of others it does not know the decimals. */
export function shownBaseUnits(units: string, mint: string | null): string {
  if (mint !== null && mint !== knownMints("sandbox").usdc) return `${units} base units of ${mint}`;
  const currency = mint === null ? "sol" : "usdc";
  return `${shownAmount(decimalOf(BigInt(units), currency))} ${currencies[currency].symbol}`;
}
