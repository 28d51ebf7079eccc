import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import type { CallParts } from "../../test/support/test-network.js";
import { useWebhooks } from "../../test/support/webhooks.js";
import { getEvent } from "./get-event.js";
import { listEvents } from "./list-events.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);
const { emit, deliver } = hooks;

describe("200", () => {
  it("shows the whole event, as the feed and its delivery do", async () => {
    await hooks.create();
    const id = await emit(1, "proposal.voted");
    const now = new Date(test.network.clock.now()).toISOString();
    await deliver();
    const event = await read(id);
    expect(event).toEqual({
      id,
      type: "proposal.voted",
      timestamp: now,
      environment: "sandbox",
      tenant: test.caller.tenantId,
      data: { object: { n: 1 }, sequence: expect.any(Number) },
    });
    expect(hooks.received.map((one) => one.event)).toEqual([event]);
    expect(await test.call(listEvents, { query: { order: "desc", limit: 1 } })).toEqual([event]);
  });

  it("shows an event before it has its place in the feed", async () => {
    const id = await emit(2);
    expect(await read(id)).toMatchObject({ id, data: { object: { n: 2 } } });
  });
});

describe("404", () => {
  it("is the answer for an event of another tenant or environment, and for no id", async () => {
    const id = await emit(3);
    const notFound = { status: 404, code: "event_not_found" };
    for (const other of await hooks.others()) await expect(read(id, other)).rejects.toMatchObject(notFound);
    for (const missing of [`evt_${"0".repeat(32)}`, id.toUpperCase(), "x\u0000"]) {
      await expect(read(missing)).rejects.toMatchObject(notFound);
    }
  });
});

const read = (event_id: string, more: CallParts = {}) => test.call(getEvent, { params: { event_id }, ...more });
