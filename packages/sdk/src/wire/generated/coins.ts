// Generated from packages/kernel/src/ports/coins.ts by scripts/generate-sdk-coins.ts.

/** The coins that have a symbol: their decimals, and the mint that each cluster has of them. */
export const coins = {
  usdc: {
    decimals: 6,
    mainnet: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    devnet: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
  },
  usdt: {
    decimals: 6,
    mainnet: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
    devnet: null,
  },
  pyusd: {
    decimals: 6,
    mainnet: "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo",
    devnet: null,
  },
  eurc: {
    decimals: 6,
    mainnet: "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr",
    devnet: null,
  },
} as const;
