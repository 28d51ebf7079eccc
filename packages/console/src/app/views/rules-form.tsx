import type { OwnPowers } from "@trellis/react";
import { isAddress, type Permission } from "@trellis/sdk";
import { useState } from "react";
import { shortAddress } from "../../parts/address.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { OutsideText } from "../../parts/outside-text.js";
import { texts } from "../texts.js";
import { FaultyField } from "./faulty-field.js";
import { useLookAlikes } from "./look-alikes.js";
import type { Names } from "./named.js";
import { Named } from "./named.js";
import { Propose } from "./propose.js";
import {
  actionsMax,
  actionsOf,
  allPermissions,
  differencesOf,
  faultsOf,
  type Member,
  type Rules,
} from "./rules-difference.js";
import { DifferenceTable } from "./rules-table.js";

const words = texts.rules;

/** Other rules, as a draft: they are proposed as the difference to what is in force. */
export function RulesForm({
  rules,
  own,
  names,
}: {
  readonly rules: Rules;
  readonly own: OwnPowers;
  readonly names: Names;
}) {
  const [{ base, draft }, setDrafted] = useState(() => ({ base: rules, draft: draftOf(rules) }));
  const setDraft = (next: Draft) => setDrafted({ base, draft: next });
  const wanted = rulesIn(draft);
  const present = new Set(rules.members.map(({ address }) => address));
  const added = wanted.members.map(({ address }) => address).filter((address) => !present.has(address));
  const lookAlikes = useLookAlikes(added);
  // A draft is the difference to the rules that it was made from: of others it would undo what others have changed.
  if (differencesOf(base, rules).length > 0)
    return (
      <div role="alert" className="notice alarm">
        <p>{words.outdated}</p>
        <button type="button" onClick={() => setDrafted({ base: rules, draft: draftOf(rules) })}>
          {words.startAnew}
        </button>
      </div>
    );
  const differences = differencesOf(rules, wanted);
  const faults = faultsOf(wanted);
  const actions = actionsOf(rules, wanted);
  return (
    <div className="propose">
      <p className="faint">{words.proposeHint}</p>
      {draft.members.map((member) => (
        <MemberFields
          key={member.address}
          member={member}
          names={names}
          onMember={(next) =>
            setDraft({ ...draft, members: draft.members.map((one) => (one.address === next.address ? next : one)) })
          }
        />
      ))}
      <AddMember
        members={draft.members}
        onAdd={(address) =>
          setDraft({
            ...draft,
            members: [...draft.members, { address, permissions: allPermissions, isRemoved: false }],
          })
        }
      />
      <div className="row">
        <TextField
          label={words.newThreshold}
          type="number"
          min={1}
          max={10}
          value={draft.threshold}
          onValue={(threshold) => setDraft({ ...draft, threshold })}
        />
        <TextField
          label={words.newTimeLock}
          type="number"
          min={0}
          value={draft.timeLock}
          onValue={(timeLock) => setDraft({ ...draft, timeLock })}
        />
        <ChoiceField
          label={words.unit}
          value={String(draft.unitSeconds)}
          onValue={(unit) => setDraft({ ...draft, unitSeconds: Number(unit) })}
          options={words.units.map(({ title, seconds }) => ({ value: String(seconds), title }))}
        />
      </div>
      {faults.length === 0 ? null : (
        <div role="alert" className="notice alarm">
          {faults.map((fault) => (
            <p key={fault}>{words.faults[fault]}</p>
          ))}
        </div>
      )}
      {lookAlikes.notice}
      {differences.length === 0 ? (
        <p className="faint">{words.nothingChanged}</p>
      ) : faults.length > 0 || lookAlikes.isHeld ? null : actions.length > actionsMax ? (
        <p className="notice alarm">{words.tooMany}</p>
      ) : (
        <Propose content={{ type: "settings", actions }} own={own}>
          <DifferenceTable differences={differences} names={names} />
          <p>{words.stillOpen}</p>
        </Propose>
      )}
    </div>
  );
}

interface DraftMember extends Member {
  readonly isRemoved: boolean;
}

interface Draft {
  readonly members: readonly DraftMember[];
  readonly threshold: string;
  readonly timeLock: string;
  readonly unitSeconds: number;
}

function draftOf({ members, threshold, timeLockSeconds }: Rules): Draft {
  const largest = [...words.units]
    .reverse()
    .find(({ seconds }) => timeLockSeconds > 0 && timeLockSeconds % seconds === 0);
  const unitSeconds = largest?.seconds ?? 3_600;
  return {
    members: members.map((member) => ({ ...member, isRemoved: false })),
    threshold: String(threshold),
    timeLock: String(timeLockSeconds / unitSeconds),
    unitSeconds,
  };
}

/** What is no whole number is none that rules can have. */
const rulesIn = ({ members, threshold, timeLock, unitSeconds }: Draft): Rules => ({
  members: members.filter(({ isRemoved }) => !isRemoved).map(({ address, permissions }) => ({ address, permissions })),
  threshold: wholeIn(threshold),
  timeLockSeconds: wholeIn(timeLock) * unitSeconds,
});

const wholeIn = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN);

function MemberFields({
  member,
  names,
  onMember,
}: {
  readonly member: DraftMember;
  readonly names: Names;
  readonly onMember: (member: DraftMember) => void;
}) {
  const { address, permissions, isRemoved } = member;
  const toggle = (permission: Permission, isOn: boolean) =>
    onMember({
      ...member,
      permissions: allPermissions.filter((one) => (one === permission ? isOn : permissions.includes(one))),
    });
  return (
    <fieldset>
      <legend className="unseen">
        <OutsideText text={words.mayOf(names.get(address)?.name ?? shortAddress(address))} />
      </legend>
      <div>
        <Named address={address} names={names} isWhole /> {isRemoved ? <strong>{words.removed}</strong> : null}
      </div>
      <div className="row">
        {allPermissions.map((permission) => (
          <label className="check" key={permission}>
            <input
              type="checkbox"
              checked={!isRemoved && permissions.includes(permission)}
              disabled={isRemoved}
              onChange={({ target }) => toggle(permission, target.checked)}
            />
            {words.permissions[permission]}
          </label>
        ))}
        <button
          type="button"
          className={isRemoved ? "quiet" : "danger"}
          aria-label={`${isRemoved ? words.keep : words.remove} ${shortAddress(address)}`}
          onClick={() => onMember({ ...member, isRemoved: !isRemoved })}
        >
          {isRemoved ? words.keep : words.remove}
        </button>
      </div>
    </fieldset>
  );
}

function AddMember({
  members,
  onAdd,
}: {
  readonly members: readonly Member[];
  readonly onAdd: (address: string) => void;
}) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string>();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const address = text.trim();
        if (!isAddress(address)) return setFault(words.notAnAddress);
        if (members.some((member) => member.address === address)) return setFault(words.isMember);
        setFault(undefined);
        setText("");
        onAdd(address);
      }}
    >
      <FaultyField label={words.address} hint={words.addressHint} fault={fault} value={text} onValue={setText} />
      <button type="submit">{words.add}</button>
    </form>
  );
}
