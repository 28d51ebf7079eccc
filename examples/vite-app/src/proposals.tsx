import { useProposal, useProposals } from "@trellis/react";
import { knownMints, type Proposal, type ProposalDetails, type ProposedContent } from "@trellis/sdk";
import { type Currency, currencies, decimalOf, short, shownAmount } from "./amounts.js";

export function Proposals() {
  const { data: proposals = [], error, readAtMs } = useProposals({ limit: 5 });
  return (
    <section className="card" aria-label="Proposals">
      <h2>Proposals</h2>
      {error === undefined ? null : <p className="error">{error.help}</p>}
      {readAtMs !== undefined && proposals.length === 0 ? (
        <p className="muted">Nothing to decide. What is put to a vote stands here until somebody carries it out.</p>
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
  const { data: details } = useProposal(address);
  // What is shown is what is voted on: the library signs nothing else.
  const content = details && transferIn(details.summary);
  const { stateOf, vote, execute, approveAndExecute } = useProposals({ limit: 5 });
  const state = stateOf(address);
  const isActing = state.status === "acting";
  return (
    <li>
      <div className="proposal-head">
        <span className="what">
          {content === undefined ? `No. ${transactionIndex}` : <Transfer content={content} />}
        </span>
        <span className="badge" data-status={status}>
          {isActing ? "One moment…" : status}
        </span>
      </div>
      {"error" in state ? (
        <p className="error" role="alert">
          {state.error.help}
        </p>
      ) : null}
      {status === "Active" ? (
        <div className="row">
          <button
            type="button"
            className="primary small"
            disabled={isActing}
            onClick={() => approveAndExecute(address, content)}
          >
            Approve and pay
          </button>
          <button
            type="button"
            className="quiet small"
            disabled={isActing}
            onClick={() => vote(address, "reject", content)}
          >
            Reject
          </button>
        </div>
      ) : null}
      {status === "Approved" ? (
        <div className="row">
          <button type="button" className="primary small" disabled={isActing} onClick={() => execute(address, content)}>
            Carry out
          </button>
        </div>
      ) : null}
    </li>
  );
}

function Transfer({ content }: { readonly content: ProposedContent & { readonly type: "transfer" } }) {
  const currency: Currency = content.currency === "sol" ? "sol" : "usdc";
  const amount = shownAmount(content.uiAmount ?? decimalOf(BigInt(content.amount), currency));
  return (
    <>
      {amount} {currencies[currency].symbol} <span className="muted">to</span>{" "}
      <span className="mono">{short(content.destination)}</span>
      {content.memo === undefined ? null : <span className="muted"> “{content.memo}”</span>}
    </>
  );
}

/** The one transfer that a proposal would make, where that is all. */
function transferIn(
  summary: ProposalDetails["summary"],
): (ProposedContent & { readonly type: "transfer" }) | undefined {
  const [memo, ...furtherMemos] = summary.filter(({ type }) => type === "memo");
  const [first, ...others] = summary.filter(({ type }) => type !== "create_token_account" && type !== "memo");
  if (first?.type !== "transfer" || others.length > 0 || furtherMemos.length > 0) return undefined;
  const { mint, amount, to } = first;
  // This page pays in two currencies, and shows no others as if they were one of them.
  if (mint !== null && mint !== knownMints("sandbox").usdc) return undefined;
  if (typeof amount !== "string" || typeof to !== "string") return undefined;
  return {
    type: "transfer",
    currency: mint === null ? "sol" : "usdc",
    destination: to,
    amount: BigInt(amount),
    ...(typeof memo?.text === "string" ? { memo: memo.text } : {}),
  };
}
