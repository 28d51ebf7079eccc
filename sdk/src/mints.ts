import type { Address } from "@solana/addresses";
import type { WireEnvironment } from "./wire.js";

/** Mint of a currency by its lower-case symbol; null is SOL. */
export type MintTable = Readonly<Record<string, Address | null>>;

const mainnetMints: MintTable = {
  sol: null,
  usdc: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as Address,
  usdt: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB" as Address,
  pyusd: "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo" as Address,
  eurc: "HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr" as Address,
};

const devnetMints: MintTable = {
  sol: null,
  usdc: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU" as Address,
};

/**
 * The mints this library knows, independently of the service: what `transfers.send` compares a prepared transfer with
 * (gap 33). The sandbox has its tokens at their mainnet addresses (gap 49). Where a currency is missing, name its mint.
 */
export function knownMints(environment: WireEnvironment): MintTable {
  return environment === "devnet" ? devnetMints : mainnetMints;
}
