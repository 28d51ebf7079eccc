import { type ExplainedError, type LabelChange, useAddressBook, useLabels } from "@trellis/react";
import { isAddress, type Label, TrellisApiError } from "@trellis/sdk";
import { type FormEvent, useState } from "react";
import { AddressText } from "../../parts/address.js";
import { ApiError } from "../../parts/api.js";
import { ConfirmButton } from "../../parts/confirm.js";
import { Rows } from "../../parts/list-view.js";
import { OutsideText } from "../../parts/outside-text.js";
import { Card, Failure } from "../../parts/states.js";
import { texts } from "../texts.js";
import { FaultyField } from "./faulty-field.js";
import { useKnownAddresses } from "./known-addresses.js";
import { findLookAlike } from "./look-alike.js";
import { Loaded } from "./read-states.js";

const words = texts.names;

/** The account's address book: what addresses are called, for all its members. */
export default function NamesPage() {
  const book = useAddressBook({ pollMs: 60_000 });
  return (
    <>
      <h1>{texts.views.names}</h1>
      <p>{words.what}</p>
      <Card title={words.add}>
        <NameForm labels={book.data ?? []} />
      </Card>
      <Loaded read={book}>
        {(labels) =>
          labels.length === 0 ? (
            <p className="faint">{words.empty}</p>
          ) : (
            <Rows
              rows={labels}
              caption={words.caption}
              keyOf={({ address }) => address}
              columns={[
                { title: words.name, cell: ({ name }) => <OutsideText text={name} /> },
                { title: words.address, cell: ({ address }) => <AddressText address={address} isWhole /> },
                { title: words.change, cell: (label) => <Changes label={label} /> },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}

function Changes({ label: { address, name } }: { readonly label: Label }) {
  const { put, remove } = useLabels();
  const [next, setNext] = useState(name);
  return (
    <div className="buttons">
      <ConfirmButton
        title={words.rename}
        run={async () => requireDone(await put(address, { name: next }))}
        confirm={words.save}
      >
        <AddressText address={address} isWhole />
        <FaultyField label={words.name} hint={words.nameHint} fault={undefined} value={next} onValue={setNext} />
      </ConfirmButton>
      <ConfirmButton title={words.remove} run={async () => requireDone(await remove(address))} isDangerous>
        <p>
          <OutsideText text={name} />
        </p>
        <AddressText address={address} isWhole />
        <p>{words.removeWhat}</p>
      </ConfirmButton>
    </div>
  );
}

function NameForm({ labels }: { readonly labels: readonly Label[] }) {
  const { put } = useLabels();
  const { known } = useKnownAddresses();
  const [address, setAddress] = useState("");
  const [name, setName] = useState("");
  const [isAsked, setAsked] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [change, setChange] = useState<LabelChange>();
  const whole = address.trim();
  const before = labels.find((label) => label.address === whole);
  const looksLike = isAddress(whole) ? findLookAlike(whole, known) : undefined;
  const faults = {
    address: isAddress(whole) ? undefined : words.notAddress,
    name: name.trim() === "" ? words.noName : undefined,
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (faults.address !== undefined || faults.name !== undefined || isSaving) return;
    setSaving(true);
    const outcome = await put(whole, { name });
    setSaving(false);
    setChange(outcome);
    if (outcome.status === "refused") return;
    setAddress("");
    setName("");
    setAsked(false);
  };
  return (
    <form className="form" onSubmit={(event) => void save(event)} noValidate>
      <FaultyField
        label={words.address}
        hint={words.addressHint}
        fault={isAsked ? faults.address : undefined}
        value={address}
        onValue={setAddress}
      />
      <FaultyField
        label={words.name}
        hint={words.nameHint}
        fault={isAsked ? faults.name : undefined}
        value={name}
        onValue={setName}
      />
      {before === undefined ? null : (
        <p className="notice">
          {words.hasName} <OutsideText text={before.name} />
        </p>
      )}
      {looksLike === undefined ? null : (
        <div role="alert" className="notice alarm">
          <p>{words.looksLike}</p>
          <AddressText address={looksLike} isWhole />
        </div>
      )}
      <p className="buttons">
        <button type="submit" className="main" disabled={isSaving}>
          {isSaving ? texts.working : words.save}
        </button>
      </p>
      {change?.status === "done" ? <p role="status">{words.saved}</p> : null}
      {change?.status === "refused" ? <Failure error={inServiceWords(change.error)} /> : null}
    </form>
  );
}

/** The service says in its own words what is wrong with a name; of anything else the hooks do. */
function inServiceWords({ cause, code, help }: ExplainedError): ApiError {
  if (cause instanceof TrellisApiError) return new ApiError(cause.status, code, cause.message, cause.requestId);
  return new ApiError(0, code, help);
}

function requireDone(change: LabelChange): void {
  if (change.status === "refused") throw inServiceWords(change.error);
}
