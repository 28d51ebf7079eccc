import type { TreasuryPage } from "@trellis/sdk";
import { useState } from "react";
import { ApiError, call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { TextField } from "../parts/fields.js";
import { OutsideText } from "../parts/outside-text.js";
import { useRead } from "../parts/reads.js";
import { useRefresh } from "../parts/refresh.js";
import { usePlace } from "../parts/session.js";
import { Card, Failure, Loading } from "../parts/states.js";
import { texts } from "../texts.js";
import { publishableScopes } from "./create-key.js";

const words = texts.treasury;
const path = "/treasury-page";

/** The pages for those who own accounts: turning them on and off, their name, colour and logo. */
export default function Treasury() {
  const refresh = useRefresh(path);
  const found = useRead<TreasuryPage>(path);
  const isOff = found.error instanceof ApiError && found.error.status === 404;
  const page = isOff ? undefined : found.data;
  if (page === undefined && !isOff)
    return found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : <Loading />;
  return (
    <>
      <h1>{words.title}</h1>
      <p>{words.what}</p>
      {page === undefined ? <p className="faint">{words.off}</p> : <Shown page={page} />}
      <p className="buttons">
        <Change page={page} onDone={refresh} />
        {page === undefined ? null : (
          <ConfirmButton
            title={words.turnOff}
            isDangerous
            run={(idempotencyKey) => call({ method: "DELETE", path, idempotencyKey })}
            onDone={refresh}
          >
            <p>{words.turnOffWhat}</p>
          </ConfirmButton>
        )}
      </p>
    </>
  );
}

function Shown({ page }: { readonly page: TreasuryPage }) {
  const { session } = usePlace();
  const address = `${location.origin}/app/#/${encodeURIComponent(session.tenant.id)}`;
  return (
    <Card title={words.title}>
      <dl className="facts">
        <dt>{words.address}</dt>
        <dd>
          <a href={address}>{address}</a>
        </dd>
        <dt>{words.name}</dt>
        <dd>
          <OutsideText text={page.name} />
        </dd>
        <dt>{words.color}</dt>
        <dd>
          <code>{page.color}</code>
        </dd>
        <dt>{words.logo}</dt>
        <dd>{page.logo === null ? texts.none : <img className="logo" src={page.logo} alt={words.logo} />}</dd>
        <dt>{words.key}</dt>
        <dd>
          <code>{page.publishable_key}</code>
        </dd>
      </dl>
    </Card>
  );
}

/** Turns the pages on, with a key of their own, or changes what they look like. */
function Change({ page, onDone }: { readonly page: TreasuryPage | undefined; readonly onDone: () => void }) {
  const { session } = usePlace();
  const [draft, setDraft] = useState<{ name?: string; color?: string; logo?: string | null }>({});
  const [refusal, setRefusal] = useState<string>();
  const name = draft.name ?? page?.name ?? session.tenant.name;
  const color = draft.color ?? page?.color ?? "#14532d";
  const logo = draft.logo === undefined ? (page?.logo ?? null) : draft.logo;
  const choose = async (file: File | undefined) => {
    const isFit = file !== undefined && logoTypes.includes(file.type) && file.size <= logoBytesMax;
    setRefusal(file === undefined || isFit ? undefined : words.logoRefused);
    setDraft({ ...draft, logo: isFit ? await dataUrlOf(file) : null });
  };
  return (
    <ConfirmButton
      title={page === undefined ? words.turnOn : words.change}
      isDisabled={!session.scopes.includes("admin:keys")}
      run={async (idempotencyKey) => {
        const publishable_key = page?.publishable_key ?? (await makeKey(session.environments, idempotencyKey));
        const body = { name: name.trim(), color, publishable_key, ...(logo === null ? {} : { logo }) };
        return call({ method: "PUT", path, body, idempotencyKey });
      }}
      onDone={() => {
        setDraft({});
        onDone();
      }}
    >
      <TextField
        label={words.name}
        required
        maxLength={60}
        value={name}
        onValue={(value) => setDraft({ ...draft, name: value })}
      />
      <label>
        {words.color}
        <input type="color" value={color} onChange={({ target }) => setDraft({ ...draft, color: target.value })} />
      </label>
      <label>
        {words.logoAsked}
        <input type="file" accept={logoTypes.join()} onChange={({ target }) => void choose(target.files?.[0])} />
      </label>
      {refusal === undefined ? null : <p role="alert">{refusal}</p>}
      {page === undefined ? <p>{words.turnOnWhat(location.origin)}</p> : null}
    </ConfirmButton>
  );
}

/** The key of the pages: for them alone, and with what they need. A lost answer gets the same key again. */
async function makeKey(environments: readonly string[], idempotencyKey: string): Promise<string> {
  const body = {
    name: words.keyName,
    type: "publishable",
    environments,
    allowed_origins: [location.origin],
    scopes: publishableScopes,
  };
  const { data } = await call<{ readonly key: string }>({ method: "POST", path: "/api-keys", body, idempotencyKey });
  return data.key;
}

const logoTypes = ["image/png", "image/jpeg", "image/webp"];
const logoBytesMax = 24 * 1024;

async function dataUrlOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `data:${file.type};base64,${btoa(text)}`;
}
