import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import {
  pages,
  payFrom,
  transactionsOf,
  transfersOf,
  type WireTransaction,
  type WireTransfer,
} from "../../test/history/support.js";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { listTransactions } from "./list-transactions.js";
import { listTransfers } from "./list-transfers.js";

const payee = "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g";
const sol = "11111111111111111111111111111111";
const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const test = useTestNetwork({ each: true });
const holder = use(() => test.openHolder("history@example.org"), { each: true });

describe("transfers", () => {
  it("show at once what was paid here and what strangers sent", async () => {
    expect(await transfersOf(test, holder.address)).toEqual([]);
    await give("sol", "1000000000");
    tick();
    await give("usdc", "5000000");
    tick();
    await payFrom(test, holder, { currency: "usdc", amount: "1500000", to: payee });
    const [paid, opened, given, first, ...rest] = await transfersOf(test, holder.address);
    expect(rest).toEqual([]);
    // The payee had no account for it yet, and this account can afford one.
    expect(opened).toMatchObject({ direction: "outflow", mint: sol, amount: "2039280", signature: paid?.signature });
    expect(paid).toMatchObject({
      direction: "outflow",
      mint: usdc,
      amount: "1500000",
      ui_amount: "1.5",
      decimals: 6,
      is_token_2022: false,
      from_address: holder.address,
      to_address: payee,
      main_account_address: holder.address,
      grid_user_id: holder.verified.grid_user_id,
      confirmation_status: "finalized",
      environment: "sandbox",
    });
    expect(given).toMatchObject({
      direction: "inflow",
      mint: usdc,
      amount: "5000000",
      from_address: usdc,
      to_address: holder.address,
    });
    expect(first).toMatchObject({ direction: "inflow", mint: sol, amount: "1000000000", ui_amount: "1", decimals: 9 });
  });
});

describe("transactions", () => {
  it("say of what kind they are", async () => {
    tick();
    await give("sol", "1000000000");
    tick();
    await payFrom(test, holder, { currency: "sol", amount: "1000000", to: payee });
    const listed = await transactionsOf(test, holder.address);
    expect(listed.map(({ kind, status }) => [kind, status])).toEqual([
      ["payment", "finalized"],
      ["deposit", "finalized"],
      ["account_creation", "finalized"],
    ]);
  });
});

describe("filters", () => {
  beforeEach(async () => {
    for (let i = 1; i <= 3; i += 1) {
      await give("sol", `${i}000000000`);
      tick();
      await give("usdc", `${i}000000`);
      tick();
      await payFrom(test, holder, { currency: "usdc", amount: String(i), to: payee });
      tick();
    }
  });

  const amounts = (transfers: readonly WireTransfer[]) => transfers.map(({ amount }) => amount);
  const kinds = (transactions: readonly WireTransaction[]) => transactions.map(({ kind }) => kind);

  it("choose transfers by direction, currency, status, time and signature", async () => {
    const all = await transfersOf(test, holder.address);
    expect(all).toHaveLength(10);
    expect(amounts(await transfersOf(test, holder.address, { type: "outflow" }))).toEqual(["3", "2", "1", "2039280"]);
    expect(amounts(await transfersOf(test, holder.address, { currency: "sol", type: "inflow" }))).toEqual([
      "3000000000",
      "2000000000",
      "1000000000",
    ]);
    expect(amounts(await transfersOf(test, holder.address, { currency: usdc, type: "inflow" }))).toEqual([
      "3000000",
      "2000000",
      "1000000",
    ]);
    expect(await transfersOf(test, holder.address, { status: "finalized" })).toEqual(all);
    expect(await transfersOf(test, holder.address, { status: "confirmed" })).toEqual([]);
    expect(await transfersOf(test, holder.address, { type: "spl" })).toEqual(all);
    expect(await transfersOf(test, holder.address, { type: "bridge" })).toEqual([]);
    const fifth = all[4];
    expect(await transfersOf(test, holder.address, { tx_hash: fifth?.signature ?? "" })).toEqual([fifth]);
    expect(await transfersOf(test, holder.address, { tx_hash: "unknown" })).toEqual([]);
    const at = fifth?.confirmed_at ?? "";
    expect(await transfersOf(test, holder.address, { start_date: at, end_date: at })).toEqual([fifth]);
    expect(await transfersOf(test, holder.address, { start_date: String(Date.parse(at) / 1000) })).toEqual(
      all.slice(0, 5),
    );
    expect(await transfersOf(test, holder.address, { end_date: at })).toEqual(all.slice(4));
    expect(await transfersOf(test, holder.address, { start_date: "2026-01-15", end_date: "2026-01-15" })).toEqual(all);
    expect(await transfersOf(test, holder.address, { end_date: "2026-01-14" })).toEqual([]);
  });

  it("choose transactions by kind, status and currency, one by one and together", async () => {
    const all = await transactionsOf(test, holder.address);
    expect(all).toHaveLength(10);
    expect(kinds(await transactionsOf(test, holder.address, { type: "payment" }))).toEqual([
      "payment",
      "payment",
      "payment",
    ]);
    expect(kinds(await transactionsOf(test, holder.address, { currency: "usdc" }))).toHaveLength(6);
    expect(kinds(await transactionsOf(test, holder.address, { currency: "usdc", type: "deposit" }))).toEqual([
      "deposit",
      "deposit",
      "deposit",
    ]);
    expect(await transactionsOf(test, holder.address, { status: "failed" })).toEqual([]);
    expect(await transactionsOf(test, holder.address, { status: "finalized" })).toEqual(all);
    expect(await transactionsOf(test, holder.address, { status: "confirmed" })).toEqual([]);
    expect(await transactionsOf(test, holder.address, { tx_hash: all[3]?.signature ?? "", currency: "eurc" })).toEqual(
      [],
    );
    expect(await transactionsOf(test, holder.address, { tx_hash: all[3]?.signature ?? "" })).toEqual([all[3]]);
  });

  it("are read page by page while further rows arrive", async () => {
    const all = await transfersOf(test, holder.address);
    for (const query of [{}, { type: "inflow" }, { currency: "usdc" }, { status: "finalized" }]) {
      const whole = await transfersOf(test, holder.address, query);
      const seen: WireTransfer[] = [];
      for await (const page of pages(test, listTransfers, holder.address, { ...query, limit: 2 })) {
        seen.push(...page.map(({ Spl }: { Spl: WireTransfer }) => Spl));
        if (seen.length === 2) await give("sol", "1");
      }
      expect(seen).toEqual(whole);
    }
    expect(all).toHaveLength(10);
    for (const query of [{}, { type: "deposit" }, { currency: "usdc" }]) {
      const whole = await transactionsOf(test, holder.address, query);
      const seen: WireTransaction[] = [];
      for await (const page of pages(test, listTransactions, holder.address, { ...query, limit: 3 }))
        seen.push(...page);
      expect(seen).toEqual(whole);
    }
  });

  it("that mean nothing are refused", async () => {
    const refused = (query: object) =>
      errorOf(test.call(listTransfers, { params: { address: holder.address }, query }));
    expect((await refused({ cursor: "nonsense" })).code).toBe("invalid_cursor");
    // A place of what partners moved with a signature of the chain, and the other way round.
    for (const mixed of [`0_${"5".repeat(64)}`, `1_123${randomUUID()}`]) {
      const cursor = Buffer.from(`h1_1800000000_${mixed}_0`).toString("base64url");
      expect((await refused({ cursor })).code).toBe("invalid_cursor");
    }
    const letters = Buffer.from(`h1_1800000000_0_${"abc".repeat(20)}_0`).toString("base64url");
    expect((await refused({ cursor: letters })).code).toBe("invalid_cursor");
    expect((await refused({ currency: "doubloons" })).code).toBe("unsupported_currency");
    expect((await refused({ start_date: "yesterday" })).code).toBe("invalid_request");
    expect((await refused({ end_date: "2026-02-30T00:00" })).code).toBe("invalid_request");
  });

  it("are another tenant's own", async () => {
    const caller = await test.addTenant("tenant-2");
    for (const list of [listTransfers, listTransactions]) {
      expect((await errorOf(test.call(list, { params: { address: holder.address }, caller }))).code).toBe(
        "account_not_found",
      );
    }
    expect((await errorOf(test.call(listTransfers, { params: { address: "x" } }))).code).toBe("account_not_found");
  });
});

const give = (currency: string, amount: string) => test.airdrop(holder.address, currency, amount);

const tick = () => test.needs.realClock.advance(2_000);
