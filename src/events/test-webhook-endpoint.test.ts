import { limits } from "@trellis/kernel/limits.js";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import type { CallParts } from "../../test/support/test-network.js";
import { useWebhooks } from "../../test/support/webhooks.js";
import { getEvent } from "./get-event.js";
import { testWebhookEndpoint } from "./test-webhook-endpoint.js";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.js";
import type { WebhookAttempt } from "./webhook-attempt.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);
const { create, attemptsOf } = hooks;

describe("200", () => {
  it("sends an example that is marked and in no feed, and answers what the receiver answered", async () => {
    hooks.answer = (_request, response) => response.writeHead(418).end("x".repeat(100_000));
    const { id } = await create();
    const tried = await sendTest(id, { type: "proposal.executed" });
    expect(tried).toMatchObject({
      status: "failed",
      response_status: 418,
      event_type: "proposal.executed",
      attempt: 1,
    });
    expect(tried.response_body?.length).toBe(limits.receiverAnswerKeptBytes);
    expect(hooks.received.map(({ event }) => event)).toMatchObject([
      { id: tried.event_id, type: "proposal.executed", example: true },
    ]);
    expect(await attemptsOf(id)).toEqual([tried]);
    const read = test.call(getEvent, { params: { event_id: tried.event_id } });
    await expect(read).rejects.toMatchObject({ code: "event_not_found" });
  });

  it("sends webhook.test where no type is named, also to an endpoint that takes other types", async () => {
    const { id } = await create("/only", ["transaction"]);
    expect(await sendTest(id, {})).toMatchObject({
      status: "delivered",
      response_status: 204,
      event_type: "webhook.test",
    });
    expect(hooks.received.map(({ path, event }) => [path, event.type])).toEqual([["/only", "webhook.test"]]);
  });

  it("names what went wrong where the receiver does not answer", async () => {
    hooks.answer = (_request, response) => void response.destroy();
    const { id } = await create();
    const tried = await sendTest(id, {});
    expect(tried).toMatchObject({ status: "failed", error: expect.any(String) });
    expect(tried.response_status).toBeUndefined();
  });
});

describe("400", () => {
  it("refuses a type that there is not, and sends nothing", async () => {
    const { id } = await create();
    const refused = sendTest(id, { type: "proposal.painted" });
    await expect(refused).rejects.toMatchObject({ status: 400, code: "unknown_event_type" });
    expect([hooks.received, await attemptsOf(id)]).toEqual([[], []]);
  });
});

describe("404", () => {
  it("is the answer for an endpoint of another tenant or environment", async () => {
    const { id } = await create();
    for (const other of await hooks.others()) {
      const refused = sendTest(id, {}, other);
      await expect(refused).rejects.toMatchObject({ status: 404, code: "webhook_endpoint_not_found" });
    }
    expect(hooks.received).toEqual([]);
  });
});

describe("409", () => {
  it("is the answer for an endpoint that is disabled", async () => {
    const { id } = await create();
    await test.call(updateWebhookEndpoint, { params: { endpoint_id: id }, body: { status: "disabled" } });
    await expect(sendTest(id, {})).rejects.toMatchObject({ status: 409, code: "webhook_endpoint_disabled" });
    expect(hooks.received).toEqual([]);
  });
});

const sendTest = (endpoint_id: string, body: object, more: CallParts = {}) =>
  test.call<WebhookAttempt>(testWebhookEndpoint, { params: { endpoint_id }, body, ...more });
