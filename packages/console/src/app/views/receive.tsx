import { useDeposits, useVirtualAccounts } from "@trellis/react";
import { knownCurrencies, type VirtualAccount } from "@trellis/sdk";
import { lazy, Suspense } from "react";
import { AddressText } from "../../parts/address.js";
import { Fold } from "../../parts/fold.js";
import { Moment } from "../../parts/moment.js";
import { OutsideText } from "../../parts/outside-text.js";
import { Card, Loading, State } from "../../parts/states.js";
import { usePlace } from "../place.js";
import { texts } from "../texts.js";
import { useNames } from "./named.js";
import { Listed, Loaded } from "./read-states.js";

const words = texts.receive;
const QrCode = lazy(() => import("./qr-code.js"));

/** Where money for the account is sent: its address, and its bank accounts. */
export default function Receive() {
  const { account, environment } = usePlace();
  const names = useNames([account]);
  return (
    <>
      <h1>{texts.views.receive}</h1>
      {environment === "mainnet" ? null : <p className="notice">{words.play}</p>}
      <div className="cards">
        <Card title={words.address}>
          <p>{words.what}</p>
          <AddressText address={account} label={names.get(account)} isWhole />
          <Suspense fallback={<Loading />}>
            <QrCode text={account} title={words.qr} />
          </Suspense>
          <p className="faint">{words.qrWhat}</p>
        </Card>
        <Card title={words.arrives}>
          <p>{words.arrivesWhat}</p>
          <dl className="facts">
            {knownCurrencies(environment).map(({ symbol, mint }) => (
              <div key={symbol} className="member">
                <dt>{symbol.toUpperCase()}</dt>
                <dd>
                  {mint === null ? (
                    words.native
                  ) : (
                    <>
                      {words.mintOf(symbol.toUpperCase())} <AddressText address={mint} isWhole />
                    </>
                  )}
                </dd>
              </div>
            ))}
          </dl>
          <p className="faint">{words.otherTokens}</p>
        </Card>
      </div>
      <BankAccounts />
    </>
  );
}

function BankAccounts() {
  const found = useVirtualAccounts();
  // The tenant's key decides whether these pages have banks at all.
  if (found.error?.code === "insufficient_scope") return null;
  return (
    <Loaded read={found}>
      {(accounts) =>
        accounts.length === 0 ? (
          <Card title={words.bank}>
            <p className="faint">{words.noBank}</p>
          </Card>
        ) : (
          accounts.map((each) => <BankAccount key={each.id} of={each} />)
        )
      }
    </Loaded>
  );
}

function BankAccount({ of }: { readonly of: VirtualAccount }) {
  const { id, currency, status, destination, developer_fee_percent, source_deposit_instructions: details } = of;
  const lines = Object.entries(details).filter(([name, value]) => typeof value === "string" && name !== "currency");
  return (
    <Card title={words.bankOf(currency.toUpperCase())}>
      {status === "activated" ? (
        <p>
          <OutsideText text={words.becomes(destination.currency.toUpperCase())} />
        </p>
      ) : (
        <p role="alert" className="notice alarm">
          {words.deactivated}
        </p>
      )}
      {status === "activated" ? (
        <dl className="facts">
          {lines.map(([name, value]) => (
            <div key={name} className="member">
              <dt>
                <OutsideText text={name.replace(/^bank_/, "").replaceAll("_", " ")} />
              </dt>
              <dd>
                <OutsideText text={String(value)} />
              </dd>
            </div>
          ))}
          <div className="member">
            <dt>{words.rails}</dt>
            <dd>
              <OutsideText text={details.payment_rails.map((rail) => rail.replaceAll("_", " ")).join(", ")} />
            </dd>
          </div>
          {Number(developer_fee_percent) === 0 ? null : (
            <div className="member">
              <dt>{words.fee}</dt>
              <dd>
                <OutsideText text={words.percent(developer_fee_percent)} />
              </dd>
            </div>
          )}
        </dl>
      ) : null}
      <Fold title={words.deposits}>{() => <Deposits of={id} />}</Fold>
    </Card>
  );
}

function Deposits({ of }: { readonly of: string }) {
  return (
    <Listed
      list={useDeposits(of)}
      caption={words.deposits}
      empty={words.noDeposits}
      keyOf={({ id }) => id}
      columns={[
        { title: words.when, cell: ({ created_at }) => <Moment at={created_at} /> },
        {
          title: words.amount,
          isNumber: true,
          cell: ({ amount, currency }) => <OutsideText text={`${amount} ${currency.toUpperCase()}`} />,
        },
        {
          title: words.sender,
          cell: ({ sender_name }) => (sender_name === undefined ? "–" : <OutsideText text={sender_name} />),
        },
        {
          title: words.state,
          cell: ({ state, credited }) =>
            credited ? <State value={words.credited} tone="good" /> : <OutsideText text={state.replaceAll("_", " ")} />,
        },
      ]}
    />
  );
}
