import { useState } from "react";
import { texts } from "../texts.js";
import { formatUnits } from "./amount.js";
import { BalancePlot } from "./balance-plot.js";
import { useRead } from "./reads.js";
import { Failure, Loading } from "./states.js";

interface Point {
  readonly at: string;
  readonly balances: readonly { readonly token_address: string; readonly amount: string }[];
}

interface Token {
  readonly token_address: string;
  readonly symbol?: string;
  readonly decimals: number;
}

const words = texts.account;
const ranges = [30, 90, 365] as const;

/** What an account held at the end of each day, of one token at a time; the numbers are in a table, too. */
export default function BalanceChart({ path }: { readonly path: string }) {
  const [days, setDays] = useState<(typeof ranges)[number]>(30);
  const [chosen, choose] = useState<string>();
  const held = useRead<{ readonly tokens: readonly Token[] }>(`${path}/balances`, { limit: 100 });
  const [from] = useState(() => Date.now());
  const query = { interval: "day", from: new Date(from - days * 86_400_000).toISOString() };
  const found = useRead<{ readonly points: readonly Point[] } | readonly Point[]>(`${path}/balance-history`, query);
  const tokens = held.data?.tokens ?? [];
  const token = tokens.find(({ token_address }) => token_address === chosen) ?? tokens[0];
  if (found.data === undefined) return found.error ? <Failure error={found.error} /> : <Loading />;
  const points = "points" in found.data ? found.data.points : found.data;
  const values = points.map(({ at, balances }) => ({
    at,
    units: balances.find(({ token_address }) => token_address === token?.token_address)?.amount ?? "0",
  }));
  const name = token?.symbol ?? token?.token_address ?? "SOL";
  return (
    <>
      <div className="filters">
        <label>
          {texts.proposals.token}
          <select value={token?.token_address ?? ""} onChange={({ target }) => choose(target.value)}>
            {tokens.map(({ token_address, symbol }) => (
              <option key={token_address} value={token_address}>
                {symbol ?? token_address}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.range}
          <select value={days} onChange={({ target }) => setDays(Number(target.value) as (typeof ranges)[number])}>
            {ranges.map((each) => (
              <option key={each} value={each}>
                {words.days(each)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {token === undefined || values.length === 0 ? (
        <p className="faint">{words.noChart}</p>
      ) : (
        <>
          <BalancePlot title={words.chartOf(name)} values={values} decimals={token.decimals} />
          <details>
            <summary>{words.asTable}</summary>
            <ol className="plain">
              {values.map(({ at, units }) => (
                <li key={at}>
                  <time dateTime={at}>{at.slice(0, 10)}</time>: {formatUnits(units, token.decimals)} {name}
                </li>
              ))}
            </ol>
          </details>
        </>
      )}
    </>
  );
}
