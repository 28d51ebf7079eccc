import type { Address } from "@solana/kit";
import {
  addressOfKey,
  assertLimitChangeMatches,
  assertLimitPaymentMatches,
  createTrellisClient,
  type DecodedTransaction,
  decodeTransaction,
  type ExpectedLimitPayment,
  type SignedSubmission,
  TransactionMismatchError,
} from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { may, newKey, proposalsOf } from "../proposals/support.js";
import { use, useTestService } from "../support/scene.js";

const [owner, spender] = [newKey(), newKey()];
const limit = { currency: "sol", amount: 5_000_000n, period: "monthly", signers: [addressOfKey(spender)] } as const;
const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "100" });
const account = use(() => proposalsOf(trellis).open({ signers: [may(owner)], threshold: 1 }, 1_000_000_000n));

describe("the client library's spending limits", () => {
  it("are granted, read, used, exchanged and removed", async () => {
    const { spendingLimits } = trellis.client;
    const holder = { account: account.address, keys: [owner] };
    const expiration = new Date(Math.floor(trellis.network.clock.now() / 1000) * 1000 + 86_400_000);
    const { spendingLimit } = await spendingLimits.create({ ...holder, limit: { ...limit, expiration } });
    expect(await spendingLimits.get(account.address, spendingLimit)).toMatchObject({
      amount: "5000000",
      period: "month",
      expiration: expiration.toISOString(),
    });
    const to = payee();
    const payment = { account: account.address, spendingLimit, keys: [spender], currency: "sol", recipient: to };
    const paid = await spendingLimits.pay({ ...payment, amount: 2_000_000n });
    expect(paid.signature).not.toBe("");
    expect(await lamportsOf(to)).toBe(2_000_000n);
    const changed = await spendingLimits.update({ ...holder, spendingLimit, changes: { amount: 7_000_000n } });
    const all = await spendingLimits.list(account.address, { limit: 1 });
    expect(all).toMatchObject([
      { address: changed.spendingLimit, amount: "7000000", expiration: expiration.toISOString() },
    ]);
    await spendingLimits.remove({ ...holder, spendingLimit: changed.spendingLimit });
    expect(await spendingLimits.list(account.address)).toEqual([]);
  });

  it("are the admin's business where there is one", async () => {
    const admin = newKey();
    const { spendingLimits } = trellis.client;
    const held = await proposalsOf(trellis).open({
      signers: [may(owner)],
      threshold: 1,
      admin_address: addressOfKey(admin),
    });
    const holder = { account: held.address, keys: [admin], admin: true };
    const { spendingLimit } = await spendingLimits.create({ ...holder, limit });
    const next = await spendingLimits.update({ ...holder, spendingLimit, changes: { period: "day" } });
    await spendingLimits.remove({ ...holder, spendingLimit: next.spendingLimit });
    expect(await spendingLimits.list(held.address)).toEqual([]);
  });

  it("pay tokens by a session", async () => {
    const holder = await trellis.openHolder();
    const [wallet] = holder.session.wallets;
    const { spendingLimits, sandbox } = trellis.client;
    await sandbox.airdrop({ address: account.address, currency: "usdc", amount: "9000000" });
    const { spendingLimit } = await spendingLimits.create({
      account: account.address,
      keys: [owner],
      limit: { ...limit, currency: "usdc", signers: [wallet?.address ?? ""] },
    });
    const payment = { account: account.address, spendingLimit, session: holder.session, currency: "usdc" };
    await spendingLimits.pay({ ...payment, recipient: payee(), amount: "1000000" });
    expect((await spendingLimits.get(account.address, spendingLimit)).remaining_amount).toBe("4000000");
  });

  it("pay once under an idempotency key, and can be resumed after a restart", async () => {
    const { spendingLimits, transactions } = trellis.client;
    const { spendingLimit } = await spendingLimits.create({ account: account.address, keys: [owner], limit });
    const to = payee();
    const payment = {
      account: account.address,
      spendingLimit,
      keys: [spender],
      currency: "sol",
      recipient: to,
      amount: 1_000_000n,
    };
    let kept: SignedSubmission | undefined;
    const keep = (signed: SignedSubmission) => {
      kept = signed;
    };
    const first = await spendingLimits.pay(payment, { idempotencyKey: "limit-1", onSigned: keep });
    const again = await spendingLimits.pay(payment, { idempotencyKey: "limit-1" });
    expect(again.signature).toBe(first.signature);
    if (kept === undefined) throw new Error("nothing was handed out");
    expect((await transactions.resume(kept)).signature).toBe(first.signature);
    expect(await lamportsOf(to)).toBe(1_000_000n);
  });
});

describe("the client library's allowances", () => {
  it("are given, listed by account and by agent, used and revoked", async () => {
    const { allowances } = trellis.client;
    const holder = { account: account.address, keys: [owner] };
    const agent = newKey();
    const to = payee();
    const end = new Date(Math.floor(trellis.network.clock.now() / 1000) * 1000 + 86_400_000);
    const terms = { agent: addressOfKey(agent), currency: "sol", uiAmount: "0.005", period: "daily" } as const;
    const { allowance } = await allowances.create({ ...holder, allowance: { ...terms, payees: [to], end } });
    const expected = {
      allowance,
      account: account.address,
      agents: [terms.agent],
      mint: null,
      currency: "sol",
      amount: 5_000_000n,
      remaining: 5_000_000n,
      period: "day",
      nextReset: expect.any(Date),
      payees: [to],
      end,
      usable: true,
    };
    expect(await allowances.list({ account: account.address, agent: terms.agent })).toEqual([expected]);
    expect(await allowances.list({ agent: terms.agent })).toEqual([expected]);
    expect(await allowances.list({ account: account.address, agent: payee() })).toEqual([]);
    const payment = { account: account.address, allowance, keys: [agent], currency: "sol", recipient: to };
    await allowances.pay({ ...payment, amount: 4_000_000n });
    expect(await lamportsOf(to)).toBe(4_000_000n);
    expect(await allowances.get(account.address, allowance)).toMatchObject({ remaining: 1_000_000n });
    const beyond = allowances.pay({ ...payment, amount: 1_000_001n });
    await expect(beyond).rejects.toMatchObject({ code: "spending_limit_exceeded" });
    const elsewhere = allowances.pay({ ...payment, recipient: payee(), amount: 1n });
    await expect(elsewhere).rejects.toMatchObject({ code: "destination_not_allowed" });
    await allowances.revoke({ ...holder, allowance });
    const gone = allowances.pay({ ...payment, amount: 1n });
    await expect(gone).rejects.toMatchObject({ code: "spending_limit_not_found" });
  });
});

describe("what the client library refuses to sign", () => {
  /** A client whose service answers with another transaction than was asked for. */
  const bent = (change: (body: Record<string, unknown>) => Record<string, unknown>) =>
    createTrellisClient({
      baseUrl: trellis.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      fetch: async (url, init) => {
        const method = init?.method ?? "GET";
        const isPreparation = method !== "GET" && !String(url).endsWith("/submit");
        if (!isPreparation || typeof init?.body !== "string") return fetch(url, init);
        return fetch(url, { ...init, body: JSON.stringify(change(JSON.parse(init.body))) });
      },
    }).spendingLimits;

  const stranger = payee();
  it.each([
    ["more", { amount: "5000001" }],
    ["another period", { period: "day" }],
    ["another signer", { spending_limit_signers: [stranger] }],
    ["one signer more", { spending_limit_signers: [addressOfKey(spender), stranger] }],
    ["other payees", { destinations: [stranger] }],
    ["anybody as payee", { destinations: [] }],
    ["another mint", { mint: "usdc" }],
    ["another end", { expiration: 32_503_680_000 }],
  ])("a limit with %s", async (_what, change) => {
    const asked = { ...limit, destinations: [payee()] };
    const creation = bent((body) => ({ ...body, ...change })).create({
      account: account.address,
      keys: [owner],
      limit: asked,
    });
    await expect(creation).rejects.toThrow(TransactionMismatchError);
  });

  it.each([
    ["more", { amount: "1000001" }, "amount"],
    ["somebody else", { recipient_address: stranger }, "destination"],
  ])("a payment of %s", async (_what, change, difference) => {
    const { spendingLimit } = await trellis.client.spendingLimits.create({
      account: account.address,
      keys: [owner],
      limit,
    });
    const payment = bent((body) => ({ ...body, ...change })).pay({
      account: account.address,
      spendingLimit,
      keys: [spender],
      currency: "sol",
      recipient: payee(),
      amount: 1_000_000n,
    });
    await expect(payment).rejects.toMatchObject({ name: "TransactionMismatchError", difference });
  });

  it("whichever byte or account of it was altered: a payment, a grant, an exchange", async () => {
    const { spendingLimits } = trellis.client;
    const { spendingLimit } = await spendingLimits.create({ account: account.address, keys: [owner], limit });
    const to = payee();
    const payment = await spendingLimits.preparePayment(account.address, spendingLimit, {
      amount: 1_000_000,
      signer_address: addressOfKey(spender),
      recipient_address: to,
    });
    const exchange = await spendingLimits.prepareUpdate(account.address, spendingLimit, { amount: "7" });
    const terms = {
      mint: null,
      amount: 7n,
      period: "month",
      signers: [addressOfKey(spender)],
      destinations: [],
      expiration: null,
    } as const;
    const checks: [DecodedTransaction, (decoded: DecodedTransaction) => unknown][] = [
      [
        decodeTransaction(payment.transaction),
        (decoded) =>
          assertLimitPaymentMatches(decoded, {
            account: account.address,
            spendingLimit: spendingLimit as Address,
            signer: addressOfKey(spender),
            to,
            mint: null,
            amount: 1_000_000n,
          }),
      ],
      [
        decodeTransaction(exchange.transaction),
        (decoded) =>
          assertLimitChangeMatches(decoded, {
            account: account.address,
            add: { ...terms, spendingLimit: exchange.spending_limit_address as Address },
            remove: spendingLimit as Address,
          }),
      ],
    ];
    for (const [decoded, check] of checks) {
      check(decoded);
      const [instruction] = decoded.otherInstructions;
      if (instruction?.type !== "unknown") throw new Error("no call of the program");
      const { data, accounts } = instruction;
      const altered = [
        ...Array.from(data, (byte, at) => ({ ...instruction, data: data.with(at, byte ^ 1) })),
        ...accounts.map((_, at) => ({ ...instruction, accounts: accounts.with(at, stranger) })),
        { ...instruction, accounts: [...accounts, stranger] },
        { ...instruction, data: new Uint8Array([...data, 0]) },
      ];
      const accepted = altered.filter((other) => {
        try {
          check({ ...decoded, otherInstructions: [other] });
          return true;
        } catch (error) {
          expect(error).toBeInstanceOf(TransactionMismatchError);
          return false;
        }
      });
      expect(accepted).toEqual([]);
    }
  });

  it("whatever differs from what was expected, field by field", async () => {
    const { spendingLimits } = trellis.client;
    const { spendingLimit } = await spendingLimits.create({ account: account.address, keys: [owner], limit });
    const to = payee();
    const prepared = await spendingLimits.preparePayment(account.address, spendingLimit, {
      amount: 1_000_000,
      signer_address: addressOfKey(spender),
      recipient_address: to,
    });
    const decoded = decodeTransaction(prepared.transaction);
    const expected: ExpectedLimitPayment = {
      account: account.address,
      spendingLimit: spendingLimit as Address,
      signer: addressOfKey(spender),
      to,
      mint: null,
      amount: 1_000_000n,
    };
    assertLimitPaymentMatches(decoded, expected);
    const wrong: Partial<ExpectedLimitPayment>[] = [
      { account: stranger },
      { spendingLimit: stranger },
      { signer: stranger },
      { to: stranger },
      { mint: stranger },
      { amount: 2n },
      { decimals: 6 },
      { settings: stranger },
      { feePayer: stranger },
      { maxFeeLamports: 1n },
    ];
    for (const change of wrong) {
      expect(() => assertLimitPaymentMatches(decoded, { ...expected, ...change })).toThrow(TransactionMismatchError);
    }
    const [use] = decoded.otherInstructions;
    if (use === undefined) throw new Error("it pays nothing");
    for (const otherInstructions of [[], [use, use]]) {
      expect(() => assertLimitPaymentMatches({ ...decoded, otherInstructions }, expected)).toThrow(
        TransactionMismatchError,
      );
    }
    const frame = { account: account.address, remove: spendingLimit as Address };
    expect(() => assertLimitChangeMatches(decoded, frame)).toThrow(TransactionMismatchError);
    const removal = await spendingLimits.prepareRemoval(account.address, spendingLimit);
    const removing = decodeTransaction(removal.transaction);
    expect(assertLimitChangeMatches(removing, frame)).toEqual([addressOfKey(owner)]);
    for (const change of [{ remove: stranger }, { by: "admin" as const }, { account: stranger }]) {
      expect(() => assertLimitChangeMatches(removing, { ...frame, ...change })).toThrow(TransactionMismatchError);
    }
    expect(() => assertLimitPaymentMatches(removing, expected)).toThrow(TransactionMismatchError);
  });
});

const payee = () => addressOfKey(newKey());

const lamportsOf = async (address: Address) => (await trellis.network.rpc.getBalance(address).send()).value;
