import { TrellisError } from "@trellis/kernel/errors.js";
import type { Currency, Network } from "@trellis/kernel/ports/network.js";

/** Finds a currency by symbol or mint address. Throws `unsupported_currency`. */
export function getCurrency(network: Network, symbolOrMint: string, field = "currency"): Currency {
  const wanted = symbolOrMint.toLowerCase();
  const found = network.currencies.find((c) => c.symbol === wanted || c.mint === symbolOrMint);
  if (!found) {
    throw new TrellisError("unsupported_currency", {
      field,
      message: `The currency ${symbolOrMint} is not known in this environment.`,
      suggestion: `Known here: ${network.currencies.map((c) => c.symbol).join(", ")}.`,
    });
  }
  return found;
}
