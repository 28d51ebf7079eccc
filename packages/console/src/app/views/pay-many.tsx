import { type DecisionState, type ExplainedError, usePropose } from "@trellis/react";
import { isAddress } from "@trellis/sdk";
import { useState } from "react";
import { Rows } from "../../parts/list-view.js";
import { OutsideText } from "../../parts/outside-text.js";
import { Card, State } from "../../parts/states.js";
import { Unhappy } from "../parts.js";
import { texts } from "../texts.js";
import { transferOf, usePayeesCheck } from "./check-payees.js";
import { CurrencyField, Money, usualOf } from "./currencies.js";
import { useKnownAddresses } from "./known-addresses.js";
import { useLookAlikes } from "./look-alikes.js";
import { type Names, useNames } from "./named.js";
import { Party } from "./party.js";
import type { PayProps } from "./pay.js";
import { Held, titleOf } from "./pay-one.js";
import { wordsOfProposing } from "./pay-review.js";
import { type Payee, type PayeeSum, type ReadyPayee, readPayees, readyOf, sumsOf } from "./payee-list.js";
import { ProposalOutcome } from "./proposal-outcome.js";
import { Step } from "./step.js";

const words = texts.payMany;
/** A proposal holds at most so many transactions, and each of them pays one payee. */
const payeesMax = 20;
const fileBytesMax = 100_000;

/** Many payees: a list is read and checked line by line, and becomes one proposal. */
export function PayMany({ account, holdings }: PayProps) {
  const known = holdings.filter(({ isKnown }) => isKnown);
  const currencies = known.map(({ currency, ...rest }) => ({ symbol: currency, ...rest }));
  const facts = { account: account.address, isAddress, ...useKnownAddresses() };
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState("");
  const chosen = known.find(({ currency }) => currency === wanted) ?? usualOf(known);
  const [isFileLarge, setFileLarge] = useState(false);
  const check = usePayeesCheck(proposerOf(account));
  const list = readPayees(text, { currencies, usual: chosen?.currency ?? "", facts });
  const { payees, sums } = list;
  const lookAlikes = useLookAlikes(payees.map(({ destination }) => destination).filter(isText));
  const names = useNames(payees.flatMap(({ destination, looksLike }) => [destination, looksLike].filter(isText)));
  const change = (next: string) => {
    setText(next);
    setFileLarge(false);
    check.forget();
  };
  const readFile = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > fileBytesMax) setFileLarge(true);
    else change(await file.text());
  };

  const ready = readyOf(payees);
  if (chosen === undefined) return <p className="notice">{texts.pay.nothing}</p>;
  if (check.state.status === "fine")
    return (
      <Step>
        <ListReview
          account={account}
          payees={check.state.payees}
          sums={sumsOf(check.state.payees)}
          names={names}
          onBack={check.forget}
          onEnd={() => change("")}
        />
      </Step>
    );
  const faulty = payees.filter(({ faults }) => faults.length > 0).length;
  const isLacking = sums.some(({ currency, units }) => units > currency.held);
  const isWhole = ready !== undefined && payees.length >= 2 && payees.length <= payeesMax && !isLacking;
  const isChecking = check.state.status === "checking";
  const refusals = check.state.status === "refused" ? check.state.refusals : undefined;
  return (
    <>
      <Card title={texts.pay.many}>
        <div className="form">
          <label>
            {words.list}
            <textarea rows={8} value={text} spellCheck={false} onChange={({ target }) => change(target.value)} />
          </label>
          <p className="faint">{words.hint(payeesMax)}</p>
          <label>
            {words.file}
            <input
              type="file"
              accept=".csv,.tsv,.txt,text/csv,text/plain"
              onChange={({ target }) => void readFile(target.files?.[0])}
            />
          </label>
          {isFileLarge ? <p role="alert">{words.fileLarge}</p> : null}
          <div className="field">
            <CurrencyField
              label={words.usual}
              value={chosen}
              onValue={({ currency }) => {
                setWanted(currency);
                check.forget();
              }}
              options={known}
              titleOf={titleOf}
            />
            <Held of={chosen} />
          </div>
        </div>
      </Card>
      {list.unknownColumn === undefined ? null : (
        <p role="alert" className="notice alarm">
          <OutsideText text={words.unknownColumn(list.unknownColumn)} />
        </p>
      )}
      {payees.length === 0 ? null : (
        <>
          <Payees of={payees} names={names} refusals={refusals} />
          <Sums of={sums} />
          {[
            refusals === undefined || refusals.size === 0 ? undefined : words.refused(refusals.size),
            faulty > 0 ? words.faulty(faulty) : undefined,
            payees.length > payeesMax ? words.tooMany(payees.length, payeesMax) : undefined,
            payees.length < 2 ? words.tooFew : undefined,
            isLacking ? words.lacking : undefined,
          ]
            .filter(isText)
            .map((problem) => (
              <p role="alert" className="notice alarm" key={problem}>
                {problem}
              </p>
            ))}
          {check.state.status === "failed" ? <Unhappy error={check.state.error} /> : null}
          {lookAlikes.notice}
          <p className="buttons">
            <button
              type="button"
              className="main"
              disabled={!isWhole || isChecking || lookAlikes.isHeld}
              onClick={() => void check.check(ready ?? [])}
            >
              {words.check}
            </button>
            {check.state.status === "checking" ? (
              <span role="status">{words.checking(check.state.done, check.state.all)}</span>
            ) : null}
          </p>
        </>
      )}
    </>
  );
}

const isText = (text: string | undefined): text is string => text !== undefined;

/** All that is going to be proposed, and the button that does. */
function ListReview({
  account,
  payees,
  sums,
  names,
  onBack,
  onEnd,
}: {
  readonly account: PayProps["account"];
  readonly payees: readonly ReadyPayee[];
  readonly sums: readonly PayeeSum[];
  readonly names: Names;
  readonly onBack: () => void;
  readonly onEnd: () => void;
}) {
  const { propose, state: present } = usePropose();
  const [state, setState] = useState<DecisionState>();
  const { own } = account;
  const approve = own.permissions.includes("CAN_VOTE");
  const isActing = present.status === "acting";
  const act = async () => {
    const transfers = payees.map(transferOf);
    setState(await propose({ type: "transfers", transfers }, { approve }));
  };
  if (state?.status === "done" || state?.status === "unknown")
    return (
      <ProposalOutcome
        state={state}
        {...(own.way === "direct" ? { next: words.executeNext } : {})}
        onRetry={() => void act()}
        onEnd={onEnd}
      />
    );
  return (
    <Card title={words.title(payees.length)}>
      <p>{words.what}</p>
      <Payees of={payees} names={names} />
      <Sums of={sums} />
      <p className="faint">{texts.pay.opening}</p>
      {state?.status === "refused" ? <Unhappy error={state.error} /> : null}
      <p>
        {texts.pay.byVote} {approve ? texts.pay.byVoteApproved : null}
      </p>
      <p className="buttons">
        <button type="button" className="quiet" disabled={isActing} onClick={onBack}>
          {texts.pay.back}
        </button>
        <button type="button" className="main" disabled={isActing} onClick={() => void act()}>
          {isActing ? texts.pay.proposing : wordsOfProposing(own.permissions)}
        </button>
      </p>
    </Card>
  );
}

function Payees({
  of,
  names,
  refusals,
}: {
  readonly of: readonly Payee[];
  readonly names: Names;
  /** Of lines that the service would not pay. */
  readonly refusals?: ReadonlyMap<number, ExplainedError> | undefined;
}) {
  return (
    <Rows
      rows={of}
      caption={words.caption}
      keyOf={({ line }) => String(line)}
      columns={[
        { title: words.line, cell: ({ line }) => line },
        {
          title: words.payee,
          cell: ({ destination, given }) =>
            destination === undefined ? (
              <OutsideText text={given.destination} />
            ) : (
              <Party address={destination} names={names} />
            ),
        },
        {
          title: words.amount,
          isNumber: true,
          cell: ({ units, currency, given }) =>
            units === undefined || currency === undefined ? (
              <OutsideText text={`${given.amount} ${given.currency}`} />
            ) : (
              <Money units={units} mint={currency.mint} />
            ),
        },
        { title: words.memo, cell: ({ memo }) => (memo === "" ? "–" : <OutsideText text={memo} />) },
        { title: words.notes, cell: (payee) => <Notes of={payee} names={names} refusal={refusals?.get(payee.line)} /> },
      ]}
    />
  );
}

function Notes({
  of: { faults, sameAs, looksLike },
  names,
  refusal,
}: {
  readonly of: Payee;
  readonly names: Names;
  readonly refusal: ExplainedError | undefined;
}) {
  const isFine = faults.length + sameAs.length === 0 && looksLike === undefined && refusal === undefined;
  return (
    <>
      {isFine ? <State value={words.fine} tone="good" /> : null}
      {refusal === undefined ? null : (
        <p className="fault">
          {refusal.help} {refusal.code === "destination_unconfirmed" ? texts.pay.payAlone : null}
        </p>
      )}
      {faults.map((fault) => (
        <p className="fault" key={fault}>
          {texts.pay.faults[fault]}
        </p>
      ))}
      {sameAs.length === 0 ? null : <p>{words.sameAs(sameAs)}</p>}
      {looksLike === undefined ? null : (
        <div className="notice alarm">
          <p>{words.looksLike}</p>
          <Party address={looksLike} names={names} />
        </div>
      )}
    </>
  );
}

function Sums({ of }: { readonly of: readonly PayeeSum[] }) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>{words.sums}</h3>
      <Rows
        rows={of}
        caption={words.sumsCaption}
        keyOf={({ currency }) => currency.symbol}
        columns={[
          { title: words.currency, cell: ({ currency }) => currency.symbol.toUpperCase() },
          {
            title: words.sum,
            isNumber: true,
            cell: ({ units, currency }) => <Money units={units} mint={currency.mint} />,
          },
          {
            title: words.held,
            isNumber: true,
            cell: ({ currency }) => <Money units={currency.held} mint={currency.mint} />,
          },
          {
            title: words.remains,
            isNumber: true,
            cell: ({ units, currency }) => <Money units={currency.held - units} mint={currency.mint} />,
          },
        ]}
      />
    </>
  );
}

/** Who of the session's signers proposes: one that may. */
const proposerOf = ({ own, policies }: PayProps["account"]): string =>
  policies.signers.find(
    ({ address, permissions }) => own.signers.includes(address) && permissions.includes("CAN_INITIATE"),
  )?.address ?? "";
