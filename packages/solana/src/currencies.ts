import { address } from "@solana/kit";
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { coins, factsOf } from "@trellis/kernel/ports/coins.js";
import type { Currency } from "@trellis/kernel/ports/network.js";
import { TOKEN_2022_PROGRAM_ADDRESS } from "./token-accounts.js";

const sol: Currency = { symbol: "sol", name: "Solana", mint: null, decimals: 9, tokenProgram: null };
const programs = { token: TOKEN_PROGRAM_ADDRESS, token_2022: TOKEN_2022_PROGRAM_ADDRESS };

/** Money of a cluster: SOL, and the coins whose issuers have a mint there. */
function currenciesOf(cluster: "mainnet" | "devnet"): readonly Currency[] {
  const tokens = coins.flatMap((symbol): Currency[] => {
    const { name, decimals, mints, tokenProgram } = factsOf(symbol);
    const mint = mints[cluster];
    return mint === undefined
      ? []
      : [{ symbol, name, mint: address(mint), decimals, tokenProgram: programs[tokenProgram] }];
  });
  return [sol, ...tokens];
}

/** The sandbox has it at the same addresses, so that clients need no second table (gap 49). */
export const mainnetCurrencies = currenciesOf("mainnet");
export const devnetCurrencies = currenciesOf("devnet");
