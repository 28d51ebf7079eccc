import { useState } from "react";
import { AddressText } from "../parts/address.js";
import { call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { TextField } from "../parts/fields.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { useRefresh } from "../parts/refresh.js";
import { useMay, usePlace } from "../parts/session.js";
import { texts } from "../texts.js";

const words = texts.labels;

interface Label {
  readonly address: string;
  readonly name: string;
  readonly note: string | null;
  readonly updated_at: string;
}

/** The tenant's address book. */
export default function Labels() {
  const mayWrite = useMay("labels:write");
  const refresh = useRefresh("/labels", "labels");
  const list = useList<Label>("/labels");
  return (
    <>
      <h1>{words.title}</h1>
      {mayWrite ? (
        <p>
          <Put onDone={refresh} />
        </p>
      ) : null}
      <ListView
        list={list}
        caption={words.caption}
        empty={words.empty}
        keyOf={({ address }) => address}
        columns={[
          { title: words.name, cell: ({ name }) => <OutsideText text={name} /> },
          { title: words.address, cell: ({ address }) => <AddressText address={address} isWhole /> },
          { title: words.note, cell: ({ note }) => <OutsideText text={note ?? texts.none} /> },
          { title: words.changed, cell: ({ updated_at }) => <Moment at={updated_at} /> },
          ...(mayWrite
            ? [
                {
                  title: texts.members.change,
                  cell: (label: Label) => (
                    <div className="buttons">
                      <Put label={label} onDone={refresh} />
                      <Remove label={label} onDone={refresh} />
                    </div>
                  ),
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

function Put({ label, onDone }: { readonly label?: Label; readonly onDone: () => void }) {
  const { environment } = usePlace();
  const [address, setAddress] = useState("");
  const [name, setName] = useState(label?.name ?? "");
  const [note, setNote] = useState(label?.note ?? "");
  const named = label?.address ?? address.trim();
  return (
    <ConfirmButton
      title={label === undefined ? words.add : words.rename}
      run={(idempotencyKey) =>
        call({
          method: "PUT",
          path: `/labels/${encodeURIComponent(named)}`,
          body: { name: name.trim(), note: note.trim() === "" ? null : note.trim() },
          environment,
          idempotencyKey,
        })
      }
      onDone={() => {
        if (label === undefined) for (const set of [setAddress, setName, setNote]) set("");
        onDone();
      }}
    >
      {label === undefined ? (
        <TextField label={words.address} required value={address} onValue={setAddress} />
      ) : (
        <p>
          <code>{label.address}</code>
        </p>
      )}
      <TextField label={words.name} required value={name} onValue={setName} />
      <TextField label={words.note} value={note} onValue={setNote} />
      {label === undefined ? <p>{words.addWhat}</p> : null}
    </ConfirmButton>
  );
}

function Remove({ label, onDone }: { readonly label: Label; readonly onDone: () => void }) {
  const { environment } = usePlace();
  return (
    <ConfirmButton
      title={words.remove}
      isDangerous
      run={(idempotencyKey) =>
        call({ method: "DELETE", path: `/labels/${encodeURIComponent(label.address)}`, environment, idempotencyKey })
      }
      onDone={onDone}
    >
      <p>
        <strong>
          <OutsideText text={label.name} />
        </strong>
      </p>
      <p>{words.removeWhat}</p>
    </ConfirmButton>
  );
}
