import { type Coin, coinsFor, type Fiat } from "@trellis/kernel/ports/coins.js";

/** The one coin that the simulated partner changes into and out of every currency. */
const exchanged: Coin = "usdc";

/** What a currency can become: the coins that stand for it are first. */
export const payInCoins = (from: Fiat): readonly Coin[] => [...new Set([...coinsFor(from), exchanged])];

/** What a currency can be paid out of. */
export const payOutCoins = (to: Fiat): readonly Coin[] => [...new Set([exchanged, ...coinsFor(to)])];
