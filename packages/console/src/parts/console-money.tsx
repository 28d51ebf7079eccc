import { type EnvironmentName, mintOf } from "./currencies.js";
import { MoneyIn } from "./money.js";
import { usePlace } from "./session.js";

/** An exact amount in the console's environment, of a mint (null is SOL) or of a currency by its symbol or mint. */
export function Money({
  units,
  ...of
}: { readonly units: string | bigint } & ({ readonly mint: string | null } | { readonly currency: string })) {
  const environment = usePlace().environment as EnvironmentName;
  return (
    <MoneyIn environment={environment} units={units} mint={"mint" in of ? of.mint : mintOf(of.currency, environment)} />
  );
}
