import type { TrellisEvent, WebhookEndpoint } from "@trellis/sdk";
import { useState } from "react";
import { ApiError, call } from "../parts/api.js";
import { ConfirmButton } from "../parts/confirm.js";
import { Filters } from "../parts/filters.js";
import { Fold } from "../parts/fold.js";
import { JsonText } from "../parts/json.js";
import { type Column, ListView, Rows } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList, useRead } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { useMay, usePlace } from "../parts/session.js";
import { Card, Failure, Loading } from "../parts/states.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";
import { concerns, joinFeeds, liveMax, objectOf, useLiveEvents } from "./live-events.js";

const words = texts.events;

/** The feed, or one event of it: `events/EVENT`. */
export default function Events({ parts, query }: ViewProps) {
  const [id] = parts;
  if (id !== undefined) return <EventPage id={id} key={id} />;
  const type = query.get("type") ?? "";
  return <Feed type={type} object={query.get("object") ?? ""} key={type} />;
}

function Feed({ type, object }: { readonly type: string; readonly object: string }) {
  const live = useLiveEvents(type);
  const older = useList<TrellisEvent>("/events", { order: "desc", type });
  const isCut = live.rows.length >= liveMax;
  const rows = joinFeeds(live.rows, isCut ? [] : older.rows);
  const shown = rows?.filter((event) => concerns(event, object));
  return (
    <>
      <h1>{words.title}</h1>
      <Filters
        view="events"
        query={new URLSearchParams({ type, object })}
        fields={[
          { name: "type", label: words.byType },
          { name: "object", label: words.byObject },
        ]}
      />
      <p role="status" className="faint">
        {isCut ? words.cut(liveMax) : words.live(live.rows.length)}
      </p>
      {live.error ? <Failure error={live.error} onRetry={live.retry} /> : null}
      <ListView
        list={{ ...older, rows: shown, hasNextPage: older.hasNextPage && !isCut }}
        caption={words.caption}
        empty={object === "" ? words.empty : words.noneLoaded}
        keyOf={({ id }) => id}
        columns={columns}
      />
    </>
  );
}

/** The newest events of a type that name an object: by its id or its address. */
export function EventsAbout({ type, object }: { readonly type: string; readonly object: string }) {
  const list = useList<TrellisEvent>("/events", { order: "desc", type, limit: 200 }, { everyMs: 15_000 });
  const rows = list.rows?.filter((event) => concerns(event, object));
  return (
    <Card title={words.title}>
      <ListView
        list={{ ...list, rows }}
        caption={words.caption}
        empty={words.noneLoaded}
        keyOf={({ id }) => id}
        columns={columns}
      />
    </Card>
  );
}

const columns: readonly Column<TrellisEvent>[] = [
  { title: texts.account.when, cell: ({ timestamp }) => <Moment at={timestamp} /> },
  {
    title: words.type,
    cell: ({ id, type, example }) => (
      <>
        <EventLink id={id} type={type} /> {example === true ? <small className="faint">{words.example}</small> : null}
      </>
    ),
  },
  { title: words.object, cell: (event) => <OutsideText text={objectOf(event) ?? texts.none} /> },
  { title: words.body, cell: (event) => <Fold title={words.show}>{() => <JsonText value={event} />}</Fold> },
];

function EventLink({ id, type }: Pick<TrellisEvent, "id" | "type">) {
  const { environment } = usePlace();
  return (
    <a href={hrefOf(environment, ["events", id])}>
      <code>{type}</code>
    </a>
  );
}

function EventPage({ id }: { readonly id: string }) {
  const found = useRead<TrellisEvent>(`/events/${encodeURIComponent(id)}`);
  const mayReplay = useMay("webhooks:write");
  const event = found.data;
  if (event === undefined) {
    if (found.error instanceof ApiError && found.error.status === 404) return <NoEvent />;
    return (
      <>
        <h1>{words.one}</h1>
        {found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : <Loading />}
      </>
    );
  }
  return (
    <>
      <h1>
        <code>{event.type}</code>
      </h1>
      <Card title={words.one}>
        <dl className="facts">
          <dt>{words.id}</dt>
          <dd>
            <code>{event.id}</code>
          </dd>
          <dt>{texts.account.when}</dt>
          <dd>
            <Moment at={event.timestamp} />
          </dd>
          <dt>{words.sequence}</dt>
          <dd>{event.data.sequence}</dd>
          <dt>{words.before}</dt>
          <dd>{event.data.previous_status ?? texts.none}</dd>
        </dl>
        <details open>
          <summary>{words.body}</summary>
          <JsonText value={event} />
        </details>
      </Card>
      {mayReplay ? <Replay id={event.id} /> : null}
    </>
  );
}

function NoEvent() {
  return (
    <>
      <h1>{words.one}</h1>
      <p>{words.noEvent}</p>
    </>
  );
}

/** To one endpoint, whatever it has had already. */
function Replay({ id }: { readonly id: string }) {
  const list = useList<WebhookEndpoint>("/webhook-endpoints", { limit: 100 });
  const { environment } = usePlace();
  const [said, setSaid] = useState("");
  return (
    <Card title={words.replay}>
      <p role="status">{said}</p>
      {list.rows === undefined ? (
        list.error ? (
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Loading />
        )
      ) : list.rows.length === 0 ? (
        <p className="faint">{texts.overview.noEndpoints}</p>
      ) : (
        <Rows
          rows={list.rows}
          caption={words.replay}
          keyOf={(endpoint) => endpoint.id}
          columns={[
            { title: texts.webhooks.url, cell: ({ url }) => <OutsideText text={url} /> },
            {
              title: texts.account.state,
              cell: (endpoint) => (
                <ConfirmButton
                  title={words.replay}
                  isDisabled={endpoint.status !== "enabled"}
                  run={(idempotencyKey) =>
                    call<{ readonly scheduled: number }>({
                      method: "POST",
                      path: `/webhook-endpoints/${encodeURIComponent(endpoint.id)}/replay`,
                      body: { event_id: id },
                      environment,
                      idempotencyKey,
                    })
                  }
                  onDone={({ data }) => setSaid(words.scheduled(data.scheduled))}
                >
                  <p>
                    {words.replayWhat} <OutsideText text={endpoint.url} />
                  </p>
                </ConfirmButton>
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}
