import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { useWebhooks } from "../../test/support/webhooks.js";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.js";
import { listWebhookAttempts } from "./list-webhook-attempts.js";
import type { WebhookAttempt } from "./webhook-attempt.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);
const { create, emit, deliver, attemptsOf } = hooks;

describe("200", () => {
  it("shows every attempt with what the receiver answered, the newest first", async () => {
    const { id } = await create();
    hooks.answer = (_request, response) => response.writeHead(503).end("busy");
    const event = await emit(1);
    const firstAt = new Date(test.network.clock.now()).toISOString();
    await deliver();
    hooks.answer = (_request, response) => response.writeHead(200).end("thanks");
    await hooks.advance(60);
    await deliver();
    const common = { event_id: event, event_type: "webhook.test" };
    const attempts = await attemptsOf(id);
    expect(attempts).toMatchObject([
      { ...common, attempt: 2, status: "delivered", response_status: 200, response_body: "thanks" },
      { ...common, attempt: 1, status: "failed", response_status: 503, response_body: "busy", attempted_at: firstAt },
    ]);
    expect(attempts).toHaveLength(2);
  });

  it("shows those of one event, and of this endpoint alone", async () => {
    const { id } = await create("/one");
    await create("/two");
    const [first] = [await emit(2), await emit(3)];
    await deliver();
    expect(await attemptsOf(id)).toHaveLength(2);
    expect((await attemptsOf(id, { event_id: first })).map(({ event_id }) => event_id)).toEqual([first]);
    expect(await attemptsOf(id, { event_id: `evt_${"0".repeat(32)}` })).toEqual([]);
  });

  it("gives each attempt once, page by page, also those of one instant", async () => {
    const { id } = await create();
    for (let n = 10; n < 15; n += 1) await emit(n);
    await deliver();
    const whole = (await attemptsOf(id)).map((attempt) => attempt.id);
    const pages: string[][] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await readPage(id, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(page.attempts.map((attempt) => attempt.id));
      cursor = page.cursor;
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(whole);
  });
});

describe("400", () => {
  it("refuses a cursor that was not handed out here", async () => {
    const { id } = await create();
    for (const cursor of ["", "latest", Buffer.from("a1_0_x").toString("base64url")]) {
      await expect(attemptsOf(id, { cursor })).rejects.toMatchObject({ status: 400, code: "invalid_cursor" });
    }
  });
});

describe("404", () => {
  it("is the answer for an endpoint of another tenant or environment, and for a deleted one", async () => {
    const { id } = await create();
    const notFound = { status: 404, code: "webhook_endpoint_not_found" };
    const params = { endpoint_id: id };
    for (const other of await hooks.others()) {
      await expect(test.call(listWebhookAttempts, { params, ...other })).rejects.toMatchObject(notFound);
    }
    await test.call(deleteWebhookEndpoint, { params });
    await expect(attemptsOf(id)).rejects.toMatchObject(notFound);
  });

  it("is the answer for what cannot be the id of an event", async () => {
    const { id } = await create();
    const refused = attemptsOf(id, { event_id: "x\u0000" });
    await expect(refused).rejects.toMatchObject({ status: 404, code: "event_not_found" });
  });
});

async function readPage(endpoint_id: string, query: object) {
  const request = { params: { endpoint_id }, query, caller: test.caller, network: test.network };
  const { data, headers } = await listWebhookAttempts.handle(test.needs, request as never);
  return { attempts: data as WebhookAttempt[], cursor: headers?.["x-next-cursor"] };
}
