import { useAccount, useProposal, useProposals, useWaitingProposals } from "@trellis/react";
import type { Policies, Proposal } from "@trellis/sdk";
import { useCallback, useEffect, useState } from "react";
import { shortAddress } from "../../parts/address.js";
import { Fold } from "../../parts/fold.js";
import { Rows } from "../../parts/list-view.js";
import { Moment } from "../../parts/moment.js";
import { Card, Loading } from "../../parts/states.js";
import { Unhappy } from "../parts.js";
import { hrefOf, usePlace } from "../place.js";
import { texts } from "../texts.js";
import { NamedList, type Names, ShortSentence, useNames } from "./named.js";
import { addressesOnce, type Group, groupOf, missingIn } from "./proposal-groups.js";
import { ProposalState } from "./proposal-state.js";
import { accountPollMs } from "./read-states.js";

const words = texts.inbox;

/** As many as one answer holds. */
const proposalsShown = 100;
const decidedAtOnce = 10;

/** All proposals of the account: first what waits for the reader, then the rest by where it stands. */
export function InboxList() {
  const account = useAccount({ pollMs: accountPollMs });
  const proposals = useProposals({ limit: proposalsShown });
  const names = useNames(account.data?.policies.signers.map(({ address }) => address) ?? []);
  const error = proposals.error ?? account.error;
  const retry = () => void Promise.all([proposals.refetch(), account.refetch()]);
  const { data: found } = proposals;
  const policies = account.data?.policies;
  if (found === undefined || policies === undefined)
    return (
      <>
        <h1>{texts.views.inbox}</h1>
        {error ? <Unhappy error={error} onRetry={retry} /> : <Loading />}
      </>
    );
  const own = account.data?.own.signers ?? [];
  const of = (group: Group) => found.filter((proposal) => groupOf(proposal, policies, own) === group);
  const table = (group: Group, empty: string) => (
    <Table proposals={of(group)} policies={policies} names={names} caption={words.groups[group]} empty={empty} />
  );
  const [others, decided] = [of("others"), of("decided")];
  return (
    <>
      <h1>{texts.views.inbox}</h1>
      {error ? <Unhappy error={error} onRetry={retry} /> : null}
      <Card title={words.groups.mine}>{table("mine", words.nothingWaits)}</Card>
      <OtherAccounts />
      <Card title={words.groups.approved}>{table("approved", words.nothingApproved)}</Card>
      {others.length === 0 ? null : <Card title={words.groups.others}>{table("others", words.nothing)}</Card>}
      <Card title={words.groups.decided}>
        {decided.length === 0 ? (
          <p className="faint">{words.nothing}</p>
        ) : (
          <Fold title={words.showDecided(decided.length)}>
            {() => <Decided proposals={decided} policies={policies} names={names} />}
          </Fold>
        )}
      </Card>
      {found.length < proposalsShown ? null : <p className="faint">{words.newest(proposalsShown)}</p>}
    </>
  );
}

/** Some of them at a time, as each is read by itself. */
function Decided({ proposals, policies, names }: Listed) {
  const [count, setCount] = useState(decidedAtOnce);
  return (
    <>
      <Table
        proposals={proposals.slice(0, count)}
        policies={policies}
        names={names}
        caption={words.groups.decided}
        empty={words.nothing}
      />
      {count >= proposals.length ? null : (
        <button type="button" className="quiet" onClick={() => setCount(count + decidedAtOnce)}>
          {words.more}
        </button>
      )}
    </>
  );
}

interface Listed {
  readonly proposals: readonly Proposal[];
  readonly policies: Policies;
  readonly names: Names;
}

function Table({
  proposals,
  policies,
  names,
  caption,
  empty,
}: Listed & { readonly caption: string; readonly empty: string }) {
  const [contents, setContents] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const hear = useCallback(
    (proposal: string, addresses: readonly string[]) =>
      setContents((before) => new Map(before).set(proposal, addresses)),
    [],
  );
  const contentNames = useNames(addressesOnce(proposals, contents));
  if (proposals.length === 0) return <p className="faint">{empty}</p>;
  return (
    <Rows
      rows={proposals}
      keyOf={({ proposalAddress }) => proposalAddress}
      caption={caption}
      columns={[
        { title: words.content, cell: (proposal) => <Content proposal={proposal} names={contentNames} hear={hear} /> },
        { title: words.status, cell: (proposal) => <ProposalState proposal={proposal} /> },
        { title: words.approvedBy, cell: ({ approved }) => <NamedList addresses={approved} names={names} /> },
        {
          title: words.missing,
          cell: (proposal) =>
            proposal.status === "Active" && !proposal.stale ? (
              <>
                {words.needed(policies.threshold - proposal.approved.length)}
                <NamedList addresses={missingIn(proposal, policies)} names={names} />
              </>
            ) : (
              <span className="faint">–</span>
            ),
        },
        { title: words.proposedAt, cell: ({ createdAt }) => <Moment at={createdAt} /> },
      ]}
    />
  );
}

/** What it does, in one line that leads to all of it. `hear` is called with the addresses in it, none where it cannot be read. */
function Content({
  proposal: { proposalAddress, transactionIndex },
  names,
  hear,
}: {
  readonly proposal: Proposal;
  readonly names: Names;
  readonly hear: (proposal: string, addresses: readonly string[]) => void;
}) {
  const place = usePlace();
  const { review, error } = useProposal(proposalAddress);
  const effects = review?.effects ?? [];
  // What has to be opened for a payment says less than the payment.
  const first = effects.find(({ entry }) => entry.type !== "create_token_account") ?? effects[0];
  const isSettled = review !== undefined || error !== undefined;
  const addresses = (first?.parts ?? []).flatMap((part) => ("address" in part ? [part.address] : [])).join(" ");
  useEffect(() => {
    if (isSettled) hear(proposalAddress, addresses === "" ? [] : addresses.split(" "));
  }, [isSettled, hear, proposalAddress, addresses]);
  return (
    <a href={hrefOf(place, ["inbox", proposalAddress])}>
      {words.number(transactionIndex)}{" "}
      {review === undefined ? (
        error === undefined ? (
          texts.working
        ) : (
          words.unread
        )
      ) : first === undefined || review.refusal !== undefined ? (
        words.unreadable
      ) : (
        <>
          <ShortSentence parts={first.parts} names={names} />
          {effects.length < 2 ? null : ` ${words.further(effects.length - 1)}`}
        </>
      )}
    </a>
  );
}

/** How many proposals wait for the reader in each other account. */
function OtherAccounts() {
  const place = usePlace();
  const { data: waiting = [] } = useWaitingProposals();
  const counts = new Map<string, number>();
  for (const { account } of waiting) if (account !== place.account) counts.set(account, (counts.get(account) ?? 0) + 1);
  if (counts.size === 0) return null;
  return (
    <Card title={words.elsewhere}>
      <ul className="plain">
        {[...counts].map(([account, count]) => (
          <li key={account}>
            <a href={hrefOf({ ...place, account }, ["inbox"])}>{words.waitIn(count, shortAddress(account))}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
