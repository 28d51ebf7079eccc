import { useState } from "react";
import { call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { TextField } from "../parts/fields.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { addPasskey, hasPasskeys } from "../parts/passkeys.js";
import { useList } from "../parts/reads.js";
import { useRefresh } from "../parts/refresh.js";
import { usePlace, useRefreshSession } from "../parts/session.js";
import { Card } from "../parts/states.js";
import { texts } from "../texts.js";

const words = texts.passkeys;

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly synced: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** The passkeys of the member who is signed in, and whether they alone sign the member in. */
export default function Passkeys() {
  const list = useList<Passkey>("/console/passkeys");
  const refreshList = useRefresh("/console/passkeys");
  const refreshSession = useRefreshSession();
  return (
    <>
      <h1>{words.title}</h1>
      <p>{words.what}</p>
      <p className="faint">{words.fresh}</p>
      {hasPasskeys() ? (
        <p>
          <Add onDone={refreshList} />
        </p>
      ) : (
        <p>{words.unavailable}</p>
      )}
      <ListView
        list={list}
        caption={words.caption}
        empty={words.empty}
        keyOf={({ id }) => id}
        columns={[
          { title: words.name, cell: ({ name }) => <OutsideText text={name} /> },
          { title: words.where, cell: ({ synced }) => (synced ? words.synced : words.oneDevice) },
          { title: words.added, cell: ({ created_at }) => <Moment at={created_at} /> },
          { title: words.used, cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
          { title: words.change, cell: (passkey) => <Changes passkey={passkey} onDone={refreshList} /> },
        ]}
      />
      <Requirement hasAny={(list.rows ?? []).length > 0} onDone={refreshSession} />
    </>
  );
}

function Add({ onDone }: { readonly onDone: () => void }) {
  const [name, setName] = useState("");
  return (
    <ConfirmButton
      title={words.add}
      run={() => addPasskey(name.trim())}
      onDone={() => {
        setName("");
        onDone();
      }}
    >
      <TextField label={words.nameAsked} autoComplete="off" required maxLength={64} value={name} onValue={setName} />
      <p>{words.addWhat}</p>
    </ConfirmButton>
  );
}

function Changes({ passkey, onDone }: { readonly passkey: Passkey; readonly onDone: () => void }) {
  const [name, setName] = useState(passkey.name);
  const path = `/console/passkeys/${encodeURIComponent(passkey.id)}`;
  return (
    <div className="buttons">
      <ConfirmButton
        title={words.rename}
        run={() => call({ method: "PATCH", path, body: { name: name.trim() } })}
        onDone={onDone}
      >
        <TextField label={words.name} autoComplete="off" required maxLength={64} value={name} onValue={setName} />
      </ConfirmButton>
      <ConfirmButton title={words.remove} isDangerous run={() => call({ method: "DELETE", path })} onDone={onDone}>
        <p>
          <strong>
            <OutsideText text={passkey.name} />
          </strong>
        </p>
        <p>{words.removeWhat}</p>
      </ConfirmButton>
    </div>
  );
}

function Requirement({ hasAny, onDone }: { readonly hasAny: boolean; readonly onDone: () => void }) {
  const { passkey_required: isOn } = usePlace().session.member;
  return (
    <Card title={words.requirement}>
      <p>{isOn ? words.isRequired : words.isOptional}</p>
      {isOn || hasAny ? (
        <ConfirmButton
          title={isOn ? words.lift : words.require}
          run={() => call({ method: "PATCH", path: "/console/member", body: { passkey_required: !isOn } })}
          onDone={onDone}
        >
          <p>{isOn ? words.liftWhat : words.requireWhat}</p>
        </ConfirmButton>
      ) : (
        <p className="faint">{words.addFirst}</p>
      )}
    </Card>
  );
}
