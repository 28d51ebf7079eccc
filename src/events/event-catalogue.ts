import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { EventObject, EventObjects } from "@trellis/kernel/event-objects.js";
import { type EventType, eventTypeNames, eventTypes } from "./event-types.js";

/** What an event of a type has as its `data.object`, and one made up (gap 90). */
export interface CatalogueEntry extends EventObject {
  readonly description: string;
}

/** Every type with its schema and its example. */
export type EventCatalogue = Readonly<Record<EventType, CatalogueEntry>>;

/** What endpoints need that send made-up events. */
export interface CatalogueNeeds {
  readonly eventCatalogue: EventCatalogue;
}

/** Folds what the modules say of their events. Each type has exactly one module that knows its object. */
export function foldEvents(ofModules: readonly EventObjects[]): EventCatalogue {
  const objects = ofModules.flatMap((events) => Object.entries(events));
  assertOurs(objects.length === eventTypeNames.length, "every type of event has one object, and there are no others");
  const byType = new Map(objects);
  return Object.fromEntries(
    eventTypeNames.map((type) => {
      const object = byType.get(type);
      assertOurs(object, "every type of event has an object");
      return [type, { description: eventTypes[type], ...object }];
    }),
  ) as EventCatalogue;
}

/** The error for a type, or a filter, that no event is of: names those that are. */
export function unknownEventType(text: string, field: string): TrellisError {
  const [noun] = text.split(".");
  const near = eventTypeNames.filter((type) => type.split(".")[0] === noun);
  return new TrellisError("unknown_event_type", {
    field,
    message: `There are no events of type ${text}.`,
    suggestion: `There are: ${(near.length === 0 ? eventTypeNames : near).join(", ")}.`,
  });
}

/** A type that there is. Throws `unknown_event_type`. */
export function parseEventType(text: string): EventType {
  const found = eventTypeNames.find((type) => type === text);
  if (found === undefined) {
    throw unknownEventType(text, "type");
  }
  return found;
}
