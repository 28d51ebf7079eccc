import { useState } from "react";
import { call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { ChecksField, ChoiceField, TextField } from "../parts/fields.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { useRefresh } from "../parts/refresh.js";
import { SecretOnce } from "../parts/secret-once.js";
import { usePlace } from "../parts/session.js";
import { State } from "../parts/states.js";
import { texts } from "../texts.js";

const words = texts.members;

type Role = keyof typeof texts.roles;
const roles = (Object.keys(texts.roles) as Role[]).map((value) => ({ value, title: words.rolesLong[value] }));

interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly is_operator?: boolean;
  readonly environments?: readonly string[];
  readonly status: "invited" | "active" | "disabled";
  readonly last_signed_in_at: string | null;
  readonly proposal_mails: boolean;
  readonly passkey_required: boolean;
}

interface Invited {
  /** Absent where it was mailed. */
  readonly url?: string;
  readonly mailed: boolean;
}

/** Who may use this console for the tenant, and as what. */
export default function Members() {
  const refresh = useRefresh("/members");
  const [invited, setInvited] = useState<Invited>();
  const list = useList<Member>("/members");
  return (
    <>
      <h1>{words.title}</h1>
      {invited?.url === undefined ? null : (
        <SecretOnce
          title={words.link}
          secret={invited.url}
          note={words.linkNote}
          onStored={() => setInvited(undefined)}
        />
      )}
      {invited?.mailed === true ? <p role="status">{words.linkMailed}</p> : null}
      <p>
        <Invite
          onDone={(made) => {
            setInvited(made);
            refresh();
          }}
        />
      </p>
      <ListView
        list={list}
        caption={words.caption}
        empty={words.empty}
        keyOf={({ id }) => id}
        columns={[
          { title: words.email, cell: ({ email }) => <OutsideText text={email} /> },
          { title: words.name, cell: ({ name }) => <OutsideText text={name ?? texts.none} /> },
          {
            title: words.role,
            cell: ({ role, is_operator }) => `${texts.roles[role]}${is_operator === true ? `, ${words.operator}` : ""}`,
          },
          { title: texts.keys.environments, cell: ({ environments }) => environments?.join(", ") ?? texts.none },
          {
            title: texts.account.state,
            cell: ({ status }) => <State value={status} tone={status === "active" ? "good" : "plain"} />,
          },
          {
            title: words.mails,
            cell: ({ proposal_mails }) => (proposal_mails ? words.wanted : words.unwanted),
          },
          {
            title: words.signsIn,
            cell: ({ passkey_required }) => (passkey_required ? words.byPasskeys : words.byCodes),
          },
          { title: words.lastSeen, cell: ({ last_signed_in_at }) => <Moment at={last_signed_in_at} /> },
          { title: words.change, cell: (member) => <Changes member={member} onDone={refresh} /> },
        ]}
      />
    </>
  );
}

function Invite({ onDone }: { readonly onDone: (invited: Invited) => void }) {
  const { session } = usePlace();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState("viewer");
  const [environments, setEnvironments] = useState(session.environments);
  return (
    <ConfirmButton
      title={words.invite}
      run={(idempotencyKey) =>
        call<{ readonly invitation: Invited }>({
          method: "POST",
          path: "/members",
          body: { email: email.trim(), role, environments, ...(name.trim() === "" ? {} : { name: name.trim() }) },
          idempotencyKey,
        })
      }
      onDone={({ data }) => {
        setEmail("");
        setName("");
        onDone(data.invitation);
      }}
    >
      <TextField label={words.email} type="email" autoComplete="off" required value={email} onValue={setEmail} />
      <TextField label={words.nameAsked} autoComplete="off" value={name} onValue={setName} />
      <ChoiceField label={words.role} value={role} onValue={setRole} options={roles} />
      <ChecksField
        label={texts.keys.environments}
        values={environments}
        onValues={setEnvironments}
        options={session.environments}
      />
      <p>{words.inviteWhat}</p>
    </ConfirmButton>
  );
}

function Changes({ member, onDone }: { readonly member: Member; readonly onDone: () => void }) {
  const { session } = usePlace();
  const [role, setRole] = useState<string>(member.role);
  const path = `/members/${encodeURIComponent(member.id)}`;
  const change = (body: object) => (idempotencyKey: string) => call({ method: "PATCH", path, body, idempotencyKey });
  const isSelf = member.id === session.member.id;
  const isDisabled = member.status === "disabled";
  const who = (
    <p>
      <strong>
        <OutsideText text={member.email} />
      </strong>
      {isSelf ? ` ${words.self}` : ""}
    </p>
  );
  return (
    <div className="buttons">
      <ConfirmButton title={words.changeRole} run={change({ role })} onDone={onDone}>
        {who}
        <ChoiceField label={words.role} value={role} onValue={setRole} options={roles} />
      </ConfirmButton>
      {member.status === "invited" ? null : (
        <ConfirmButton
          title={isDisabled ? words.enable : words.disable}
          run={change({ status: isDisabled ? "active" : "disabled" })}
          onDone={onDone}
        >
          {who}
          <p>{isDisabled ? words.enableWhat : words.disableWhat}</p>
        </ConfirmButton>
      )}
      {member.passkey_required && !isSelf ? (
        <ConfirmButton title={words.allowCodes} run={change({ passkey_required: false })} onDone={onDone}>
          {who}
          <p>{words.allowCodesWhat}</p>
        </ConfirmButton>
      ) : null}
      <ConfirmButton
        title={words.remove}
        isDangerous
        run={(idempotencyKey) => call({ method: "DELETE", path, idempotencyKey })}
        onDone={onDone}
      >
        {who}
        <p>{words.removeWhat}</p>
      </ConfirmButton>
    </div>
  );
}
