import { limits } from "@trellis/kernel/limits.js";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import type { CallParts } from "../../test/support/test-network.js";
import { type CreatedEndpoint, useWebhooks } from "../../test/support/webhooks.js";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.js";
import { createDeliverer } from "./deliver-events.js";
import { rotateWebhookSecret } from "./rotate-webhook-secret.js";

const test = useTestNetwork();
const hooks = useWebhooks(test);
const { create, read, emit, deliver } = hooks;

describe("200", () => {
  it("has events signed with both secrets for a day, and with the new one alone from then on", async () => {
    const { id, secret: former } = await create();
    const { secret: next, former_secret_until: until } = await rotate(id, {});
    expect(next).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(next).not.toBe(former);
    expect(Date.parse(until ?? "")).toBe(test.needs.realClock.now() + limits.secretOverlapSeconds * 1_000);
    expect(await signersOfNext([former, next])).toEqual([true, true]);
    test.needs.realClock.advance(limits.secretOverlapSeconds * 1_000);
    expect((await read(id)).former_secret_until).toBeUndefined();
    expect(await signersOfNext([former, next])).toEqual([false, true]);
  });

  it("ends every former secret at once where overlap_seconds is 0, also one that overlaps still", async () => {
    const { id, secret: first } = await create();
    const { secret: second } = await rotate(id, {});
    const { secret: third, former_secret_until } = await rotate(id, { overlap_seconds: 0 });
    expect(former_secret_until).toBeUndefined();
    expect(await signersOfNext([first, second, third])).toEqual([false, false, true]);
  });

  it("answers the same secret to every attempt under one idempotency key", async () => {
    const { id } = await create();
    const attempt = () => rotate(id, {}, { operationId: "operation-1" });
    const first = await attempt();
    expect(await attempt()).toEqual(first);
  });
});

describe("404", () => {
  it("is the answer for an endpoint of another tenant or environment, for a deleted one, and for no id", async () => {
    const { id } = await create();
    const notFound = { status: 404, code: "webhook_endpoint_not_found" };
    for (const other of await hooks.others()) {
      await expect(rotate(id, { overlap_seconds: 0 }, other)).rejects.toMatchObject(notFound);
    }
    await test.call(deleteWebhookEndpoint, { params: { endpoint_id: id } });
    for (const missing of [id, `we_${"0".repeat(32)}`, "x\u0000"]) {
      await expect(rotate(missing, {})).rejects.toMatchObject(notFound);
    }
  });
});

describe("409", () => {
  it("is the answer while the former secret is still in force: of two rotations at once, one is made", async () => {
    const { id, secret: former } = await create();
    const both = await Promise.allSettled([rotate(id, {}), rotate(id, {})]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const pending = { status: 409, code: "secret_rotation_pending" };
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: pending });
    await expect(rotate(id, {})).rejects.toMatchObject(pending);
    const made = both.flatMap((one) => (one.status === "fulfilled" ? [one.value.secret] : []));
    expect(await signersOfNext([former, ...made])).toEqual([true, true]);
  });
});

const rotate = (endpoint_id: string, body: object, more: CallParts = {}) =>
  test.call<CreatedEndpoint>(rotateWebhookSecret, { params: { endpoint_id }, body, ...more });

/** Which of the secrets sign the next event. It is sent with the test's time, by which overlaps are measured. */
async function signersOfNext(secrets: readonly string[]): Promise<boolean[]> {
  await hooks.deliverer.stop();
  hooks.deliverer = createDeliverer(test.needs, test.network);
  hooks.received = [];
  await emit(1);
  await deliver();
  const [one] = hooks.received;
  if (one === undefined) throw new Error("nothing was received");
  const signatures = one.headers["webhook-signature"]?.split(" ") ?? [];
  const sentAt = new Date(Math.floor(test.needs.realClock.now() / 1_000) * 1_000);
  const known = secrets.map((secret) => new Webhook(secret).sign(one.event.id, sentAt, one.body));
  expect(known.filter((signature) => signatures.includes(signature))).toHaveLength(signatures.length);
  return known.map((signature) => signatures.includes(signature));
}
