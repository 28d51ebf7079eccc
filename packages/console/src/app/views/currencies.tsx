import { knownCurrencies } from "@trellis/sdk";
import { AddressText } from "../../parts/address.js";
import { Amount } from "../../parts/amount.js";
import { ChoiceField } from "../../parts/fields.js";
import { usePlace } from "../place.js";
import { texts } from "../texts.js";

/** A currency whose decimals do not depend on what a service says. */
export interface Currency {
  /** In capitals. */
  readonly symbol: string;
  /** Null is SOL. */
  readonly mint: string | null;
  readonly decimals: number;
}

/** Every currency that the client library knows in this environment. */
export function useCurrencies(): readonly Currency[] {
  return currenciesOf(usePlace().environment);
}

export const currenciesOf = (environment: Parameters<typeof knownCurrencies>[0]): readonly Currency[] =>
  knownCurrencies(environment).map(({ symbol, ...rest }) => ({ symbol: symbol.toUpperCase(), ...rest }));

/** What is paid where nothing was chosen: a token before SOL, which accounts hold for fees. */
export const usualOf = <One extends { readonly mint: string | null }>(currencies: readonly One[]): One | undefined =>
  currencies.find(({ mint }) => mint !== null) ?? currencies[0];

/** What requests call a currency. */
export const nameOf = ({ mint }: { readonly mint: string | null }): string => mint ?? "sol";

/** One of some currencies. What is chosen is the very one whose title is shown, so that no other can be paid than that. */
export function CurrencyField<One extends { readonly mint: string | null }>({
  label,
  value,
  onValue,
  options,
  titleOf,
}: {
  readonly label: string;
  /** One of the options. */
  readonly value: One;
  readonly onValue: (value: One) => void;
  readonly options: readonly One[];
  readonly titleOf: (one: One) => string;
}) {
  return (
    <ChoiceField
      label={label}
      value={nameOf(value)}
      onValue={(name) => {
        const chosen = options.find((one) => nameOf(one) === name);
        if (chosen !== undefined) onValue(chosen);
      }}
      options={options.map((one) => ({ value: nameOf(one), title: titleOf(one) }))}
    />
  );
}

/** What a currency is called that these pages know. */
export const symbolOf = ({ symbol }: Currency): string => symbol;

/** An exact amount: of an unknown mint in base units, with the whole mint. */
export function Money({ units, mint }: { readonly units: string | bigint; readonly mint: string | null }) {
  const currency = useCurrencies().find((one) => one.mint === mint);
  if (currency !== undefined) return <Amount units={units} decimals={currency.decimals} symbol={currency.symbol} />;
  return (
    <>
      <Amount units={units} decimals={0} /> {texts.decisions.baseUnits} <AddressText address={String(mint)} isWhole />
    </>
  );
}

/** The mint of a currency as standing orders name it: by its symbol, or by its mint. Null is SOL. */
export const mintOf = (currency: string, environment: Parameters<typeof knownCurrencies>[0]): string | null => {
  const found = knownCurrencies(environment).find(({ symbol }) => symbol === currency.toLowerCase());
  return found === undefined ? currency : found.mint;
};
