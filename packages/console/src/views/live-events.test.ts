import type { TrellisEvent } from "@trellis/sdk";
import { expect, it } from "vitest";
import { concerns, joinFeeds, objectOf } from "./live-events.js";

const eventOf = (id: string, object: Record<string, unknown>): TrellisEvent => ({
  id,
  type: "transfer.received",
  timestamp: "2026-01-15T12:00:00.000Z",
  environment: "sandbox",
  tenant: "shop",
  data: { object, sequence: 1 },
});
const [a, b, c] = ["a", "b", "c"].map((id) => eventOf(id, { id: `of ${id}` })) as [
  TrellisEvent,
  TrellisEvent,
  TrellisEvent,
];

it("shows an event once that was read twice", () => {
  expect(joinFeeds([c, b], [b, a])).toEqual([c, b, a]);
});

it("has no list before the older events are known", () => {
  expect(joinFeeds([c], undefined)).toBeUndefined();
});

it("names what an event is about, also where the object is wrapped", () => {
  expect(objectOf(a)).toBe("of a");
  expect(objectOf(eventOf("d", { Spl: { id: "t1" } }))).toBe("t1");
  expect(objectOf(eventOf("e", { lamports: 1 }))).toBeUndefined();
});

it("finds an object by any whole text in it", () => {
  const event = eventOf("d", { Spl: { id: "t1", parties: ["Ada"] } });
  expect([concerns(event, ""), concerns(event, "Ada"), concerns(event, "Ad")]).toEqual([true, true, false]);
});
