import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import {
  type ControlledAccount,
  type OrderTerms,
  openControlledAccount,
  openOrder,
  orderOf,
  runsOf,
} from "../../test/support/standing-orders.js";
import { hashOf, publicKeyOf } from "../../test/support/test-network.js";
import { type ExtendedMint, openExtendedMint } from "../../test/support/token-2022.js";
import { settleSubmissions } from "../submissions/settle-submissions.js";
import { payStandingOrders } from "./pay-orders.js";

const minuteMs = 60_000;
/** 165 bytes, the mark, and four extensions of an account of this mint. */
const accountBytes = 191n;
let mint: ExtendedMint;
let account: ControlledAccount;
let id: string;
let payee: Address;
let number = 0;
const test = useTestNetwork();
beforeAll(async () => {
  const [key, authority] = [serviceKeyOf(hashOf("an extended mint")), serviceKeyOf(hashOf("its issuer"))];
  mint = await openExtendedMint(test.network, key, authority);
});
beforeEach(async () => {
  number += 1;
  id = `order-${number}`;
  payee = publicKeyOf(`payee of ${id}`);
  await db().updateTable("standing_order").set({ status: "cancelled", attempt_at: null, leased_until: null }).execute();
  account = await openControlledAccount(test.network, `holder of ${id}`);
});

describe("a payee's token account of a mint with extensions", () => {
  it("is reserved for, entered and paid at its whole size", async () => {
    await mint.mintTo(account.address, 5_000_000n);
    await open();
    const { value: before } = await test.network.rpc.getBalance(test.network.feePayer.address).send();
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    const { value: after } = await test.network.rpc.getBalance(test.network.feePayer.address).send();
    const rent = await rentOf(accountBytes);
    const entry = { held_at: mint.tokenOf(payee), beneficiary: payee, reserved_lamports: rent };
    expect(await openings()).toEqual([expect.objectContaining(entry)]);
    const { value } = await test.network.rpc.getBalance(mint.tokenOf(payee)).send();
    expect(value).toBe(rent);
    const { reserved_lamports: reserved } = await db()
      .selectFrom("submission")
      .select("reserved_lamports")
      .where("account_address", "=", account.address)
      .executeTakeFirstOrThrow();
    expect(before - after).toBeLessThanOrEqual(reserved ?? 0n);
    await settleSubmissions(db(), test.network);
    expect(await openings()).toEqual([expect.objectContaining({ ...entry, spent_lamports: rent })]);
  });

  it("is reserved for in full, whatever balance others have put there", async () => {
    await mint.mintTo(account.address, 5_000_000n);
    await test.network.sandbox?.airdrop(mint.tokenOf(payee), 1_000_000n);
    await open();
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    const rent = await rentOf(accountBytes);
    expect(await openings()).toEqual([expect.objectContaining({ reserved_lamports: rent })]);
  });

  it("is not opened where it costs more than the service pays for one transaction, though a plain one would not", async () => {
    await mint.mintTo(account.address, 5_000_000n);
    await open();
    const perTransaction = (await rentOf(170n)) + 10_000n;
    const sponsorship = { ...test.network.sponsorship, perTransaction };
    expect(await pass({ ...test.network, sponsorship })).toEqual({ paid: 0, missed: 0 });
    expect(await states()).toEqual(["retrying sponsorship_limit_exceeded"]);
    expect(await openings()).toEqual([]);
    await advance(10 * minuteMs);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
  });
});

describe("a mint that its issuer has paused", () => {
  it("is waited for like money, and paid when it resumes", async () => {
    await mint.mintTo(account.address, 5_000_000n);
    await open();
    await mint.pause();
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    expect(await states()).toEqual(["retrying mint_paused"]);
    expect(Number((await orderOf(db(), id)).attempt_at) - now()).toBe(5 * minuteMs);
    await advance(5 * minuteMs);
    await pass();
    expect(Number((await orderOf(db(), id)).attempt_at) - now()).toBe(30 * minuteMs);
    await mint.resume();
    await advance(30 * minuteMs);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    expect(await states()).toEqual(["paid"]);
    expect(await openings()).toHaveLength(1);
  });
});

const db = () => test.needs.db;

const now = () => test.network.clock.now();

const open = (terms: Partial<OrderTerms> = {}) =>
  openOrder(db(), test.network, account, {
    id,
    amount: 1_000_000n,
    frequency: "monthly",
    startAt: now(),
    mint: mint.address,
    payee,
    ...terms,
  });

const pass = (network: Network = test.network) => payStandingOrders(test.needs, network);

const advance = (ms: number) => test.network.sandbox?.advanceClockTo(now() + ms);

const states = async () => (await runsOf(db(), id)).map((run) => run.slice(17));

const rentOf = (bytes: bigint) => test.network.rpc.getMinimumBalanceForRentExemption(bytes).send();

const openings = () =>
  db()
    .selectFrom("sponsored_cost")
    .select(["held_at", "beneficiary", "reserved_lamports", "spent_lamports"])
    .where("account_address", "=", account.address)
    .where("kind", "=", "token_account_rent")
    .execute();
