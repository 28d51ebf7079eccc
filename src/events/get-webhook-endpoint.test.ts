import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import type { CallParts } from "../../test/support/test-network.js";
import { type CreatedEndpoint, useWebhooks } from "../../test/support/webhooks.js";
import { createWebhookEndpoint } from "./create-webhook-endpoint.js";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.js";
import { getWebhookEndpoint } from "./get-webhook-endpoint.js";
import { rotateWebhookSecret } from "./rotate-webhook-secret.js";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);

describe("200", () => {
  it("shows what its creation answered, without the secret", async () => {
    const { secret, ...made } = await test.call<CreatedEndpoint>(createWebhookEndpoint, {
      body: { url: `${hooks.base}/mine`, types: ["proposal", "transaction.confirmed"], description: "mine" },
    });
    const shown = await read(made.id);
    expect(shown).toEqual(made);
    expect(shown).toEqual({
      id: made.id,
      url: `${hooks.base}/mine`,
      types: ["proposal", "transaction.confirmed"],
      description: "mine",
      status: "enabled",
      created_at: new Date(test.network.clock.now()).toISOString(),
      updated_at: new Date(test.network.clock.now()).toISOString(),
    });
    expect(JSON.stringify(shown)).not.toContain(secret);
  });

  it("shows why it is disabled, and until when its former secret signs, too", async () => {
    const { id } = await hooks.create();
    const params = { endpoint_id: id };
    await test.call(rotateWebhookSecret, { params, body: { overlap_seconds: 60 } });
    await test.call(updateWebhookEndpoint, { params, body: { status: "disabled" } });
    const until = new Date(test.needs.realClock.now() + 60_000).toISOString();
    expect(await read(id)).toMatchObject({ status: "disabled", disabled_reason: "paused", former_secret_until: until });
  });
});

describe("404", () => {
  it("is the answer for an endpoint of another tenant or environment, for a deleted one, and for no id", async () => {
    const { id } = await hooks.create();
    const notFound = { status: 404, code: "webhook_endpoint_not_found" };
    for (const other of await hooks.others()) await expect(read(id, other)).rejects.toMatchObject(notFound);
    await test.call(deleteWebhookEndpoint, { params: { endpoint_id: id } });
    for (const missing of [id, `we_${"0".repeat(32)}`, "x\u0000"]) {
      await expect(read(missing)).rejects.toMatchObject(notFound);
    }
  });
});

const read = (endpoint_id: string, more: CallParts = {}) =>
  test.call(getWebhookEndpoint, { params: { endpoint_id }, ...more });
