import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import type { CallParts } from "../../test/support/test-network.js";
import { useWebhooks } from "../../test/support/webhooks.js";
import { createHttpDelivery } from "../adapters/http-delivery/http-delivery.js";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.js";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.js";
import type { WebhookEndpoint } from "./webhook-endpoint.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);
const { create, read, emit, deliver } = hooks;

describe("200", () => {
  it("changes what is named alone, whatever others change while its name is looked up", async () => {
    const { id } = await create("/hooks", ["proposal"]);
    const url = `${hooks.base}/moved`;
    const changed = await changeDuring(id, { url }, () =>
      change(id, { types: ["transaction"], description: "theirs", status: "disabled" }),
    );
    const expected = { url, types: ["transaction"], description: "theirs", status: "disabled" };
    expect(changed).toMatchObject({ ...expected, disabled_reason: "paused" });
    expect(await read(id)).toMatchObject(expected);
    const { updated_at: _, ...before } = await change(id, { status: "disabled" });
    expect(await change(id, {})).toMatchObject(before);
    expect((await change(id, { status: "enabled", description: null })).description).toBeUndefined();
  });

  it("stores the URL as it is dialled, and each filter once", async () => {
    const { id } = await create();
    const { port } = new URL(hooks.base);
    const changed = await change(id, { url: `http://0x7f000001:${port}/b`, types: ["proposal.*", "proposal"] });
    expect(changed).toMatchObject({ url: `http://127.0.0.1:${port}/b`, types: ["proposal"] });
    expect((await change(id, { types: ["proposal", "*"] })).types).toEqual(["*"]);
  });

  it("has nothing sent while the endpoint is disabled, and then what was on its way before", async () => {
    hooks.answer = (_request, response) => response.writeHead(500).end();
    const { id } = await create();
    await emit(1);
    await deliver();
    expect((await read(id)).failing_since).toBeDefined();
    await change(id, { status: "disabled" });
    hooks.answer = (_request, response) => response.writeHead(200).end();
    hooks.received = [];
    await emit(2);
    await hooks.advance(86_400);
    await deliver();
    expect(hooks.received).toEqual([]);
    const enabled = await change(id, { status: "enabled" });
    expect([enabled.disabled_reason, enabled.failing_since]).toEqual([undefined, undefined]);
    await deliver();
    expect(hooks.received.map(({ event }) => event.data.object.n)).toEqual([1]);
  });
});

describe("400", () => {
  it("refuses a URL with characters that no URL has, and changes nothing", async () => {
    const { id, url: before } = await create();
    for (const url of hooks.impossibleUrls()) {
      const refused = change(id, { url });
      await expect(refused, url).rejects.toMatchObject({ status: 400, code: "invalid_webhook_url" });
    }
    expect((await read(id)).url).toBe(before);
  });

  it("judges the URL again when the endpoint is enabled, and not when it is disabled", async () => {
    const { id } = await create("/moved");
    // Since then its address has become one that nothing may be sent to.
    const webhookSender = createHttpDelivery({ allowed: { networks: [], ports: [443], loopback: false } });
    const set = (status: string) => change(id, { status }, { needs: { webhookSender } });
    expect(await set("disabled")).toMatchObject({ status: "disabled" });
    await expect(set("enabled")).rejects.toMatchObject({ status: 400, code: "invalid_webhook_url" });
    expect(await set("disabled")).toMatchObject({ status: "disabled", disabled_reason: "paused" });
  });

  it("refuses types that there are not", async () => {
    const { id } = await create();
    const refused = change(id, { types: ["proposal", "nothing"] });
    await expect(refused).rejects.toMatchObject({ status: 400, code: "unknown_event_type" });
    expect((await read(id)).types).toEqual(["*"]);
  });
});

describe("404", () => {
  it("is the answer for an endpoint of another tenant or environment, which stays as it is", async () => {
    const { id } = await create();
    for (const other of await hooks.others()) {
      const refused = change(id, { status: "disabled" }, other);
      await expect(refused).rejects.toMatchObject({ status: 404, code: "webhook_endpoint_not_found" });
    }
    expect((await read(id)).status).toBe("enabled");
  });

  it("is the answer where the endpoint is deleted while its new name is looked up", async () => {
    const { id, url: before } = await create();
    const remove = () => test.call(deleteWebhookEndpoint, { params: { endpoint_id: id } });
    const refused = changeDuring(id, { url: `${hooks.base}/late` }, remove);
    await expect(refused).rejects.toMatchObject({ status: 404, code: "webhook_endpoint_not_found" });
    const { url } = await test.needs.db.selectFrom("webhook_endpoint").select("url").executeTakeFirstOrThrow();
    expect(url).toBe(before);
  });
});

const change = (endpoint_id: string, body: object, more: CallParts = {}) =>
  test.call<WebhookEndpoint>(updateWebhookEndpoint, { params: { endpoint_id }, body, ...more });

/** The change, with something else happening while the name of the new URL is looked up. */
const changeDuring = (id: string, body: object, meanwhile: () => Promise<unknown>) => {
  const check = async () => {
    await meanwhile();
    return undefined;
  };
  return change(id, body, { needs: { webhookSender: { ...test.needs.webhookSender, check } } });
};
