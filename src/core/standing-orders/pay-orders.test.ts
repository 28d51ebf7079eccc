import type { Address } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ControlledAccount,
  type OrderTerms,
  openControlledAccount,
  openOrder,
  orderOf,
  runsOf,
} from "../../../test/support/standing-orders.js";
import { openTestNetwork, publicKeyOf, type TestNetwork } from "../../../test/support/test-network.js";
import { payStandingOrders } from "./pay-orders.js";

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" as Address;
const dayMs = 86_400_000;
const payee = publicKeyOf("the payee");

let test: TestNetwork;
let account: ControlledAccount;
beforeEach(async () => {
  test = await openTestNetwork();
  account = await openControlledAccount(test.network, "the holder");
});
afterEach(() => test?.close());

const now = () => test.network.clock.now();
const open = (terms: Partial<OrderTerms> = {}) =>
  openOrder(test.needs.db, test.network, account, {
    id: "rent",
    amount: 1_000_000n,
    frequency: "monthly",
    startAt: now(),
    payee,
    ...terms,
  });
const pass = () => payStandingOrders(test.needs, test.network);
const advance = (seconds: number) => test.network.sandbox?.advanceClock(seconds);
const balanceOf = async (address: Address) => (await test.network.rpc.getBalance(address).send()).value;

describe("a due date", () => {
  it("is paid once, in SOL", async () => {
    await test.network.sandbox?.airdrop(account.address, 1_000_000_000n);
    await open();
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    expect(await balanceOf(payee)).toBe(1_000_000n);
    expect(await runsOf(test.needs.db, "rent")).toEqual(["2026-01-15T12:00 paid"]);
    expect(await orderOf(test.needs.db, "rent")).toMatchObject({
      status: "active",
      next_index: 1,
      next_due_at: BigInt(Date.UTC(2026, 1, 15, 12)),
      attempt_at: BigInt(Date.UTC(2026, 1, 15, 12)),
      leased_until: null,
    });
  });

  it("is paid in tokens, and the payee's token account opened once", async () => {
    await test.network.sandbox?.mintTo(account.address, usdc, 5_000_000n);
    await open({ mint: usdc, frequency: "daily", endAt: now() + 2 * dayMs });
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    await advance(86_400);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    await advance(86_400);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    expect(await orderOf(test.needs.db, "rent")).toMatchObject({ status: "completed", attempt_at: null });
    const costs = await test.needs.db.selectFrom("sponsored_cost").select("kind").execute();
    expect(costs.map(({ kind }) => kind).sort()).toEqual(["fee", "fee", "fee", "token_account_rent"]);
  });
});
