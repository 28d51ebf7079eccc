import type { Address } from "@solana/kit";
import { useSpendingLimitInstruction } from "@trellis/program-client";
import { addressOfKey, type SignerKey, signPayload, signTransaction } from "@trellis/sdk";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { describe, expect, it } from "vitest";
import { may, newKey, type Opened, refusalOf } from "../../test/proposals/support.js";
import { bareOf, limitsOf, type PreparedLimit } from "../../test/spending-limits/support.js";
import { useTestService } from "../../test/support/scene.js";
import { startTestService } from "../../test/support/test-service.js";

const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "100" });
const api = limitsOf(trellis);
const [owner, spender] = [newKey(), newKey()];

describe("a payment out of a spending limit", () => {
  it("is signed by a signer of the limit alone, who is no member", async () => {
    const { account, limit } = await open(sol(5_000_000));
    const to = payee();
    const prepared = bareOf<PreparedLimit>(await api.pay(account, limit, paying(3_000_000, to)));
    expect(prepared.transaction_signers).toEqual([addressOfKey(spender)]);
    expect(prepared.kms_payloads).toEqual([]);
    expect(prepared.summary).toEqual([
      {
        type: "use_spending_limit",
        spending_limit: limit,
        signer: addressOfKey(spender),
        from: account.address,
        to,
        mint: null,
        amount: "3000000",
      },
    ]);
    await api.submitNow(account, prepared, [spender]);
    expect(await lamportsOf(to)).toBe(3_000_000n);
    expect(await api.limit(account, limit)).toMatchObject({ remaining_amount: "2000000", usable: true });
  });

  it("needs no vote and waits for no time lock", async () => {
    const both = [newKey(), newKey()] as const;
    const account = await api.open({ signers: both.map((key) => may(key)), threshold: 2 }, 1_000_000_000n);
    const limit = await api.grant(account, { ...sol(5_000_000), transaction_signers: both.map(addressOfKey) }, [
      ...both,
    ]);
    const change = { time_lock: 3_600, transaction_signers: both.map(addressOfKey) };
    const { data } = (await api.request("PATCH", account, "", change)).body as { data: { transaction: string } };
    await api.submitNow(account, data, [...both]);
    const to = payee();
    await api.payNow(account, limit, spender, to, 5_000_000n);
    expect(await lamportsOf(to)).toBe(5_000_000n);
    expect(await api.limit(account, limit)).toMatchObject({ remaining_amount: "0", usable: false });
  });

  it.each(["usdc", "pyusd"])("pays %s, and opens the payee's token account", async (currency) => {
    const { account, limit } = await open({ ...sol(5_000_000), mint: currency });
    await trellis.client.sandbox.airdrop({ address: account.address, currency, amount: "9000000" });
    const to = payee();
    for (const amount of [2_000_000n, 3_000_000n]) await api.payNow(account, limit, spender, to, amount);
    const { tokens } = (await trellis.client.accounts.balances(account.address)) as unknown as {
      tokens: { symbol: string; amount: number }[];
    };
    expect(tokens.find(({ symbol }) => symbol.toLowerCase() === currency)?.amount).toBe(4_000_000);
    const { mint, tokenProgram } = trellis.network.currencies.find(({ symbol }) => symbol === currency) ?? {};
    const held = await trellis.network.rpc
      .getTokenAccountBalance(deriveTokenAccount(to, mint as Address, tokenProgram as Address))
      .send();
    expect(held.value.amount).toBe("5000000");
  });

  it("is made by a wallet that a custodian holds", async () => {
    const holder = await trellis.openHolder();
    const [wallet] = holder.session.wallets;
    const { account, limit } = await open({ ...sol(5_000_000), spending_limit_signers: [wallet?.address] });
    const to = payee();
    const body = { amount: 2_000_000, signer_address: wallet?.address, recipient_address: to };
    const prepared = bareOf<PreparedLimit>(await api.pay(account, limit, body));
    expect(prepared.kms_payloads.map(({ address }) => address)).toEqual([wallet?.address]);
    const kms_payloads = prepared.kms_payloads.map((payload) =>
      signPayload(payload, holder.session.authorizationKey, Date.now()),
    );
    const { transaction } = prepared;
    const submitted = await api.request("POST", account, "/submit", { transaction, kms_payloads });
    expect(submitted.status, JSON.stringify(submitted.body)).toBe(200);
    expect(await lamportsOf(to)).toBe(2_000_000n);
  });

  it("starts anew when strictly more than a period has passed", async () => {
    const { account, limit } = await open(sol(5_000_000));
    await api.payNow(account, limit, spender, payee(), 4_000_000n);
    const spent = await api.limit(account, limit);
    const untilReset = Math.floor((Date.parse(spent.next_reset ?? "") - trellis.network.clock.now()) / 1000);
    await trellis.client.sandbox.advanceClock(untilReset - 3);
    const before = await api.limit(account, limit);
    expect(before).toMatchObject({ remaining_amount: "1000000", last_reset: spent.last_reset });
    expect(refusalOf(await api.pay(account, limit, paying(4_000_000, payee())))).toEqual([
      400,
      "spending_limit_exceeded",
    ]);
    await trellis.client.sandbox.advanceClock(5);
    const after = await api.limit(account, limit);
    expect(after.remaining_amount).toBe("5000000");
    expect(Date.parse(after.last_reset) - Date.parse(spent.last_reset)).toBe(86_400_000);
    await api.payNow(account, limit, spender, payee(), 5_000_000n);
    expect(await api.limit(account, limit)).toMatchObject({ ...after, remaining_amount: "0", usable: false });
  });

  it("is refused with what is wrong", async () => {
    const friend = payee();
    const { account, limit } = await open({ ...sol(2_000_000_000), destinations: [friend, TOKEN_PROGRAM] });
    const refusal = async (body: object) => refusalOf(await api.pay(account, limit, body));
    expect(await refusal(paying(2_000_000_001, friend))).toEqual([400, "spending_limit_exceeded"]);
    expect(await refusal(paying(1_000_000, payee()))).toEqual([400, "destination_not_allowed"]);
    expect(await refusal(paying(1_000_000, friend, owner))).toEqual([403, "insufficient_permissions"]);
    expect(await refusal(paying(1_500_000_000, friend))).toEqual([400, "insufficient_balance"]);
    expect(await refusal(paying(1, friend))).toEqual([400, "invalid_amount"]);
    expect(await refusal(paying(1_000_000, TOKEN_PROGRAM))).toEqual([400, "invalid_address"]);
    expect(await refusal(paying(1_000_000, account.address))).toEqual([400, "forbidden_account"]);
    expect(await refusal({ ...paying(1_000_000, friend), amount: 0 })).toEqual([400, "invalid_amount"]);
    for (const service of trellis.network.serviceAddresses) {
      expect(await refusal(paying(1_000_000, service))).toEqual([400, "forbidden_account"]);
    }
    expect(refusalOf(await api.pay(account, friend, paying(1_000_000, friend)))).toEqual([
      404,
      "spending_limit_not_found",
    ]);
    const other = await open(sol(1_000_000));
    expect(refusalOf(await api.pay(other.account, limit, paying(1_000_000, friend)))).toEqual([
      404,
      "spending_limit_not_found",
    ]);
  });

  it("is refused once the limit has expired, at preparing and at submitting", async () => {
    const expiration = Math.floor(trellis.network.clock.now() / 1000) + 30;
    const { account, limit } = await open({ ...sol(5_000_000), expiration });
    const prepared = bareOf<PreparedLimit>(await api.pay(account, limit, paying(1_000_000, payee())));
    await trellis.client.sandbox.advanceClock(31);
    expect(refusalOf(await api.pay(account, limit, paying(1_000_000, payee())))).toEqual([
      400,
      "spending_limit_expired",
    ]);
    expect(await api.limit(account, limit)).toMatchObject({ remaining_amount: "5000000", usable: false });
    expect((await api.submit(account, prepared.transaction, [spender])).status).toBe(400);
  });
});

const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

describe("submitting payments out of a spending limit", () => {
  const prepare = async (account: Opened, limit: string, amount: number, to = payee()) =>
    signTransaction(bareOf<PreparedLimit>(await api.pay(account, limit, paying(amount, to))).transaction, [spender]);

  it("lets one of two that race for the rest win", async () => {
    const { account, limit } = await open(sol(5_000_000));
    const signed = [await prepare(account, limit, 3_000_000), await prepare(account, limit, 3_000_000)];
    const answers = await Promise.all(
      signed.map((transaction) => api.request("POST", account, "/submit", { transaction, kms_payloads: [] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.map(({ body }) => (body as { code?: string }).code)).toContain("spending_limit_exceeded");
    expect(await api.limit(account, limit)).toMatchObject({ remaining_amount: "2000000" });
  });

  it("stops at the second of two where it exceeds what the first left", async () => {
    const { account, limit } = await open(sol(5_000_000));
    const transactions = [await prepare(account, limit, 3_000_000), await prepare(account, limit, 3_000_000)];
    const answer = await api.request("POST", account, "/submit", { transactions, kms_payloads: [[], []] });
    expect(answer.body).toMatchObject({
      data: {
        results: [{ index: 0 }],
        partial_failure: { failed_at_index: 1, error_code: "spending_limit_exceeded" },
      },
    });
  });

  it("asks the chain whose signer it is now: a removed limit pays nothing", async () => {
    const { account, limit } = await open(sol(5_000_000));
    const transaction = await prepare(account, limit, 3_000_000);
    await api.submitNow(account, bareOf(await api.remove(account, limit)), [owner]);
    const answer = await api.request("POST", account, "/submit", { transaction, kms_payloads: [] });
    expect(refusalOf(answer)).toEqual([404, "spending_limit_not_found"]);
  });

  it("belongs to the account it was prepared for", async () => {
    const { account, limit } = await open(sol(5_000_000));
    const other = await open(sol(5_000_000));
    const transaction = await prepare(account, limit, 3_000_000);
    const answer = await api.request("POST", other.account, "/submit", { transaction, kms_payloads: [] });
    expect(refusalOf(answer)).toEqual([400, "transaction_not_prepared"]);
  });

  it("needs the signature of the limit's signer", async () => {
    const { account, limit } = await open(sol(5_000_000));
    const { transaction } = bareOf<PreparedLimit>(await api.pay(account, limit, paying(3_000_000, payee())));
    const answer = await api.request("POST", account, "/submit", { transaction, kms_payloads: [] });
    expect(refusalOf(answer)).toEqual([400, "missing_signature"]);
  });

  describe("that were built elsewhere", () => {
    const use = (account: Opened, limit: Address, signer: SignerKey, to: Address) =>
      useSpendingLimitInstruction({
        settings: account.settings,
        spendingLimit: limit,
        signer: addressOfKey(signer),
        destination: to,
        amountBaseUnits: 1_000_000n,
        token: null,
      });

    it("follows the same rules, at the payer's own expense", async () => {
      const { account, limit } = await open(sol(5_000_000));
      await trellis.network.sandbox?.airdrop(addressOfKey(spender), 100_000_000n);
      const to = payee();
      const built = await trellis.compose(addressOfKey(spender), [use(account, limit, spender, to)]);
      const transaction = signTransaction(built, [spender]);
      const answer = await api.request("POST", account, "/submit", { transaction, kms_payloads: [] });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(await lamportsOf(to)).toBe(1_000_000n);
    });

    it("is refused by who is no signer of the limit, also a member with every permission", async () => {
      const { account, limit } = await open(sol(5_000_000));
      for (const key of [owner, newKey()]) {
        await trellis.network.sandbox?.airdrop(addressOfKey(key), 100_000_000n);
        const built = await trellis.compose(addressOfKey(key), [use(account, limit, key, payee())]);
        const transaction = signTransaction(built, [key]);
        const answer = await api.request("POST", account, "/submit", { transaction, kms_payloads: [] });
        expect(refusalOf(answer)).toEqual([403, "insufficient_permissions"]);
      }
    });

    it("pays no key of the service", async () => {
      const { account, limit } = await open(sol(5_000_000));
      for (const service of trellis.network.serviceAddresses) {
        const built = await trellis.compose(addressOfKey(spender), [use(account, limit, spender, service)]);
        const transaction = signTransaction(built, [spender]);
        const answer = await api.request("POST", account, "/submit", { transaction, kms_payloads: [] });
        expect(refusalOf(answer)).toEqual([400, "transaction_not_prepared"]);
      }
    });
  });
});

describe("the payee's token account", () => {
  it("is paid by the limit's signer where the service opens none", async () => {
    const poor = await startTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "0" });
    try {
      const own = limitsOf(poor);
      const network = poor.network;
      const key = newKey();
      await network.sandbox?.airdrop(addressOfKey(owner), 10_000_000n);
      const account = await own.open({ signers: [may(owner)], threshold: 1 });
      const terms = { ...sol(5_000_000), mint: "usdc", spending_limit_signers: [addressOfKey(key)] };
      const limit = await own.grant(account, terms, [owner]);
      await poor.client.sandbox.airdrop({ address: account.address, currency: "usdc", amount: "9000000" });
      const to = payee();
      const refused = await own.pay(account, limit, paying(1_000_000, to, key));
      expect(refusalOf(refused)).toEqual([400, "rent_not_sponsored"]);
      expect(refused.body).toMatchObject({ details: [{ payer: addressOfKey(key) }] });
      await network.sandbox?.airdrop(addressOfKey(key), 10_000_000n);
      await own.payNow(account, limit, key, to, 1_000_000n);
      // From then on it is there.
      await own.payNow(account, limit, key, to, 1_000_000n);
      expect((await own.limit(account, limit)).remaining_amount).toBe("3000000");
    } finally {
      await poor.close();
    }
  });
});

const payee = () => addressOfKey(newKey());

const paying = (amount: number | bigint, to: string, signer: SignerKey = spender) => ({
  amount: amount.toString(),
  signer_address: addressOfKey(signer),
  recipient_address: to,
});

const sol = (amount: number | bigint) => ({
  amount: amount.toString(),
  mint: "sol",
  period: "day",
  spending_limit_signers: [addressOfKey(spender)],
});

const lamportsOf = async (address: Address) => (await trellis.network.rpc.getBalance(address).send()).value;

async function open(terms: object, lamports = 1_000_000_000n, policy: object = {}) {
  const account = await api.open({ signers: [may(owner)], threshold: 1, ...policy }, lamports);
  return { account, limit: await api.grant(account, terms, [owner]) };
}
