import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { cursor, int8, listAnswer, textOf } from "@trellis/kernel/page.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { Event } from "./event.js";
import { unknownEventType } from "./event-catalogue.js";
import { listEvents as findEvents, findLastPlace, showEvent, type WireEvent } from "./event-store.js";
import { eventTypeNames, takesType, trimFilter } from "./event-types.js";
import { publishEvents } from "./publish-events.js";

/** A place in the feed, and which way it is read. */
export const feedPlace = cursor("e1", { order: textOf<"asc" | "desc">("asc|desc"), place: int8 });

/**
 * Gap 89. A client that follows the cursor meets every event once, also those that were committed late: see `publishEvents`.
 * What was committed before the call is in its answer.
 */
export const listEvents = endpoint(
  {
    operation: "listEvents",
    summary: "Read the feed of events",
    description:
      "The events of this environment, oldest first. Every page has a cursor, the last one too: ask again with it for what " +
      "happens next. `latest` as cursor begins with what happens from now on.",
    tag: "Events",
    method: "GET",
    path: "/api/service/v1/events",
    scope: "webhooks:read",
    environment: "optional",
    query: Type.Object({
      type: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), {
          maxItems: 20,
          description:
            "A type, or its beginning up to a dot: `proposal` takes all of `proposal.*`. Repeat it for several.",
        }),
      ),
      order: Type.Optional(Type.Enum(["asc", "desc"], { description: "Default: asc, the oldest first." })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: limits.eventPageMax, default: limits.eventPageDefault }),
      ),
      cursor: Type.Optional(Type.String({ description: "From the page before, or `latest`." })),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(Event) },
    errors: ["invalid_cursor", "unknown_event_type"],
  },
  async (needs: { readonly db: Db }, { query, network, caller }) => {
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const types = query.type === undefined ? [] : typesOf(query.type);
    await publishEvents(needs.db, network);
    const given = query.cursor === undefined ? undefined : readCursor(query.cursor, query.order);
    if (given === "latest")
      return listAnswer<WireEvent>([], feedPlace.encode({ order: "asc", place: await findLastPlace(needs.db, owner) }));
    const order = given?.order ?? query.order ?? "asc";
    const from = given === undefined ? {} : { from: given.place };
    const limit = query.limit ?? limits.eventPageDefault;
    const rows = await findEvents(needs.db, { ...owner, types, order, ...from, limit });
    // A page back in time that is not full is the last one; forward there can always be more.
    const place = rows.at(-1)?.place ?? given?.place ?? (order === "asc" ? 0n : undefined);
    const isOver = order === "desc" && rows.length < limit;
    return listAnswer(
      rows.map(showEvent),
      isOver || place === undefined ? undefined : feedPlace.encode({ order, place }),
    );
  },
);

/** The types that any of these filters takes. Throws `unknown_event_type` for a filter that takes none. */
export function typesOf(filters: readonly string[], fieldOf: (index: number) => string = () => "type"): string[] {
  const claimed = new Set<string>();
  for (const [i, filter] of filters.entries()) {
    const some = eventTypeNames.filter((type) => takesType(trimFilter(filter), type));
    if (some.length === 0) throw unknownEventType(filter, fieldOf(i));
    for (const type of some) claimed.add(type);
  }
  return claimed.size === eventTypeNames.length ? [] : [...claimed];
}

/** Throws `invalid_cursor`, also for a cursor of the other order than the one asked for. */
function readCursor(given: string, order: "asc" | "desc" | undefined) {
  if (given === "latest" && order !== "desc") return "latest";
  const found = feedPlace.decode(given);
  if (order !== undefined && order !== found.order) throw new TrellisError("invalid_cursor", { field: "cursor" });
  return found;
}
