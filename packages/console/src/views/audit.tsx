import type { AuditEvent } from "@trellis/sdk";
import { Filters } from "../shared/filters.js";
import { Fold } from "../shared/fold.js";
import { JsonText } from "../shared/json.js";
import { ListView } from "../shared/list-view.js";
import { Moment } from "../shared/moment.js";
import { OutsideText } from "../shared/outside-text.js";
import { useList } from "../shared/reads.js";
import { usePlace } from "../shared/session.js";
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
