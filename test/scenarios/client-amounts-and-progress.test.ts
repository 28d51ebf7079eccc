import {
  addressOfKey,
  createTrellisClient,
  type GivenAmount,
  type ResumeOptions,
  type SubmitStep,
  TransactionMismatchError,
  type TrellisClientOptions,
} from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { may, newKey, proposalsOf } from "../proposals/support.js";
import { usAccount } from "../rails/transfers-support.js";
import { use, useTestService } from "../support/scene.js";

const [owner, spender] = [newKey(), newKey()];
const trellis = useTestService({ TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT: "1000" });
const account = use(() => proposalsOf(trellis).open({ signers: [may(owner)], threshold: 1 }, 10_000_000_000n));
const holder = use(async () => ({ account: account.address, keys: [owner] }));
beforeAll(() => trellis.client.sandbox.airdrop({ address: account.address, currency: "usdc", amount: "100000000" }));
const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const everyStep = ["prepared", "checked", "signed", "submitted", "confirmed"];

describe("every call that signs", () => {
  it("reports its progress, from the preparation to the chain's answer", async () => {
    const { accounts, transfers, spendingLimits, standingOrders, proposals } = trellis.client;
    const reported: Record<string, readonly SubmitStep[]> = {};
    const hear = async <Answer>(name: string, call: (options: ResumeOptions) => Promise<Answer>) => {
      const { steps, answer } = await stepsOf(call);
      reported[name] = steps;
      return answer;
    };
    const coins = { currency: "sol", amount: 1_000_000n } as const;
    await hear("transfers.send", (o) => transfers.send({ ...holder, ...coins, destination: payee() }, o));
    const to = { externalAccountId: await openBank(), rail: "ach_push", currency: "usd" } as const;
    await hear("transfers.sendToBank", (o) =>
      transfers.sendToBank({ ...holder, currency: "usdc", uiAmount: "5.25", to }, o),
    );
    const limit = { ...coins, period: "day", signers: [addressOfKey(spender)] } as const;
    const { spendingLimit } = await hear("limits.create", (o) => spendingLimits.create({ ...holder, limit }, o));
    await hear("limits.pay", (o) =>
      spendingLimits.pay({ ...holder, keys: [spender], spendingLimit, ...coins, recipient: payee() }, o),
    );
    const next = await hear("limits.update", (o) =>
      spendingLimits.update({ ...holder, spendingLimit, changes: { period: "week" } }, o),
    );
    await hear("limits.remove", (o) => spendingLimits.remove({ ...holder, spendingLimit: next.spendingLimit }, o));
    const order = { ...coins, payee: payee(), frequency: "monthly" } as const;
    const { id } = await hear("orders.create", (o) => standingOrders.create({ ...holder, order }, o));
    await hear("orders.cancel", (o) => standingOrders.cancel({ ...holder, id }, o));
    const content = { type: "transfer", ...coins, destination: payee() } as const;
    const propose = async (name: string) =>
      (await hear(name, (o) => proposals.create({ ...holder, content }, o))).proposalAddress;
    const proposal = await propose("proposals.create");
    await hear("proposals.vote", (o) => proposals.vote({ ...holder, proposal, action: "approve", content }, o));
    await hear("proposals.execute", (o) => proposals.execute({ ...holder, proposal, content }, o));
    const another = await propose("proposals.create, again");
    await hear("proposals.voteAndExecute", (o) =>
      proposals.voteAndExecute({ ...holder, proposal: another, content }, o),
    );
    const signers = [may(owner), may(newKey())] as never;
    await hear("accounts.update", (o) => accounts.update({ ...holder, changes: { signers, threshold: 1 } }, o));
    expect(reported).toEqual(Object.fromEntries(Object.keys(reported).map((name) => [name, everyStep])));
    expect(Object.keys(reported)).toHaveLength(14);
  });

  it("answers what happened, whatever the listener does at the end, and submits nothing when it throws before", async () => {
    const to = payee();
    const send = (at: SubmitStep) =>
      trellis.client.transfers.send(
        { ...holder, currency: "sol", destination: to, amount: 1_000_000n },
        {
          onProgress: (step) => {
            if (step === at) throw new Error("the screen is gone");
          },
        },
      );
    for (const step of ["prepared", "checked", "signed", "submitted"] as const) {
      await expect(send(step)).rejects.toThrow("the screen is gone");
    }
    expect(await trellis.lamportsOf(to)).toBe(0n);
    expect((await send("confirmed")).signature).toBeTypeOf("string");
    expect(await trellis.lamportsOf(to)).toBe(1_000_000n);
  });

  it("reports what is resumed", async () => {
    let kept: unknown;
    const { transfers, transactions } = trellis.client;
    const transfer = { ...holder, currency: "sol", destination: payee(), amount: 1_000_000n };
    const sent = await transfers.send(transfer, {
      onSigned: (signed) => {
        kept = signed;
      },
    });
    const { steps, answer } = await stepsOf((options) => transactions.resume(kept as never, options));
    expect(steps).toEqual(["submitted", "confirmed"]);
    expect(answer).toEqual(sent);
  });
});

describe("amounts as people write them", () => {
  it("are paid, allowed, ordered, proposed and waited for, exactly", async () => {
    const { transfers, spendingLimits, standingOrders, proposals, paymentIntents, history } = trellis.client;
    const to = payee();
    const { id } = await transfers.send({ ...holder, currency: "usdc", destination: to, uiAmount: "12.5" });
    expect(await paymentIntents.get(account.address, id)).toMatchObject({ amount: "12500000" });
    const limit = { currency: usdc, uiAmount: "0.000001", period: "day", signers: [addressOfKey(spender)] } as const;
    const { spendingLimit } = await spendingLimits.create({ ...holder, limit });
    expect(await spendingLimits.get(account.address, spendingLimit)).toMatchObject({ amount: "1" });
    const changed = await spendingLimits.update({
      ...holder,
      spendingLimit,
      changes: { currency: "usdc", uiAmount: "2" },
    });
    expect(await spendingLimits.get(account.address, changed.spendingLimit)).toMatchObject({ amount: "2000000" });
    await spendingLimits.pay({
      ...{ account: account.address, spendingLimit: changed.spendingLimit, keys: [spender], currency: "usdc" },
      ...{ recipient: to, uiAmount: "1.5" },
    });
    const order = { currency: "sol", uiAmount: "0.25", payee: to, frequency: "monthly" } as const;
    const made = await standingOrders.create({ ...holder, order });
    expect(await standingOrders.get(account.address, made.id)).toMatchObject({ amount: "250000000" });
    const content = { type: "transfer", currency: "usdc", uiAmount: "3.75", destination: to } as const;
    const { proposalAddress } = await proposals.create({ ...holder, content, approve: true });
    const { summary } = await proposals.get(account.address, proposalAddress);
    expect(summary).toEqual(expect.arrayContaining([expect.objectContaining({ type: "transfer", amount: "3750000" })]));
    await proposals.execute({ ...holder, proposal: proposalAddress, content });
    const since = "2020-01-01";
    const paid = await history.waitForDeposit(account.address, { currency: "usdc", uiAmount: "100", since });
    expect(paid).toMatchObject({ amount: "100000000" });
    const more = history.waitForDeposit(account.address, {
      ...{ currency: "usdc", uiAmount: "100.000001", since, signal: AbortSignal.abort() },
    });
    await expect(more).rejects.toMatchObject({ name: "AbortError" });
  });

  it("are refused, before anything is asked for, where they are not exact or say two things", async () => {
    const asked: string[] = [];
    const client = clientOf({
      fetch: (url, init) => {
        asked.push(String(url));
        return fetch(url, init);
      },
    });
    const send = (amount: object, currency = "usdc") =>
      client.transfers.send({ ...holder, currency, destination: payee(), ...(amount as GivenAmount) });
    const wrong: readonly (readonly [object, string])[] = [
      [{ uiAmount: "12.5000001" }, "more than 6 decimals"],
      [{ uiAmount: "12,5" }, "with a point"],
      [{ uiAmount: "-1" }, "without signs"],
      [{ uiAmount: "1e3" }, "invalid amount"],
      [{ uiAmount: 12.5 }, "not the number 12.5"],
      [{ amount: 12.5 }, "not the number 12.5"],
      [{ amount: 12 }, "not the number 12"],
      [{ amount: "12.5" }, "goes into uiAmount"],
      [{ amount: 1n, uiAmount: "1" }, "two amounts"],
      [{}, "no amount"],
    ];
    for (const [amount, words] of wrong) await expect(send(amount)).rejects.toThrow(words);
    await expect(send({ uiAmount: "1" }, addressOfKey(newKey()))).rejects.toThrow("name them in the option decimals");
    const { spendingLimits, history } = client;
    const changes = { uiAmount: "1" } as const;
    const update = spendingLimits.update({ ...holder, spendingLimit: addressOfKey(newKey()), changes });
    await expect(update).rejects.toThrow("needs its currency");
    await expect(history.waitForDeposit(account.address, { uiAmount: "1" })).rejects.toThrow("needs its currency");
    expect(asked).toEqual([]);
  });

  it("of other mints take the decimals that are named, and no transfer with others is signed", async () => {
    const to = payee();
    const named = clientOf({ mints: { dollar: usdc as never }, decimals: { dollar: 6 } });
    await named.transfers.send({ ...holder, currency: "dollar", destination: to, uiAmount: "1" }).then(
      () => undefined,
      // The service knows no such symbol: what matters here is that the library does.
      (error: unknown) => expect(error).toMatchObject({ name: "TrellisApiError" }),
    );
    const wrong = trellis.client.transfers.send({
      ...{ ...holder, currency: "usdc", destination: to, amount: 1_000_000n, limits: { decimals: 4 } },
    });
    await expect(wrong).rejects.toBeInstanceOf(TransactionMismatchError);
    await expect(wrong).rejects.toMatchObject({ difference: "decimals" });
  });

  it("are refused, before anything is asked for, where other decimals are named than the mint has", async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      asked.push(String(input));
      return globalThis.fetch(input, init);
    };
    const { transfers, spendingLimits, standingOrders, proposals } = clientOf({ fetch });
    const [to, uiAmount] = [payee(), "1"];
    const order = { currency: "usdc", uiAmount, decimals: 7, payee: to, frequency: "daily" } as const;
    const limit = { currency: "usdc", uiAmount, decimals: 9, period: "day", signers: [to] } as const;
    const content = { type: "transfer", currency: "sol", uiAmount, decimals: 6, destination: to } as const;
    for (const call of [
      () => transfers.send({ ...holder, currency: "sol", destination: to, uiAmount, limits: { decimals: 6 } }),
      () => spendingLimits.create({ ...holder, limit }),
      () => standingOrders.create({ ...holder, order }),
      () => proposals.create({ ...holder, content }),
    ]) {
      await expect(call()).rejects.toThrow(TypeError);
    }
    expect(asked).toEqual([]);
    expect(() => clientOf({ decimals: { sol: 6 } })).toThrow("SOL has 9 decimals, and not 6");
    expect(() => clientOf({ mints: { dollar: usdc as never }, decimals: { dollar: 9 } })).toThrow("6 decimals");
    expect(() => clientOf({ decimals: { usdc: 6, [usdc]: 6 } })).not.toThrow();
  });
});

describe("lists", () => {
  it("are read page by page, each thing once", async () => {
    const { spendingLimits, standingOrders } = trellis.client;
    const fresh = await proposalsOf(trellis).open({ signers: [may(owner)], threshold: 1 }, 1_000_000_000n);
    const mine = { account: fresh.address, keys: [owner] };
    const made: string[] = [];
    const ordered: string[] = [];
    for (const period of ["day", "week", "month"] as const) {
      const limit = { currency: "sol", amount: 1_000n, period, signers: [addressOfKey(spender)] };
      made.push((await spendingLimits.create({ ...mine, limit })).spendingLimit);
      const order = { currency: "sol", amount: 1_000_000n, payee: payee(), frequency: "daily" } as const;
      ordered.push((await standingOrders.create({ ...mine, order })).id);
    }
    const limits = await all(spendingLimits.all(fresh.address, { limit: 2 }));
    expect(limits.map(({ address }) => address)).toEqual(expect.arrayContaining(made));
    expect(new Set(limits.map(({ address }) => address)).size).toBe(limits.length);
    const orders = await all(standingOrders.all(fresh.address, { limit: 2 }));
    expect(orders.map(({ id }) => id)).toEqual([...ordered].reverse());
    await trellis.client.sandbox.airdrop({ address: fresh.address, currency: "usdc", amount: "1" });
    const tokens = await all(trellis.client.accounts.tokens(fresh.address));
    expect(tokens).toMatchObject([{ symbol: "SOL" }, { token_address: usdc, amount: 1 }]);
    const [first = ""] = ordered;
    // Due at once: once it is paid, both ways to read it find the same.
    const stateOf = async () => (await standingOrders.runs(fresh.address, first))[0]?.state;
    await expect.poll(stateOf, { timeout: 30_000 }).toBe("paid");
    expect(await all(standingOrders.allRuns(fresh.address, first, { limit: 1 }))).toEqual(
      await standingOrders.runs(fresh.address, first),
    );
  });
});

const payee = () => addressOfKey(newKey());

const clientOf = (more: Partial<TrellisClientOptions> = {}) =>
  createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "sandbox", ...more });

/** What a call reports of itself. */
async function stepsOf<Answer>(call: (options: ResumeOptions) => Promise<Answer>) {
  const steps: SubmitStep[] = [];
  const answer = await call({ onProgress: (step) => steps.push(step) });
  return { steps, answer };
}

const all = async <Item>(list: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
};

async function openBank(): Promise<string> {
  const { kyc, sandbox, externalAccounts } = trellis.client;
  const email = "progress@example.org";
  const { id } = await kyc.start(account.address, { type: "individual", email, full_name: "Ada Lovelace" });
  await sandbox.setKyc(id, { status: "approved" });
  return (await externalAccounts.add(account.address, usAccount as never)).id;
}
