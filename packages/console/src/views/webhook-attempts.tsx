import type { WebhookAttempt } from "@trellis/sdk";
import { useState } from "react";
import { call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { TextField } from "../parts/fields.js";
import { Fold } from "../parts/fold.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { useRefresh } from "../parts/refresh.js";
import { hrefOf } from "../parts/route.js";
import { useMay, usePlace } from "../parts/session.js";
import { Card, State } from "../parts/states.js";
import { texts } from "../texts.js";

const words = texts.webhooks;

/** What was sent to an endpoint, and what its receiver answered. */
export function Attempts({ path }: { readonly path: string }) {
  const { environment } = usePlace();
  const mayWrite = useMay("webhooks:write");
  const [said, say] = useState("");
  const list = useList<WebhookAttempt>(`${path}/attempts`, {}, { everyMs: 10_000 });
  return (
    <Card title={words.attempts} action={mayWrite ? <RetryAll path={path} onDone={say} /> : undefined}>
      <p role="status">{said}</p>
      <ListView
        list={list}
        caption={words.attemptsCaption}
        empty={words.noAttempts}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.account.when, cell: ({ attempted_at }) => <Moment at={attempted_at} /> },
          {
            title: words.event,
            cell: ({ event_id, event_type }) => (
              <a href={hrefOf(environment, ["events", event_id])}>
                <code>{event_type}</code>
              </a>
            ),
          },
          { title: words.attempt, isNumber: true, cell: ({ attempt }) => attempt },
          {
            title: texts.account.state,
            cell: ({ status }) => <State value={status} tone={status === "delivered" ? "good" : "bad"} />,
          },
          { title: words.answer, cell: (attempt) => <Answer attempt={attempt} /> },
          { title: words.took, isNumber: true, cell: ({ duration_ms }) => words.ms(duration_ms) },
          ...(mayWrite
            ? [
                {
                  title: words.retry,
                  cell: (attempt: WebhookAttempt) => <RetryOne path={path} attempt={attempt} onDone={say} />,
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
}

function Answer({ attempt: { response_status, response_body, error } }: { readonly attempt: WebhookAttempt }) {
  const status = response_status === undefined ? "" : String(response_status);
  return (
    <>
      <OutsideText text={`${status} ${error?.replaceAll("_", " ") ?? ""}`.trim() || texts.none} />
      {response_body === undefined || response_body === "" ? null : (
        <Fold title={words.body}>
          {() => (
            <pre>
              <OutsideText text={response_body} />
            </pre>
          )}
        </Fold>
      )}
    </>
  );
}

function RetryOne({
  path,
  attempt,
  onDone,
}: {
  readonly path: string;
  readonly attempt: WebhookAttempt;
  readonly onDone: (said: string) => void;
}) {
  const replay = useReplay(path, onDone);
  return (
    <ConfirmButton title={words.retry} run={replay.run({ event_id: attempt.event_id })} onDone={replay.onDone}>
      <p>{words.retryWhat}</p>
    </ConfirmButton>
  );
}

function RetryAll({ path, onDone }: { readonly path: string; readonly onDone: (said: string) => void }) {
  const replay = useReplay(path, onDone);
  const [hours, setHours] = useState("24");
  // To the minute: a repetition within it has the same body.
  const since = (now: number) =>
    new Date(now - Number(hours) * 3_600_000).toISOString().replace(/:\d\d\.\d+Z$/, ":00Z");
  return (
    <ConfirmButton
      title={words.retryAll}
      run={(key) => replay.run({ failed_since: since(Date.now()) })(key)}
      onDone={replay.onDone}
    >
      <TextField label={words.retrySince} type="number" min={1} max={720} required value={hours} onValue={setHours} />
      <p>{words.retryAllWhat}</p>
    </ConfirmButton>
  );
}

function useReplay(path: string, say: (said: string) => void) {
  const { environment } = usePlace();
  const refresh = useRefresh(`${path}/attempts`);
  return {
    run: (body: object) => (idempotencyKey: string) =>
      call<{ readonly scheduled: number; readonly more: boolean }>({
        method: "POST",
        path: `${path}/replay`,
        body,
        environment,
        idempotencyKey,
      }),
    onDone: ({ data }: { readonly data: { readonly scheduled: number; readonly more: boolean } }) => {
      say(words.scheduled(data.scheduled, data.more));
      refresh();
    },
  };
}
