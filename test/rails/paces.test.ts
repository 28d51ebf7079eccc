import { createSandboxRails } from "@trellis/sandbox/partner/index.js";
import { beforeAll, describe, expect, it } from "vitest";
import type { PaymentIntent } from "../../src/payments/payment-intent.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { followRails } from "../../src/rails/follow-rails.js";
import { advanceClock } from "../../src/sandbox-controls/advance-clock.js";
import { moveSandboxTransfer } from "../../src/sandbox-controls/move-transfer.js";
import { cancelStandingOrder } from "../../src/standing-orders/cancel-standing-order.js";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { listStandingOrderRuns } from "../../src/standing-orders/list-runs.js";
import { useTestNetwork } from "../support/scene.js";
import type { TestNetwork } from "../support/test-network.js";
import {
  addBank,
  bent,
  held,
  openApproved,
  type PreparedBankIntent,
  payBank,
  readIntent,
  settle,
  submitBank,
} from "./transfers-support.js";

/** What a tenant sees of the simulated partner where banks take their time, and by the cents of an amount (gap 104). */
/** The same sandbox, asked by a service whose partner takes its time. */
let inTime: TestNetwork;
let holder: Awaited<ReturnType<typeof openApproved>>;
let address: string;
let bank: string;
const atOnce = useTestNetwork();
beforeAll(async () => {
  const { db, keyring, random, log } = atOnce.needs;
  const parts = { db, keyring, random, log, network: atOnce.network, baseUrl: () => "https://trellis.example" };
  const rails = new Map([["sandbox" as const, createSandboxRails({ ...parts, pace: "realistic" })]]);
  inTime = {
    ...atOnce,
    needs: { ...atOnce.needs, rails },
    call: (endpoint, call = {}) => atOnce.call(endpoint, { ...call, needs: { rails, ...call.needs } }),
  };
  holder = await openApproved(atOnce, "paces@example.org");
  address = holder.address;
  bank = (await addBank(atOnce, address)).id;
});
const [minute, day] = [60, 86_400];

describe("where banks take their time", () => {
  it("a payment to a bank moves from state to state by the sandbox's clock, and each is reported once", async () => {
    const id = await payOut(inTime, "5000000");
    const seen: string[] = [];
    for (const [seconds, state] of [
      [20, "awaiting_funds"],
      [20, "funds_received"],
      [10, "funds_received"],
      [20, "payment_submitted"],
      [day - minute, "payment_submitted"],
      [minute, "payment_processed"],
    ] as const) {
      await pass(inTime, seconds);
      expect(await stateOf(id)).toBe(state);
      seen.push(state);
    }
    await pass(inTime, 3 * day);
    expect(await reportedOf(id)).toEqual([...new Set(seen)]);
  });

  it("a clock that is moved by days at once lets all of it happen", async () => {
    const before = await held(atOnce, address);
    const [processed, refunded] = [await payOut(inTime, "5000000"), await payOut(inTime, "3040000")];
    const arrived = await payIn(inTime, "25.00");
    expect(await stateOf(arrived)).toBe("funds_received");
    await pass(inTime, 3 * day);
    expect([await stateOf(processed), await stateOf(refunded), await stateOf(arrived)]).toEqual([
      "payment_processed",
      "refunded",
      "payment_processed",
    ]);
    expect((await held(atOnce, address)) - before).toBe(20_000_000n);
  });

  it("a payment from a bank is paid on chain in its time, and not before", async () => {
    const before = await held(atOnce, address);
    const id = await payIn(inTime, "25.00");
    expect(await stateOf(id)).toBe("funds_received");
    await pass(inTime, 20);
    expect([await stateOf(id), (await held(atOnce, address)) - before]).toEqual(["funds_received", 0n]);
    await pass(inTime, 20);
    expect([await stateOf(id), (await held(atOnce, address)) - before]).toEqual(["payment_submitted", 25_000_000n]);
    await pass(inTime, 30);
    expect(await stateOf(id)).toBe("payment_processed");
    expect(await reportedOf(id)).toEqual([
      "awaiting_funds",
      "funds_received",
      "payment_submitted",
      "payment_processed",
    ]);
  });

  it("what a standing order paid is reported in each state, while the run stays paid", async () => {
    const id = await order(inTime, "5000000");
    await pass(inTime, minute);
    const run = await runOf(id);
    expect(run.state).toBe("paid");
    await pass(inTime, 35);
    await pass(inTime, 35);
    expect((await runOf(id)).payout?.state).toBe("payment_submitted");
    await pass(inTime, day - minute);
    expect((await runOf(id)).payout?.state).toBe("payment_submitted");
    await pass(inTime, minute);
    expect(await runOf(id)).toMatchObject({ ...run, payout: { state: "payment_processed" } });
    const reported = await payoutEventsOf(id);
    expect(reported).toEqual([
      ["created", "awaiting_funds"],
      ["updated", "funds_received"],
      ["updated", "payment_submitted"],
      ["updated", "payment_processed"],
    ]);
  });
});

describe.each([
  ["at once", () => atOnce, "payment_processed"],
  ["in their time", () => inTime, "in_review"],
] as const)("two cents, where things happen %s", (_name, network, afterAWhile) => {
  it("are reviewed first, visible to every reader, and then continue", async () => {
    const test = network();
    const [out, into] = [await payOut(test, "5020000"), await payIn(test, "25.02")];
    const orderId = await order(test, "4020000");
    await pass(test, 40);
    expect([await stateOf(out), await stateOf(into)]).toEqual([afterAWhile, afterAWhile]);
    await pass(test, 40);
    await pass(test, 3 * day);
    for (const id of [out, into]) {
      const reported = await reportedOf(id);
      expect(reported).toContain("in_review");
      expect([reported[0], reported.at(-1)]).toEqual(["awaiting_funds", "payment_processed"]);
      expect(new Set(reported).size).toBe(reported.length);
    }
    const reported = (await payoutEventsOf(orderId)).map(([, state]) => state);
    expect(reported.at(-1)).toBe("payment_processed");
    expect(reported).toContain("in_review");
    expect(new Set(reported).size).toBe(reported.length);
  });
});

describe.each(["6", "7"])("webhooks of .0%s, twice or late", (cents) => {
  it("are each reported once, and change nothing else", async () => {
    const before = await held(atOnce, address);
    const out = await payOut(atOnce, `50${cents}0000`);
    const into = await payIn(atOnce, `25.0${cents}`);
    const orderId = await order(atOnce, `40${cents}0000`);
    await pass(atOnce, minute);
    await pass(atOnce, day);
    const now = atOnce.network.clock.now();
    for (const id of [out, into]) {
      const reported = await reportedOf(id);
      expect([reported[0], reported.at(-1), new Set(reported).size]).toEqual([
        "awaiting_funds",
        "payment_processed",
        reported.length,
      ]);
      const news = await newsOf(id);
      const ids = new Set(news.map(({ event_id }) => event_id));
      expect(news.length).toBe(ids.size * (cents === "6" ? 2 : 1));
      if (cents === "7") expect(news.every(({ happened_at }) => Number(happened_at) <= now - 3_600_000)).toBe(true);
    }
    const reported = await payoutEventsOf(orderId);
    expect([reported.at(-1)?.[1], new Set(reported.map(([, state]) => state)).size]).toEqual([
      "payment_processed",
      reported.length,
    ]);
    expect(reported.filter(([type]) => type === "created")).toHaveLength(1);
    const moved = BigInt(25_000_000 - 5_000_000 - 4_000_000 - Number(cents) * 10_000);
    expect((await held(atOnce, address)) - before).toBe(moved);
  });
});

it("what an order paid and the bank sent back is not asked about for ever, once nothing is paid there any more", async () => {
  const orders = await atOnce.needs.db
    .selectFrom("standing_order")
    .select("id")
    .where("status", "=", "active")
    .execute();
  const id = await order(atOnce, "3030000");
  await pass(atOnce, minute);
  expect((await runOf(id)).payout?.state).toBe("refunded");
  for (const one of [...orders.map(({ id: other }) => other), id]) {
    await atOnce.call(cancelStandingOrder, { params: { address, id: one }, body: {} });
  }
  let asked = 0;
  const listening = bent(atOnce, (partner) => ({
    listPayouts: async (request, signal) => {
      asked += 1;
      return partner.listPayouts(request, signal);
    },
  }));
  const follow = async (days: number) => {
    atOnce.needs.realClock.advance(days * day * 1000);
    await followRails({ ...atOnce.needs, ...listening }, atOnce.network);
  };
  await follow(2);
  expect(asked).toBeGreaterThan(0);
  await follow(31);
  asked = 0;
  for (let times = 0; times < 3; times += 1) await follow(2);
  expect(asked).toBe(0);
});

interface Run {
  readonly state: string;
  readonly signature: string;
  readonly payout: { readonly id: string; readonly state: string } | null;
}

/** Time passes, and the answer is given when all that falls into it has happened. */
const pass = (test: TestNetwork, seconds: number) => test.call(advanceClock, { body: { seconds } });

const payOut = async (test: TestNetwork, amount: string): Promise<string> => {
  const prepared = await payBank(test, address, bank, amount);
  await submitBank(test, holder, prepared);
  await settle(test);
  return prepared.id;
};

const payIn = async (test: TestNetwork, amount: string): Promise<string> => {
  const { id } = await test.call<PaymentIntent>(preparePayment, {
    params: { address },
    body: { amount, source: { payment_rail: "wire", currency: "usd" }, destination: { currency: "usdc" } },
  });
  await test.call(moveSandboxTransfer, { params: { id }, body: { state: "funds_received" } });
  return id;
};

const stateOf = async (id: string) => (await readIntent(atOnce, address, id)).state;

/** The states that the events of an intent or a payout tell, in their order. */
const reportedOf = async (id: string) =>
  (
    await atOnce.needs.db.selectFrom("event").select("data").where("object_id", "=", id).orderBy("sequence").execute()
  ).map(({ data }) => JSON.parse(data).state as string);

const newsOf = async (id: string) =>
  atOnce.needs.db
    .selectFrom("simulated_news")
    .innerJoin("rail_transfer", "rail_transfer.partner_ref", "simulated_news.ref")
    .select(["simulated_news.event_id", "simulated_news.happened_at"])
    .where("rail_transfer.id", "=", id)
    .orderBy("place")
    .execute();

async function order(test: TestNetwork, amount: string): Promise<string> {
  const prepared = await test.call<PreparedBankIntent>(createStandingOrder, {
    params: { address },
    body: {
      amount,
      frequency: "monthly",
      source: { account: address, currency: "usdc" },
      destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank },
    },
  });
  await submitBank(test, holder, prepared);
  return prepared.id;
}

const runOf = async (id: string): Promise<Run> => {
  const [run] = await atOnce.call<Run[]>(listStandingOrderRuns, { params: { address, id }, query: { limit: 10 } });
  if (run === undefined) throw new Error("a due date has come");
  return run;
};

const payoutEventsOf = async (orderId: string) =>
  (
    await atOnce.needs.db
      .selectFrom("event")
      .select(["type", "data"])
      .where("type", "like", "standing_order_payout.%")
      .orderBy("sequence")
      .execute()
  )
    .map(({ type, data }) => ({ type, ...(JSON.parse(data) as { standing_order_id: string; state: string }) }))
    .filter(({ standing_order_id }) => standing_order_id === orderId)
    .map(({ type, state }) => [type.split(".").at(-1), state]);
