import { type ProposalReview, type ReviewedEffect, useAccount, useProposal, useProposals } from "@trellis/react";
import type { Account, Proposal } from "@trellis/sdk";
import { createElement } from "react";
import { WholeAddress } from "./address.js";
import { shownBaseUnits } from "./amounts.js";

export function Proposals() {
  const { data: proposals = [], error, readAtMs } = useProposals({ limit: 5 });
  return (
    <section className="card" aria-label="Proposals">
      <h2>Proposals</h2>
      {error === undefined ? null : <p className="error">{error.help}</p>}
      {readAtMs !== undefined && proposals.length === 0 ? (
        <p className="muted">Nothing to decide. Proposals stay here until somebody executes them.</p>
      ) : null}
      <ul className="proposals">
        {proposals.map((proposal) => (
          <Row key={proposal.proposalAddress} proposal={proposal} />
        ))}
      </ul>
    </section>
  );
}

function Row({ proposal }: { readonly proposal: Proposal }) {
  const { proposalAddress: address, status, transactionIndex } = proposal;
  const { review, error } = useProposal(address, { pollMs: 15_000 });
  const { stateOf } = useProposals({ limit: 5 });
  const state = stateOf(address);
  const isActing = state.status === "acting";
  return (
    <li data-proposal={address}>
      <div className="proposal-head">
        <span className="muted">No. {transactionIndex}</span>
        <span className="badge" data-status={status}>
          {isActing ? "One moment…" : status}
        </span>
      </div>
      {error === undefined ? null : <p className="error">{error.help}</p>}
      {review === undefined ? <p className="muted">Reading what it does…</p> : <Content review={review} />}
      {"error" in state ? (
        <p className="error" role="alert">
          {state.error.help}
        </p>
      ) : null}
      <Buttons proposal={proposal} review={review} isActing={isActing} />
    </li>
  );
}

type ButtonsProps = {
  readonly proposal: Proposal;
  readonly review: ProposalReview | undefined;
  readonly isActing: boolean;
};

/** Nothing is approved or executed that does not stand above. */
function Buttons({ proposal: { proposalAddress: address, status }, review, isActing }: ButtonsProps) {
  const { approve, approveAndExecute, execute, reject, cancel } = useProposals({ limit: 5 });
  const { data: account } = useAccount();
  const offered = review?.refusal === undefined ? review : undefined;
  const isPayment = offered?.effects.some(({ entry }) => entry.type === "transfer") === true;
  // The last approval may execute it at once, where no waiting time stands between.
  const isLast = offered?.proposal.votesNeeded === 1 && account?.policies.time_lock === 0;
  const verb = isPayment ? "pay" : "execute";
  if (status === "Active") {
    return (
      <div className="row">
        {offered === undefined ? null : (
          <button
            type="button"
            className="primary small"
            disabled={isActing}
            onClick={() => (isLast ? approveAndExecute(offered) : approve(offered))}
          >
            {isLast ? `Approve and ${verb}` : "Approve"}
          </button>
        )}
        <button type="button" className="quiet small" disabled={isActing} onClick={() => reject(address)}>
          Reject
        </button>
      </div>
    );
  }
  if (status !== "Approved") return null;
  return (
    <div className="row">
      {offered === undefined ? null : (
        <button type="button" className="primary small" disabled={isActing} onClick={() => execute(offered)}>
          {isPayment ? "Pay" : "Execute"}
        </button>
      )}
      <button type="button" className="quiet small" disabled={isActing} onClick={() => cancel(address)}>
        Cancel
      </button>
    </div>
  );
}

function Content({ review }: { readonly review: ProposalReview }) {
  const { data: account } = useAccount();
  const { effects, warnings, balanceChanges, refusal, proposal } = review;
  const own = balanceChanges.filter(({ address }) => address === proposal.mainAccountAddress);
  return (
    <div className="content">
      <ul className="effects">
        {effects.map((effect) => (
          <Effect key={effect.key} effect={effect} />
        ))}
      </ul>
      {warnings.length === 0 ? null : (
        <ul className="warnings" aria-label="Warnings">
          {warnings.map(({ code, message }) => (
            <li key={`${code} ${message}`} data-warning={code}>
              {message}
            </li>
          ))}
        </ul>
      )}
      {refusal === undefined ? null : <p className="error">{refusal}</p>}
      <dl className="about">
        {own.map(({ mint, before, after }) => (
          <div key={mint ?? "sol"}>
            <dt>Balance</dt>
            <dd>
              {shownBaseUnits(before, mint)} → {shownBaseUnits(after, mint)}
            </dd>
          </div>
        ))}
        <People title="Proposed by" addresses={proposal.creator === undefined ? [] : [proposal.creator]} />
        <People title="Approved by" addresses={proposal.approved} />
        <People title="Rejected by" addresses={proposal.rejected} />
        {proposal.status === "Active" ? <Missing review={review} account={account} /> : null}
        <Waiting executableAt={proposal.executableAt} seconds={account?.policies.time_lock} />
      </dl>
    </div>
  );
}

/** A sentence can name an address twice: no part of it has a key. */
function Effect({ effect }: { readonly effect: ReviewedEffect }) {
  const parts = effect.parts.map((part) =>
    "address" in part ? createElement(WholeAddress, { address: part.address }) : part.text,
  );
  return createElement("li", null, ...parts);
}

function People({ title, addresses }: { readonly title: string; readonly addresses: readonly string[] }) {
  if (addresses.length === 0) return null;
  return (
    <div>
      <dt>{title}</dt>
      {addresses.map((address) => (
        <dd key={address}>
          <WholeAddress address={address} />
        </dd>
      ))}
    </div>
  );
}

/** Whose vote is missing. */
function Missing({
  review: { proposal },
  account,
}: {
  readonly review: ProposalReview;
  readonly account: Account | undefined;
}) {
  const voted = new Set([...proposal.approved, ...proposal.rejected]);
  const voters = account?.policies.signers.filter(({ permissions }) => permissions.includes("CAN_VOTE")) ?? [];
  const waiting = voters.map(({ address }) => address).filter((address) => !voted.has(address));
  const count = proposal.votesNeeded;
  return <People title={`${count} more approval${count === 1 ? "" : "s"} needed, from`} addresses={waiting} />;
}

function Waiting({
  executableAt,
  seconds = 0,
}: {
  readonly executableAt?: string | undefined;
  readonly seconds?: number | undefined;
}) {
  if (executableAt === undefined && seconds === 0) return null;
  const text =
    executableAt === undefined
      ? `${seconds} seconds after the last approval`
      : `from ${new Date(executableAt).toLocaleString()}`;
  return (
    <div>
      <dt>Can be executed</dt>
      <dd>{text}</dd>
    </div>
  );
}
