import type { Proposal, TrellisEvent, WebhookEndpoint } from "@trellis/sdk";
import { AddressText } from "../parts/address.js";
import { formatUnits } from "../parts/amount.js";
import { call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList, useRead } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { useMay, usePlace, useRefreshSession } from "../parts/session.js";
import { Card, Failure, Loading, State } from "../parts/states.js";
import { texts } from "../texts.js";
import { ProposalRows } from "./proposals.js";
import type { KeptRequest } from "./request.js";

const words = texts.overview;

/** What somebody who runs Trellis looks at first. */
export default function Overview() {
  const { session } = usePlace();
  return (
    <>
      <h1>
        {words.title}{" "}
        <small className="faint">
          <OutsideText text={session.tenant.name} />
        </small>
      </h1>
      {useMay("proposals:read") ? <Waiting /> : null}
      <div className="cards">
        {useMay("accounts:read") ? <Budgets /> : null}
        {useMay("audit:read") ? <Refused /> : null}
        {useMay("webhooks:read") ? <Endpoints /> : null}
        {useMay("webhooks:read") ? <Events /> : null}
        {useMay("proposals:read") ? <OwnMails /> : null}
      </div>
    </>
  );
}

function OwnMails() {
  const { session } = usePlace();
  const { proposal_mails: isOn } = session.member;
  return (
    <Card title={words.mails}>
      <p>{isOn ? words.mailsOn : words.mailsOff}</p>
      <ConfirmButton
        title={isOn ? words.turnMailsOff : words.turnMailsOn}
        run={() => call({ method: "PATCH", path: "/console/member", body: { proposal_mails: !isOn } })}
        onDone={useRefreshSession()}
      >
        <p>{words.mailsWhat}</p>
      </ConfirmButton>
    </Card>
  );
}

function More({ to }: { readonly to: string }) {
  const { environment } = usePlace();
  return <a href={hrefOf(environment, [to])}>{words.all}</a>;
}

function Waiting() {
  return (
    <Card title={words.waiting} action={<More to="proposals" />}>
      <ProposalRows list={useList<Proposal>("/proposals", { status: "Active", limit: 5 }, { everyMs: 15_000 })} />
    </Card>
  );
}

interface BudgetReport {
  readonly fee_payer: {
    readonly address: string;
    readonly lamports: string | null;
    readonly days_left: number | null;
  };
  readonly budgets: readonly {
    readonly of: "tenant" | "service";
    readonly pays: "fees" | "openings";
    readonly limit: string;
    readonly used: string;
  }[];
}

function Budgets() {
  const { environment } = usePlace();
  const found = useRead<BudgetReport>("/budgets", {}, { everyMs: 60_000 });
  return (
    <Card title={words.budgets} key={environment}>
      {found.data === undefined ? (
        found.error ? (
          <Failure error={found.error} />
        ) : (
          <Loading />
        )
      ) : (
        <dl className="facts">
          <dt>{words.feePayer}</dt>
          <dd>
            <AddressText address={found.data.fee_payer.address} />
            <br />
            {found.data.fee_payer.lamports === null
              ? texts.none
              : `${formatUnits(found.data.fee_payer.lamports, 9)} SOL`}
            ,{" "}
            {found.data.fee_payer.days_left === null
              ? words.notSpending
              : words.daysLeft(found.data.fee_payer.days_left)}
          </dd>
          {found.data.budgets.map(({ of, pays, limit, used }) => (
            <div className="member" key={`${of} ${pays}`}>
              <dt>{words.budget(of, pays)}</dt>
              <dd>
                <meter
                  className="meter"
                  min={0}
                  max={1}
                  value={Number(used) / Math.max(1, Number(limit))}
                  aria-label={words.budget(of, pays)}
                />
                {words.usedOf(`${formatUnits(used, 9)} SOL`, `${formatUnits(limit, 9)} SOL`)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

function Refused() {
  const { environment } = usePlace();
  const list = useList<KeptRequest>("/requests", { status: "refused", limit: 5 }, { everyMs: 15_000 });
  return (
    <Card title={words.refused} action={<More to="requests" />}>
      <ListView
        list={list}
        caption={words.refused}
        empty={words.noneRefused}
        keyOf={({ request_id }) => request_id}
        columns={[
          { title: texts.account.when, cell: ({ at }) => <Moment at={at} /> },
          {
            title: texts.requests.call,
            cell: ({ request_id, method, path }) => (
              <a href={hrefOf(environment, ["requests", request_id])}>
                <code>{`${method} ${path}`}</code>
              </a>
            ),
          },
          { title: texts.requests.answer, cell: ({ status, error_code }) => `${status} ${error_code ?? ""}` },
        ]}
      />
    </Card>
  );
}

function Endpoints() {
  const list = useList<WebhookEndpoint>("/webhook-endpoints", {}, { everyMs: 30_000 });
  return (
    <Card title={words.deliveries} action={<More to="webhooks" />}>
      <ListView
        list={list}
        caption={words.deliveries}
        empty={words.noEndpoints}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.webhooks.url, cell: ({ url }) => <OutsideText text={url} /> },
          {
            title: texts.account.state,
            cell: ({ status, failing_since }) =>
              failing_since === undefined ? (
                <State value={status} tone={status === "enabled" ? "good" : "bad"} />
              ) : (
                <State value={texts.webhooks.failing} tone="bad" />
              ),
          },
        ]}
      />
    </Card>
  );
}

function Events() {
  const list = useList<TrellisEvent>("/events", { limit: 8, order: "desc" }, { everyMs: 10_000 });
  return (
    <Card title={words.events} action={<More to="events" />}>
      <ListView
        list={list}
        caption={words.events}
        empty={words.noEvents}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.account.when, cell: ({ timestamp }) => <Moment at={timestamp} /> },
          { title: texts.events.type, cell: ({ type }) => <code>{type}</code> },
        ]}
      />
    </Card>
  );
}
