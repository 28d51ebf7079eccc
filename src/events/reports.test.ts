import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Network } from "@trellis/kernel/ports/network.js";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { evenLimits } from "../../test/support/sponsorship.js";
import { errorOf, publicKeyOf, stampKmsA } from "../../test/support/test-network.js";
import { createLegacyPaymentIntent } from "../legacy/create-legacy-payment-intent.js";
import { preparePayment } from "../payments/prepare-payment.js";
import { reportPoverty } from "../scheduler/report-health.js";
import { createApiKey } from "../tenants/api-key-store.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { createDeliverer } from "./deliver-events.js";
import type { WireEvent } from "./event-store.js";
import { listEvents } from "./list-events.js";

let receiver: Server;
let base: string;
let received: { path: string; body: string; headers: Record<string, string> }[] = [];
const test = useTestNetwork();
const holder = use(() => test.openHolder("reports@example.org"));
beforeAll(async () => {
  await test.airdrop(holder.address, "sol", "5000000000");
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      received.push({ path: request.url ?? "", body, headers: request.headers as Record<string, string> });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  base = `http://localhost:${(receiver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  receiver?.close();
});
beforeEach(() => {
  received = [];
});
const payee = publicKeyOf("the payee of reports");

describe("the URL of a single payment", () => {
  it("gets the events of that payment and of no other, signed with a secret of its own", async () => {
    const made = await test.call<Made>(preparePayment, payment({ webhook_url: `${base}/one` }));
    const other = await test.call<Made>(preparePayment, payment());
    await submit(made);
    await submit(other);
    await deliver();
    const events = received.map(
      ({ body, headers }) => new Webhook(made.webhook_secret).verify(body, headers) as WireEvent,
    );
    expect(events.map(({ type, data }) => [type, data.object.id, data.object.state])).toEqual([
      ["payment_intent.created", made.id, "awaiting_funds"],
      ["payment_intent.updated", made.id, "payment_submitted"],
      ["payment_intent.updated", made.id, "payment_processed"],
    ]);
  });

  it("is used by v0 as well, and judged as others are", async () => {
    const create = (webhook_url: string) =>
      test.call<Made & { PaymentProvider: { id: string } }>(createLegacyPaymentIntent, {
        params: { smart_account_address: holder.address },
        body: { amount: "1", source: { currency: "sol" }, destination: { address: payee }, webhook_url },
      });
    expect(await errorOf(create("http://10.0.0.1/"))).toMatchObject({ code: "invalid_webhook_url" });
    const made = await create(`${base}/older`);
    await deliver();
    expect(received.map(({ path }) => path)).toEqual(["/older"]);
    const [only] = received;
    const event = new Webhook(made.webhook_secret).verify(only?.body ?? "", only?.headers ?? {}) as WireEvent;
    expect([event.type, event.data.object.id]).toEqual(["payment_intent.created", made.PaymentProvider.id]);
  });
});

describe("what the service itself runs out of", () => {
  it("is reported once a day: a budget for what it pays for others, to the tenant that reached its limit", async () => {
    const stranger = await test.addTenant("another tenant of reports");
    const exhausted = { ...test.network, sponsorship: evenLimits(1n, { perTransaction: 10_000_000n }) };
    for (let tries = 0; tries < 2; tries += 1) {
      const made = await test.call<Made>(preparePayment, payment({ amount: String(2_000_000 + tries) }));
      expect(await errorOf(submit(made, exhausted))).toMatchObject({ code: "sponsorship_limit_exceeded" });
    }
    const reported = await feed("sponsorship.exhausted");
    expect(reported.map(({ data }) => data.object)).toEqual([
      { budget: "day", retry_after_seconds: expect.any(Number) },
    ]);
    const at = { query: { type: ["sponsorship"] }, caller: stranger, network: test.network };
    expect((await listEvents.handle(test.needs, at as never)).data).toEqual([]);
  });

  it("is reported once a day: the key that pays fees holds too little", async () => {
    const { db, keyring, random, realClock } = test.needs;
    const needs = { db, secret: keyring.macs("api-key"), random, now: realClock.now() };
    const plan = { name: "a key", scopes: ["events:read"], environments: ["sandbox"], expiresAt: null } as const;
    await createApiKey(needs, { ...plan, tenantId: test.caller.tenantId } as never);
    const poor = { ...test.network, health: async () => ({ healthy: true, poor: true, message: "0.001 SOL" }) };
    for (let refresh = 0; refresh < 3; refresh += 1) await reportPoverty(test.needs, poor as never);
    const rich = { ...test.network, health: async () => ({ healthy: true, poor: false }) };
    await reportPoverty(test.needs, rich as never);
    const { address } = test.network.feePayer;
    expect((await feed("fee_payer.low")).map(({ data }) => data.object)).toEqual([{ address, message: "0.001 SOL" }]);
    test.needs.realClock.advance(86_400_000);
    await reportPoverty(test.needs, poor as never);
    expect(await feed("fee_payer.low")).toHaveLength(2);
  });
});

interface Made {
  readonly id: string;
  readonly transaction: string;
  readonly webhook_secret: string;
  readonly kms_payloads: readonly { readonly payload: string }[];
}

const payment = (more: object = {}) => ({
  params: { address: holder.address },
  body: {
    amount: "1000000",
    source: { account: holder.address, currency: "sol" },
    destination: { address: payee, currency: "sol" },
    ...more,
  },
});

const submit = (made: Made, network?: Network) =>
  test.call(submitTransactions, {
    params: { address: holder.address },
    body: {
      transaction: made.transaction,
      kms_payloads: made.kms_payloads.map(({ payload }) => ({
        provider: "kms_a",
        kms_signed_payload: { signature: stampKmsA(payload, holder.authorizationKey) },
      })),
    },
    ...(network === undefined ? {} : { network }),
  });

/** Headers carry real time, which receivers compare with theirs. */
async function deliver(): Promise<void> {
  const deliverer = createDeliverer({ ...test.needs, realClock: { now: Date.now } }, test.network);
  await deliverer.tick();
  await deliverer.settled();
  await deliverer.stop();
}

const feed = async (type: string): Promise<WireEvent[]> => {
  const at = { query: { type: [type], limit: 200 }, caller: test.caller, network: test.network };
  return (await listEvents.handle(test.needs, at as never)).data as WireEvent[];
};
