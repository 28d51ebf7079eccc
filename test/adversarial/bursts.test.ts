import type { PreparedTransfer } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/test-service.js";
import { type Answered, apiPath, dataOf, expectError, type Holder, makeKey, stamp } from "./support.js";

/** Four payments of two signatures each. */
const accountBudget = 45_000n;

/** Runs on from noon: budgets are those of a day, which is not to end in the middle. */
const untilNoonMs = 43_200_000 - (Date.now() % 86_400_000);
const realClock = { now: () => Date.now() + untilNoonMs };
let trellis: TestService;
beforeAll(async () => {
  const variables = { TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: accountBudget.toString() };
  trellis = await startTestService(variables, { realClock });
});
afterAll(() => trellis?.close());

describe("requests that arrive together", () => {
  it("are each what they would be alone: one account's spent budget takes no payment of another's with it", async () => {
    const greedy = await trellis.openHolder({ sol: "100000000" });
    const modest: Holder[] = [];
    for (let n = 0; n < 6; n += 1) modest.push(await trellis.openHolder({ sol: "100000000" }));
    const payee = makeKey().address;
    // In turns, so that every group has some of both.
    const mixed = modest.flatMap((holder) => [greedy, holder, greedy, holder, greedy, holder, greedy]);
    const prepared = await Promise.all(mixed.map((holder, n) => prepare(holder, payee, 1_000_000n + BigInt(n))));
    const answers = await Promise.all(prepared.map((each, n) => submit(mixed[n] ?? greedy, each)));
    const ofGreedy = answers.filter((_, n) => mixed[n] === greedy);
    const ofModest = answers.filter((_, n) => mixed[n] !== greedy);
    expect(ofModest.map(({ status }) => status)).toEqual(ofModest.map(() => 200));
    expect(ofGreedy.filter(({ status }) => status === 200)).toHaveLength(4);
    for (const each of ofGreedy) if (each.status !== 200) expectError(each, 429, "sponsorship_limit_exceeded");
    const paid = prepared
      .filter((_, n) => answers[n]?.status === 200)
      .map((each) => amounts.get(each.transaction) ?? 0n);
    expect(await trellis.lamportsOf(payee)).toBe(paid.reduce((sum, amount) => sum + amount, 0n));
    expect(await budgetOf(greedy.address)).toBe(40_000n);
    for (const { address } of modest) expect(await budgetOf(address)).toBe(30_000n);
  });

  it("pay once what is submitted many times, with one answer for all", async () => {
    const [one, other] = [
      await trellis.openHolder({ sol: "100000000" }),
      await trellis.openHolder({ sol: "100000000" }),
    ];
    const payee = makeKey().address;
    const [first, second] = await Promise.all([prepare(one, payee, 2_000_000n), prepare(other, payee, 3_000_000n)]);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? submit(other, second) : submit(one, first))),
    );
    const bodies = answers.map((each) => JSON.stringify(dataOf(each)));
    expect(new Set(bodies.filter((_, n) => n % 3 === 0)).size).toBe(1);
    expect(new Set(bodies.filter((_, n) => n % 3 !== 0)).size).toBe(1);
    expect(await trellis.lamportsOf(payee)).toBe(5_000_000n);
  });

  it("read each their own account, and none that is not there or another's", async () => {
    const holders = [await trellis.openHolder({}), await trellis.openHolder({}), await trellis.openHolder({})];
    const stranger = makeKey().address;
    const asked = Array.from({ length: 60 }, (_, n) => holders[n % 4]?.address ?? stranger);
    const answers = await Promise.all(asked.map((address) => trellis.request("GET", `${apiPath}/accounts/${address}`)));
    for (const [n, answered] of answers.entries()) {
      if (asked[n] === stranger) expectError(answered, 404, "account_not_found");
      else {
        const found = dataOf<{ address: string; email: string }>(answered);
        expect([found.address, found.email]).toEqual([asked[n], holders[n % 4]?.email]);
      }
    }
  });
});

/** What was asked for, by the transaction that pays it. */
const amounts = new Map<string, bigint>();

async function prepare(holder: Holder, to: string, amount: bigint): Promise<PreparedTransfer> {
  const prepared = await trellis.preparePayment(holder, { amount: String(amount), currency: "sol", to });
  amounts.set(prepared.transaction, amount);
  return prepared;
}

function submit(holder: Holder, prepared: PreparedTransfer): Promise<Answered> {
  return trellis.submit(holder.address, prepared.transaction, stamp(prepared, holder.session));
}

async function budgetOf(address: string): Promise<bigint> {
  const row = await trellis.service.db
    .selectFrom("sponsorship_budget")
    .select("lamports")
    .where("scope", "=", `account:${address}`)
    .executeTakeFirst();
  return row?.lamports ?? 0n;
}
