import type { Proposal, ProposalDetails } from "@trellis/sdk";
import { AddressText } from "../parts/address.js";
import { Money } from "../parts/console-money.js";
import { useLabels } from "../parts/labels.js";
import { ListView, Rows } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList, useRead } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { usePlace } from "../parts/session.js";
import { Card, Failure, Loading, State } from "../parts/states.js";
import { Summary } from "../parts/summary.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";

const words = texts.proposals;
const statuses = ["Active", "Approved", "Executed", "Rejected", "Cancelled"] as const;

/** Proposals over all accounts, or one of them: `proposals/ACCOUNT/PROPOSAL`. */
export default function Proposals({ parts, query }: ViewProps) {
  const [account, proposal] = parts;
  return account !== undefined && proposal !== undefined ? (
    <ProposalPage account={account} proposal={proposal} />
  ) : (
    <ProposalList status={query.get("status") ?? undefined} />
  );
}

function ProposalList({ status }: { readonly status: string | undefined }) {
  const { environment } = usePlace();
  const list = useList<Proposal>("/proposals", { status });
  return (
    <>
      <h1>{words.title}</h1>
      <nav className="filters" aria-label={words.status}>
        {[undefined, ...statuses].map((each) => (
          <a
            key={each ?? ""}
            href={hrefOf(environment, ["proposals"], { status: each })}
            aria-current={each === status ? "page" : undefined}
          >
            {each ?? words.all}
          </a>
        ))}
      </nav>
      <ProposalRows list={list} />
    </>
  );
}

/** A list of proposals, each with a link to what it does. */
export function ProposalRows({ list }: { readonly list: Parameters<typeof ListView<Proposal>>[0]["list"] }) {
  const { environment } = usePlace();
  const labels = useLabels((list.rows ?? []).map(({ mainAccountAddress }) => mainAccountAddress));
  return (
    <ListView
      list={list}
      caption={words.caption}
      empty={words.empty}
      keyOf={({ proposalAddress }) => proposalAddress}
      columns={[
        {
          title: words.number,
          cell: ({ mainAccountAddress, proposalAddress, transactionIndex, kind }) => (
            <a href={hrefOf(environment, ["proposals", mainAccountAddress, proposalAddress])}>
              {transactionIndex} · {kind}
            </a>
          ),
        },
        {
          title: words.account,
          cell: ({ mainAccountAddress }) => (
            <AddressText address={mainAccountAddress} label={labels.get(mainAccountAddress)} />
          ),
        },
        { title: words.status, cell: ({ status }) => <ProposalStatus status={status} /> },
        { title: words.votes, cell: ({ approved, rejected }) => words.votesOf(approved.length, rejected.length) },
        { title: words.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
      ]}
    />
  );
}

function ProposalStatus({ status }: { readonly status: string }) {
  const tone = ({ Executed: "good", Approved: "waiting", Active: "waiting" } as const)[status];
  return <State value={status} tone={tone ?? "plain"} />;
}

function ProposalPage({ account, proposal }: { readonly account: string; readonly proposal: string }) {
  const found = useRead<ProposalDetails>(
    `/accounts/${encodeURIComponent(account)}/proposals/${encodeURIComponent(proposal)}`,
    {},
    { everyMs: 10_000 },
  );
  const details = found.data;
  const addresses =
    details === undefined
      ? []
      : [...details.approved, ...details.rejected, ...(details.balanceChanges ?? []).map((each) => each.address)];
  const labels = useLabels([account, ...addresses], account);
  if (details === undefined)
    return found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : <Loading />;
  const list = (signers: readonly string[]) =>
    signers.length === 0
      ? words.nobody
      : signers.map((signer) => (
          <div key={signer}>
            <AddressText address={signer} label={labels.get(signer)} isWhole />
          </div>
        ));
  return (
    <>
      <h1>
        {texts.proposals.number} {details.transactionIndex} <ProposalStatus status={details.status} />
      </h1>
      {found.error ? <Failure error={found.error} /> : null}
      {details.warnings.length === 0 ? null : (
        <Card title={words.warnings}>
          {details.warnings.map((warning) => (
            <div key={warning.code} role="alert" className="notice alarm">
              <p>
                <OutsideText text={warning.message} />
              </p>
            </div>
          ))}
        </Card>
      )}
      <Card title={words.what}>
        <Summary entries={details.summary} account={account} isReadable={details.kind !== "unknown"} />
        {details.simulationError === undefined ? null : (
          <p className="notice alarm">
            <OutsideText text={details.simulationError} />
          </p>
        )}
      </Card>
      {details.balanceChanges === undefined ? null : (
        <Card title={words.balances}>
          <Rows
            rows={details.balanceChanges}
            caption={words.balances}
            keyOf={({ address, mint }) => `${address} ${mint}`}
            columns={[
              {
                title: words.account,
                cell: ({ address }) => <AddressText address={address} label={labels.get(address)} isWhole />,
              },
              { title: words.token, cell: ({ mint }) => (mint === null ? "SOL" : <AddressText address={mint} />) },
              {
                title: words.before,
                isNumber: true,
                cell: ({ mint, before }) => <Money units={before} mint={mint} />,
              },
              {
                title: words.after,
                isNumber: true,
                cell: ({ mint, after }) => <Money units={after} mint={mint} />,
              },
            ]}
          />
        </Card>
      )}
      <Card title={words.votes}>
        <dl className="facts">
          <dt>{words.account}</dt>
          <dd>
            <AddressText address={account} label={labels.get(account)} isWhole />
          </dd>
          <dt>{words.created}</dt>
          <dd>
            <Moment at={details.createdAt} />
          </dd>
          <dt>{words.approvedBy}</dt>
          <dd>{list(details.approved)}</dd>
          <dt>{words.rejectedBy}</dt>
          <dd>{list(details.rejected)}</dd>
        </dl>
        <p className="faint">{words.notHere}</p>
      </Card>
    </>
  );
}
