import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import type { WireEvent } from "../events/event-store.js";
import { eventTypeNames } from "../events/event-types.js";
import { listEvents } from "../events/list-events.js";
import { triggerEvent } from "./trigger-event.js";

const test = useTestNetwork();

describe("201", () => {
  it.each(eventTypeNames)("puts the example of %s into the feed, marked as one", async (type) => {
    const { id, type: made } = await trigger(type);
    expect(made).toBe(type);
    const [event] = (await feed(type)).filter((one) => one.id === id);
    expect(event).toMatchObject({ id, type, example: true });
    expect(event?.data.object).toEqual(test.needs.eventCatalogue[type].example);
  });

  it("makes another one with each call, and one under an idempotency key, also for several at once", async () => {
    const type = "standing_order_run.missed";
    const [one, other] = [await trigger(type), await trigger(type)];
    expect(one.id).not.toBe(other.id);
    const same = await Promise.all([1, 2, 3].map(() => trigger(type, { operationId: "once" })));
    expect(new Set(same.map(({ id }) => id)).size).toBe(1);
    expect((await feed(type)).filter(({ id }) => id === same[0]?.id)).toHaveLength(1);
  });

  it("is in the feed of the tenant alone that asked", async () => {
    const caller = await test.addTenant("stranger");
    const { id } = await trigger("proposal.executed", { caller });
    expect((await feed("proposal.executed", { caller })).map((event) => event.id)).toEqual([id]);
    expect((await feed("proposal.executed")).map((event) => event.id)).not.toContain(id);
  });
});

describe("400", () => {
  it.each(["", "proposal", "proposal.*", "proposal.imagined", "constructor"])("for the type %j", async (type) => {
    const error = await errorOf(trigger(type));
    expect(error).toMatchObject({ code: "unknown_event_type", status: 400, details: [{ field: "type" }] });
  });
});

const trigger = (type: string, parts: CallParts = {}) =>
  test.call<{ readonly id: string; readonly type: string }>(triggerEvent, { body: { type }, ...parts });

const feed = (type: string, parts: CallParts = {}) =>
  test.call<WireEvent[]>(listEvents, { query: { type: [type], limit: 100 }, ...parts });
