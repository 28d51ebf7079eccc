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
        <DecideVerification onDone={say} />
        <PayIn onDone={say} />
        <SwitchVirtualAccount onDone={say} />
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

interface KnownMove {
  /** The one that is moved, where it is known; otherwise its id is asked for. */
  readonly of?: string | undefined;
  /** Is given what has become of it, in words. */
  readonly onDone: (said: string) => void;
}

/** Has the partner approve or refuse a verification. */
export function DecideVerification({ of, onDone }: KnownMove) {
  return (
    <Move<KycRecord>
      title={words.decide}
      note={words.decideWhat}
      id={words.kycId}
      of={of}
      path={(id) => `/sandbox/kyc/${id}`}
      choice={{ name: "status", values: ["approved", "rejected", "under_review", "incomplete", "not_started"] }}
      onDone={({ status }) => onDone(words.decided(status.replaceAll("_", " ")))}
    />
  );
}

/** Pays into a virtual account as a sender would. */
export function PayIn({ of, onDone }: KnownMove) {
  return (
    <Move<Deposit>
      title={words.deposit}
      note={words.depositWhat}
      id={words.virtualAccountId}
      of={of}
      path={(id) => `/sandbox/virtual-accounts/${id}/deposits`}
      amount={words.amount}
      onDone={({ amount, currency, state }) =>
        onDone(words.deposited(`${amount} ${currency.toUpperCase()}`, state.replaceAll("_", " ")))
      }
    />
  );
}

/** Activates or deactivates a virtual account. */
export function SwitchVirtualAccount({ of, onDone }: KnownMove) {
  return (
    <Move<VirtualAccount>
      title={words.switch}
      note={words.switchWhat}
      id={words.virtualAccountId}
      of={of}
      path={(id) => `/sandbox/virtual-accounts/${id}`}
      choice={{ name: "status", values: ["deactivated", "activated"] }}
      onDone={({ status }) => onDone(words.switched(status))}
    />
  );
}

interface MoveProps<T> {
  readonly title: string;
  readonly note: ReactNode;
  /** What names the one that is moved. */
  readonly id: string;
  /** Its id, where it is known. */
  readonly of?: string | undefined;
  readonly path: (id: string) => string;
  /** What is chosen for it. */
  readonly choice?: { readonly name: string; readonly values: readonly string[] };
  /** The label of the amount, where it takes one. */
  readonly amount?: string;
  readonly onDone: (answered: T) => void;
}

function Move<T>({ title, note, id: idLabel, of, path, choice, amount: amountLabel, onDone }: MoveProps<T>) {
  const { environment } = usePlace();
  const refresh = useRefresh("/");
  const [id, setId] = useState(of ?? "");
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
      <TextField label={idLabel} required readOnly={of !== undefined} value={id} onValue={setId} />
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
