import { randomUUID } from "node:crypto";
import type { Address } from "@solana/kit";
import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { dataOf, may, newKey, only, refusalOf } from "../../test/proposals/support.js";
import { bareOf, limitsOf, type PreparedLimit, type WireLimit } from "../../test/spending-limits/support.js";
import { useTestService } from "../../test/support/scene.js";
import { startTestService } from "../../test/support/test-service.js";

const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "100" });
const api = limitsOf(trellis);
const [a, b, payee] = [newKey(), newKey(), addressOfKey(newKey())];
const ofB = { amount: 1_000, mint: "sol", period: "daily", spending_limit_signers: [addressOfKey(b)] };

describe("a spending limit", () => {
  it("is prepared, and exists when that is submitted", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const expiration = new Date(Math.floor(now() / 1000) * 1000 + 3_600_000).toISOString();
    const answer = await api.createLimit(account, { ...ofB, destinations: [payee], expiration });
    expect(answer.status).toBe(201);
    const prepared = bareOf<PreparedLimit>(answer);
    expect(prepared.transaction_signers).toEqual([addressOfKey(a)]);
    expect(prepared.summary).toMatchObject([
      {
        type: "settings_change",
        actions: [{ type: "add_spending_limit", spending_limit: prepared.spending_limit_address, amount: "1000" }],
      },
    ]);
    expect(refusalOf(await api.request("GET", account, `/spending-limit/${prepared.spending_limit_address}`))).toEqual([
      404,
      "spending_limit_not_found",
    ]);
    await api.submitNow(account, prepared, [a]);

    const view = await api.limit(account, prepared.spending_limit_address);
    expect(view).toMatchObject({
      address: prepared.spending_limit_address,
      settings_address: account.settings,
      main_account_address: account.address,
      environment: "sandbox",
      mint: null,
      currency: "sol",
      amount: "1000",
      remaining_amount: "1000",
      period: "day",
      signers: [addressOfKey(b)],
      destinations: [payee],
      expiration,
      usable: true,
    });
    expect(Date.parse(view.next_reset ?? "") - Date.parse(view.last_reset)).toBe(86_401_000);
    expect(bareOf(await api.limits(account))).toEqual([view]);
  });

  it("takes both words for a period, and amounts as text up to 64 bits", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const periods = { one_time: "one_time", day: "day", daily: "day", weekly: "week", week: "week", monthly: "month" };
    for (const [asked, period] of Object.entries(periods)) {
      const address = await api.grant(account, { ...ofB, amount: "18446744073709551615", period: asked }, [a]);
      const view = await api.limit(account, address);
      expect(view).toMatchObject({ period, amount: "18446744073709551615", expiration: null, destinations: [] });
      if (period === "one_time") expect(view.next_reset).toBeNull();
    }
  });

  it("is of any mint that is on the chain", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const usdc = trellis.network.currencies.find(({ symbol }) => symbol === "usdc")?.mint;
    for (const mint of ["usdc", usdc]) {
      const address = await api.grant(account, { ...ofB, mint }, [a]);
      expect(await api.limit(account, address)).toMatchObject({ mint: usdc, currency: "usdc" });
    }
    expect(refusalOf(await api.createLimit(account, { ...ofB, mint: payee }))).toEqual([400, "invalid_address"]);
  });

  it.each([
    ["no whole number", { amount: 1.5 }, "invalid_request"],
    ["nothing", { amount: 0 }, "invalid_amount"],
    ["a number JSON may have rounded", { amount: 9_007_199_254_740_992 }, "invalid_amount"],
    ["more than 64 bits", { amount: "18446744073709551616" }, "invalid_amount"],
    ["no signer", { spending_limit_signers: [] }, "invalid_request"],
    ["a signer twice", { spending_limit_signers: [addressOfKey(b), addressOfKey(b)] }, "invalid_request"],
    ["no address", { spending_limit_signers: ["nobody"] }, "invalid_address"],
    ["another period", { period: "yearly" }, "invalid_request"],
    ["an end in the past", { expiration: "2020-01-01T00:00:00Z" }, "invalid_request"],
    ["an end in the past, in seconds", { expiration: 1_577_836_800 }, "invalid_request"],
    ["an end without its offset", { expiration: "2999-01-01T00:00:00" }, "invalid_request"],
    ["a destination twice", { destinations: [payee, payee] }, "invalid_request"],
    ["a field in another spelling", { spendingLimitSigners: [] }, "invalid_request"],
  ])("is refused with %s", async (_what, change, code) => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    expect(refusalOf(await api.createLimit(account, { ...ofB, ...change }))).toEqual([400, code]);
  });

  it("names no key of the service, and not the account itself", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    for (const address of [...trellis.network.serviceAddresses, account.address]) {
      for (const change of [{ spending_limit_signers: [address] }, { destinations: [address] }]) {
        expect(refusalOf(await api.createLimit(account, { ...ofB, ...change }))).toEqual([400, "forbidden_account"]);
      }
    }
  });

  it("is made by the admin alone where there is one", async () => {
    const admin = newKey();
    const account = await api.open({ signers: [may(a)], threshold: 1, admin_address: addressOfKey(admin) });
    expect(refusalOf(await api.createLimit(account, ofB))).toEqual([400, "admin_required"]);
    const named = { ...ofB, transaction_signers: [addressOfKey(a)] };
    expect(refusalOf(await api.createLimit(account, named, "?admin=true"))).toEqual([403, "insufficient_permissions"]);
    const address = await api.grant(account, ofB, [admin], "?admin=true");
    expect(await api.limit(account, address)).toMatchObject({ amount: "1000", usable: true });
    const free = await api.open({ signers: [may(a)], threshold: 1 });
    expect(refusalOf(await api.createLimit(free, ofB, "?admin=true"))).toEqual([400, "account_has_no_admin"]);
  });

  it.each([
    ["a threshold", { threshold: 2, time_lock: 0 }],
    ["a time lock", { threshold: 1, time_lock: 60 }],
  ])("is proposed where there is %s: the refusal says what to send", async (_what, policy) => {
    const account = await api.open({ signers: [may(a), may(b)], ...policy });
    const only1 = { transaction_signers: [addressOfKey(a)] };
    const refused = await api.createLimit(account, { ...ofB, expiration: 32_503_680_000, ...only1 });
    expect(refusalOf(refused)).toEqual([409, "proposal_required"]);
    const { details } = refused.body as { details: { suggestion: string; proposal: object }[] };
    expect(details[0]?.suggestion).toContain("AddSpendingLimit");
    const { proposalAddress } = await api.propose(account, a, { ...details[0]?.proposal, approve: true });
    if (policy.threshold > 1) await api.cast(account, proposalAddress, "approve", [b]);
    await trellis.client.sandbox.advanceClock(61);
    await api.run(account, proposalAddress, a);
    const [made] = bareOf<WireLimit[]>(await api.limits(account));
    expect(made).toMatchObject({ amount: "1000", expiration: "3000-01-01T00:00:00.000Z", signers: [addressOfKey(b)] });
  });

  it("is refused for an account that is not there", async () => {
    const stranger = { ...(await api.open({ signers: [may(a)], threshold: 1 })), address: account404 };
    expect(refusalOf(await api.createLimit(stranger, ofB))).toEqual([404, "account_not_found"]);
  });

  it("is prepared once under an idempotency key", async () => {
    const account = await api.open({ signers: [may(a)], threshold: 1 });
    const key = { "idempotency-key": randomUUID() };
    const first = bareOf<PreparedLimit>(await api.createLimit(account, ofB, "", key));
    expect(bareOf(await api.createLimit(account, ofB, "", key))).toEqual(first);
    expect(bareOf<PreparedLimit>(await api.createLimit(account, ofB)).spending_limit_address).not.toBe(
      first.spending_limit_address,
    );
  });

  it("is one of those that outlive a signer who is removed", async () => {
    const account = await api.open({ signers: [may(a), may(b)], threshold: 1 });
    const limit = await api.grant(account, ofB, [a]);
    const answer = await api.request("PATCH", account, "", {
      signers: [may(a)],
      transaction_signers: [addressOfKey(a)],
    });
    const changed = dataOf<{ transaction: string; remaining_spending_limits: string[] }>(answer);
    expect(changed.remaining_spending_limits).toEqual([limit]);
  });
});

const account404 = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi" as Address;

describe("the rent of a spending limit", () => {
  it("is paid by the signer where the service does not pay it, and is returned to them", async () => {
    const poor = await startTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "0" });
    try {
      const own = limitsOf(poor);
      const account = await own.open({ signers: [may(a)], threshold: 1 });
      const refused = await own.createLimit(account, ofB);
      expect(refusalOf(refused)).toEqual([400, "rent_not_sponsored"]);
      const { details } = refused.body as { details: { payer: string; missing_lamports: string }[] };
      expect(details[0]?.payer).toBe(addressOfKey(a));
      const network = poor.network;
      await network.sandbox?.airdrop(addressOfKey(a), 10_000_000n);
      const balance = async () => (await network.rpc.getBalance(addressOfKey(a)).send()).value;
      const before = await balance();
      const limit = await own.grant(account, ofB, [a]);
      expect(await balance()).toBeLessThan(before);
      await own.submitNow(account, bareOf(await own.remove(account, limit)), [a]);
      expect(await balance()).toBe(before);
      // A removal and a new signer are no opening, at once and after a vote.
      const kept = await own.grant(account, ofB, [a]);
      const actions = [
        { type: "RemoveSpendingLimit", spendingLimit: kept },
        { type: "AddSigner", newSigner: may(b) },
      ];
      const { proposalAddress } = await own.propose(account, a, { type: "settings", actions, approve: true });
      const execution = dataOf<{ transactions: string[] }>(await own.execute(account, proposalAddress, a));
      dataOf(await own.submit(account, only(execution as never), [a]));
      expect(bareOf(await own.limits(account))).toEqual([]);
    } finally {
      await poor.close();
    }
  });
});

const now = () => trellis.network.clock.now();
