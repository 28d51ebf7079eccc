import { knownCurrencies } from "@trellis/sdk";

/** A currency whose decimals do not depend on what a service says. */
export interface Currency {
  /** In capitals. */
  readonly symbol: string;
  /** Null is SOL. */
  readonly mint: string | null;
  readonly decimals: number;
}

export type EnvironmentName = Parameters<typeof knownCurrencies>[0];

/** Every currency that the client library knows in an environment. */
export const currenciesOf = (environment: EnvironmentName): readonly Currency[] =>
  knownCurrencies(environment).map(({ symbol, ...rest }) => ({ symbol: symbol.toUpperCase(), ...rest }));

/** The mint of a currency as the service names it: by its symbol, or by its mint. Null is SOL. */
export const mintOf = (currency: string, environment: EnvironmentName): string | null => {
  const found = knownCurrencies(environment).find(({ symbol }) => symbol === currency.toLowerCase());
  return found === undefined ? currency : found.mint;
};
