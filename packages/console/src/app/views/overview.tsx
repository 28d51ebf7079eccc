import { type OwnedAccount, useAccount, useHistory, usePayment, useProposals } from "@trellis/react";
import type { Proposal } from "@trellis/sdk";
import { lazy, Suspense } from "react";
import { AddressText } from "../../parts/address.js";
import { Amount } from "../../parts/amount.js";
import { Rows } from "../../parts/list-view.js";
import { Card, Loading } from "../../parts/states.js";
import { hrefOf, usePlace } from "../place.js";
import { texts } from "../texts.js";
import { useHoldings } from "./holdings.js";
import { PaymentProgress } from "./payment-progress.js";
import { type Group, groupOf } from "./proposal-groups.js";
import { accountPollMs, Loaded } from "./read-states.js";
import { sentencesOf } from "./rules-in-words.js";
import { TransferRows } from "./transfer-rows.js";

const words = texts.overview;
// What draws is large, and not needed to read the balances.
const BalancesOverTime = lazy(() => import("./balances-over-time.js"));

/** The account on one page: what it holds, what waits, what was paid, and who decides. */
export default function Overview() {
  const place = usePlace();
  const account = useAccount({ pollMs: accountPollMs });
  const list = useHistory({ limit: 5, pollMs: 60_000 });
  const payment = usePayment();
  return (
    <>
      <h1>{texts.views.overview}</h1>
      <PaymentProgress payment={payment} />
      <div className="cards">
        <Card title={words.balances} action={<a href={hrefOf(place, ["receive"])}>{words.toReceive}</a>}>
          <Balances />
        </Card>
        <div>
          <Card title={words.waiting}>
            <Waiting account={account.data} />
          </Card>
          <Card title={words.rules} action={<a href={hrefOf(place, ["rules"])}>{words.allRules}</a>}>
            <Loaded read={account}>{(found) => <p>{sentencesOf(found).join(" ")}</p>}</Loaded>
          </Card>
        </div>
      </div>
      <Card title={words.address}>
        <AddressText address={place.account} isWhole />
      </Card>
      <Card title={words.last} action={<a href={hrefOf(place, ["history"])}>{words.allPayments}</a>}>
        <TransferRows list={{ ...list, hasMore: false }} empty={texts.history.empty} />
      </Card>
      <Card title={words.chart}>
        <Suspense fallback={<Loading />}>
          <BalancesOverTime />
        </Suspense>
      </Card>
    </>
  );
}

function Balances() {
  const { holdings, ...read } = useHoldings();
  return (
    <Loaded read={{ ...read, data: holdings }}>
      {(held) =>
        held.length === 0 ? (
          <p className="faint">{words.nothingHeld}</p>
        ) : (
          <Rows
            rows={held}
            caption={words.balancesCaption}
            keyOf={({ currency }) => currency}
            columns={[
              {
                title: words.currency,
                cell: ({ currency, isKnown, mint }) =>
                  isKnown || mint === null ? currency.toUpperCase() : <AddressText address={mint} isWhole />,
              },
              {
                title: words.amount,
                isNumber: true,
                cell: ({ held: units, decimals, currency, isKnown }) => (
                  <Amount
                    units={units}
                    decimals={decimals}
                    symbol={isKnown ? currency.toUpperCase() : texts.money.baseUnits}
                  />
                ),
              },
            ]}
          />
        )
      }
    </Loaded>
  );
}

function Waiting({ account }: { readonly account: OwnedAccount | undefined }) {
  const place = usePlace();
  const proposals = useProposals({ status: ["Active", "Approved"], limit: 100, pollMs: 60_000 });
  return (
    <Loaded read={{ ...proposals, data: account && proposals.data && waitingIn(proposals.data, account) }}>
      {({ toVote, toExecute }) => (
        <>
          {toVote.length + toExecute.length === 0 ? <p className="faint">{words.noneWaiting}</p> : null}
          {[
            { waiting: toVote, sentence: words.toVote },
            { waiting: toExecute, sentence: words.toExecute },
          ].map(({ waiting, sentence }) =>
            waiting.length === 0 ? null : (
              <div key={sentence(0)}>
                <p>{sentence(waiting.length)}</p>
                <ul>
                  {waiting.map(({ proposalAddress, transactionIndex }) => (
                    <li key={proposalAddress}>
                      <a href={hrefOf(place, ["inbox", proposalAddress])}>{words.proposal(transactionIndex)}</a>
                    </li>
                  ))}
                </ul>
              </div>
            ),
          )}
        </>
      )}
    </Loaded>
  );
}

/** What waits for the reader: a vote of theirs, and what they may execute. */
function waitingIn(proposals: readonly Proposal[], { policies, own }: OwnedAccount) {
  const of = (group: Group) => proposals.filter((proposal) => groupOf(proposal, policies, own.signers) === group);
  return { toVote: of("mine"), toExecute: own.permissions.includes("CAN_EXECUTE") ? of("approved") : [] };
}
