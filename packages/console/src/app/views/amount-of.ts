/** Why a text is no amount. `comma`: a comma where a decimal point may have been meant. */
export type AmountFault = "missing" | "form" | "comma" | "decimals" | "zero" | "large";

export type ReadAmount =
  | { readonly units: bigint; readonly fault?: undefined }
  | { readonly fault: AmountFault; readonly units?: undefined };

/** What an amount on chain can be at most. */
const unitsMax = 2n ** 64n - 1n;

/**
 * Reads an amount as people write it, in base units of a currency with so many decimals. The point is the decimal separator, always, as on
 * all of these pages. Commas may separate thousands, but a single comma and nothing behind its three digits could be a decimal comma:
 * `1,234` is refused, as a thousand times too much is worse than a question, while `1,234.50` and `1,234,567` can be meant one way only.
 * Nothing is rounded.
 */
export function readAmount(text: string, decimals: number): ReadAmount {
  const given = text.trim();
  if (given === "") return { fault: "missing" };
  const match = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(given);
  if (match === null) return { fault: given.includes(",") ? "comma" : "form" };
  const [, whole = "", fraction = ""] = match;
  const commas = whole.split(",").length - 1;
  const isGrouped = commas > 1 || (commas === 1 && fraction !== "");
  if (commas > 0 && (!isGrouped || whole.startsWith("0"))) return { fault: "comma" };
  const places = fraction.replace(/0+$/, "");
  if (places.length > decimals) return { fault: "decimals" };
  const units = BigInt(whole.replaceAll(",", "") + places.padEnd(decimals, "0"));
  if (units === 0n) return { fault: "zero" };
  if (units > unitsMax) return { fault: "large" };
  return { units };
}
