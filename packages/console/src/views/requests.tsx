import { Filters } from "../parts/filters.js";
import { ListView } from "../parts/list-view.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useList } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { usePlace } from "../parts/session.js";
import { texts } from "../texts.js";
import type { ViewProps } from "../views.js";
import { type KeptRequest, RequestOutcome, RequestPage } from "./request.js";

const words = texts.requests;

/** The latest requests of the tenant's keys, or one of them: `requests/REQUEST`. */
export default function Requests({ parts, query }: ViewProps) {
  const [id] = parts;
  return id === undefined ? <List query={query} /> : <RequestPage id={id} key={id} />;
}

/** Those that were refused, unless the reader asks for others. */
function List({ query }: Pick<ViewProps, "query">) {
  const { environment } = usePlace();
  const filter = filterOf(query);
  const list = useList<KeptRequest>("/requests", { ...filter, environment }, { everyMs: 15_000 });
  return (
    <>
      <h1>{words.title}</h1>
      <p className="faint">{words.kept}</p>
      <Filters
        view="requests"
        query={new URLSearchParams({ status: "refused", ...Object.fromEntries(query) })}
        fields={[
          { name: "status", label: words.outcome, options: ["refused", "failed"] },
          { name: "request_id", label: words.byId },
          { name: "code", label: words.byCode },
        ]}
      />
      <ListView
        list={list}
        caption={words.caption}
        empty={words.empty}
        keyOf={({ request_id, at }) => `${request_id} ${at}`}
        columns={[
          { title: texts.account.when, cell: ({ at }) => <Moment at={at} /> },
          { title: words.call, cell: ({ method, path }) => <code>{`${method} ${path}`}</code> },
          { title: words.answer, cell: (request) => <RequestOutcome of={request} /> },
          { title: words.why, cell: ({ error_message }) => <OutsideText text={error_message ?? texts.none} /> },
          { title: words.took, isNumber: true, cell: ({ duration_ms }) => texts.webhooks.ms(duration_ms) },
          { title: words.key, cell: ({ api_key_id }) => <OutsideText text={api_key_id ?? texts.none} /> },
          { title: words.from, cell: ({ remote_address }) => <OutsideText text={remote_address ?? texts.none} /> },
          {
            title: words.id,
            cell: ({ request_id }) => (
              <a href={hrefOf(environment, ["requests", request_id])}>
                <OutsideText text={request_id} />
              </a>
            ),
          },
        ]}
      />
    </>
  );
}

/** The service narrows by one of the three at a time: an id says most, a code more than an outcome. */
export function filterOf(query: URLSearchParams): Readonly<Record<string, string>> {
  for (const name of ["request_id", "code"]) {
    const value = query.get(name);
    if (value) return { [name]: value };
  }
  const outcome = query.get("status") ?? (query.size === 0 ? "refused" : "");
  return outcome === "" ? {} : { status: outcome };
}
