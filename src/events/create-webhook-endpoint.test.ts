import { limits } from "@trellis/kernel/limits.js";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { type CreatedEndpoint, useWebhooks } from "../../test/support/webhooks.js";
import { createWebhookEndpoint } from "./create-webhook-endpoint.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);
const { create, read } = hooks;

describe("201", () => {
  it("shows its secret once, and a repetition under its key finds it", async () => {
    const body = { url: `${hooks.base}/once`, types: ["*"], description: "mine" };
    const call = (more: object) =>
      createWebhookEndpoint.handle(test.needs, {
        body,
        caller: test.caller,
        network: test.network,
        operationId: "operation-1",
        ...more,
      } as never);
    const first = (await call({})).data as CreatedEndpoint;
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await call({})).data).toEqual(first);
    const { secret, ...view } = first;
    expect(await read(first.id)).toEqual(view);
    const stored = await test.needs.db.selectFrom("webhook_endpoint").select("secret").executeTakeFirstOrThrow();
    expect(Buffer.from(stored.secret ?? []).toString("latin1")).not.toContain(secret.slice(6, 20));
  });

  it("stores the URL as it is dialled", async () => {
    const { port } = new URL(hooks.base);
    const made = await make({ url: `HTTP://127.1:${port}/a/../hooks?x=ü` });
    expect(made.url).toBe(`http://127.0.0.1:${port}/hooks?x=%C3%BC`);
  });
});

describe("400", () => {
  it("refuses a URL where events must not go", async () => {
    for (const url of ["ftp://example.org", "http://example.org/", "https://10.0.0.1/", "https://[::ffff:127.1]:80/"]) {
      expect([url, (await errorOf(make({ url }))).code]).toEqual([url, "invalid_webhook_url"]);
    }
  });

  it("refuses a URL with characters that no URL has", async () => {
    for (const url of hooks.impossibleUrls()) {
      expect([url, (await errorOf(make({ url }))).code]).toEqual([url, "invalid_webhook_url"]);
    }
  });

  it("refuses types that there are not", async () => {
    const refused = make({ types: ["nothing"] });
    await expect(refused).rejects.toMatchObject({ status: 400, code: "unknown_event_type" });
  });
});

describe("409", () => {
  it("is the answer above the number of endpoints there may be", async () => {
    for (let i = 0; i < limits.webhookEndpointsMax; i += 1) await create(`/${i}`);
    await expect(create()).rejects.toMatchObject({ status: 409, code: "webhook_endpoint_limit" });
  });
});

const make = (body: { url?: string; types?: readonly string[] }) =>
  test.call<CreatedEndpoint>(createWebhookEndpoint, { body: { url: hooks.base, types: ["*"], ...body } });
