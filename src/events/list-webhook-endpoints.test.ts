import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { useWebhooks } from "../../test/support/webhooks.js";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.js";
import { listWebhookEndpoints } from "./list-webhook-endpoints.js";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.js";
import type { WebhookEndpoint } from "./webhook-endpoint.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);

describe("200", () => {
  it("is an empty list before the first endpoint", async () => {
    expect(await test.call(listWebhookEndpoints)).toEqual([]);
  });

  it("lists endpoints as GET shows them, the oldest first, disabled ones too, without secrets", async () => {
    const ids = await makeThree();
    await test.call(updateWebhookEndpoint, { params: { endpoint_id: ids[1] }, body: { status: "disabled" } });
    const listed = await test.call<WebhookEndpoint[]>(listWebhookEndpoints);
    expect(listed).toEqual(await Promise.all(ids.map((id) => hooks.read(id))));
    expect(listed.map(({ status }) => status)).toEqual(["enabled", "disabled", "enabled"]);
    expect(JSON.stringify(listed)).not.toContain("whsec_");
  });

  it("leaves out deleted endpoints, and those of payment intents", async () => {
    const [kept, deleted, ofIntent] = await makeThree();
    await test.call(deleteWebhookEndpoint, { params: { endpoint_id: deleted } });
    const { db } = test.needs;
    await db.updateTable("webhook_endpoint").set({ object_id: "intent" }).where("id", "=", ofIntent).execute();
    expect((await test.call<WebhookEndpoint[]>(listWebhookEndpoints)).map(({ id }) => id)).toEqual([kept]);
  });

  it("leaves out the endpoints of other tenants and environments", async () => {
    await makeThree();
    for (const other of await hooks.others()) expect(await test.call(listWebhookEndpoints, other)).toEqual([]);
  });
});

/** Their ids, each a second younger than the one before. */
async function makeThree(): Promise<readonly [string, string, string]> {
  const make = async (path: string) => {
    await hooks.advance(1);
    return (await hooks.create(path)).id;
  };
  return [await make("/c"), await make("/b"), await make("/a")];
}
