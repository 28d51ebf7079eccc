import { type AmountFault, readAmount } from "./amount-of.js";
import { type CsvRow, readCsv } from "./csv.js";
import { findLookAlike } from "./look-alike.js";

/** What can be paid: a currency by its symbol, in lower case. */
export interface PayableCurrency {
  readonly symbol: string;
  /** Null: SOL. */
  readonly mint: string | null;
  readonly decimals: number;
  /** Base units in the account. */
  readonly held: bigint;
}

/** What is known of addresses where a list is read. */
export interface AddressFacts {
  /** The account that pays. */
  readonly account: string;
  readonly isAddress: (text: string) => boolean;
  readonly addressByName: ReadonlyMap<string, string>;
  /** Those that were paid or named before. */
  readonly known: readonly string[];
}

export type PayeeFault =
  | AmountFault
  | "quotes"
  | "too_few"
  | "too_many"
  | "two_ways"
  | "destination"
  | "self"
  | "currency"
  | "memo_long";

export interface Payee {
  /** Where it stands in the list, counted from 1. */
  readonly line: number;
  readonly given: { readonly destination: string; readonly amount: string; readonly currency: string };
  readonly memo: string;
  readonly destination: string | undefined;
  readonly currency: PayableCurrency | undefined;
  readonly units: bigint | undefined;
  readonly faults: readonly PayeeFault[];
  /** Lines that pay the same destination, too. */
  readonly sameAs: readonly number[];
  /** A known address that this one could be taken for. */
  readonly looksLike: string | undefined;
}

/** One that can be paid as far as this page knows. */
export interface ReadyPayee extends Payee {
  readonly destination: string;
  readonly currency: PayableCurrency;
  readonly units: bigint;
}

export interface PayeeSum {
  readonly currency: PayableCurrency;
  readonly units: bigint;
}

export interface PayeeList {
  readonly payees: readonly Payee[];
  readonly sums: readonly PayeeSum[];
  /** A column of the first row that has no meaning here, or stands there twice. */
  readonly unknownColumn: string | undefined;
}

/** What a memo on chain has at most. */
const memoBytesMax = 256;
const columns = ["destination", "amount", "memo", "currency"] as const;
type Column = (typeof columns)[number];
const usualOrder: readonly Column[] = ["destination", "amount", "memo"];

/**
 * Reads a list of payees. Without a first row that names them, the columns are destination, amount and memo; with one they stand in any
 * order, and `currency` may be among them. `usual` is the currency of rows that name none.
 */
export function readPayees(
  text: string,
  {
    currencies,
    usual,
    facts,
  }: { readonly currencies: readonly PayableCurrency[]; readonly usual: string; readonly facts: AddressFacts },
): PayeeList {
  const [first, ...others] = readCsv(text);
  if (first === undefined) return { payees: [], sums: [], unknownColumn: undefined };
  const named = namesIn(first.cells);
  const hasHeader = named.includes("destination") || named.includes("amount");
  const order = hasHeader ? named : usualOrder;
  const unknownColumn = order.find((name, at) => !columns.some((each) => each === name) || order.indexOf(name) !== at);
  if (unknownColumn !== undefined) return { payees: [], sums: [], unknownColumn };
  const rows = hasHeader ? others : [first, ...others];
  const payees = rows.map((row) => {
    const { line, cells, isBroken } = row;
    const cellOf = (name: Column): string => cells[order.indexOf(name)]?.trim() ?? "";
    const given = {
      destination: cellOf("destination"),
      amount: cellOf("amount"),
      currency: cellOf("currency") || usual,
    };
    const destination = resolve(given.destination, facts);
    const currency = currencies.find(({ symbol }) => symbol === given.currency.toLowerCase());
    const amount = readAmount(given.amount, currency?.decimals ?? 0);
    const memo = cellOf("memo");
    const faults: (PayeeFault | undefined)[] = [
      isBroken ? "quotes" : undefined,
      cells.length < 2 ? "too_few" : undefined,
      cells.slice(order.length).some((cell) => cell.trim() !== "") ? "too_many" : undefined,
      isOfTwoReadings(row, order) ? "two_ways" : undefined,
      destination === undefined ? "destination" : destination === facts.account ? "self" : undefined,
      currency === undefined ? "currency" : amount.fault,
      isMemoTooLong(memo) ? "memo_long" : undefined,
    ];
    return {
      line,
      given,
      memo,
      destination,
      currency,
      units: currency === undefined ? undefined : amount.units,
      faults: faults.filter((fault) => fault !== undefined),
      looksLike: destination === undefined ? undefined : findLookAlike(destination, facts.known),
    };
  });
  const marked = payees.map((payee) => ({ ...payee, sameAs: linesOf(payees, payee) }));
  return { payees: marked, sums: sumsOf(marked), unknownColumn: undefined };
}

/** Whether its amount and its memo could be one amount that is written with a comma: `1,50`. Quotation marks around either say which. */
function isOfTwoReadings({ cells, quoted, separator }: CsvRow, order: readonly string[]): boolean {
  const [amountAt, memoAt] = [order.indexOf("amount"), order.indexOf("memo")];
  return (
    separator === "," &&
    quoted[amountAt] === false &&
    quoted[memoAt] === false &&
    /^\d+$/.test(cells[amountAt]?.trim() ?? "") &&
    /^[\d.]+$/.test(cells[memoAt]?.trim() ?? "")
  );
}

/** What a first row calls the columns, without empty ones at its end. */
function namesIn(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  return names.slice(0, names.findLastIndex((name) => name !== "") + 1);
}

/** The payees, where there is nothing to be said against any of them; undefined: there is. */
export function readyOf(payees: readonly Payee[]): readonly ReadyPayee[] | undefined {
  const ready = payees.flatMap(({ destination, currency, units, ...rest }) =>
    destination === undefined || currency === undefined || units === undefined || rest.faults.length > 0
      ? []
      : [{ ...rest, destination, currency, units }],
  );
  return ready.length === payees.length ? ready : undefined;
}

export const isMemoTooLong = (memo: string): boolean => new TextEncoder().encode(memo).length > memoBytesMax;

/** The address that a text stands for: itself, or what the address book calls so. */
export const resolve = (
  text: string,
  { isAddress, addressByName }: Pick<AddressFacts, "isAddress" | "addressByName">,
): string | undefined => (isAddress(text) ? text : addressByName.get(text.normalize("NFC")));

function linesOf(
  payees: readonly Pick<Payee, "line" | "destination">[],
  { line, destination }: Pick<Payee, "line" | "destination">,
): readonly number[] {
  if (destination === undefined) return [];
  return payees.filter((other) => other.destination === destination && other.line !== line).map((each) => each.line);
}

/** What payees come to, of each currency. */
export function sumsOf(payees: readonly Payee[]): readonly PayeeSum[] {
  const sums = new Map<PayableCurrency, bigint>();
  for (const { currency, units } of payees) {
    if (currency !== undefined && units !== undefined) sums.set(currency, (sums.get(currency) ?? 0n) + units);
  }
  return [...sums].map(([currency, units]) => ({ currency, units }));
}
