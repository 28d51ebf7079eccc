import { describe, expect, it } from "vitest";
import { useLegacyPayer } from "../../test/support/legacy-payments.js";
import { prepareIntent, submitIntent } from "../../test/support/payments.js";
import { useTestNetwork } from "../../test/support/scene.js";
import type { CallParts } from "../../test/support/test-network.js";
import type { LegacyPaymentIntent } from "./legacy-payment-intent.js";
import { listLegacyPaymentIntents } from "./read-legacy-payment-intents.js";

const test = useTestNetwork();
const { holder: ada, create, confirm, read, signed } = useLegacyPayer(test, "ada@example.org");

describe("200", () => {
  it("shows a payment as its creation and its confirmation did", async () => {
    const { intent_payload, mpc_payload, ...created } = await create();
    const { id } = created.PaymentProvider;
    expect(await read(id)).toEqual(created);
    const confirmed = await confirm(id, signed({ ...created, intent_payload, mpc_payload }));
    expect(confirmed.PaymentProvider.state).toBe("payment_processed");
    expect(await read(id)).toEqual(confirmed);
    expect(await list({ state: ["payment_processed"] })).toContainEqual(confirmed);
  });

  it("shows what was prepared and submitted by the present interface", async () => {
    const prepared = await prepareIntent(test, ada);
    const { transaction_signature } = await submitIntent(test, ada, prepared);
    const shown = await read(prepared.id);
    expect(shown.PaymentProvider).toMatchObject({
      id: prepared.id,
      state: "payment_processed",
      receipt: { destination_tx_hash: transaction_signature },
    });
    expect(await list()).toContainEqual(shown);
  });

  it("shows a payment as canceled once its time is over", async () => {
    const { id } = (await create()).PaymentProvider;
    await test.network.sandbox?.advanceClock(61);
    expect((await read(id)).PaymentProvider.state).toBe("canceled");
    expect((await list({ state: ["canceled"] })).map(({ PaymentProvider }) => PaymentProvider.id)).toContain(id);
    expect(await list({ state: ["awaiting_funds"] })).toEqual([]);
  });

  it("lists each payment once, the newest first, page by page", async () => {
    for (let n = 0; n < 4; n += 1) await create();
    const whole = (await list({ limit: 100 })).map(({ PaymentProvider }) => PaymentProvider);
    const order = whole.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(order).toEqual([...order].sort().reverse());
    const seen: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await readPage({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.ids);
      cursor = page.cursor;
    }
    expect(seen).toEqual(whole.map(({ id }) => id));
  });
});

describe("400", () => {
  it("refuses a cursor that was not handed out", async () => {
    for (const cursor of ["", "x", Buffer.from("i1_1_0").toString("base64url")]) {
      await expect(list({ cursor })).rejects.toMatchObject({ status: 400, code: "invalid_cursor" });
    }
  });
});

describe("404", () => {
  it("is the answer for a payment of another account, and for no id", async () => {
    const { id } = (await create()).PaymentProvider;
    const { address } = (await test.openHolder("grace@example.org")).verified;
    const notFound = { status: 404, code: "payment_intent_not_found" };
    await expect(read(id, { address })).rejects.toMatchObject(notFound);
    for (const missing of ["0".repeat(36), "\0"]) await expect(read(missing)).rejects.toMatchObject(notFound);
    expect(await list({}, { params: { smart_account_address: address } })).toEqual([]);
  });

  it("is the answer to another tenant", async () => {
    const { id } = (await create()).PaymentProvider;
    const caller = await test.addTenant("a stranger to v0");
    const notFound = { status: 404, code: "account_not_found" };
    await expect(read(id, { caller })).rejects.toMatchObject(notFound);
    await expect(list({}, { caller })).rejects.toMatchObject(notFound);
  });
});

const params = () => ({ smart_account_address: ada.address });

const list = (query: object = {}, more: CallParts = {}) =>
  test.call<LegacyPaymentIntent[]>(listLegacyPaymentIntents, { params: params(), query, ...more });

async function readPage(query: object) {
  const request = { params: params(), query, caller: test.caller, network: test.network };
  const { data, headers } = await listLegacyPaymentIntents.handle(test.needs, request as never);
  const ids = (data as LegacyPaymentIntent[]).map(({ PaymentProvider }) => PaymentProvider.id);
  return { ids, cursor: headers?.["x-next-cursor"] };
}
