import type { AuditEvent } from "@trellis/sdk";
import { Filters } from "../parts/filters.js";
import { Fold } from "../parts/fold.js";
import { JsonText } from "../parts/json.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { usePlace } from "../parts/session.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";

const words = texts.audit;

/** What was done with keys, sessions, passkeys and policies. */
export default function Audit({ query }: ViewProps) {
  const { session } = usePlace();
  const filter = { type: query.get("type") ?? undefined, environment: query.get("environment") ?? undefined };
  const list = useList<AuditEvent>("/audit-events", filter);
  return (
    <>
      <h1>{words.title}</h1>
      <Filters
        view="audit"
        query={query}
        fields={[
          { name: "type", label: words.type },
          { name: "environment", label: texts.environment, options: session.environments },
        ]}
      />
      <ListView
        list={list}
        caption={words.caption}
        empty={words.empty}
        keyOf={({ index }) => String(index)}
        columns={[
          { title: words.number, isNumber: true, cell: ({ index }) => index },
          { title: texts.account.when, cell: ({ occurred_at }) => <Moment at={occurred_at} /> },
          { title: words.type, cell: ({ type }) => <code>{type}</code> },
          { title: texts.environment, cell: ({ environment }) => environment ?? texts.none },
          { title: words.subject, cell: ({ subject }) => <OutsideText text={subject ?? texts.none} /> },
          { title: words.actor, cell: ({ actor }) => <OutsideText text={actor ?? texts.none} /> },
          {
            title: words.details,
            cell: ({ details }) =>
              details === undefined ? texts.none : <Fold title={words.show}>{() => <JsonText value={details} />}</Fold>,
          },
        ]}
      />
    </>
  );
}
