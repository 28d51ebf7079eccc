import type { ServiceStatus } from "@trellis/sdk";
import { AddressText } from "../parts/address.js";
import { Rows } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useRead } from "../parts/reads.js";
import { Card, Failure, Loading, State } from "../parts/states.js";
import { texts } from "../texts.js";

const words = texts.operations;
type Environment = ServiceStatus["environments"][number];

/** How the service is, for its operator. */
export default function Operations() {
  const found = useRead<ServiceStatus>("/status", {}, { everyMs: 10_000 });
  return (
    <>
      <h1>{words.title}</h1>
      {found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : null}
      {found.data === undefined ? found.error ? null : <Loading /> : <Status status={found.data} />}
    </>
  );
}

function Status({ status }: { readonly status: ServiceStatus }) {
  return (
    <>
      {status.custodian_log_faults.map((name) => (
        <p role="alert" className="notice alarm" key={name}>
          {words.custodianFault} <OutsideText text={name} />
        </p>
      ))}
      {status.unread.length === 0 ? null : (
        <p role="alert" className="notice alarm">
          {words.unread(status.unread.join(", "))}
        </p>
      )}
      <div className="cards">
        <Service status={status} />
        <Database of={status.database} />
      </div>
      {status.environments.map((environment) => (
        <EnvironmentCard of={environment} key={environment.environment} />
      ))}
      <Passes passes={status.passes} />
    </>
  );
}

function Service({ status }: { readonly status: ServiceStatus }) {
  return (
    <Card title={words.service}>
      <dl className="facts">
        <dt>{words.version}</dt>
        <dd>{status.version}</dd>
        <dt>{words.started}</dt>
        <dd>
          <Moment at={status.started_at} />
        </dd>
        <dt>{words.mail}</dt>
        <dd>{words.mails[status.mail]}</dd>
        <dt>{words.deliveries}</dt>
        <dd>{status.event_deliveries_pending ?? texts.none}</dd>
      </dl>
    </Card>
  );
}

function Database({ of }: { readonly of: ServiceStatus["database"] }) {
  return (
    <Card title={words.database}>
      <dl className="facts">
        <dt>{texts.account.state}</dt>
        <dd>
          <Answers does={of.answers} />
        </dd>
        <dt>{words.kind}</dt>
        <dd>
          {of.kind} {of.server_version}
        </dd>
        <dt>{words.migration}</dt>
        <dd>{of.migration ?? texts.none}</dd>
        {of.connections.map((each) => (
          <div className="member" key={each.pool}>
            <dt>{words.pools[each.pool]}</dt>
            <dd>{words.connections(each)}</dd>
          </div>
        ))}
      </dl>
      {(of.faults ?? []).map(({ setting, value, message }) => (
        <p className="notice alarm" key={setting}>
          <code>{`${setting} = ${value}`}</code> <OutsideText text={message} />
        </p>
      ))}
    </Card>
  );
}

function EnvironmentCard({ of }: { readonly of: Environment }) {
  return (
    <Card title={of.environment}>
      <dl className="facts">
        <dt>{words.chain}</dt>
        <dd>
          <Answers does={of.ok} /> {of.message === undefined ? null : <OutsideText text={of.message} />}
        </dd>
        <dt>{texts.overview.feePayer}</dt>
        <dd>
          <AddressText address={of.fee_payer} />{" "}
          {of.poor ? <State value={words.poor} tone="bad" /> : <State value={words.pays} tone="good" />}
        </dd>
        <dt>{words.websocket}</dt>
        <dd>
          <State value={of.websocket} tone={of.websocket === "lost" ? "bad" : "plain"} />
        </dd>
        {Object.entries(of.queues ?? {}).map(([name, count]) => (
          <div className="member" key={name}>
            <dt>{words.queues[name as keyof typeof words.queues] ?? name.replaceAll("_", " ")}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      {of.nodes.length === 0 ? null : (
        <Rows
          rows={of.nodes}
          caption={words.nodesOf(of.environment)}
          keyOf={({ number }) => String(number)}
          columns={[
            { title: words.node, cell: ({ number, origin }) => <OutsideText text={`${number} · ${origin}`} /> },
            {
              title: texts.account.state,
              cell: ({ standing }) => <State value={standing} tone={standing === "agrees" ? "good" : "bad"} />,
            },
            { title: words.height, isNumber: true, cell: ({ block_height }) => block_height ?? texts.none },
            { title: words.behind, isNumber: true, cell: ({ blocks_behind }) => blocks_behind ?? texts.none },
            { title: words.compared, cell: ({ compared_at }) => <Moment at={compared_at} /> },
          ]}
        />
      )}
    </Card>
  );
}

function Passes({ passes }: { readonly passes: ServiceStatus["passes"] }) {
  return (
    <Card title={words.passes}>
      <p className="faint">{words.passesWhat}</p>
      <Rows
        rows={passes}
        caption={words.passes}
        keyOf={({ pass, environment }) => `${pass} ${environment}`}
        columns={[
          { title: words.pass, cell: ({ pass }) => pass.replaceAll("_", " ") },
          { title: texts.environment, cell: ({ environment }) => environment },
          { title: words.lastRun, cell: ({ last_run_at }) => <Moment at={last_run_at} /> },
          {
            title: words.outcome,
            cell: ({ last_run_ok }) =>
              last_run_ok === undefined ? (
                texts.none
              ) : (
                <State value={last_run_ok ? words.ended : words.failed} tone={last_run_ok ? "good" : "bad"} />
              ),
          },
          {
            title: texts.webhooks.took,
            isNumber: true,
            cell: ({ last_duration_ms }) =>
              last_duration_ms === undefined ? texts.none : texts.webhooks.ms(last_duration_ms),
          },
          { title: words.lastSuccess, cell: ({ last_success_at }) => <Moment at={last_success_at} /> },
          { title: words.nextRun, cell: ({ next_run_at }) => <Moment at={next_run_at} /> },
        ]}
      />
    </Card>
  );
}

function Answers({ does }: { readonly does: boolean }) {
  return <State value={does ? words.answers : words.silent} tone={does ? "good" : "bad"} />;
}
