import { type Read, useBalances } from "@trellis/react";
import { type Balances, knownCurrencies, parseUnits } from "@trellis/sdk";
import { usePlace } from "../place.js";

/** Something that an account holds. */
export interface Holding {
  /** What a payment names it by: the symbol, in lower case; of a token that these pages do not know, the mint. */
  readonly currency: string;
  /** Null: SOL. */
  readonly mint: string | null;
  /** As amounts are shown and written; 0 of an unknown token, whose amounts are in base units. */
  readonly decimals: number;
  readonly isKnown: boolean;
  /** Base units. */
  readonly held: bigint;
}

type Environment = Parameters<typeof knownCurrencies>[0];

/** How balances call SOL. */
const systemProgram = "11111111111111111111111111111111";

/**
 * What the account holds, the known currencies first. Names and decimals are this library's own: a token that calls itself USDC is shown by
 * its mint.
 */
export function holdingsOf(balances: Balances, environment: Environment): readonly Holding[] {
  const known = knownCurrencies(environment);
  const holdings = balances.tokens.map(({ token_address, amount_decimal, decimals }): Holding => {
    const mint = token_address === systemProgram ? null : token_address;
    const held = parseUnits(amount_decimal, decimals);
    const found = known.find((each) => each.mint === mint && each.decimals === decimals);
    return found === undefined
      ? { currency: token_address, mint, decimals: 0, isKnown: false, held }
      : { currency: found.symbol, mint, decimals, isKnown: true, held };
  });
  return [...holdings.filter(({ isKnown }) => isKnown), ...holdings.filter(({ isKnown }) => !isKnown)];
}

/** The same of the account that is shown. */
export function useHoldings(): Read<Balances> & { readonly holdings: readonly Holding[] | undefined } {
  const { environment } = usePlace();
  const balances = useBalances({ pollMs: 30_000 });
  return { ...balances, holdings: balances.data && holdingsOf(balances.data, environment) };
}

/** The mint as the chain's lists have it: SOL goes by the system program's address. */
export const mintOfList = (address: string): string | null => (address === systemProgram ? null : address);
