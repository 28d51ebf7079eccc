import type { ApiKey } from "@trellis/sdk";
import { useState } from "react";
import { call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { useRefresh } from "../parts/refresh.js";
import { SecretOnce } from "../parts/secret-once.js";
import { usePlace } from "../parts/session.js";
import { State } from "../parts/states.js";
import { texts } from "../texts.js";
import { CreateKey } from "./create-key.js";

const words = texts.keys;

/** The tenant's API keys, whatever became of them. */
export default function Keys() {
  const refresh = useRefresh("/api-keys");
  const [key, setKey] = useState<string>();
  const list = useList<ApiKey>("/api-keys");
  return (
    <>
      <h1>{words.title}</h1>
      {key === undefined ? null : <SecretOnce title={words.made} secret={key} onStored={() => setKey(undefined)} />}
      <p>
        <CreateKey
          onDone={(made) => {
            setKey(made);
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
          { title: words.name, cell: (each) => <Name of={each} /> },
          { title: words.type, cell: ({ type }) => words.types[type] },
          { title: words.environments, cell: ({ environments }) => environments.join(", ") },
          { title: words.scopes, cell: (each) => <Powers of={each} /> },
          { title: words.lastUsed, cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
          { title: words.expires, cell: ({ expires_at }) => <Moment at={expires_at} /> },
          {
            title: texts.account.state,
            cell: ({ status }) => <State value={status} tone={status === "active" ? "good" : "plain"} />,
          },
          {
            title: words.revoke,
            cell: (each) => (each.status === "active" ? <Revoke of={each} onDone={refresh} /> : null),
          },
        ]}
      />
    </>
  );
}

function Name({ of }: { readonly of: ApiKey }) {
  return (
    <>
      <OutsideText text={of.name} />
      <br />
      <code>{of.visible_prefix}</code>
    </>
  );
}

function Powers({ of }: { readonly of: ApiKey }) {
  const places = [...of.allowed_origins, ...of.allowed_addresses];
  return (
    <>
      {of.scopes.length > 3 ? (
        <details>
          <summary>{words.scopesOf(of.scopes.length)}</summary>
          {of.scopes.join(", ")}
        </details>
      ) : (
        of.scopes.join(", ")
      )}
      {places.length === 0 ? null : (
        <div>
          {words.from} <OutsideText text={places.join(", ")} />
        </div>
      )}
    </>
  );
}

function Revoke({ of, onDone }: { readonly of: ApiKey; readonly onDone: () => void }) {
  const { environment } = usePlace();
  return (
    <ConfirmButton
      title={words.revoke}
      isDangerous
      run={(idempotencyKey) =>
        call({ method: "DELETE", path: `/api-keys/${encodeURIComponent(of.id)}`, environment, idempotencyKey })
      }
      onDone={onDone}
    >
      <p>
        <strong>
          <OutsideText text={of.name} />
        </strong>{" "}
        <code>{of.visible_prefix}</code>
      </p>
      <p>{words.revokeWhat}</p>
    </ConfirmButton>
  );
}
