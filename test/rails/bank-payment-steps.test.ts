import { walkSteps } from "@trellis/kernel/steps.js";
import { beforeAll, describe, expect, it } from "vitest";
import { bankPaymentSteps } from "../../src/payments/bank-payment-steps.js";
import { use, useTestNetwork } from "../support/scene.js";
import {
  addBank,
  held,
  openApproved,
  payBank,
  railsOf,
  readIntent,
  settle,
  submitBank,
  waitOut,
} from "./transfers-support.js";

let bank: string;
const test = useTestNetwork();
const holder = use(() => openApproved(test, "steps@example.org"));
beforeAll(async () => {
  bank = (await addBank(test, holder.address)).id;
});
const amount = "2000000";
const points = [
  { died: "before the first step", steps: 0 },
  ...bankPaymentSteps.map(({ name }, i) => ({ died: `after the step "${name}"`, steps: i + 1 })),
];

describe.each(points)("a payment to a bank whose process died $died", ({ steps }) => {
  it("is prepared by the request that is repeated, as one transfer that is paid once", async () => {
    const operationId = `repeated ${steps}`;
    const [before, coins] = [await count(), await held(test, holder.address)];
    await dieAfter(steps, operationId);
    const prepared = await payBank(test, holder.address, bank, amount, { operationId });
    expect(await payBank(test, holder.address, bank, amount, { operationId })).toEqual(prepared);
    await submitBank(test, holder, prepared);
    await settle(test);
    expect(await readIntent(test, holder.address, prepared.id)).toMatchObject({ state: "payment_processed" });
    const { here, there, open, intents } = before;
    expect(await count()).toEqual({ here: here + 1, there: there + 1, open: open + 1, intents: intents + 1 });
    expect(coins - (await held(test, holder.address))).toBe(BigInt(amount));
  });

  it.runIf(steps < bankPaymentSteps.length)("is cancelled by the pass when it is not repeated", async () => {
    const [before, coins] = [await count(), await held(test, holder.address)];
    await dieAfter(steps, `left ${steps}`);
    await waitOut(test);
    const { open, intents } = before;
    expect(await count()).toMatchObject({ open, intents });
    expect(await held(test, holder.address)).toBe(coins);
  });
});

/** What a process has stored that prepares a payment under this name and dies after so many steps. */
async function dieAfter(steps: number, operationId: string): Promise<void> {
  const { needs, network } = test;
  const account = await needs.db
    .selectFrom("account")
    .selectAll()
    .where("address", "=", holder.address)
    .executeTakeFirstOrThrow();
  const wanted = {
    amount,
    source: { account: holder.address, currency: "usdc" },
    destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank },
  };
  const flow = { needs, network, rails: railsOf(test), account, wanted, operationId };
  await walkSteps(bankPaymentSteps.slice(0, steps), flow, undefined);
}

/** How many transfers there are here and at the partner, and how many payments. */
async function count() {
  const { db } = test.needs;
  const here = await db.selectFrom("rail_transfer").select("id").execute();
  const there = await db.selectFrom("simulated_transfer").select("state").execute();
  const intents = await db.selectFrom("payment_intent").select("id").execute();
  const open = there.filter(({ state }) => state !== "canceled");
  return { here: here.length, there: there.length, open: open.length, intents: intents.length };
}
