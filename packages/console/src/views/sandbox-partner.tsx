import type { Deposit, KycRecord, VirtualAccount } from "@trellis/sdk";
import { type ReactNode, useState } from "react";
import { call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { ChoiceField, optionsOf, TextField } from "../parts/fields.js";
import { OutsideText } from "../parts/outside-text.js";
import { useRefresh } from "../parts/refresh.js";
import { usePlace } from "../parts/session.js";
import { Card } from "../parts/states.js";
import { texts } from "../texts.js";

const words = texts.partner;

/** What the simulated partner of the bank rails does when it is told to. */
export function Partner() {
  const [said, say] = useState("");
  return (
    <Card title={words.title}>
      <p className="faint">{words.what}</p>
      <p className="buttons">
        <Move<KycRecord>
          title={words.decide}
          note={words.decideWhat}
          id={words.kycId}
          path={(id) => `/sandbox/kyc/${id}`}
          choice={{ name: "status", values: ["approved", "rejected", "under_review", "incomplete", "not_started"] }}
          onDone={({ status }) => say(words.decided(status.replaceAll("_", " ")))}
        />
        <Move<Deposit>
          title={words.deposit}
          note={words.depositWhat}
          id={words.virtualAccountId}
          path={(id) => `/sandbox/virtual-accounts/${id}/deposits`}
          amount={words.amount}
          onDone={({ amount, currency, state }) =>
            say(words.deposited(`${amount} ${currency.toUpperCase()}`, state.replaceAll("_", " ")))
          }
        />
        <Move<VirtualAccount>
          title={words.switch}
          note={words.switchWhat}
          id={words.virtualAccountId}
          path={(id) => `/sandbox/virtual-accounts/${id}`}
          choice={{ name: "status", values: ["deactivated", "activated"] }}
          onDone={({ status }) => say(words.switched(status))}
        />
        <Move<{ readonly state: string }>
          title={words.move}
          note={words.moveWhat}
          id={words.paymentId}
          path={(id) => `/sandbox/transfers/${id}`}
          choice={{ name: "state", values: Object.keys(texts.payments.states) }}
          onDone={({ state }) => say(words.moved(state.replaceAll("_", " ")))}
        />
      </p>
      <p role="status">
        <OutsideText text={said} />
      </p>
    </Card>
  );
}

interface MoveProps<T> {
  readonly title: string;
  readonly note: ReactNode;
  /** What names the one that is moved. */
  readonly id: string;
  readonly path: (id: string) => string;
  /** What is chosen for it. */
  readonly choice?: { readonly name: string; readonly values: readonly string[] };
  /** The label of the amount, where it takes one. */
  readonly amount?: string;
  readonly onDone: (answered: T) => void;
}

function Move<T>({ title, note, id: idLabel, path, choice, amount: amountLabel, onDone }: MoveProps<T>) {
  const { environment } = usePlace();
  const refresh = useRefresh("/");
  const [id, setId] = useState("");
  const [chosen, setChosen] = useState(choice?.values[0] ?? "");
  const [amount, setAmount] = useState("");
  return (
    <ConfirmButton
      title={title}
      run={(idempotencyKey) =>
        call<T>({
          method: "POST",
          path: path(encodeURIComponent(id.trim())),
          body: {
            ...(choice === undefined ? {} : { [choice.name]: chosen }),
            ...(amountLabel === undefined ? {} : { amount: amount.trim() }),
          },
          environment,
          idempotencyKey,
        })
      }
      onDone={({ data }) => {
        onDone(data);
        refresh();
      }}
    >
      <TextField label={idLabel} required value={id} onValue={setId} />
      {choice === undefined ? null : (
        <ChoiceField label={words.becomes} value={chosen} onValue={setChosen} options={optionsOf(choice.values)} />
      )}
      {amountLabel === undefined ? null : (
        <TextField
          label={amountLabel}
          required
          inputMode="decimal"
          pattern="[0-9]+(\.[0-9]{1,2})?"
          value={amount}
          onValue={setAmount}
        />
      )}
      <p>{note}</p>
    </ConfirmButton>
  );
}
