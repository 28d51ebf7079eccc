import { type OwnedAccount, type ProposalReview, useAccount, useProposal, useProposalActs } from "@trellis/react";
import type { BalanceChange, Policies, SummaryEntry } from "@trellis/sdk";
import { useState } from "react";
import { Rows } from "../../parts/list-view.js";
import { Moment } from "../../parts/moment.js";
import { OutsideText } from "../../parts/outside-text.js";
import { Card, Loading } from "../../parts/states.js";
import { Unhappy } from "../parts.js";
import { hrefOf, usePlace } from "../place.js";
import { texts } from "../texts.js";
import { Money } from "./currencies.js";
import { Decision } from "./decision.js";
import { useKnownAddresses } from "./known-addresses.js";
import { findLookAlike } from "./look-alike.js";
import { Named, type Names, SentenceText, useNames } from "./named.js";
import { Party } from "./party.js";
import { missingIn } from "./proposal-groups.js";
import { ProposalState } from "./proposal-state.js";
import { accountPollMs } from "./read-states.js";
import { differencesOf, rulesAfter, rulesOf } from "./rules-difference.js";
import { DifferenceTable } from "./rules-table.js";

const words = texts.proposal;
const pollMs = 10_000;

/** One proposal: all that it does, what to mind, and below that what its reader can do about it. */
export function OneProposal({ address }: { readonly address: string }) {
  const place = usePlace();
  const account = useAccount({ pollMs: accountPollMs });
  const one = useProposal(address, { pollMs });
  const { review } = one;
  const error = one.error ?? account.error;
  const retry = () => void Promise.all([one.refetch(), account.refetch()]);
  const title = review === undefined ? texts.views.inbox : words.title(review.proposal.transactionIndex);
  return (
    <>
      <p>
        <a href={hrefOf(place, ["inbox"])}>{words.back}</a>
      </p>
      <h1>{title}</h1>
      {error ? <Unhappy error={error} onRetry={retry} /> : null}
      {review === undefined || account.data === undefined ? (
        error ? null : (
          <Loading />
        )
      ) : (
        <Known key={address} review={review} account={account.data} readAtMs={one.readAtMs} refetch={one.refetch} />
      )}
    </>
  );
}

function Known({
  review,
  account: { policies, own },
  readAtMs,
  refetch,
}: {
  readonly review: ProposalReview;
  readonly account: Pick<OwnedAccount, "policies" | "own">;
  readonly readAtMs: number | undefined;
  readonly refetch: () => Promise<void>;
}) {
  const acts = useProposalActs();
  const { proposal } = review;
  const names = useNames(addressesOf(review, policies));
  const [read, setRead] = useState<ProposalReview | undefined>(review);
  // Undefined: the service prepared something else than what was displayed, or says something else by now.
  const isChanged = read === undefined || saysMore(review, read);
  const why = read === undefined ? texts.decisions.mismatch : words.changed;
  return (
    <>
      <p>
        <ProposalState proposal={proposal} /> {words.statusLine(proposal.approved.length, policies.threshold)}
      </p>
      {isChanged ? (
        <div role="alert" className="notice alarm">
          <p>{why}</p>
        </div>
      ) : null}
      <Card title={words.effects}>
        <Effects review={review} names={names} />
      </Card>
      <RulesChange review={review} policies={policies} names={names} />
      <Balances changes={review.balanceChanges} error={proposal.simulationError} names={names} />
      <Votes review={review} policies={policies} names={names} />
      <Warnings review={review} />
      {isChanged ? (
        <section className="notice alarm" aria-label={words.decide}>
          <p>{why}</p>
          <button type="button" onClick={() => setRead(review)}>
            {words.readAgain}
          </button>
        </section>
      ) : (
        <Decision
          review={review}
          policies={policies}
          own={own.signers}
          acts={acts}
          readAtMs={readAtMs}
          onMismatch={async () => {
            setRead(undefined);
            await refetch();
          }}
          refetch={refetch}
        />
      )}
    </>
  );
}

/** Whether it does something else than what was read, or the service warns of something further: then it is read again. */
function saysMore(now: ProposalReview, read: ProposalReview): boolean {
  const contentOf = ({ proposal: { kind, batch }, effects, refusal }: ProposalReview) =>
    JSON.stringify([kind, batch?.size, effects.map(({ parts }) => parts), refusal]);
  const codes = new Set(read.warnings.map(({ code }) => code));
  return contentOf(now) !== contentOf(read) || now.warnings.some(({ code }) => !codes.has(code));
}

function Effects({ review, names }: { readonly review: ProposalReview; readonly names: Names }) {
  const { effects, proposal } = review;
  const { known } = useKnownAddresses();
  return (
    <>
      <ol className="effects">
        {effects.map(({ key, parts, isReadable }) => (
          <li key={key} className={isReadable ? undefined : "alarm"}>
            <SentenceText parts={parts} names={names} />
            {parts
              .flatMap((part) => ("address" in part && findLookAlike(part.address, known) ? [part.address] : []))
              .map((address) => (
                <Party key={address} address={address} names={names} known={known} warning={texts.history.looksLike} />
              ))}
          </li>
        ))}
      </ol>
      {effects.length === 0 ? <p>{words.nothing}</p> : null}
      {proposal.batch === undefined ? null : <p>{words.batch(proposal.batch.executed, proposal.batch.size)}</p>}
    </>
  );
}

/** In red, and before what can be decided. */
function Warnings({ review: { warnings, refusal } }: { readonly review: ProposalReview }) {
  if (warnings.length === 0 && refusal === undefined) return null;
  return (
    <section className="notice alarm" aria-label={words.warnings}>
      <h2>{words.warnings}</h2>
      <ul>
        {warnings.map(({ code, message }) => (
          <li key={`${code} ${message}`} data-code={code}>
            <OutsideText text={message} />
          </li>
        ))}
        {refusal === undefined ? null : <li>{refusal}</li>}
      </ul>
    </section>
  );
}

/** Against the rules as they are: only while it can still be executed do they say what it was made for. */
function RulesChange({
  review: { proposal },
  policies,
  names,
}: {
  readonly review: ProposalReview;
  readonly policies: Policies;
  readonly names: Names;
}) {
  if (proposal.kind !== "settings" || proposal.stale || !["Active", "Approved"].includes(proposal.status)) return null;
  const actions = proposal.summary.flatMap((entry) =>
    entry.type === "settings_change" && Array.isArray(entry.actions) ? (entry.actions as readonly SummaryEntry[]) : [],
  );
  const rules = rulesOf(policies);
  const differences = differencesOf(rules, rulesAfter(rules, actions));
  if (differences.length === 0) return null;
  return (
    <Card title={words.rules}>
      <DifferenceTable differences={differences} names={names} />
    </Card>
  );
}

function Balances({
  changes,
  error,
  names,
}: {
  readonly changes: readonly BalanceChange[];
  readonly error: string | undefined;
  readonly names: Names;
}) {
  if (error !== undefined)
    return (
      <Card title={words.balances}>
        <p className="notice alarm">
          {words.noSimulation} <OutsideText text={error} />
        </p>
      </Card>
    );
  if (changes.length === 0) return null;
  return (
    <Card title={words.balances}>
      <p className="faint">{words.simulated}</p>
      <Rows
        rows={changes}
        keyOf={({ address, mint }) => `${address} ${mint}`}
        caption={words.balances}
        columns={[
          { title: words.holder, cell: ({ address }) => <Named address={address} names={names} isWhole /> },
          { title: words.before, isNumber: true, cell: ({ before, mint }) => <Money units={before} mint={mint} /> },
          { title: words.after, isNumber: true, cell: ({ after, mint }) => <Money units={after} mint={mint} /> },
          { title: words.change, isNumber: true, cell: ({ change, mint }) => <Money units={change} mint={mint} /> },
        ]}
      />
    </Card>
  );
}

function Votes({
  review: { proposal },
  policies,
  names,
}: {
  readonly review: ProposalReview;
  readonly policies: Policies;
  readonly names: Names;
}) {
  const { creator, createdAt, approved, rejected, cancelled } = proposal;
  const missing = proposal.status === "Active" && !proposal.stale ? missingIn(proposal, policies) : [];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [words.approved, approved],
    [words.rejected, rejected],
    [words.cancelled, cancelled],
    [words.missing, missing],
  ];
  return (
    <Card title={words.votes}>
      <dl className="facts">
        <dt>{words.proposedBy}</dt>
        <dd>
          {creator === undefined ? <span className="faint">–</span> : <Named address={creator} names={names} isWhole />}
          {createdAt === undefined ? null : (
            <>
              , <Moment at={createdAt} />
            </>
          )}
        </dd>
        {rows.map(([title, addresses]) =>
          addresses.length === 0 ? null : (
            <div key={title} className="member">
              <dt>{title}</dt>
              <dd>
                <ul className="plain">
                  {addresses.map((address) => (
                    <li key={address}>
                      <Named address={address} names={names} isWhole />
                    </li>
                  ))}
                </ul>
              </dd>
            </div>
          ),
        )}
      </dl>
    </Card>
  );
}

/** Every address that is shown, so that its name is asked for. */
function addressesOf({ proposal, effects, balanceChanges }: ProposalReview, { signers }: Policies): readonly string[] {
  const named = effects.flatMap(({ parts }) => parts.flatMap((part) => ("address" in part ? [part.address] : [])));
  const holders = balanceChanges.map(({ address }) => address);
  const voters = [...proposal.approved, ...proposal.rejected, ...proposal.cancelled];
  const creator = proposal.creator === undefined ? [] : [proposal.creator];
  return [...new Set([...named, ...holders, ...voters, ...creator, ...signers.map(({ address }) => address)])];
}
