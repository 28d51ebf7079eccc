import { randomBytes } from "node:crypto";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { PreparedTransfer } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/test-service.js";
import {
  type Answered,
  apiPath,
  dataOf,
  expectError,
  expectErrorBody,
  type Holder,
  makeKey,
  stamp,
} from "./support.js";

let trellis: TestService;
let ada: Holder;
let asOther: Record<string, string>;
beforeAll(async () => {
  const masterKey = randomBytes(32);
  trellis = await startTestService({ TRELLIS_MASTER_KEY: masterKey.toString("base64") });
  const keyring = createKeyring({ masterKeys: [{ id: "1", key: new Uint8Array(masterKey) }], activeId: "1" });
  asOther = { authorization: `Bearer ${(await trellis.addTenant("other", keyring.macs("api-key"))).value}` };
  ada = await trellis.openHolder({ sol: "1000000000" });
});
afterAll(() => trellis?.close());
const shop = makeKey().address;

describe("another tenant", () => {
  it("finds nothing of an account by any path, and cannot act for it", async () => {
    const prepared = await prepare();
    const body = { transaction: prepared.transaction, kms_payloads: stamp(prepared, ada.session) };
    const before = await trellis.lamportsOf(ada.address);
    const calls: Promise<Answered>[] = [
      request("GET", `/accounts/${ada.address}`, undefined, asOther),
      request("GET", `/accounts/${ada.address}/balances`, undefined, asOther),
      request("POST", `/accounts/${ada.address}/payment-intent`, paymentBody(), asOther),
      request("POST", `/accounts/${ada.address}/transactions`, { transaction: prepared.transaction }, asOther),
      request("POST", `/accounts/${ada.address}/submit`, body, asOther),
    ];
    for (const answered of await Promise.all(calls)) expectError(answered, 404, "account_not_found");
    const unknown = await request("GET", `/accounts/${shop}`, undefined, asOther);
    expectError(unknown, 404, "account_not_found");
    expect(await trellis.lamportsOf(ada.address)).toBe(before);
    const outbox = await request("GET", `/sandbox/outbox?email=${ada.email}`, undefined, asOther);
    expect((outbox.body as { data: unknown[] }).data).toEqual([]);
  });

  it("cannot submit another tenant's transaction on an account of its own, before or after its confirmation", async () => {
    const key = makeKey();
    const created = await request(
      "POST",
      "/accounts",
      { type: "signers", signers: [key.address], threshold: 1 },
      asOther,
    );
    const own = dataOf<{ address: string }>(created).address;
    const prepared = await prepare();
    const body = { transaction: prepared.transaction, kms_payloads: stamp(prepared, ada.session) };
    expectError(await request("POST", `/accounts/${own}/submit`, body, asOther), 400, "transaction_not_prepared");
    dataOf(await trellis.submit(ada.address, body.transaction, body.kms_payloads));
    expectError(await request("POST", `/accounts/${own}/submit`, body, asOther), 400, "transaction_not_prepared");
  });

  it("with the same idempotency key gets an answer of its own", async () => {
    const headers = { "x-idempotency-key": "shared-by-chance" };
    const path = "/accounts";
    const body = { type: "signers", signers: [makeKey().address], threshold: 1 };
    const mine = dataOf<{ address: string }>(await request("POST", path, body, headers));
    const theirs = dataOf<{ address: string }>(await request("POST", path, body, { ...headers, ...asOther }));
    expect(theirs.address).not.toBe(mine.address);
  });
});

describe("the environment", () => {
  it("unknown or not served is refused everywhere, and missing on submit", async () => {
    const prepared = await prepare();
    const body = { transaction: prepared.transaction, kms_payloads: stamp(prepared, ada.session) };
    const before = await trellis.countTransactions(ada.address);
    for (const [method, path, sent] of [
      ["POST", `/accounts/${ada.address}/submit`, body],
      ["POST", `/accounts/${ada.address}/payment-intent`, paymentBody()],
      ["GET", `/accounts/${ada.address}`, undefined],
    ] as const) {
      for (const name of ["devnet", "mainnet", "production"]) {
        const answered = await request(method, path, sent, { "x-service-environment": name });
        expectError(answered, 400, "environment_not_available");
      }
      for (const name of ["testnet", "SANDBOX", "sandbox,devnet", "__proto__"]) {
        const answered = await request(method, path, sent, { "x-service-environment": name });
        expectError(answered, 400, "invalid_environment");
      }
    }
    const response = await fetch(`${trellis.url}${apiPath}/accounts/${ada.address}/submit`, {
      method: "POST",
      headers: { authorization: `Bearer ${trellis.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expectError(
      { status: response.status, headers: response.headers, body: await response.json() },
      400,
      "environment_required",
    );
    expect(await trellis.countTransactions(ada.address)).toBe(before);
  });
});

describe("an idempotency key", () => {
  it("used with another body is refused, and the other body has no effect", async () => {
    const headers = { "x-idempotency-key": "one-key" };
    const path = `/accounts/${ada.address}/payment-intent`;
    const first = await request("POST", path, paymentBody(), headers);
    const count = async () => (await trellis.service.db.selectFrom("payment_intent").select("id").execute()).length;
    const before = await count();
    expectError(await request("POST", path, paymentBody("2000000"), headers), 422, "idempotency_key_reused");
    expect(await count()).toBe(before);
    const again = await request("POST", path, paymentBody(), headers);
    expect(dataOf<{ id: string }>(again).id).toBe(dataOf<{ id: string }>(first).id);
  });

  it("ill-formed, or said twice differently, is refused", async () => {
    const path = `/accounts/${ada.address}/payment-intent`;
    for (const headers of [
      { "x-idempotency-key": "a".repeat(256) },
      { "x-idempotency-key": "one", "idempotency-key": "two" },
      { "x-idempotency-key": "caf\u00e9" },
    ]) {
      expectError(await request("POST", path, paymentBody(), headers), 400, "invalid_idempotency_key");
    }
  });

  it("of a submit refused before execution does not keep the right one from being sent", async () => {
    const prepared = await prepare();
    const path = `/accounts/${ada.address}/submit`;
    const wrong = { transaction: prepared.transaction, kms_payloads: [] };
    expectError(await request("POST", path, wrong, { "x-idempotency-key": "s-1" }), 400, "missing_signature");
    const right = { transaction: prepared.transaction, kms_payloads: stamp(prepared, ada.session) };
    const sent = dataOf(await request("POST", path, right, { "x-idempotency-key": "s-1" }));
    expect(dataOf(await request("POST", path, right, { "x-idempotency-key": "s-1" }))).toEqual(sent);
    expectError(await request("POST", path, wrong, { "x-idempotency-key": "s-1" }), 422, "idempotency_key_reused");
  });
});

describe("a body that is none", () => {
  const path = () => `/accounts/${ada.address}/payment-intent`;

  it("too large, malformed, of another type, or polluted is refused", async () => {
    const huge = JSON.stringify({ ...paymentBody(), padding: "x".repeat(256 * 1024) });
    expectError(await request("POST", path(), huge), 413, "body_too_large");
    for (const text of ["{", "[1,", '{"a":1,}', "nul", "{'a':1}", '"', "\u0000"]) {
      expectError(await request("POST", path(), text), 400, "malformed_json");
    }
    for (const text of ["null", "[]", "1", '"text"', "true", "{}"]) {
      expectError(await request("POST", path(), text), 400, "invalid_request");
    }
    for (const text of ['{"__proto__":{"amount":"1"}}', '{"constructor":{"prototype":{"x":1}}}']) {
      const answered = await request("POST", path(), text);
      expect(answered.status).toBe(400);
      expectErrorBody(answered);
    }
    const asText = await request("POST", path(), JSON.stringify(paymentBody()), { "content-type": "text/plain" });
    expectError(asText, 415, "unsupported_media_type");
  });

  it("nested a hundred thousand deep is refused without harm", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const answered = await request("POST", path(), `{"amount":${deep}}`);
    expect(answered.status).toBe(400);
    expectErrorBody(answered);
  });
});

function request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered> {
  return trellis.request(method, apiPath + path, body, headers);
}

function prepare(): Promise<PreparedTransfer> {
  return trellis.preparePayment(ada, { amount: "1000000", currency: "sol", to: shop });
}

function paymentBody(amount = "1000000") {
  return {
    amount,
    source: { account: ada.address, currency: "sol" },
    destination: { address: shop, currency: "sol" },
  };
}
