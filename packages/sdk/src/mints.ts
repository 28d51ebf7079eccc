import { type Address, isAddress } from "@solana/addresses";
import { type ExactAmount, type MaybeAmount, toExactAmount } from "./base-units.js";
import { InvalidInputError } from "./invalid-input-error.js";
import { coins } from "./wire/generated/coins.js";
import type { WireEnvironment } from "./wire.js";

/** Mint of a currency by its lower-case symbol; null is SOL. */
export type MintTable = Readonly<Record<string, Address | null>>;

/** How many decimals mints have, by symbol or address. */
export type DecimalsTable = Readonly<Record<string, number>>;

const knownCoins = Object.entries(coins);

const mainnetMints = mintsOf("mainnet");
const devnetMints = mintsOf("devnet");

/** Of the mints above. A mint's decimals never change. */
const knownDecimals: DecimalsTable = {
  sol: 9,
  ...Object.fromEntries(knownCoins.map(([symbol, { decimals }]) => [symbol, decimals])),
};

/**
 * The mints this library knows, independently of the service: what `transfers.send` compares a prepared transfer with
 * (gap 33). The sandbox has its tokens at their mainnet addresses (gap 49). Where a currency is missing, name its mint.
 */
export function knownMints(environment: WireEnvironment): MintTable {
  return environment === "devnet" ? devnetMints : mainnetMints;
}

/** A currency that this library knows: its symbol in lower case, its mint (null is SOL) and its decimals. */
export type KnownCurrency = { readonly symbol: string; readonly mint: Address | null; readonly decimals: number };

/** SOL and the coins that have a mint in an environment, for pages that show or read amounts without the service's word for it. */
export function knownCurrencies(environment: WireEnvironment): readonly KnownCurrency[] {
  return Object.entries(knownMints(environment)).flatMap(([symbol, mint]) => {
    const decimals = knownDecimals[symbol];
    return decimals === undefined ? [] : [{ symbol, mint, decimals }];
  });
}

/** What a client knows of currencies, without asking the service. */
export type Currencies = {
  /** The mint behind a symbol or address; null is SOL. Throws a `TypeError` for one that is not known. */
  readonly mintOf: (currency: string) => Address | null;
  /**
   * An amount of a mint in base units; `decimals` where the call names them. Throws a `TypeError` for one that is not exact, or
   * cannot be made so, and where two decimals of one mint are named.
   */
  readonly exactAmount: (given: MaybeAmount, mint: Address | null, decimals?: number) => ExactAmount;
};

/** What is known in an environment, with what the caller adds. */
export function createCurrencies(
  environment: WireEnvironment,
  more: { readonly mints?: MintTable | undefined; readonly decimals?: DecimalsTable | undefined },
): Currencies {
  const known = knownMints(environment);
  const mints: MintTable = { ...known, ...more.mints };

  const mintOf = (currency: string): Address | null => {
    const symbol = currency.toLowerCase();
    const mint = Object.hasOwn(mints, symbol) ? mints[symbol] : undefined;
    if (mint !== undefined) return mint;
    if (isAddress(currency)) return currency;
    throw new InvalidInputError(
      "unsupported_currency",
      `the mint of ${currency} is not known in this environment: name it in the option mints`,
    );
  };

  const decimals = new Map<Address | null, number>();
  /** What no caller says otherwise: of SOL, and of what a limit allows, no bytes would show the difference. */
  const decimalsOf = (mint: Address | null, named: number | undefined): number | undefined => {
    const places = decimals.get(mint);
    if (named === undefined || places === undefined || named === places) return named ?? places;
    throw new TypeError(`${mint ?? "SOL"} has ${places} decimals, and not ${named}`);
  };
  for (const [symbol, mint] of Object.entries(known)) {
    const places = knownDecimals[symbol];
    if (places !== undefined) decimals.set(mint, places);
  }
  for (const [currency, named] of Object.entries(more.decimals ?? {})) {
    const mint = mintOf(currency);
    const places = decimalsOf(mint, named);
    if (places !== undefined) decimals.set(mint, places);
  }

  return {
    mintOf,
    // Base units mean the same whatever the mint has: those who ask are held to it only where it matters.
    exactAmount: (given, mint, named) =>
      toExactAmount(given, mint, given.uiAmount === undefined ? named : decimalsOf(mint, named)),
  };
}

/** SOL, and the coins that have a mint on a cluster. */
function mintsOf(cluster: "mainnet" | "devnet"): MintTable {
  const mints = knownCoins.map(([symbol, coin]): [string, Address | null] => [symbol, coin[cluster] as Address | null]);
  return { sol: null, ...Object.fromEntries(mints.filter(([, mint]) => mint !== null)) };
}
