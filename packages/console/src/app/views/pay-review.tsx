import { type DecisionState, type Payment, usePropose } from "@trellis/react";
import { useState } from "react";
import { OutsideText } from "../../parts/outside-text.js";
import { Card } from "../../parts/states.js";
import { Unhappy } from "../parts.js";
import { usePlace } from "../place.js";
import { texts } from "../texts.js";
import { Money } from "./currencies.js";
import { Facts } from "./facts.js";
import { useKnownAddresses } from "./known-addresses.js";
import { Check, useLookAlikes } from "./look-alikes.js";
import { useNames } from "./named.js";
import { Party } from "./party.js";
import type { PayProps } from "./pay.js";
import { type Draft, requestOf } from "./pay-one.js";
import { refusalOf } from "./payment-refusal.js";
import { ProposalOutcome } from "./proposal-outcome.js";

const words = texts.pay;

/** All of a payment before it is made: the whole address, what remains, what to beware of. */
export function PayReview({
  account,
  draft,
  payment,
  onBack,
  onEnd,
}: {
  readonly account: PayProps["account"];
  readonly draft: Draft;
  readonly payment: Payment;
  readonly onBack: () => void;
  readonly onEnd: () => void;
}) {
  const place = usePlace();
  const { holding, destination, units, memo } = draft;
  const { known } = useKnownAddresses();
  const lookAlikes = useLookAlikes([destination]);
  const names = useNames([place.account, destination]);
  const { propose, state } = usePropose();
  const [proposed, setProposed] = useState<DecisionState>();
  const [isConfirmed, setConfirmed] = useState(false);
  const { own } = account;
  const isDirect = own.way === "direct" || account.paysWithPasskey;
  const error = refusalOf(payment.state, requestOf(draft));
  const refusal = error ?? (proposed?.status === "refused" ? proposed.error : undefined);
  const mayBeUnpayable = refusal?.code === "destination_unconfirmed";
  const isActing = state.status === "acting";
  const isLacking = units > holding.held;
  const isHeld = isLacking || lookAlikes.isHeld || (mayBeUnpayable && !isConfirmed);

  const act = async () => {
    const confirmed = isConfirmed ? { confirmProgramAddress: true } : {};
    const request = { ...requestOf(draft), ...confirmed };
    if (isDirect) {
      await payment.pay({ ...request, ...signedBy(account) });
      return;
    }
    const approve = own.permissions.includes("CAN_VOTE");
    setProposed(await propose({ type: "transfer", ...request }, { approve }));
  };

  if (proposed?.status === "done" || proposed?.status === "unknown")
    return <ProposalOutcome state={proposed} onRetry={() => void act()} onEnd={onEnd} />;
  return (
    <Card title={words.check}>
      <Facts
        of={{
          [words.from]: <Party address={place.account} names={names} />,
          [words.to]: <Party address={destination} names={names} />,
          [words.amount]: (
            <strong>
              <Money units={units} mint={holding.mint} />
            </strong>
          ),
          [texts.payMany.memo]: memo === "" ? words.noMemo : <OutsideText text={memo} />,
          [words.now]: <Money units={holding.held} mint={holding.mint} />,
          [isDirect ? words.remains : words.remainsIfNow]: <Money units={holding.held - units} mint={holding.mint} />,
        }}
      />
      {holding.mint === null ? null : <p className="faint">{words.opening}</p>}
      {lookAlikes.notice}
      {!known.includes(destination) ? <p className="notice">{words.firstTime}</p> : null}
      {isLacking ? (
        <p role="alert" className="notice alarm">
          {words.faults.more}
        </p>
      ) : null}
      {refusal === undefined ? null : <Unhappy error={refusal} />}
      {mayBeUnpayable ? (
        <div className="notice">
          <p>{words.unconfirmed}</p>
          <Check label={words.unconfirmedYes} isOn={isConfirmed} onChange={setConfirmed} />
        </div>
      ) : null}
      <p>
        {isDirect ? words.directly : words.byVote} {account.paysWithPasskey ? words.withPasskey : null}
        {!isDirect && own.permissions.includes("CAN_VOTE") ? words.byVoteApproved : null}
      </p>
      <p className="buttons">
        <button type="button" className="quiet" disabled={isActing} onClick={onBack}>
          {words.back}
        </button>
        <button type="button" className="main" disabled={isActing || isHeld} onClick={() => void act()}>
          {isActing ? words.proposing : isDirect ? words.payNow : wordsOfProposing(own.permissions)}
        </button>
      </p>
    </Card>
  );
}

/** Who signs a payment beside the session, or in its place. */
function signedBy({ paysWithPasskey, passkey_required }: PayProps["account"]) {
  if (paysWithPasskey) return { withPasskey: true };
  return passkey_required === true ? { byPasskey: true } : {};
}

export const wordsOfProposing = (permissions: PayProps["account"]["own"]["permissions"]): string =>
  permissions.includes("CAN_VOTE") ? words.proposeAndApprove : words.propose;
