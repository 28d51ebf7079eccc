import { texts } from "../texts.js";
import { AddressText } from "./address.js";
import { Amount } from "./amount.js";
import { currenciesOf, type EnvironmentName } from "./currencies.js";

/** An exact amount of an environment's currency: of an unknown mint in base units, with the whole mint. */
export function MoneyIn({
  environment,
  units,
  mint,
}: {
  readonly environment: EnvironmentName;
  /** Base units, as whole number in text. */
  readonly units: string | bigint;
  /** Null is SOL. */
  readonly mint: string | null;
}) {
  const currency = currenciesOf(environment).find((one) => one.mint === mint);
  if (currency !== undefined) return <Amount units={units} decimals={currency.decimals} symbol={currency.symbol} />;
  return (
    <>
      <Amount units={units} decimals={0} /> {texts.baseUnits} <AddressText address={String(mint)} isWhole />
    </>
  );
}
