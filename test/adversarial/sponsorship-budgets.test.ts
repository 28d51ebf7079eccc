import type { Address } from "@solana/kit";
import type { PreparedTransfer } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settleSubmissions } from "../../src/submissions/settle-submissions.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { type Answered, dataOf, expectError, type Holder, makeKey, stamp } from "./support.js";

/** Four payments of two signatures each. */
const accountBudget = 45_000n;
/** Less than the rent of a token account. */
const transactionBudget = 3_500_000n;

/** Runs on from noon: budgets are those of a day, which is not to end in the middle. */
const untilNoonMs = 43_200_000 - (Date.now() % 86_400_000);
const realClock = { now: () => Date.now() + untilNoonMs };
let trellis: TestService;
let feePayer: Address;
beforeAll(async () => {
  const variables = {
    TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: accountBudget.toString(),
    TRELLIS_SPONSOR_PER_TRANSACTION: "10000000",
  };
  trellis = await startTestService(variables, { realClock });
  feePayer = trellis.feePayer;
});
afterAll(() => trellis?.close());

describe("the budget of an account", () => {
  it("is never exceeded by fifty payments submitted at once, and the rest is not sent", async () => {
    const holder = await trellis.openHolder({ sol: "100000000" });
    const prepared: PreparedTransfer[] = [];
    for (let i = 0; i < 50; i += 1) prepared.push(await prepare(holder, String(1_000_000 + i)));
    const [payerBefore, sentBefore] = [
      await trellis.lamportsOf(feePayer),
      await trellis.countTransactions(holder.address),
    ];
    const answers = await Promise.all(
      prepared.map((each) => trellis.submit(holder.address, each.transaction, stamp(each, holder.session))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    for (const answered of answers) {
      if (answered.status === 200) continue;
      expectError(answered, 429, "sponsorship_limit_exceeded");
      expect(Number(answered.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await trellis.countTransactions(holder.address)).toBe(sentBefore + 4);
    expect(payerBefore - (await trellis.lamportsOf(feePayer))).toBe(40_000n);
    expect(await budgetOf(holder.address)).toBe(40_000n);
  });

  it("refuses the rent of token accounts beyond it; nothing is sent and nothing used up", async () => {
    const holder = await trellis.openHolder({ usdc: "1000000" });
    const payee = makeKey().address;
    const prepared = await trellis.preparePayment(holder, { amount: "10", currency: "usdc", to: payee });
    expect(BigInt(prepared.fee.rent_lamports)).toBeGreaterThan(2_000_000n);
    const before = await trellis.lamportsOf(feePayer);
    const answered = await trellis.submit(holder.address, prepared.transaction, stamp(prepared, holder.session));
    expectError(answered, 429, "sponsorship_limit_exceeded");
    expect(await trellis.lamportsOf(feePayer)).toBe(before);
    expect(await trellis.usdcOf(payee)).toBe(0n);
    expect(await budgetOf(holder.address)).toBe(0n);
    const payloads = await trellis.service.db
      .selectFrom("kms_payload")
      .select("used_by")
      .where("address", "=", prepared.kms_payloads[0]?.address ?? "")
      .execute();
    expect(payloads.every(({ used_by }) => used_by === null)).toBe(true);
  });

  it("ends a multiple submit where it is used up, saying so", async () => {
    const holder = await trellis.openHolder({ sol: "100000000" });
    const prepared: PreparedTransfer[] = [];
    for (let i = 0; i < 6; i += 1) prepared.push(await prepare(holder));
    const answered = await trellis.post(`/accounts/${holder.address}/submit`, {
      transactions: prepared.map(({ transaction }) => transaction),
      kms_payloads: prepared.map((each) => stamp(each, holder.session)),
    });
    const { results, partial_failure } = dataOf<{ results: object[]; partial_failure: object }>(answered);
    expect(results).toHaveLength(4);
    expect(partial_failure).toMatchObject({ failed_at_index: 4, error_code: "sponsorship_limit_exceeded" });
  });

  it("is not touched by those who pay themselves", async () => {
    const holder = await trellis.openHolder({ sol: "100000000" });
    const payer = makeKey();
    await trellis.network.sandbox?.airdrop(payer.address, 1_000_000_000n as never);
    const before = await trellis.lamportsOf(feePayer);
    const prepared = await trellis.preparePayment(holder, {
      amount: "1000000",
      currency: "sol",
      to: payer.address,
      more: { fee_config: { self_managed_fees: true }, payer_address: payer.address },
    });
    expectError(
      await trellis.submit(holder.address, prepared.transaction, stamp(prepared, holder.session)),
      400,
      "missing_signature",
    );
    expect(await trellis.lamportsOf(feePayer)).toBe(before);
    expect(await budgetOf(holder.address)).toBe(0n);
  });
});

describe("what was paid in the end", () => {
  it("counts in full, also where it was more than reserved", async () => {
    const holder = await trellis.openHolder({ sol: "100000000" });
    const { db } = trellis.service;
    const prepared = await prepare(holder);
    dataOf(await trellis.submit(holder.address, prepared.transaction, stamp(prepared, holder.session)));
    // As if the reservation had been too small: in one step, as a scheduled pass may settle at any moment.
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable("submission")
        .set({ reserved_lamports: 4_000n, spent_lamports: null })
        .where("account_address", "=", holder.address)
        .execute();
      await trx
        .updateTable("sponsorship_budget")
        .set({ lamports: 4_000n })
        .where("scope", "=", `account:${holder.address}`)
        .execute();
    });
    await settleSubmissions(db, trellis.network);
    expect(await budgetOf(holder.address)).toBe(10_000n);
  });
});

describe("what was reserved and not used", () => {
  it("is returned once to each budget it was reserved from, though several passes settle at the same time", async () => {
    const { db } = trellis.service;
    const network = trellis.network;
    const holders = [await trellis.openHolder({ sol: "100000000" }), await trellis.openHolder({ sol: "100000000" })];
    for (const holder of holders) {
      for (const amount of ["1000001", "1000002"]) {
        const prepared = await prepare(holder, amount);
        dataOf(await trellis.submit(holder.address, prepared.transaction, stamp(prepared, holder.session)));
      }
    }
    await settleSubmissions(db, network);
    const shared = ["environment", "tenant:default"];
    const before = await Promise.all(shared.map(budgetOfScope));
    const addresses = holders.map(({ address }) => address);
    const surplus = 5_000n;
    // As if each had reserved more than it used: in one step, as a scheduled pass may settle at any moment.
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable("submission")
        .set(({ eb }) => ({ reserved_lamports: eb("reserved_lamports", "+", surplus), spent_lamports: null }))
        .where("account_address", "in", addresses)
        .execute();
      for (const [scopes, times] of [
        [addresses.map((address) => `account:${address}`), 2n],
        [shared, 4n],
      ] as const) {
        await trx
          .updateTable("sponsorship_budget")
          .set(({ eb }) => ({ lamports: eb("lamports", "+", surplus * times) }))
          .where("scope", "in", scopes)
          .execute();
      }
    });
    await Promise.all([settleSubmissions(db, network), settleSubmissions(db, network), settleSubmissions(db, network)]);
    expect(await Promise.all(addresses.map(budgetOf))).toEqual([20_000n, 20_000n]);
    expect(await Promise.all(shared.map(budgetOfScope))).toEqual(before);
  });
});

describe("the ceiling of one transaction", () => {
  it("holds whatever the budgets leave", { timeout: 240_000 }, async () => {
    const variables = {
      TRELLIS_SPONSOR_PER_TRANSACTION: transactionBudget.toString(),
      TRELLIS_SPONSOR_PER_TENANT_PER_DAY: "9000000",
    };
    const other = await startTestService(variables, { realClock });
    try {
      // An account with ten signers costs more rent than one transaction may.
      const many = Array.from({ length: 10 }, () => makeKey().address);
      const create = (signers: string[]) => other.post("/accounts", { type: "signers", signers, threshold: 1 });
      expectError(await create(many), 429, "sponsorship_limit_exceeded");
      // And the tenant's budget ends a series of small ones, however many arrive at once.
      const before = await other.lamportsOf(other.network.feePayer.address);
      const answers = await Promise.all(Array.from({ length: 12 }, () => create([makeKey().address])));
      const spent = before - (await other.lamportsOf(other.network.feePayer.address));
      expect(spent).toBeLessThanOrEqual(9_000_000n);
      expect(spent).toBeGreaterThan(0n);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused.length).toBeGreaterThan(0);
      expect(new Set(refused.map(codeOf))).toEqual(new Set(["sponsorship_limit_exceeded"]));
    } finally {
      await other.close();
    }
  });
});

function prepare(from: Pick<Holder, "address">, amount = "1000000"): Promise<PreparedTransfer> {
  return trellis.preparePayment(from, { amount, currency: "sol", to: from.address });
}

const codeOf = (answered: Answered) => (answered.body as { code?: string }).code;

const budgetOf = (account: string) => budgetOfScope(`account:${account}`);

async function budgetOfScope(scope: string): Promise<bigint> {
  const row = await trellis.service.db
    .selectFrom("sponsorship_budget")
    .select("lamports")
    .where("scope", "=", scope)
    .executeTakeFirst();
  return row?.lamports ?? 0n;
}
