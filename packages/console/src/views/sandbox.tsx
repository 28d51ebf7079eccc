import type { AdvancedClock, OutboxMail, SandboxFaults } from "@trellis/sdk";
import { useState } from "react";
import { call } from "../parts/api.js";
import { spellZoned, useClock, ZonedMoment } from "../parts/clock.js";
import { ConfirmButton } from "../parts/confirm.js";
import { ChoiceField, optionsOf, TextField } from "../parts/fields.js";
import { Fold } from "../parts/fold.js";
import { Lines } from "../parts/lines.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList, useRead } from "../parts/reads.js";
import { useRefresh } from "../parts/refresh.js";
import { useMay, usePlace } from "../parts/session.js";
import { Card, Failure, Loading } from "../parts/states.js";
import { texts } from "../texts.js";
import { Partner } from "./sandbox-partner.js";

const words = texts.sandbox;

/** What only the sandbox can do. */
export default function Sandbox() {
  const mayMoveClock = useMay("sandbox:clock");
  const [said, say] = useState("");
  return (
    <>
      <h1>{words.title}</h1>
      <Clock />
      <p className="buttons">
        <Airdrop onDone={say} />
        {mayMoveClock ? <Advance onDone={say} /> : null}
      </p>
      <p role="status">{said}</p>
      <Partner />
      <Outbox />
      <Faults mayChange={mayMoveClock} />
    </>
  );
}

function Clock() {
  const { data } = useClock();
  return data === undefined ? null : (
    <p>
      {words.clock} <ZonedMoment at={data.now} />
    </p>
  );
}

function Airdrop({ onDone }: { readonly onDone: (said: string) => void }) {
  const { environment } = usePlace();
  const [address, setAddress] = useState("");
  const [currency, setCurrency] = useState("usdc");
  const [amount, setAmount] = useState("");
  return (
    <ConfirmButton
      title={words.airdrop}
      run={(idempotencyKey) =>
        call({
          method: "POST",
          path: "/sandbox/airdrop",
          body: { address: address.trim(), currency, amount: amount.trim() },
          environment,
          idempotencyKey,
        })
      }
      onDone={() => onDone(words.airdropped)}
    >
      <TextField label={texts.accounts.address} required value={address} onValue={setAddress} />
      <ChoiceField
        label={words.currency}
        value={currency}
        onValue={setCurrency}
        options={optionsOf(["usdc", "sol", "usdt", "pyusd", "eurc"])}
      />
      <TextField
        label={words.amount}
        required
        inputMode="numeric"
        pattern="[0-9]+"
        value={amount}
        onValue={setAmount}
      />
    </ConfirmButton>
  );
}

function Advance({ onDone }: { readonly onDone: (said: string) => void }) {
  const { environment } = usePlace();
  const refresh = useRefresh("/");
  const [hours, setHours] = useState("24");
  return (
    <ConfirmButton
      title={words.advance}
      run={(idempotencyKey) =>
        call<AdvancedClock>({
          method: "POST",
          path: "/sandbox/clock/advance",
          body: { seconds: Math.round(Number(hours) * 3600) },
          environment,
          idempotencyKey,
        })
      }
      onDone={({ data }) => {
        onDone(words.advanced(spellZoned(data.now), data.standing_order_runs.paid, data.standing_order_runs.missed));
        refresh();
      }}
    >
      <TextField label={words.hours} type="number" min={1} max={9600} required value={hours} onValue={setHours} />
      <p>{words.advanceWhat}</p>
    </ConfirmButton>
  );
}

function Outbox() {
  const list = useList<OutboxMail>("/sandbox/outbox", {}, { everyMs: 10_000 });
  return (
    <Card title={words.outbox}>
      <ListView
        list={list}
        caption={words.outbox}
        empty={words.noMail}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.account.when, cell: ({ created_at }) => <Moment at={created_at} /> },
          { title: words.to, cell: ({ to }) => <OutsideText text={to} /> },
          { title: words.subject, cell: ({ subject }) => <OutsideText text={subject} /> },
          { title: words.code, cell: ({ otp_code }) => (otp_code === "" ? texts.none : <code>{otp_code}</code>) },
          { title: words.text, cell: ({ text }) => <Fold title={words.show}>{() => <Lines text={text} />}</Fold> },
        ]}
      />
    </Card>
  );
}

function Faults({ mayChange }: { readonly mayChange: boolean }) {
  const { environment } = usePlace();
  const refresh = useRefresh("/sandbox/faults");
  const found = useRead<SandboxFaults>("/sandbox/faults");
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>({});
  if (found.data === undefined)
    return (
      <Card title={words.faults}>
        {found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : <Loading />}
      </Card>
    );
  const now = Object.entries(found.data).filter((entry): entry is [keyof typeof words.faultNames, number] => {
    return entry[0] in words.faultNames && typeof entry[1] === "number";
  });
  return (
    <Card
      title={words.faults}
      action={
        mayChange ? (
          <ConfirmButton
            title={words.setFaults}
            run={(idempotencyKey) =>
              call({
                method: "POST",
                path: "/sandbox/faults",
                body: Object.fromEntries(now.map(([name, value]) => [name, Number(draft[name] ?? value)])),
                environment,
                idempotencyKey,
              })
            }
            onDone={() => {
              setDraft({});
              refresh();
            }}
          >
            {now.map(([name, value]) => (
              <TextField
                key={name}
                label={words.faultNames[name]}
                type="number"
                min={0}
                required
                value={draft[name] ?? String(value)}
                onValue={(text) => setDraft({ ...draft, [name]: text })}
              />
            ))}
            <p>{words.faultsWhat}</p>
          </ConfirmButton>
        ) : undefined
      }
    >
      <dl className="facts">
        {now.map(([name, value]) => (
          <div className="member" key={name}>
            <dt>{words.faultNames[name]}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
