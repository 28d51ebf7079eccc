import { type Address, address } from "@solana/kit";
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import type { Currency } from "../../ports/network.js";
import { TOKEN_2022_PROGRAM_ADDRESS } from "../../solana/token-accounts.js";

const sol: Currency = { symbol: "sol", name: "Solana", mint: null, decimals: 9, tokenProgram: null };

const token = (symbol: string, name: string, mint: string, tokenProgram: Address = TOKEN_PROGRAM_ADDRESS) => ({
  symbol,
  name,
  mint: address(mint),
  decimals: 6,
  tokenProgram,
});

/** Money of mainnet. The sandbox has it at the same addresses, so that clients need no second table (gap 49). */
export const mainnetCurrencies: readonly Currency[] = [
  sol,
  token("usdc", "USD Coin", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"),
  token("usdt", "Tether USD", "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"),
  token("pyusd", "PayPal USD", "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo", TOKEN_2022_PROGRAM_ADDRESS),
  token("eurc", "Euro Coin", "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr"),
];

/** Money of devnet, where only one issuer has a mint of its own. */
export const devnetCurrencies: readonly Currency[] = [
  sol,
  token("usdc", "USD Coin", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"),
];
