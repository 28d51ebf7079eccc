import type { WebhookEndpoint } from "@trellis/sdk";
import { useState } from "react";
import { call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { linesOf, TextField } from "../parts/fields.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { useRefresh } from "../parts/refresh.js";
import { hrefOf } from "../parts/route.js";
import { SecretOnce } from "../parts/secret-once.js";
import { useMay, usePlace } from "../parts/session.js";
import { State } from "../parts/states.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";
import { EndpointPage } from "./webhook-endpoint.js";

const words = texts.webhooks;

/** Where events are sent, or one of these places: `webhooks/ENDPOINT`. */
export default function Webhooks({ parts }: ViewProps) {
  const [id] = parts;
  return id === undefined ? <Endpoints /> : <EndpointPage id={id} key={id} />;
}

function Endpoints() {
  const { environment } = usePlace();
  const mayWrite = useMay("webhooks:write");
  const refresh = useRefresh("/webhook-endpoints");
  const [secret, setSecret] = useState<string>();
  const list = useList<WebhookEndpoint>("/webhook-endpoints", {}, { everyMs: 15_000 });
  return (
    <>
      <h1>{words.title}</h1>
      {secret === undefined ? null : (
        <SecretOnce title={words.secret} secret={secret} onStored={() => setSecret(undefined)} />
      )}
      {mayWrite ? (
        <p>
          <Create
            onDone={(made) => {
              setSecret(made);
              refresh();
            }}
          />
        </p>
      ) : null}
      <ListView
        list={list}
        caption={words.caption}
        empty={texts.overview.noEndpoints}
        keyOf={({ id }) => id}
        columns={[
          {
            title: words.url,
            cell: ({ id, url }) => (
              <a href={hrefOf(environment, ["webhooks", id])}>
                <OutsideText text={url} />
              </a>
            ),
          },
          { title: words.description, cell: ({ description }) => <OutsideText text={description ?? texts.none} /> },
          { title: words.types, cell: ({ types }) => types.join(", ") },
          { title: texts.account.state, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
          { title: texts.accounts.created, cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </>
  );
}

export function EndpointState({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { status, disabled_reason, failing_since } = endpoint;
  if (status === "disabled") return <State value={words.reasons[disabled_reason ?? "paused"]} tone="bad" />;
  if (failing_since !== undefined) return <State value={words.failing} tone="bad" />;
  return <State value={words.enabled} tone="good" />;
}

function Create({ onDone }: { readonly onDone: (secret: string) => void }) {
  const { environment } = usePlace();
  const [url, setUrl] = useState("");
  const [types, setTypes] = useState("*");
  const [description, setDescription] = useState("");
  return (
    <ConfirmButton
      title={words.create}
      run={(idempotencyKey) =>
        call<{ readonly secret: string }>({
          method: "POST",
          path: "/webhook-endpoints",
          body: {
            url: url.trim(),
            types: linesOf(types),
            ...(description.trim() === "" ? {} : { description: description.trim() }),
          },
          environment,
          idempotencyKey,
        })
      }
      onDone={({ data }) => {
        setUrl("");
        setTypes("*");
        setDescription("");
        onDone(data.secret);
      }}
    >
      <TextField label={words.url} type="url" required maxLength={2048} value={url} onValue={setUrl} />
      <TextField label={words.typesAsked} required value={types} onValue={setTypes} />
      <TextField label={words.description} maxLength={200} value={description} onValue={setDescription} />
      <p>{words.createWhat}</p>
    </ConfirmButton>
  );
}
