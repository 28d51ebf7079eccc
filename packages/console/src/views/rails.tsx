import type { KycRecord, VirtualAccount } from "@trellis/sdk";
import { useState } from "react";
import { AddressText } from "../parts/address.js";
import { Filters } from "../parts/filters.js";
import { useLabels } from "../parts/labels.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { useMay, usePlace } from "../parts/session.js";
import { Card, State } from "../parts/states.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";
import { DecideVerification } from "./sandbox-partner.js";
import { VirtualAccountPage, VirtualAccountState } from "./virtual-account.js";

const words = texts.rails;
type VerificationState = keyof typeof words.states;

/** Who was verified and where banks pay in, over all accounts; or one virtual account: `rails/ACCOUNT/VIRTUAL-ACCOUNT`. */
export default function Rails({ parts, query }: ViewProps) {
  const [account, id] = parts;
  if (account !== undefined && id !== undefined) return <VirtualAccountPage account={account} id={id} key={id} />;
  return <Lists query={query} />;
}

function Lists({ query }: Pick<ViewProps, "query">) {
  const of = (name: string) => query.get(name) ?? undefined;
  const mayReadAccounts = useMay("virtual-accounts:read");
  return (
    <>
      <h1>{texts.views.rails}</h1>
      <p className="faint">{words.what}</p>
      <Filters
        view="rails"
        query={query}
        fields={[
          { name: "verification", label: words.verification, options: Object.keys(words.states) },
          { name: "email", label: words.email },
          { name: "virtual_account", label: words.virtualAccount, options: ["activated", "deactivated"] },
          { name: "currency", label: words.currency, options: ["usd", "eur", "gbp", "mxn", "brl"] },
          { name: "account", label: texts.payments.account },
        ]}
      />
      <Verifications filter={{ status: of("verification"), email: of("email"), account: of("account") }} />
      {mayReadAccounts ? (
        <VirtualAccounts
          filter={{ status: of("virtual_account"), source_currency: of("currency"), account: of("account") }}
        />
      ) : null}
    </>
  );
}

type Filter = Readonly<Record<string, string | undefined>>;

function Verifications({ filter }: { readonly filter: Filter }) {
  const { environment } = usePlace();
  const mayDecide = useMay("sandbox:use") && environment === "sandbox";
  const [said, say] = useState("");
  const list = useList<KycRecord>("/verifications", filter, { everyMs: 15_000 });
  return (
    <Card title={words.verifications}>
      <p role="status">{said}</p>
      <ListView
        list={list}
        caption={words.verificationsCaption}
        empty={words.noVerification}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.accounts.created, cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            title: texts.payments.account,
            cell: ({ account }) =>
              account === undefined ? texts.none : <AccountLink account={account} rows={list.rows} />,
          },
          {
            title: texts.account.state,
            cell: ({ status, type, updated_at }) => (
              <>
                <State value={status} tone={toneOf(status)} /> {type}
                <div className="faint">
                  {words.since} <Moment at={updated_at} />
                </div>
              </>
            ),
          },
          { title: words.why, cell: (record) => <Reasons of={record} /> },
          { title: texts.events.id, cell: ({ id }) => <code>{id}</code> },
          ...(mayDecide
            ? [
                {
                  title: words.partner,
                  cell: ({ id }: KycRecord) => <DecideVerification of={id} onDone={say} />,
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
}

/** What the state means, what the partner refused it for, and what is still asked for. */
function Reasons({ of }: { readonly of: KycRecord }) {
  const { status, tos_status, rejection_reasons = [], requirements_due = [] } = of;
  return (
    <>
      {words.states[status]} {tos_status === "pending" ? words.noTerms : null}
      {rejection_reasons.map(({ code, message }) => (
        <div key={code}>
          <OutsideText text={message} />{" "}
          <code>
            <OutsideText text={code} />
          </code>
        </div>
      ))}
      {requirements_due.length === 0 ? null : (
        <div>
          {words.due} <OutsideText text={requirements_due.join(", ").replaceAll("_", " ")} />
        </div>
      )}
    </>
  );
}

function toneOf(status: VerificationState): "good" | "bad" | "waiting" | "plain" {
  if (status === "approved") return "good";
  if (status === "rejected") return "bad";
  return status === "not_started" ? "plain" : "waiting";
}

function VirtualAccounts({ filter }: { readonly filter: Filter }) {
  const { environment } = usePlace();
  const list = useList<VirtualAccount>("/virtual-accounts", filter, { everyMs: 15_000 });
  return (
    <Card title={words.virtualAccounts}>
      <ListView
        list={list}
        caption={words.virtualAccountsCaption}
        empty={words.noVirtualAccount}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.accounts.created, cell: ({ created_at }) => <Moment at={created_at} /> },
          { title: texts.payments.account, cell: ({ account }) => <AccountLink account={account} rows={list.rows} /> },
          {
            title: words.bankDetails,
            cell: ({ id, account, currency, last_4 }) => (
              <a href={hrefOf(environment, ["rails", account, id])}>{words.endingIn(currency.toUpperCase(), last_4)}</a>
            ),
          },
          { title: words.coin, cell: ({ destination }) => destination.currency.toUpperCase() },
          { title: texts.account.state, cell: ({ status }) => <VirtualAccountState status={status} /> },
        ]}
      />
    </Card>
  );
}

/** The account of a row, with its name; the names of all rows are asked for in one call. */
function AccountLink({
  account,
  rows = [],
}: {
  readonly account: string;
  readonly rows: readonly { readonly account?: string }[] | undefined;
}) {
  const { environment } = usePlace();
  const labels = useLabels(rows.flatMap((row) => (row.account === undefined ? [] : [row.account])));
  return (
    <>
      <AddressText address={account} label={labels.get(account)} />{" "}
      <a href={hrefOf(environment, ["accounts", account])}>{texts.payments.open}</a>
    </>
  );
}
