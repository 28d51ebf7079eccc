import type { Deposit, VirtualAccount } from "@trellis/sdk";
import { useState } from "react";
import { AddressText } from "../parts/address.js";
import { useLabels } from "../parts/labels.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList, useRead } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { useMay, usePlace } from "../parts/session.js";
import { Card, Failure, Loading, State } from "../parts/states.js";
import { texts } from "../texts.js";
import { PayIn, SwitchVirtualAccount } from "./sandbox-partner.js";

const words = texts.rails;

/** One virtual account: where it stands, and what was paid in. Its bank details are shown by their end alone. */
export function VirtualAccountPage({ account, id }: { readonly account: string; readonly id: string }) {
  const path = `/accounts/${encodeURIComponent(account)}/virtual-accounts`;
  const found = useRead<readonly VirtualAccount[]>(path, {}, { everyMs: 15_000 });
  const one = found.data?.find((each) => each.id === id);
  if (one === undefined) {
    return (
      <>
        <h1>{words.one}</h1>
        {found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : null}
        {found.data === undefined ? found.error ? null : <Loading /> : <p>{words.noSuchVirtualAccount}</p>}
      </>
    );
  }
  return (
    <>
      <h1>
        {words.endingIn(one.currency.toUpperCase(), one.last_4)} <VirtualAccountState status={one.status} />
      </h1>
      <Card title={words.one}>
        <Facts of={one} />
        <Moves of={one} />
      </Card>
      <Deposits path={`${path}/${encodeURIComponent(id)}/deposits`} />
    </>
  );
}

function Facts({ of }: { readonly of: VirtualAccount }) {
  const { environment } = usePlace();
  const labels = useLabels([of.account], of.account);
  return (
    <dl className="facts">
      <dt>{texts.events.id}</dt>
      <dd>
        <code>{of.id}</code>
      </dd>
      <dt>{texts.payments.account}</dt>
      <dd>
        <AddressText address={of.account} label={labels.get(of.account)} isWhole />{" "}
        <a href={hrefOf(environment, ["accounts", of.account])}>{texts.payments.open}</a>
      </dd>
      <dt>{words.bank}</dt>
      <dd>
        <OutsideText text={of.source_deposit_instructions.bank_name ?? texts.none} />
      </dd>
      <dt>{words.ways}</dt>
      <dd>{of.payment_rails.map((rail) => rail.replaceAll("_", " ")).join(", ")}</dd>
      <dt>{words.coin}</dt>
      <dd>{of.destination.currency.toUpperCase()}</dd>
      <dt>{words.fee}</dt>
      <dd>{words.percent(of.developer_fee_percent)}</dd>
      <dt>{texts.accounts.created}</dt>
      <dd>
        <Moment at={of.created_at} />
      </dd>
      <dt>{texts.labels.changed}</dt>
      <dd>
        <Moment at={of.updated_at} />
      </dd>
    </dl>
  );
}

/** What the sandbox's partner can do with it. */
function Moves({ of: { id } }: { readonly of: VirtualAccount }) {
  const { environment } = usePlace();
  const mayMove = useMay("sandbox:use");
  const [said, say] = useState("");
  if (!mayMove || environment !== "sandbox") return null;
  return (
    <>
      <p className="buttons">
        <PayIn of={id} onDone={say} />
        <SwitchVirtualAccount of={id} onDone={say} />
      </p>
      <p role="status">
        <OutsideText text={said} />
      </p>
    </>
  );
}

function Deposits({ path }: { readonly path: string }) {
  const list = useList<Deposit>(path, {}, { everyMs: 15_000 });
  return (
    <Card title={words.deposits}>
      <ListView
        list={list}
        caption={words.depositsCaption}
        empty={words.noDeposit}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.account.when, cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            title: words.sender,
            cell: ({ sender_name }) => <OutsideText text={sender_name ?? texts.none} />,
          },
          {
            title: texts.account.amount,
            isNumber: true,
            cell: ({ amount, currency }) => (
              <span className="amount">
                {amount} {currency.toUpperCase()}
              </span>
            ),
          },
          {
            title: words.received,
            isNumber: true,
            cell: ({ received, destination }) =>
              received === undefined ? (
                texts.none
              ) : (
                <span className="amount">
                  {received.ui_amount} {destination.currency.toUpperCase()}
                </span>
              ),
          },
          {
            title: texts.account.state,
            cell: ({ state, credited }) => <State value={state} tone={credited ? "good" : "plain"} />,
          },
        ]}
      />
    </Card>
  );
}

export function VirtualAccountState({ status }: Pick<VirtualAccount, "status">) {
  return <State value={status} tone={status === "activated" ? "good" : "bad"} />;
}
