import { type Currency, currenciesOf } from "../../parts/currencies.js";
import { ChoiceField } from "../../parts/fields.js";
import { MoneyIn } from "../../parts/money.js";
import { usePlace } from "../place.js";

/** Every currency that the client library knows in this environment. */
export function useCurrencies(): readonly Currency[] {
  return currenciesOf(usePlace().environment);
}

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

/** An exact amount in the environment of these pages: of an unknown mint in base units, with the whole mint. */
export function Money(of: { readonly units: string | bigint; readonly mint: string | null }) {
  return <MoneyIn environment={usePlace().environment} {...of} />;
}
