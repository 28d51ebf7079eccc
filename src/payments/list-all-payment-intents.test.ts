import type { Network } from "@trellis/kernel/ports/network.js";
import { beforeAll, describe, expect, it } from "vitest";
import { openPayer, prepareIntent, submitIntent } from "../../test/support/payments.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf, type HeldAccount, publicKeyOf } from "../../test/support/test-network.js";
import type { PaymentIntentState } from "../submissions/intent-states.js";
import { overdueSince } from "../submissions/intent-states.js";
import { getPaymentIntent } from "./get-payment-intent.js";
import { listAllPaymentIntents } from "./list-all-payment-intents.js";
import type { PaymentIntent } from "./payment-intent.js";

const test = useTestNetwork();
let ada: HeldAccount;
let grace: HeldAccount;
/** From the oldest to the newest: one that was paid, one of another account, one that waits. */
let ids: string[];
beforeAll(async () => {
  ada = await openPayer(test, "ada@example.org");
  grace = await openPayer(test, "grace@example.org");
  const paid = await prepareIntent(test, ada);
  await submitIntent(test, ada, paid);
  ids = [paid.id];
  for (const payer of [grace, ada]) {
    await test.network.sandbox?.advanceClock(1);
    ids.push((await prepareIntent(test, payer)).id);
  }
});

describe("200", () => {
  it("lists those of all accounts, newest first, each as it is read alone", async () => {
    const { items } = await list();
    expect(items.map(({ id }) => id)).toEqual([...ids].reverse());
    const owners = [ada, grace, ada];
    const params = items.map(({ id }, i) => ({ id, address: owners[i]?.address }));
    expect(items).toEqual(await Promise.all(params.map((each) => test.call(getPaymentIntent, { params: each }))));
  });

  it("lists those of a state, of several, of an account, and of both", async () => {
    const [paid, ofGrace, waiting] = ids;
    expect(await idsIn({ state: ["payment_processed"] })).toEqual([paid]);
    expect(await idsIn({ state: ["awaiting_funds", "payment_processed"] })).toEqual([waiting, ofGrace, paid]);
    expect(await idsIn({ state: ["refunded"] })).toEqual([]);
    expect(await idsIn({ account: ada.address })).toEqual([waiting, paid]);
    expect(await idsIn({ account: ada.address, state: ["payment_processed"] })).toEqual([paid]);
    expect(await idsIn({ limit: 0 })).toEqual([]);
  });

  it("goes through all of them page by page, whatever is added meanwhile", async () => {
    const caller = await test.addTenant("one with many payments");
    // Several of one instant, and of several states.
    for (let n = 0; n < 12; n += 1) await insert(n, { tenant: caller.tenantId });
    const whole = await idsIn({}, { caller });
    expect(whole).toHaveLength(12);
    const seen: string[] = [];
    let cursor: string | undefined;
    let added = 100;
    do {
      const page = await list({ limit: 3, ...(cursor === undefined ? {} : { cursor }) }, { caller });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.cursor;
      added += 1;
      await insert(added, { tenant: caller.tenantId });
    } while (cursor !== undefined);
    expect(seen).toEqual(whole);
    expect((await idsIn({}, { caller })).length).toBe(16);
  });

  it("has nothing of another tenant, and nothing of another environment", async () => {
    const caller = await test.addTenant("one with two environments");
    const here = await insert(201, { tenant: caller.tenantId });
    const there = await insert(202, { tenant: caller.tenantId, environment: "devnet" });
    const devnet: Network = { ...test.network, name: "devnet" };
    expect(await idsIn({}, { caller })).toEqual([here]);
    expect(await idsIn({}, { caller, network: devnet })).toEqual([there]);
    expect(await idsIn({}, { network: devnet })).toEqual([]);
    expect(await idsIn()).toEqual([...ids].reverse());
  });

  it("lists what was not submitted in time as it stands until the pass cancels it", async () => {
    const caller = await test.addTenant("one that lets a payment run out");
    const late = overdueSince(test.network.clock.now()) - 1;
    const id = await insert(301, { tenant: caller.tenantId, state: "awaiting_funds", createdAt: late });
    expect((await list({}, { caller })).items).toMatchObject([{ id, state: "awaiting_funds" }]);
  });
});

describe("400", () => {
  it("refuses a cursor that was not handed out, with an account and without", async () => {
    for (const query of [{ cursor: "x" }, { cursor: "", account: ada.address }, { cursor: "o1" }]) {
      expect(await errorOf(list(query))).toMatchObject({ status: 400, code: "invalid_cursor" });
    }
  });
});

describe("404", () => {
  it("is the answer for another tenant's account", async () => {
    const caller = await test.addTenant("a stranger to all payments");
    const asked = errorOf(list({ account: ada.address }, { caller }));
    expect(await asked).toMatchObject({ status: 404, code: "account_not_found" });
  });
});

const list = (query: object = {}, parts: CallParts = {}) =>
  test.page<PaymentIntent>(listAllPaymentIntents, { query, ...parts });

const idsIn = async (query: object = {}, parts: CallParts = {}) => (await list(query, parts)).items.map(({ id }) => id);

interface Inserted {
  readonly tenant: string;
  readonly environment?: string;
  readonly state?: PaymentIntentState;
  readonly createdAt?: number;
}

/** Writes one down that no transaction is known of; returns its id. Three in a row are of the same instant. */
async function insert(n: number, { tenant, environment = "sandbox", state, createdAt }: Inserted): Promise<string> {
  const id = `00000000-0000-4000-8000-${String(n * 7919).padStart(12, "0")}`;
  const at = BigInt(createdAt ?? test.network.clock.now() + Math.floor(n / 3));
  await test.needs.db
    .insertInto("payment_intent")
    .values({
      id,
      tenant_id: tenant,
      environment,
      account_address: publicKeyOf(`account of ${tenant}`),
      prepared_id: `prepared ${n}`,
      amount: "1",
      currency: "sol",
      source: JSON.stringify({ account: publicKeyOf("payer"), currency: "sol" }),
      destination: JSON.stringify({ address: publicKeyOf("payee"), currency: "sol" }),
      state: state ?? (n % 2 === 0 ? "canceled" : "payment_processed"),
      created_at: at,
      updated_at: at,
    } as never)
    .execute();
  return id;
}
