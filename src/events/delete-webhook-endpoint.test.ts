import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import type { CallParts } from "../../test/support/test-network.js";
import { useWebhooks } from "../../test/support/webhooks.js";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.js";
import { rotateWebhookSecret } from "./rotate-webhook-secret.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);
const { create, read, emit, deliver } = hooks;

describe("200", () => {
  it("ends deliveries, also of what was on its way; the endpoint is not found any more", async () => {
    const { id } = await create();
    await emit(1);
    expect(await remove(id)).toEqual({ id, deleted: true });
    await emit(2);
    await deliver();
    expect(hooks.received).toEqual([]);
    await expect(read(id)).rejects.toMatchObject({ status: 404, code: "webhook_endpoint_not_found" });
  });

  it("deletes both secrets while they overlap", async () => {
    const { id } = await create();
    await test.call(rotateWebhookSecret, { params: { endpoint_id: id }, body: {} });
    await remove(id);
    const row = await test.needs.db.selectFrom("webhook_endpoint").selectAll().where("id", "=", id).executeTakeFirst();
    expect(row).toMatchObject({ status: "deleted", secret: null, previous_secret: null, previous_secret_until: null });
  });

  it("is the same again, one after the other and at once", async () => {
    const { id } = await create();
    const answers = await Promise.all([remove(id), remove(id)]);
    expect([...answers, await remove(id)]).toEqual(Array.from({ length: 3 }, () => ({ id, deleted: true })));
  });
});

describe("404", () => {
  it("is the answer for an endpoint of another tenant or environment, which stays, and for no id", async () => {
    const { id } = await create();
    const notFound = { status: 404, code: "webhook_endpoint_not_found" };
    for (const other of await hooks.others()) await expect(remove(id, other)).rejects.toMatchObject(notFound);
    expect((await read(id)).status).toBe("enabled");
    for (const missing of [`we_${"0".repeat(32)}`, "x\u0000"]) {
      await expect(remove(missing)).rejects.toMatchObject(notFound);
    }
  });
});

const remove = (endpoint_id: string, more: CallParts = {}) =>
  test.call(deleteWebhookEndpoint, { params: { endpoint_id }, ...more });
