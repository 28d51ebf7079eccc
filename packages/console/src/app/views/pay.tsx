import { type OwnedAccount, useAccount } from "@trellis/react";
import { hrefOf, usePlace } from "../place.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";
import { type Holding, useHoldings } from "./holdings.js";
import { useKnownAddresses } from "./known-addresses.js";
import { PayMany } from "./pay-many.js";
import { PayOne } from "./pay-one.js";
import { accountPollMs, Loaded } from "./read-states.js";

const words = texts.pay;

/** Paying: one payee at once or by a vote, many by a vote. */
export default function Pay({ parts: [way] }: ViewProps) {
  const place = usePlace();
  const isMany = way === "many";
  const account = useAccount({ pollMs: accountPollMs });
  const { holdings, ...read } = useHoldings();
  // Without them no look-alike would be noticed.
  const known = useKnownAddresses();
  const ready = account.data && holdings && known.isWhole ? { account: account.data, holdings } : undefined;
  const failed = known.error === undefined ? read : known;
  return (
    <>
      <h1>{texts.views.pay}</h1>
      <nav className="tabs" aria-label={words.ways}>
        <a href={hrefOf(place, ["pay"])} aria-current={isMany ? undefined : "page"}>
          {words.one}
        </a>
        <a href={hrefOf(place, ["pay", "many"])} aria-current={isMany ? "page" : undefined}>
          {words.many}
        </a>
      </nav>
      <Loaded read={{ ...failed, data: ready }}>{(given) => <Ways isMany={isMany} {...given} />}</Loaded>
    </>
  );
}

/** What both ways to pay are given. */
export interface PayProps {
  readonly account: OwnedAccount;
  readonly holdings: readonly Holding[];
}

function Ways({ isMany, account, holdings }: PayProps & { readonly isMany: boolean }) {
  const payable = holdings.filter(({ held }) => held > 0n);
  if (account.own.way === "none") return <p className="notice">{words.none}</p>;
  if (payable.length === 0) return <p className="notice">{words.nothing}</p>;
  return isMany ? <PayMany account={account} holdings={payable} /> : <PayOne account={account} holdings={payable} />;
}
