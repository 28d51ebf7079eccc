import type { WebhookAttempt, WebhookEndpoint } from "@trellis/sdk";
import { type ReactNode, useState } from "react";
import { ApiError, call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { ChoiceField, linesOf, TextField } from "../parts/fields.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useRead } from "../parts/reads.js";
import { useRefresh } from "../parts/refresh.js";
import { hrefOf } from "../parts/route.js";
import { SecretOnce } from "../parts/secret-once.js";
import { useMay, usePlace } from "../parts/session.js";
import { Card, Failure, Loading } from "../parts/states.js";
import { texts } from "../texts.js";
import { Attempts } from "./webhook-attempts.js";
import { EndpointState } from "./webhooks.js";

const words = texts.webhooks;

/** One endpoint: what it is, what can be done with it, and what was sent to it. */
export function EndpointPage({ id }: { readonly id: string }) {
  const path = `/webhook-endpoints/${encodeURIComponent(id)}`;
  const found = useRead<WebhookEndpoint>(path, {}, { everyMs: 15_000 });
  const mayWrite = useMay("webhooks:write");
  const endpoint = found.data;
  if (endpoint === undefined) {
    const isMissing = found.error instanceof ApiError && found.error.status === 404;
    return (
      <>
        <h1>{words.one}</h1>
        {isMissing ? <p>{words.noEndpoint}</p> : null}
        {found.error && !isMissing ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : null}
        {found.error ? null : <Loading />}
      </>
    );
  }
  return (
    <>
      <h1>
        <OutsideText text={endpoint.url} />
      </h1>
      <Card title={words.one}>
        <Facts endpoint={endpoint} />
        {mayWrite ? <Actions endpoint={endpoint} path={path} /> : null}
      </Card>
      <Attempts path={path} />
    </>
  );
}

function Facts({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  return (
    <dl className="facts">
      <dt>{texts.account.state}</dt>
      <dd>
        <EndpointState endpoint={endpoint} />
      </dd>
      <dt>{words.types}</dt>
      <dd>{endpoint.types.join(", ")}</dd>
      <dt>{words.description}</dt>
      <dd>
        <OutsideText text={endpoint.description ?? texts.none} />
      </dd>
      <dt>{words.failingSince}</dt>
      <dd>
        <Moment at={endpoint.failing_since} />
      </dd>
      <dt>{words.formerUntil}</dt>
      <dd>
        <Moment at={endpoint.former_secret_until} />
      </dd>
      <dt>{texts.accounts.created}</dt>
      <dd>
        <Moment at={endpoint.created_at} />
      </dd>
    </dl>
  );
}

function Actions({ endpoint, path }: { readonly endpoint: WebhookEndpoint; readonly path: string }) {
  const { environment } = usePlace();
  const refresh = useRefresh("/webhook-endpoints");
  const [secret, setSecret] = useState<string>();
  const [said, say] = useState<ReactNode>();
  const isEnabled = endpoint.status === "enabled";
  const change = (method: "POST" | "PATCH" | "DELETE", at: string, body?: unknown) => (idempotencyKey: string) =>
    call<unknown>({
      method,
      path: `${path}${at}`,
      environment,
      idempotencyKey,
      ...(body === undefined ? {} : { body }),
    });
  return (
    <>
      <p className="buttons">
        <Test path={path} isEnabled={isEnabled} onDone={say} />
        <ConfirmButton
          title={isEnabled ? words.pause : words.enable}
          run={change("PATCH", "", { status: isEnabled ? "disabled" : "enabled" })}
          onDone={refresh}
        >
          <p>{isEnabled ? words.pauseWhat : words.enableWhat}</p>
        </ConfirmButton>
        <Edit endpoint={endpoint} path={path} />
        <Rotate path={path} onDone={setSecret} />
        <ConfirmButton
          title={words.remove}
          isDangerous
          run={change("DELETE", "")}
          onDone={() => {
            refresh();
            location.hash = hrefOf(environment, ["webhooks"]);
          }}
        >
          <p>{words.removeWhat}</p>
        </ConfirmButton>
      </p>
      <div role="status">{said}</div>
      {secret === undefined ? null : (
        <SecretOnce title={words.secret} secret={secret} onStored={() => setSecret(undefined)} />
      )}
    </>
  );
}

/** Changes where events go, which, and what the endpoint is for. */
function Edit({ endpoint, path }: { readonly endpoint: WebhookEndpoint; readonly path: string }) {
  const { environment } = usePlace();
  const refresh = useRefresh("/webhook-endpoints");
  const [draft, setDraft] = useState<Partial<Record<"url" | "types" | "description", string>>>({});
  const now = { url: endpoint.url, types: endpoint.types.join(" "), description: endpoint.description ?? "" };
  const shown = { ...now, ...draft };
  const description = shown.description.trim();
  return (
    <ConfirmButton
      title={words.edit}
      run={(idempotencyKey) =>
        call<WebhookEndpoint>({
          method: "PATCH",
          path,
          // What was not written on stays what it is by now.
          body: {
            ...(draft.url === undefined ? {} : { url: shown.url.trim() }),
            ...(draft.types === undefined ? {} : { types: linesOf(shown.types) }),
            ...(draft.description === undefined ? {} : { description: description === "" ? null : description }),
          },
          environment,
          idempotencyKey,
        })
      }
      onDone={() => {
        setDraft({});
        refresh();
      }}
    >
      <TextField
        label={words.url}
        type="url"
        required
        maxLength={2048}
        value={shown.url}
        onValue={(url) => setDraft({ ...draft, url })}
      />
      <TextField
        label={words.typesAsked}
        required
        value={shown.types}
        onValue={(types) => setDraft({ ...draft, types })}
      />
      <TextField
        label={words.description}
        maxLength={200}
        value={shown.description}
        onValue={(text) => setDraft({ ...draft, description: text })}
      />
      <p>{words.editWhat}</p>
    </ConfirmButton>
  );
}

function Test({
  path,
  isEnabled,
  onDone,
}: {
  readonly path: string;
  readonly isEnabled: boolean;
  readonly onDone: (said: ReactNode) => void;
}) {
  const { environment } = usePlace();
  const refresh = useRefresh(`${path}/attempts`);
  const [type, setType] = useState("webhook.test");
  return (
    <ConfirmButton
      title={words.test}
      isDisabled={!isEnabled}
      run={(idempotencyKey) =>
        call<WebhookAttempt>({
          method: "POST",
          path: `${path}/test`,
          body: { type: type.trim() },
          environment,
          idempotencyKey,
        })
      }
      onDone={({ data }) => {
        onDone(
          data.status === "delivered" ? (
            words.tested(data.response_status ?? 0)
          ) : (
            <OutsideText text={words.testFailed(data.error ?? String(data.response_status))} />
          ),
        );
        refresh();
      }}
    >
      <TextField label={words.testType} required value={type} onValue={setType} />
      <p>{words.testWhat}</p>
    </ConfirmButton>
  );
}

function Rotate({ path, onDone }: { readonly path: string; readonly onDone: (secret: string) => void }) {
  const { environment } = usePlace();
  const refresh = useRefresh(path);
  const [hours, setHours] = useState("24");
  return (
    <ConfirmButton
      title={words.rotate}
      run={(idempotencyKey) =>
        call<{ readonly secret: string }>({
          method: "POST",
          path: `${path}/rotate-secret`,
          body: { overlap_seconds: Number(hours) * 3600 },
          environment,
          idempotencyKey,
        })
      }
      onDone={({ data }) => {
        onDone(data.secret);
        refresh();
      }}
    >
      <ChoiceField
        label={words.overlap}
        value={hours}
        onValue={setHours}
        options={["0", "1", "24", "72", "168"].map((value) => ({ value, title: words.hours(Number(value)) }))}
      />
      <p>{hours === "0" ? words.rotateAtOnce : words.rotateWhat}</p>
    </ConfirmButton>
  );
}
