import { describe, expect, it } from "vitest";
import { openPayer, prepareIntent, usePayer } from "../../test/support/payments.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { listPaymentIntents } from "./list-payment-intents.js";
import type { PaymentIntent } from "./payment-intent.js";

const test = useTestNetwork();
const holder = usePayer(test, "intents@example.org");

describe("200", () => {
  it("goes through all of them, newest first, page by page", async () => {
    const many = await openPayer(test, "many@example.org", "1000000000");
    const { address } = many.verified;
    for (let i = 0; i < 7; i += 1) await prepareIntent(test, many, { amount: String(1_000_000 + i) });
    const whole = await list({}, many);
    expect(whole.map(({ amount }) => Number(amount)).sort()).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => 1_000_000 + i));
    const order = whole.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(order).toEqual([...order].sort().reverse());

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = (await listPaymentIntents.handle(test.needs, {
        params: { address },
        query: { limit: 3, ...(cursor === undefined ? {} : { cursor }) },
        network: test.network,
        caller: test.caller,
      } as never)) as { data: PaymentIntent[]; headers?: Record<string, string>; metadata?: { next_cursor: string } };
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.metadata?.next_cursor;
      expect(page.headers?.["x-next-cursor"]).toBe(cursor);
    } while (cursor !== undefined);
    expect(seen).toEqual(whole.map(({ id }) => id));
    expect(await list({ limit: 0 }, many)).toEqual([]);
    expect((await list({ limit: 7 }, many)).length).toBe(7);
  });

  it("leaves out what is another account's", async () => {
    const { id } = await prepareIntent(test, holder);
    expect((await list()).map((intent) => intent.id)).toContain(id);
    expect(await list({}, await test.openHolder("other@example.org"))).toEqual([]);
  });
});

describe("400", () => {
  it("refuses a cursor that was not handed out", async () => {
    for (const cursor of [
      "",
      "x",
      Buffer.from("i1_1_0").toString("base64url"),
      Buffer.from("p1_1").toString("base64url"),
    ]) {
      expect((await errorOf(list({ cursor }))).code).toBe("invalid_cursor");
    }
  });
});

describe("404", () => {
  it("is the answer for another tenant's account", async () => {
    const caller = await test.addTenant("a stranger to intents");
    const asked = test.call(listPaymentIntents, { params: { address: holder.address }, caller });
    await expect(asked).rejects.toMatchObject({ status: 404, code: "account_not_found" });
  });
});

const list = (query: object = {}, from = holder): Promise<PaymentIntent[]> =>
  test.call<PaymentIntent[]>(listPaymentIntents, { params: { address: from.address }, query });
