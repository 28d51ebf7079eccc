import { useQueryClient } from "@tanstack/react-query";
import type { Account, Balances, Proposal, SpendingLimit, StandingOrder, Transfer } from "@trellis/sdk";
import { lazy, Suspense } from "react";
import { AddressText } from "../parts/address.js";
import { Amount } from "../parts/amount.js";
import { ApiError, call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { CsvButton } from "../parts/csv-button.js";
import { useLabels } from "../parts/labels.js";
import { LeftOf } from "../parts/left-of.js";
import { ListView, Rows } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList, useRead } from "../parts/reads.js";
import { useMay, usePlace } from "../parts/session.js";
import { Card, Failure, Loading, State } from "../parts/states.js";
import { texts } from "../texts.js";
import { ProposalRows } from "./proposals.js";

const words = texts.account;
const BalanceChart = lazy(() => import("../parts/balance-chart.js"));

/** One account: its rules, what it holds and held, what moved, and who may use it. */
export function AccountPage({ address }: { readonly address: string }) {
  const path = `/accounts/${encodeURIComponent(address)}`;
  const found = useRead<Account>(path);
  const account = found.data;
  const signers = account?.policies.signers ?? [];
  const labels = useLabels([address, ...signers.map((signer) => signer.address)], address);
  if (account === undefined) {
    if (found.error instanceof ApiError && found.error.status === 404) return <p>{texts.accounts.noAccount}</p>;
    return found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : <Loading />;
  }
  const { policies } = account;
  return (
    <>
      <h1>
        <AddressText address={address} label={labels.get(address)} isWhole />
      </h1>
      <div className="cards">
        <Card title={words.facts}>
          <dl className="facts">
            <dt>{texts.accounts.type}</dt>
            <dd>{account.type}</dd>
            <dt>{words.email}</dt>
            <dd>{account.email === undefined ? texts.none : <OutsideText text={account.email} />}</dd>
            <dt>{words.memo}</dt>
            <dd>{account.memo === undefined ? texts.none : <OutsideText text={account.memo} />}</dd>
            <dt>{texts.accounts.threshold}</dt>
            <dd>{texts.accounts.thresholdOf(policies.threshold, signers.length)}</dd>
            <dt>{words.timeLock}</dt>
            <dd>{words.seconds(policies.time_lock)}</dd>
            <dt>{words.protection}</dt>
            <dd>{account.protection}</dd>
            <dt>{words.settings}</dt>
            <dd>
              <AddressText address={account.settings_address} isWhole />
            </dd>
            <dt>{texts.accounts.created}</dt>
            <dd>
              <Moment at={account.created_at} />
            </dd>
          </dl>
        </Card>
        <HeldBalances path={path} />
      </div>
      <Card title={words.signers}>
        <Rows
          rows={signers}
          caption={words.signers}
          keyOf={(signer) => signer.address}
          columns={[
            {
              title: texts.accounts.address,
              cell: (signer) => <AddressText address={signer.address} label={labels.get(signer.address)} isWhole />,
            },
            { title: words.permissions, cell: ({ permissions }) => permissions.map(permissionName).join(", ") },
            {
              title: words.provider,
              cell: ({ provider }) => (provider === undefined || provider === "external" ? words.ownKey : provider),
            },
          ]}
        />
      </Card>
      <Card title={words.chart}>
        <Suspense fallback={<Loading />}>
          <BalanceChart path={path} />
        </Suspense>
      </Card>
      <History path={path} account={address} />
      <Card title={words.proposals}>
        <AccountProposals path={path} />
      </Card>
      <div className="cards">
        <Limits path={path} />
        <Orders path={path} />
      </div>
      {account.type === "email" ? <Sessions account={account} /> : null}
    </>
  );
}

const permissionName = (permission: string): string => permission.replace(/^CAN_/, "").toLowerCase();

function HeldBalances({ path }: { readonly path: string }) {
  const found = useRead<Balances>(`${path}/balances`, { limit: 100 }, { everyMs: 15_000 });
  return (
    <Card title={words.balances}>
      {found.data === undefined ? (
        found.error ? (
          <Failure error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <Loading />
        )
      ) : (
        <Rows
          rows={found.data.tokens}
          caption={words.balances}
          keyOf={({ token_address }) => token_address}
          columns={[
            {
              title: texts.proposals.token,
              cell: ({ symbol, token_address }) => symbol ?? <AddressText address={token_address} />,
            },
            {
              title: words.amount,
              isNumber: true,
              cell: ({ amount_decimal }) => <span className="amount">{amount_decimal}</span>,
            },
          ]}
        />
      )}
    </Card>
  );
}

function History({ path, account }: { readonly path: string; readonly account: string }) {
  const held = useRead<Balances>(`${path}/balances`, { limit: 100 });
  const symbols = new Map(held.data?.tokens.map(({ token_address, symbol }) => [token_address, symbol]));
  const list = useList<Transfer>(`${path}/transfers`, {});
  const parties = (list.rows ?? []).flatMap(({ Spl }) => (Spl === undefined ? [] : [Spl.from_address, Spl.to_address]));
  const labels = useLabels(parties, account);
  return (
    <Card title={words.history} action={<CsvButton path={`${path}/transfers`} name={`transfers-${account}.csv`} />}>
      <ListView
        list={list}
        caption={words.historyCaption}
        empty={words.noHistory}
        keyOf={({ Spl, Bridge }) => Spl?.id ?? Bridge?.id ?? ""}
        columns={[
          { title: words.when, cell: ({ Spl, Bridge }) => <Moment at={(Spl ?? Bridge)?.created_at} /> },
          { title: words.direction, cell: ({ Spl, Bridge }) => (Spl ?? Bridge)?.direction ?? texts.none },
          {
            title: words.amount,
            isNumber: true,
            cell: ({ Spl, Bridge }) => {
              if (Spl === undefined) return <OutsideText text={`${Bridge?.amount} ${Bridge?.currency}`} />;
              return <Amount units={Spl.amount} decimals={Spl.decimals} symbol={symbols.get(Spl.mint)} />;
            },
          },
          {
            title: words.counterparty,
            cell: ({ Spl }) => {
              if (Spl === undefined) return texts.none;
              const other = Spl.direction === "inflow" ? Spl.from_address : Spl.to_address;
              return <AddressText address={other} label={labels.get(other)} />;
            },
          },
          {
            title: words.state,
            cell: ({ Spl, Bridge }) => <State value={Spl?.confirmation_status ?? Bridge?.state ?? ""} />,
          },
        ]}
      />
    </Card>
  );
}

function AccountProposals({ path }: { readonly path: string }) {
  return <ProposalRows list={useList<Proposal>(`${path}/proposals`, { limit: 10 })} />;
}

function Limits({ path }: { readonly path: string }) {
  const list = useList<SpendingLimit>(`${path}/spending-limits`);
  return (
    <Card title={words.limits}>
      <ListView
        list={list}
        caption={words.limits}
        empty={words.noLimits}
        keyOf={({ address }) => address}
        columns={[
          { title: texts.accounts.address, cell: ({ address }) => <AddressText address={address} /> },
          { title: texts.limits.period, cell: ({ period }) => period.replaceAll("_", " ") },
          {
            title: texts.limits.left,
            isNumber: true,
            cell: ({ remaining_amount, amount, mint }) => <LeftOf left={remaining_amount} all={amount} mint={mint} />,
          },
        ]}
      />
    </Card>
  );
}

function Orders({ path }: { readonly path: string }) {
  const list = useList<StandingOrder>(`${path}/standing-orders`);
  return (
    <Card title={words.orders}>
      <ListView
        list={list}
        caption={words.orders}
        empty={words.noOrders}
        keyOf={({ id }) => id}
        columns={[
          {
            title: words.amount,
            cell: ({ ui_amount, currency, frequency }) => `${ui_amount} ${currency.toUpperCase()}, ${frequency}`,
          },
          { title: texts.orders.next, cell: ({ next_execution_date }) => <Moment at={next_execution_date} /> },
          { title: words.state, cell: ({ status }) => <State value={status} /> },
        ]}
      />
    </Card>
  );
}

interface HeldSession {
  readonly id: string;
  readonly created_at: string;
  readonly expires_at: string;
}

function Sessions({ account }: { readonly account: Account }) {
  const { environment } = usePlace();
  const client = useQueryClient();
  const mayEnd = useMay("auth:write");
  const path = `/users/${encodeURIComponent(account.grid_user_id)}/sessions`;
  const list = useList<HeldSession>(path);
  return (
    <Card
      title={words.sessions}
      action={
        mayEnd && (list.rows?.length ?? 0) > 0 ? (
          <ConfirmButton
            title={words.endSessions}
            isDangerous
            run={(idempotencyKey) => call({ method: "DELETE", path, environment, idempotencyKey })}
            onDone={() => void client.invalidateQueries({ queryKey: [environment, path] })}
          >
            <p>{words.endSessionsWhat}</p>
          </ConfirmButton>
        ) : undefined
      }
    >
      <ListView
        list={list}
        caption={words.sessions}
        empty={words.noSessions}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.people.created, cell: ({ created_at }) => <Moment at={created_at} /> },
          { title: texts.sessions.until, cell: ({ expires_at }) => <Moment at={expires_at} /> },
        ]}
      />
    </Card>
  );
}
