import type { OwnedAccount } from "@trellis/react";
import { isAddress, type SpendingLimitPeriod } from "@trellis/sdk";
import { useId, useState } from "react";
import { ChoiceField, linesOf } from "../../parts/fields.js";
import { texts } from "../texts.js";
import { readAmount } from "./amount-of.js";
import { CurrencyField, Money, symbolOf, useCurrencies, usualOf } from "./currencies.js";
import { dayEndOf } from "./due-dates.js";
import { FaultyField } from "./faulty-field.js";
import { useLookAlikes } from "./look-alikes.js";
import { Named, NamedList, type Names, useNames } from "./named.js";
import { Propose } from "./propose.js";

const words = texts.limits;
const payeesMax = 20;
const signersMax = 10;
const periods = ["day", "week", "month", "one_time"] as const satisfies readonly SpendingLimitPeriod[];

/** A spending limit as a draft: what it lets people do is said in full before it is proposed. */
export function LimitForm({ account, names }: { readonly account: OwnedAccount; readonly names: Names }) {
  const currencies = useCurrencies();
  const [draft, setDraft] = useState({
    currency: usualOf(currencies),
    amount: "",
    period: "month" as SpendingLimitPeriod,
    members: [] as readonly string[],
    others: "",
    payees: "",
    end: "",
  });
  const payees = [...new Set(linesOf(draft.payees))];
  const signers = [...new Set([...draft.members, ...linesOf(draft.others)])];
  const lookAlikes = useLookAlikes([...signers, ...payees].filter((address) => isAddress(address)));
  const [nowMs] = useState(() => Date.now());
  const { policies, own } = account;
  if (policies.admin_address !== null) return <p>{texts.rules.adminOnly}</p>;
  const { currency } = draft;
  if (currency === undefined) return null;
  const { units, fault } = readAmount(draft.amount, currency.decimals);
  const badSigner = signers.find((signer) => !isAddress(signer) || signer === account.address);
  const badPayee = payees.find((payee) => !isAddress(payee));
  const endMs = dayEndOf(draft.end);
  const faults = {
    amount: draft.amount === "" || fault === undefined ? undefined : texts.pay.faults[fault],
    others:
      badSigner === account.address
        ? words.ownAddress
        : badSigner !== undefined
          ? words.badPayees(badSigner)
          : signers.length > signersMax
            ? words.tooManySigners
            : undefined,
    payees:
      badPayee !== undefined ? words.badPayees(badPayee) : payees.length > payeesMax ? words.tooManyPayees : undefined,
    end: draft.end !== "" && (endMs === undefined || endMs < nowMs) ? words.badEnd : undefined,
  };
  const isComplete = units !== undefined && signers.length > 0 && Object.values(faults).every((one) => !one);
  return (
    <div className="propose">
      <div className="row">
        <CurrencyField
          label={texts.pay.currency}
          value={currency}
          onValue={(next) => setDraft({ ...draft, currency: next })}
          options={currencies}
          titleOf={symbolOf}
        />
        <ChoiceField
          label={words.period}
          value={draft.period}
          onValue={(period) => setDraft({ ...draft, period: period as SpendingLimitPeriod })}
          options={periods.map((period) => ({ value: period, title: words.periods[period] }))}
        />
      </div>
      <FaultyField
        label={words.amountField}
        hint={texts.pay.amountHint}
        fault={faults.amount}
        inputMode="decimal"
        value={draft.amount}
        onValue={(amount) => setDraft({ ...draft, amount })}
      />
      <fieldset>
        <legend>{words.signersField}</legend>
        {policies.signers.map(({ address }) => (
          <label className="check" key={address}>
            <input
              type="checkbox"
              checked={draft.members.includes(address)}
              onChange={({ target }) =>
                setDraft({
                  ...draft,
                  members: target.checked
                    ? [...draft.members, address]
                    : draft.members.filter((member) => member !== address),
                })
              }
            />
            <span>
              <Named address={address} names={names} isWhole isPlain />
            </span>
          </label>
        ))}
      </fieldset>
      <AddressesField
        label={words.othersField}
        hint={words.othersHint}
        fault={faults.others}
        value={draft.others}
        onValue={(others) => setDraft({ ...draft, others })}
      />
      <AddressesField
        label={words.payeesField}
        hint={words.payeesHint}
        fault={faults.payees}
        value={draft.payees}
        onValue={(typed) => setDraft({ ...draft, payees: typed })}
      />
      <FaultyField
        label={words.end}
        hint={words.endHint}
        fault={faults.end}
        type="date"
        value={draft.end}
        onValue={(end) => setDraft({ ...draft, end })}
      />
      {lookAlikes.notice}
      {isComplete && units !== undefined && !lookAlikes.isHeld ? (
        <Propose
          own={own}
          content={{
            type: "settings",
            actions: [
              {
                type: "AddSpendingLimit",
                mint: currency.mint,
                amount: units.toString(),
                period: draft.period,
                signers,
                destinations: payees,
                ...(endMs === undefined ? {} : { expiration: endMs / 1000 }),
              },
            ],
          }}
        >
          <Signers signers={signers} members={policies.signers.map(({ address }) => address)} />
          <p>
            {words.mayPay} <Money units={units} mint={currency.mint} /> {words.periods[draft.period]},{" "}
            {words.withoutVote}
          </p>
          <Payees payees={payees} />
          <p>{endMs === undefined ? words.noEnd : words.until(draft.end)}</p>
        </Propose>
      ) : null}
    </div>
  );
}

/** Addresses that are typed, one on each line, and, where they cannot be taken, why. */
function AddressesField({
  label,
  hint,
  fault,
  value,
  onValue,
}: {
  readonly label: string;
  readonly hint: string;
  readonly fault: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        spellCheck={false}
        autoComplete="off"
        value={value}
        aria-describedby={`${id}-hint ${id}-fault`}
        aria-invalid={fault !== undefined}
        onChange={({ target }) => onValue(target.value)}
      />
      <small id={`${id}-hint`} className="faint">
        {hint}
      </small>
      <p id={`${id}-fault`} className="fault" aria-live="polite">
        {fault}
      </p>
    </div>
  );
}

/** Each in full, members first. */
function Signers({ signers, members }: { readonly signers: readonly string[]; readonly members: readonly string[] }) {
  const names = useNames(signers);
  const [known, others] = [true, false].map((isMember) =>
    signers.filter((signer) => members.includes(signer) === isMember),
  ) as [string[], string[]];
  return (
    <>
      {known.length === 0 ? null : <NamedList addresses={known} names={names} isWhole />}
      {others.length === 0 ? null : (
        <>
          <p>
            <strong>{words.others}</strong>
          </p>
          <NamedList addresses={others} names={names} isWhole />
        </>
      )}
    </>
  );
}

function Payees({ payees }: { readonly payees: readonly string[] }) {
  const names = useNames(payees);
  if (payees.length === 0)
    return (
      <p>
        <strong>{words.toAnybody}</strong>
      </p>
    );
  return (
    <>
      <p>{words.toThese}</p>
      <NamedList addresses={payees} names={names} isWhole />
    </>
  );
}
