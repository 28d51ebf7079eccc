import { type Address, createNoopSigner } from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import {
  AuthorityType,
  getCloseAccountInstruction,
  getFreezeAccountInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getThawAccountInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token";
import type { Network } from "@trellis/kernel/ports/network.js";
import { removeSpendingLimitAsAuthorityInstruction } from "@trellis/program-client";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPlayedCluster, type PlayedNode } from "../../test/support/played-cluster.js";
import { evenLimits } from "../../test/support/sponsorship.js";
import {
  type ControlledAccount,
  type OrderTerms,
  openControlledAccount,
  openOrder,
  orderOf,
  runsOf,
  sendAs,
} from "../../test/support/standing-orders.js";
import {
  breakConnection,
  hashOf,
  openTestNetwork,
  publicKeyOf,
  type TestNetwork,
} from "../../test/support/test-network.js";
import { recoverSubmissions } from "../submissions/recover-submissions.js";
import { payStandingOrders } from "./pay-orders.js";
import { advanceTime } from "./play-time.js";
import { claimOrders, recordRefreshes } from "./run-store.js";
import { changeOrder, resumeOrder } from "./standing-order-store.js";

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as Address;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const rich = 100_000_000_000n;
let test: TestNetwork;
let account: ControlledAccount;
let id: string;
let payee: Address;
let number = 0;
beforeAll(async () => {
  test = await openTestNetwork();
});
afterAll(() => test?.close());
beforeEach(async () => {
  number += 1;
  id = `order-${number}`;
  payee = publicKeyOf(`payee of ${id}`);
  // What other tests left open is not looked at again.
  await db().updateTable("standing_order").set({ status: "cancelled", attempt_at: null, leased_until: null }).execute();
  account = await openControlledAccount(test.network, `holder of ${id}`);
});
const db = () => test.needs.db;
const now = () => test.network.clock.now();
const order = () => orderOf(db(), id);

describe("a due date", () => {
  it("is paid once, in SOL", async () => {
    await fund(rich);
    const { start_at } = await open();
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    expect(await balanceOf(payee)).toBe(1_000_000n);
    expect(await states()).toEqual(["paid"]);
    const next = new Date(Number(start_at));
    next.setUTCMonth(next.getUTCMonth() + 1);
    expect(await order()).toMatchObject({
      status: "active",
      next_index: 1,
      next_due_at: BigInt(next.getTime()),
      attempt_at: BigInt(next.getTime()),
      leased_until: null,
    });
  });

  it("is paid in tokens, and the payee's token account opened once, at the service's expense", async () => {
    await test.network.sandbox?.mintTo(account.address, usdc, 5_000_000n);
    await open({ mint: usdc, frequency: "daily", endAt: now() + 2 * dayMs });
    for (let day = 0; day < 3; day += 1) {
      expect(await pass()).toEqual({ paid: 1, missed: 0 });
      await advance(dayMs);
    }
    expect(await order()).toMatchObject({ status: "completed", attempt_at: null, next_due_at: null });
    const costs = await db()
      .selectFrom("sponsored_cost")
      .select("kind")
      .where("account_address", "=", account.address)
      .execute();
    expect(costs.map(({ kind }) => kind).sort()).toEqual(["fee", "fee", "fee", "token_account_rent"]);
  });

  it("that passed while no process ran is paid all the same, oldest first, one a minute and as the limit allows", async () => {
    await fund(rich);
    const { start_at } = await open({ frequency: "weekly" });
    await advance(15 * dayMs);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    expect(await attemptIn()).toBe(minuteMs);
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    await advance(minuteMs);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    await advance(minuteMs);
    // Two payments a period are all that the limit allows; what is left is paid when it is full again.
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    expect(await states()).toEqual(["paid", "paid", "scheduled"]);
    const apart = await attemptIn();
    expect(apart).toBeGreaterThan(0);
    await advance(apart ?? 0);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    const runs = await db()
      .selectFrom("standing_order_run")
      .select(["due_at", "paid_at"])
      .where("order_id", "=", id)
      .orderBy("paid_at")
      .execute();
    expect(runs.map(({ due_at }) => Number(due_at - start_at) / dayMs)).toEqual([0, 7, 14]);
  });

  it("is claimed by one of several passes at once, also where each has many", async () => {
    await fund(rich);
    for (let i = 0; i < 5; i += 1) {
      await open({ id: `${id}-${i}`, place: i, payee: publicKeyOf(`${id} ${i}`) });
    }
    const reported = await Promise.all([pass(), pass(), pass()]);
    expect(reported.reduce((sum, { paid }) => sum + paid, 0)).toBe(5);
    for (let i = 0; i < 5; i += 1) expect(await balanceOf(publicKeyOf(`${id} ${i}`))).toBe(1_000_000n);
  });
});

describe("too little money", () => {
  it("is waited for ever longer, then the due date is missed, and three in a row stop the order", async () => {
    const { start_at } = await open({ frequency: "daily" });
    const apart: (number | null)[] = [];
    for (let tries = 0; tries < 5; tries += 1) {
      await pass();
      expect(await states()).toEqual([tries < 4 ? "retrying insufficient_balance" : "retrying insufficient_balance"]);
      const next = await attemptIn();
      apart.push(next === null ? null : next / minuteMs);
      await advance(next ?? 0);
    }
    // After 5 minutes, 30 minutes and 2 hours every 6 hours, and once more at the very end of twelve.
    expect(apart.map((minutes) => Math.round(minutes ?? -1))).toEqual([5, 30, 120, 360, 205]);
    expect(await pass()).toEqual({ paid: 0, missed: 1 });
    expect(await states()).toEqual(["missed insufficient_balance"]);
    expect(Math.round((now() - Number(start_at)) / minuteMs)).toBe(720);
    await advanceTime(test.needs, test.network, 3 * 86_400);
    expect(await states()).toEqual(Array.from({ length: 3 }, () => "missed insufficient_balance"));
    expect(await order()).toMatchObject({ status: "inactive", reason: "missed_repeatedly", attempt_at: null });
  });

  it("may arrive in time: then nothing is missed", async () => {
    await open();
    await pass();
    await fund(rich);
    await advance(5 * minuteMs);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    expect(await order()).toMatchObject({ missed_in_a_row: 0 });
  });

  it("is also what would leave an account less than it must keep, and never a part is paid", async () => {
    await fund(1_500_000n);
    await open();
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    expect(await states()).toEqual(["retrying insufficient_balance"]);
    expect(await balanceOf(payee)).toBe(0n);
  });

  it("in tokens is no different", async () => {
    await test.network.sandbox?.mintTo(account.address, usdc, 999_999n);
    await open({ mint: usdc });
    await pass();
    expect(await states()).toEqual(["retrying insufficient_balance"]);
  });
});

describe("the limit on chain", () => {
  it("that was removed stops the order", async () => {
    await fund(rich);
    const { spending_limit_address } = await open();
    await removeLimit(spending_limit_address);
    await pass();
    expect(await order()).toMatchObject({
      status: "inactive",
      reason: "spending_limit_missing",
      mandate: "revoked",
      attempt_at: null,
    });
    expect(await balanceOf(payee)).toBe(0n);
  });

  it("is not drawn on in its last two minutes", async () => {
    await fund(rich);
    await open({
      endAt: now() + dayMs,
      frequency: "daily",
      limit: { expiration: BigInt(Math.floor(now() / 1000) + 119) },
    });
    await pass();
    expect(await order()).toMatchObject({ status: "inactive", reason: "spending_limit_expired" });
    expect(await balanceOf(payee)).toBe(0n);
  });

  it("that is larger than it was asked for does not make a payment larger, and one that is too small stops the order", async () => {
    await fund(rich);
    await open({ limit: { amount: 9_000_000n } });
    await pass();
    expect(await balanceOf(payee)).toBe(1_000_000n);
    await open({ id: `${id}-small`, place: 1, limit: { amount: 999_999n } });
    await pass();
    expect(await orderOf(db(), `${id}-small`)).toMatchObject({
      status: "inactive",
      reason: "spending_limit_exhausted",
    });
  });

  it("names another executor than the service has: the order rests", async () => {
    await fund(rich);
    await open();
    await pass({ ...test.network, executor: serviceKeyOf(hashOf("a new executor")) });
    expect(await order()).toMatchObject({ status: "inactive", reason: "executor_rotated" });
    expect(await balanceOf(payee)).toBe(0n);
  });
});

describe("a payee's token account", () => {
  const mintKey = serviceKeyOf(hashOf("a mint of the tests"));
  const tokenKey = serviceKeyOf(hashOf("who freezes"));
  const mint = mintKey.address;

  beforeAll(async () => {
    const size = BigInt(getMintSize());
    const lamports = await test.network.rpc.getMinimumBalanceForRentExemption(size).send();
    await sendAs(
      test.network,
      [
        getCreateAccountInstruction({
          payer: createNoopSigner(test.network.feePayer.address),
          newAccount: createNoopSigner(mint),
          lamports,
          space: size,
          programAddress: TOKEN_PROGRAM_ADDRESS,
        }),
        getInitializeMint2Instruction({
          mint,
          decimals: 6,
          mintAuthority: tokenKey.address,
          freezeAuthority: tokenKey.address,
        }),
      ],
      [mintKey],
    );
  });
  const tokenOf = (owner: Address) => deriveTokenAccount(owner, mint, TOKEN_PROGRAM_ADDRESS);
  const fundTokens = async () => {
    const { getCreateAssociatedTokenIdempotentInstruction } = await import("@solana-program/token");
    await sendAs(
      test.network,
      [
        getCreateAssociatedTokenIdempotentInstruction({
          payer: createNoopSigner(test.network.feePayer.address),
          ata: tokenOf(account.address),
          owner: account.address,
          mint,
        }),
        getMintToInstruction({
          mint,
          token: tokenOf(account.address),
          mintAuthority: createNoopSigner(tokenKey.address),
          amount: 9_000_000n,
        }),
      ],
      [tokenKey],
    );
  };

  const closeTokens = async (owner: ReturnType<typeof serviceKeyOf>) => {
    const move = (await import("@solana-program/token")).getTransferInstruction({
      source: tokenOf(owner.address),
      destination: tokenOf(account.address),
      authority: createNoopSigner(owner.address),
      amount: 1_000_000n,
    });
    const close = getCloseAccountInstruction({
      account: tokenOf(owner.address),
      destination: owner.address,
      owner: createNoopSigner(owner.address),
    });
    await sendAs(test.network, [move, close], [owner]);
  };

  it("that is frozen is tried again, and paid once it is thawed; of a mint that is not configured here", async () => {
    await fundTokens();
    await open({ mint, frequency: "weekly" });
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    const authority = createNoopSigner(tokenKey.address);
    await sendAs(
      test.network,
      [getFreezeAccountInstruction({ account: tokenOf(payee), mint, owner: authority })],
      [tokenKey],
    );
    await advance(7 * dayMs);
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    expect(await states()).toEqual(["paid", "retrying destination_frozen"]);
    await sendAs(
      test.network,
      [getThawAccountInstruction({ account: tokenOf(payee), mint, owner: authority })],
      [tokenKey],
    );
    await advance(5 * minuteMs);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
  });

  it("is not opened again within 30 days when its owner closes it, or hands it on", async () => {
    const owner = serviceKeyOf(hashOf(`owner ${id}`));
    await fundTokens();
    await open({ mint, payee: owner.address, frequency: "weekly" });
    await pass();
    await closeTokens(owner);
    await advance(7 * dayMs);
    await pass();
    expect(await states()).toEqual(["paid", "retrying destination_closed"]);
    expect(await test.network.rpc.getAccountInfo(tokenOf(owner.address), { encoding: "base64" }).send()).toMatchObject({
      value: null,
    });
  });

  it("is not opened again either when the due date it was opened for is long past", async () => {
    const owner = serviceKeyOf(hashOf(`owner ${id}`));
    await fundTokens();
    await open({ mint, payee: owner.address, frequency: "monthly", startAt: now() - 70 * dayMs });
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    await closeTokens(owner);
    await advance(minuteMs);
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    expect(await states()).toEqual(["paid", "retrying destination_closed"]);
  });

  it("that belongs to another owner by now is not paid", async () => {
    const owner = serviceKeyOf(hashOf(`owner ${id}`));
    await fundTokens();
    await open({ mint, payee: owner.address, frequency: "weekly" });
    await pass();
    await sendAs(
      test.network,
      [
        getSetAuthorityInstruction({
          owned: tokenOf(owner.address),
          owner: createNoopSigner(owner.address),
          authorityType: AuthorityType.AccountOwner,
          newAuthority: publicKeyOf("somebody else"),
        }),
      ],
      [owner],
    );
    await advance(7 * dayMs);
    await pass();
    expect(await states()).toEqual(["paid", "retrying destination_closed"]);
  });

  it("whose rent the service does not pay is said to be the reason", async () => {
    await fundTokens();
    await open({ mint });
    const sponsorship = {
      ...test.network.sponsorship,
      openings: { ...test.network.sponsorship.openings, perAccountForLife: 0 },
    };
    await pass({ ...test.network, sponsorship });
    expect(await states()).toEqual(["retrying rent_not_sponsored"]);
  });
});

describe("what is the service's own affair", () => {
  it("is waited for and makes nothing missed: a budget that is used up", async () => {
    await fund(rich);
    await open({ frequency: "daily" });
    const poor = { ...test.network, sponsorship: evenLimits(1n, { perTransaction: 1_000_000n }) };
    for (let hours = 0; hours < 24; hours += 1) {
      expect(await pass(poor)).toEqual({ paid: 0, missed: 0 });
      await advance(hourMs);
    }
    expect((await states())[0]).toBe("retrying sponsorship_limit_exceeded");
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
  });

  it("is reported to the tenant of the order once a day: a budget that its payments have used up", async () => {
    await fund(rich);
    const tenantId = `of ${id}`;
    await test.addTenant(tenantId);
    for (const place of [0, 1]) await open({ id: `${id}-${place}`, place, tenantId });
    const poor = { ...test.network, sponsorship: evenLimits(1n, { perTransaction: 1_000_000n }) };
    for (let tries = 0; tries < 2; tries += 1) {
      await pass(poor);
      await advance(10 * minuteMs);
    }
    const reported = await db()
      .selectFrom("event")
      .select(["object_id", "data"])
      .where("type", "=", "sponsorship.exhausted")
      .where("tenant_id", "=", tenantId)
      .execute();
    const day = Math.floor(test.needs.realClock.now() / dayMs);
    expect(reported.map(({ object_id }) => object_id)).toEqual([`sponsorship/${day}`]);
    expect(JSON.parse(reported[0]?.data ?? "")).toMatchObject({ budget: "day" });
    expect(await pass()).toEqual({ paid: 2, missed: 0 });
  });

  it("a fee payer without money", async () => {
    await fund(rich);
    await open();
    await pass({ ...test.network, feePayer: serviceKeyOf(hashOf("a fee payer without money")) });
    expect(await states()).toEqual(["retrying service_unavailable"]);
    await advance(10 * minuteMs);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
  });

  it("a budget that does not take all of a batch still takes some", async () => {
    await fund(rich);
    await test.addTenant(`of ${id}`);
    for (let i = 0; i < 3; i += 1)
      await open({ id: `${id}-${i}`, place: i, payee: publicKeyOf(`${id} ${i}`), tenantId: `of ${id}` });
    const sponsorship = { ...test.network.sponsorship, perTenantPerDay: 20_000n };
    expect(await pass({ ...test.network, sponsorship })).toEqual({ paid: 2, missed: 0 });
  });

  it("a chain that does not answer, before anything is signed and after it was sent", async () => {
    await fund(rich);
    await open();
    expect(await pass(breakConnection(test.network, (method) => method === "getMultipleAccounts"))).toEqual({
      paid: 0,
      missed: 0,
    });
    expect(await states()).toEqual(["retrying chain_unavailable"]);
    await advance(5_000);
    const silent = breakConnection(test.network, wait("getSignatureStatuses", 1));
    expect(await pass(silent)).toEqual({ paid: 0, missed: 0 });
    expect(await states()).toEqual(["sending"]);
    expect(await balanceOf(payee)).toBe(1_000_000n);
    await recoverSubmissions(test.needs, test.network, 0);
    await advance(5_000);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    expect(await balanceOf(payee)).toBe(1_000_000n);
    expect(await states()).toEqual(["paid"]);
  });
});

it("makes no second signature before the first is proven dead", async () => {
  await fund(rich);
  await open();
  // It is stored, and no node ever hears of it.
  await pass(breakConnection(test.network, (method) => method === "sendTransaction"));
  const [first] = await db()
    .selectFrom("submission")
    .selectAll()
    .where("account_address", "=", account.address)
    .execute();
  expect(first?.state).toBe("signed");
  expect(await states()).toEqual(["sending"]);
  await advance(5_000);
  const mute = breakConnection(test.network, (method) => method === "sendTransaction");
  await pass(mute);
  expect(
    await db().selectFrom("submission").selectAll().where("account_address", "=", account.address).execute(),
  ).toHaveLength(1);
  await advance(120_000);
  expect(await pass()).toEqual({ paid: 1, missed: 0 });
  const made = await db()
    .selectFrom("submission")
    .select("state")
    .where("account_address", "=", account.address)
    .orderBy("created_at")
    .execute();
  expect(made.map(({ state }) => state)).toEqual(["expired", "landed"]);
  expect(await balanceOf(payee)).toBe(1_000_000n);
});

it("resolves what is under way when the order was cancelled meanwhile, and pays no more", async () => {
  await fund(rich);
  await open({ frequency: "daily" });
  await pass(breakConnection(test.network, (method) => method === "getSignatureStatuses"));
  await db()
    .updateTable("standing_order")
    .set({ status: "cancelled", mandate: "revocation_pending", attempt_at: BigInt(now()), leased_until: null })
    .where("id", "=", id)
    .execute();
  expect(await pass()).toEqual({ paid: 1, missed: 0 });
  expect(await order()).toMatchObject({ status: "cancelled", last_paid_at: expect.anything() });
  await advance(3 * dayMs);
  expect(await pass()).toEqual({ paid: 0, missed: 0 });
  expect(await states()).toEqual(["paid"]);
});

it("pays nothing twice after the database was put back to an older state", async () => {
  await fund(rich);
  await open({ frequency: "weekly" });
  const backup = await order();
  expect(await pass()).toEqual({ paid: 1, missed: 0 });
  await advance(7 * dayMs);
  expect(await pass()).toEqual({ paid: 1, missed: 0 });
  const signatures = await db()
    .selectFrom("standing_order_run")
    .select("signature")
    .where("order_id", "=", id)
    .execute();
  await db().deleteFrom("standing_order_run").where("order_id", "=", id).execute();
  await db().deleteFrom("standing_order").where("id", "=", id).execute();
  await db().insertInto("standing_order").values(backup).execute();

  await pass();
  await advance(minuteMs);
  await pass();
  expect(await states()).toEqual(["paid", "paid"]);
  const found = await db().selectFrom("standing_order_run").select("signature").where("order_id", "=", id).execute();
  expect(found).toEqual(signatures);
  expect(await balanceOf(payee)).toBe(2_000_000n);
  await advance(7 * dayMs);
  expect(await pass()).toEqual({ paid: 1, missed: 0 });
  expect(await balanceOf(payee)).toBe(3_000_000n);
});

describe("an order that is resumed", () => {
  /** Takes the order at its first due date, stops it, and lets it go on three days later. */
  const takeAndResume = async () => {
    await open({ frequency: "daily" });
    await advance(3 * dayMs + hourMs);
    const claim = { now: now(), realNow: test.needs.realClock.now(), limit: 10, leaseMs: hourMs, player: undefined };
    const [claimed] = await claimOrders(db(), test.network, claim);
    if (claimed?.run === undefined) throw new Error("it was due");
    const at = { next_index: 1, next_due_at: BigInt(claimed.run.dueAt + dayMs) };
    await changeOrder(db(), claimed.order, { status: "inactive", reason: "spending_limit_missing" }, now());
    expect(await resumeOrder(db(), await order(), {}, now(), now())).toBe(true);
    const { status, reason, mandate } = claimed.order;
    const late = { status, reason, mandate, nextIndex: 1, nextDueAt: Number(at.next_due_at), attemptAt: now() };
    return { claimed, late: { claimed, after: { ...late, missedInARow: 1 } } };
  };

  it("keeps its next due date, whatever a stale process still writes about the due date before", async () => {
    const { claimed, late } = await takeAndResume();
    const resumed = await order();
    expect(resumed).toMatchObject({ status: "active", next_index: 4, leased_until: null });
    await recordRefreshes(db(), [late], now());
    expect(await order()).toEqual(resumed);
    await db().updateTable("standing_order").set({ leased_until: claimed.lease }).where("id", "=", id).execute();
    await recordRefreshes(db(), [late], now());
    expect(await order()).toMatchObject({ ...resumed, attempt_at: BigInt(now()) });
  });

  it("resumes from a due date that has ended", async () => {
    await fund(rich);
    const { claimed } = await takeAndResume();
    const back = { next_index: 0, next_due_at: BigInt(claimed.run?.dueAt ?? 0), attempt_at: BigInt(now()) };
    await db().updateTable("standing_order").set(back).where("id", "=", id).execute();
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    expect(await order()).toMatchObject({ status: "active", next_index: 4, leased_until: null });
    expect((await states())[0]).toBe("missed order_inactive");
  });

  it("waits for a place among the account's open ones when its new limit is confirmed, and delays no other", async () => {
    const { spending_limit_address } = await open();
    const resting = { status: "inactive", mandate: "revoked", attempt_at: BigInt(now()) } as const;
    const renewal = { spending_limit_address: payee, renewal_limit_address: spending_limit_address };
    await db()
      .updateTable("standing_order")
      .set({ ...resting, ...renewal })
      .where("id", "=", id)
      .execute();
    const row = await order();
    const open20 = Array.from({ length: 20 }, (_, place) => ({
      ...row,
      id: `${id}-${place}`,
      status: "active" as const,
      attempt_at: null,
      place,
      spending_limit_address: publicKeyOf(`limit ${place} of ${id}`),
    }));
    await db().insertInto("standing_order").values(open20).execute();
    expect(await resumeOrder(db(), row, {}, now(), now())).toBe(false);
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    expect(await order()).toMatchObject({ status: "inactive", leased_until: null });
    const apart = (await attemptIn()) ?? 0;
    expect(apart).toBeGreaterThan(0);
    await db().updateTable("standing_order").set({ status: "cancelled" }).where("id", "=", `${id}-7`).execute();
    await advance(apart);
    await pass();
    expect(await order()).toMatchObject({ status: "active", place: 7, spending_limit_address });
  });
});

describe("a database that was put back, before a node that cannot show history", () => {
  type View = { signature: string; blockTime: number | null }[];
  /** What stands in for the node's answer to a method, while it is blind. */
  const blinds: Record<string, [string, (honest: { result: unknown }) => unknown, string]> = {
    "has an empty list": ["getSignaturesForAddress", () => [], "spending_limit_unexplained"],
    "names no block times": [
      "getSignaturesForAddress",
      ({ result }) => (result as View).map((one) => ({ ...one, blockTime: null })),
      "chain_unavailable",
    ],
    "has lost the transactions": ["getTransaction", () => null, "chain_unavailable"],
  };
  it.each(Object.entries(blinds))("that %s: waits, pays nothing twice, and says so", async (_, [method, to, error]) => {
    let isBlind = false;
    const node: PlayedNode = async (request, honest) => {
      if (request.method !== method || !isBlind) return undefined;
      const answer = await honest();
      return { ...answer, result: to(answer) };
    };
    const { network } = await openPlayedCluster(test, [node]);
    await fund(rich);
    const startAt = network.clock.now();
    // A cluster's clock is the real one; the chain behind it is this sandbox's, which is ahead.
    const limit = { expiration: BigInt(Math.floor(now() / 1000) + 30 * 86_400) };
    await open({ frequency: "daily", startAt, endAt: startAt + 3 * dayMs, limit }, network);
    const backup = await order();
    expect(await pass(network)).toEqual({ paid: 1, missed: 0 });
    await db().deleteFrom("standing_order_run").where("order_id", "=", id).execute();
    await db().deleteFrom("standing_order").where("id", "=", id).execute();
    await db().insertInto("standing_order").values(backup).execute();
    test.needs.realClock.advance(minuteMs);
    isBlind = true;
    test.logLines.length = 0;
    // Another order of the same pass does not have to wait for this one's history.
    await open({ id: `${id}-other`, place: 1, payee: publicKeyOf(`other ${id}`), startAt }, network);
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await pass(network)).toEqual({ paid: tries === 0 ? 1 : 0, missed: 0 });
      expect(await states()).toEqual([`retrying ${error}`]);
      test.needs.realClock.advance(10 * minuteMs);
    }
    expect(await balanceOf(payee)).toBe(1_000_000n);
    if (error !== "chain_unavailable") {
      expect(test.logLines).toContainEqual(
        expect.objectContaining({ level: "error", fields: expect.objectContaining({ order: id }) }),
      );
    }
    isBlind = false;
    expect(await pass(network)).toEqual({ paid: 1, missed: 0 });
    expect(await states()).toEqual(["paid"]);
    expect(await balanceOf(payee)).toBe(1_000_000n);
    expect(test.logLines).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ event: "unknown_payment_found" }) }),
    );
  });
});

describe("on a cluster", () => {
  it("a limit that one node does not have is read once more before the order is stopped", async () => {
    let isBlind = false;
    const node: PlayedNode = async ({ method }, honest) => {
      if (method !== "getMultipleAccounts" || !isBlind) return undefined;
      const answer = (await honest()) as { result: { value: unknown[] } };
      return { ...answer, result: { ...answer.result, value: answer.result.value.map(() => null) } };
    };
    const { network } = await openPlayedCluster(test, [node]);
    await fund(rich);
    await open({ startAt: network.clock.now() }, network);
    isBlind = true;
    await pass(network);
    expect(await order()).toMatchObject({ status: "active" });
    expect(await states()).toEqual(["retrying spending_limit_missing"]);
    isBlind = false;
    test.needs.realClock.advance(60_000);
    expect(await pass(network)).toEqual({ paid: 1, missed: 0 });
    isBlind = true;
    for (const days of [31, 0.01, 0.01]) {
      test.needs.realClock.advance(days * dayMs);
      await pass(network);
    }
    expect(await order()).toMatchObject({ status: "inactive", reason: "spending_limit_missing", mandate: "revoked" });
  });
});

const open = (terms: Partial<OrderTerms> = {}, network: Network = test.network) =>
  openOrder(db(), network, account, {
    id,
    amount: 1_000_000n,
    frequency: "monthly",
    startAt: now(),
    payee,
    ...terms,
  });

const advance = (ms: number) => test.network.sandbox?.advanceClockTo(now() + ms);

const pass = (network: Network = test.network) => payStandingOrders(test.needs, network);

const fund = (lamports: bigint) => test.network.sandbox?.airdrop(account.address, lamports);

const balanceOf = async (address: Address) => (await test.network.rpc.getBalance(address).send()).value;

const states = async () => (await runsOf(db(), id)).map((run) => run.slice(17));

const attemptIn = async () => {
  const { attempt_at } = await order();
  return attempt_at === null ? null : Number(attempt_at) - now();
};

const removeLimit = (limit: string) =>
  sendAs(
    test.network,
    [
      removeSpendingLimitAsAuthorityInstruction({
        settings: account.settings,
        settingsAuthority: account.authority.address,
        spendingLimit: limit as Address,
        rentCollector: account.address,
      }),
    ],
    [account.authority],
  );

const wait = (method: string, times: number) => {
  let left = times;
  return (asked: string) => asked === method && left-- > 0;
};
