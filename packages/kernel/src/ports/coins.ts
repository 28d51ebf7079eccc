/** Currencies of banks, lower case as on the wire. */
export const fiatCurrencies = ["usd", "eur", "gbp", "mxn", "brl"] as const;
export type Fiat = (typeof fiatCurrencies)[number];

/** What is the same of a coin wherever it is spoken of. */
interface CoinFacts {
  readonly name: string;
  readonly decimals: number;
  /** The program its mint belongs to. */
  readonly tokenProgram: "token" | "token_2022";
  /** The currency it stands for, one for one. */
  readonly standsFor: Fiat;
  /** Its mint on each cluster; absent where its issuer has none. The sandbox has it at its mainnet address (gap 49). */
  readonly mints: { readonly mainnet: string; readonly devnet?: string };
}

/**
 * The coins the service knows by a symbol, lower case as on the wire, in the order in which they are listed. A new one is a row
 * here, then `npm run generate` for the client library. Which of them are offered between banks and the chain is each partner's
 * own affair, as is the database function that divides deposits, in `functions.sql`: tests say so where they differ.
 */
export const coinTable = {
  usdc: {
    name: "USD Coin",
    decimals: 6,
    tokenProgram: "token",
    standsFor: "usd",
    mints: {
      mainnet: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      devnet: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
    },
  },
  usdt: {
    name: "Tether USD",
    decimals: 6,
    tokenProgram: "token",
    standsFor: "usd",
    mints: { mainnet: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB" },
  },
  pyusd: {
    name: "PayPal USD",
    decimals: 6,
    tokenProgram: "token_2022",
    standsFor: "usd",
    mints: { mainnet: "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo" },
  },
  eurc: {
    name: "Euro Coin",
    decimals: 6,
    tokenProgram: "token",
    standsFor: "eur",
    mints: { mainnet: "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr" },
  },
} as const satisfies Readonly<Record<string, CoinFacts>>;

/** A coin a partner pays out or takes in; each is a currency of the environment under the same symbol. */
export type Coin = keyof typeof coinTable;

export const coins = Object.keys(coinTable) as readonly Coin[];

/** The same facts, where it does not matter which coin it is. */
export const factsOf = (coin: Coin): CoinFacts => coinTable[coin];

/** The coin of a symbol; undefined for those the service does not know. */
export const findCoin = (symbol: string | undefined): Coin | undefined => coins.find((coin) => coin === symbol);

/** The coins that stand for a currency. */
export const coinsFor = (fiat: Fiat): readonly Coin[] => coins.filter((coin) => factsOf(coin).standsFor === fiat);
