import { useBalanceHistory } from "@trellis/react";
import { useState } from "react";
import { formatUnits } from "../../parts/amount.js";
import { BalancePlot } from "../../parts/balance-plot.js";
import { ChoiceField } from "../../parts/fields.js";
import { texts } from "../texts.js";
import { useCurrencies } from "./currencies.js";
import { mintOfList } from "./holdings.js";
import { Loaded } from "./read-states.js";

const words = texts.overview;
const ranges = [30, 90, 365] as const;

/** What the account held at the end of each day, of one currency at a time. Days of which that is not known are left out. */
export default function BalancesOverTime() {
  const currencies = useCurrencies();
  const [days, setDays] = useState<number>(30);
  const [chosen, choose] = useState<string>();
  const history = useBalanceHistory({ days });
  return (
    <Loaded read={history}>
      {({ tokens, points }) => {
        const token = (tokens.find(({ token_address }) => token_address === chosen) ?? tokens[0])?.token_address;
        if (token === undefined) return <p className="faint">{words.noChart}</p>;
        const currencyOf = (address: string) => currencies.find(({ mint }) => mint === mintOfList(address));
        // Of a token that is not known here amounts are base units.
        const decimals = currencyOf(token)?.decimals ?? 0;
        const values = points.flatMap(({ at, balances }) => {
          const units = balances.find(({ token_address }) => token_address === token)?.amount ?? null;
          return units === null ? [] : [{ at, units }];
        });
        const nameOf = (address: string) => currencyOf(address)?.symbol ?? texts.money.token(address);
        return (
          <>
            <div className="filters">
              <ChoiceField
                label={words.chartToken}
                value={token}
                onValue={choose}
                options={tokens.map(({ token_address: value }) => ({ value, title: nameOf(value) }))}
              />
              <ChoiceField
                label={words.chartDays}
                value={String(days)}
                onValue={(value) => setDays(Number(value))}
                options={ranges.map((range) => ({ value: String(range), title: words.days(range) }))}
              />
            </div>
            {values.length === 0 ? (
              <p className="faint">{words.noChart}</p>
            ) : (
              <>
                <BalancePlot title={words.chartOf(nameOf(token))} values={values} decimals={decimals} />
                <details>
                  <summary>{words.asTable}</summary>
                  <ol className="plain">
                    {values.map(({ at, units }) => (
                      <li key={at}>
                        <time dateTime={at}>{at.slice(0, 10)}</time>: {formatUnits(units, decimals)} {nameOf(token)}
                      </li>
                    ))}
                  </ol>
                </details>
              </>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
