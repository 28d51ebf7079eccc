import type { Signature } from "@solana/kit";
import { transactionQuestion } from "@trellis/solana/transaction-question.js";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHistoryFollower } from "../../src/history/follow-histories.js";
import { createProposalFollower } from "../../src/proposals/follow-proposals.js";
import { settleSubmissions } from "../../src/submissions/settle-submissions.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import {
  openPlayedAccount,
  openPlayedCluster,
  type PlayedCluster,
  paymentOf,
  playedUsdc,
  signedPaymentOf,
} from "../support/played-cluster.js";
import { useTestNetwork } from "../support/scene.js";
import type { HeldAccount } from "../support/test-network.js";

const payee = "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g";
const anotherPayee = "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y";
let cluster: PlayedCluster;
let holder: HeldAccount;
/** A payment that has landed. */
let paid: Signature;
const test = useTestNetwork();
beforeAll(async () => {
  cluster = await openPlayedCluster(test);
  holder = await openPlayedAccount(test, cluster.network, "thrifty@example.org");
  await test.network.sandbox?.airdrop(holder.address as never, 1_000_000_000n);
  await test.network.sandbox?.mintTo(holder.address as never, playedUsdc as never, 1_000_000_000n);
  paid = (await pay(payee)).signature as Signature;
});
beforeEach(() => {
  cluster.asked.length = 0;
});

describe("what the service asks a node", () => {
  it("is five calls for a token payment from prepare to its outcome", async () => {
    const { prepare, submit } = await pay(payee);
    expect(prepare).toEqual({ getMultipleAccounts: 1, simulateTransaction: 1 });
    expect(submit).toEqual({ simulateTransaction: 1, sendTransaction: 1, getSignatureStatuses: 1 });
  });

  it("is one more to settle it and for the histories of both", async () => {
    const { network } = cluster;
    const other = await openPlayedAccount(test, network, "paid@example.org");
    const follower = createHistoryFollower(test.needs);
    const catchUp = async () => {
      await settleSubmissions(test.needs.db, network);
      for (let i = 0; i < 10; i += 1) {
        test.needs.realClock.advance(1_000);
        await follower.tick(network);
      }
    };
    await catchUp();
    const { signature } = await pay(other.address, "sol");
    cluster.asked.length = 0;
    await catchUp();
    const readers = await test.needs.db
      .selectFrom("history_transaction")
      .select("account_address")
      .where("signature", "=", signature)
      .execute();
    expect(new Set(readers.map((row) => row.account_address))).toEqual(new Set([holder.address, other.address]));
    expect(cluster.asked.filter((method) => method === "getTransaction")).toHaveLength(1);
  });

  it("is one more for what others bid for a payee's account, twice a minute", async () => {
    await pay(anotherPayee);
    const again = await pay(anotherPayee);
    expect(again.prepare).toEqual({ getMultipleAccounts: 1, simulateTransaction: 1 });
    test.needs.realClock.advance(30_000);
    const later = await pay(anotherPayee);
    expect(later.prepare).toEqual({ getMultipleAccounts: 1, simulateTransaction: 1, getRecentPrioritizationFees: 1 });
  });

  it("is no more for a payment of SOL", async () => {
    await pay(payee, "sol");
    expect((await pay(payee, "sol")).prepare).toEqual({ getMultipleAccounts: 1, simulateTransaction: 1 });
  });

  it("is the rent minimum again after an hour, and the balance of the fee payer after a minute", async () => {
    await pay(payee, "sol");
    test.needs.realClock.advance(60_000);
    const minuteLater = await pay(payee, "sol");
    expect(minuteLater.prepare).not.toHaveProperty("getMinimumBalanceForRentExemption");
    expect(minuteLater.submit).toMatchObject({ getBalance: 1 });
  });

  it("is nothing for readiness, however often that is asked for, more than once in half a minute", async () => {
    const { network } = cluster;
    test.needs.realClock.advance(30_000);
    await Promise.all(Array.from({ length: 100 }, () => network.health()));
    test.needs.realClock.advance(29_999);
    await network.health();
    expect(cluster.count()).toEqual({ getBalance: 1 });
    test.needs.realClock.advance(1);
    await network.health();
    expect(cluster.count()).toEqual({ getBalance: 2 });
  });
});

describe("what an idle account costs", () => {
  const idle = 7;
  const [second, halfAnHour, day] = [1_000, 1_800_000, 86_400_000];

  it("is a share of one call a day, for its proposals and its history together", async () => {
    const { network } = cluster;
    const follower = createHistoryFollower(test.needs);
    for (let i = 0; i < idle; i += 1) await openPlayedAccount(test, network, `idle-${i}@example.org`);
    const pass = async (forMs: number, stepMs: number) => {
      for (let passed = 0; passed < forMs; passed += stepMs) {
        test.needs.realClock.advance(stepMs);
        await createProposalFollower(test.needs).tick(network);
        await follower.tick(network);
      }
    };
    await pass(30 * second, second);
    await pass(8 * day, halfAnHour);
    cluster.asked.length = 0;
    await pass(10 * day, halfAnHour);
    const accounts = idle + 1;
    expect(Object.keys(cluster.count())).toEqual(["getMultipleAccounts"]);
    expect(cluster.asked.length / accounts / 10).toBeLessThanOrEqual(1.1);
    // A hundred addresses share a call: where many are due at the same time, that is what they cost together.
    await test.needs.db.updateTable("history_watch").set({ due_at: 0n }).execute();
    cluster.asked.length = 0;
    await follower.tick(network);
    expect(cluster.asked).toEqual(["getMultipleAccounts"]);
  });
});

describe("what is remembered", () => {
  const rentMethod = "getMinimumBalanceForRentExemption";

  it("is asked once by however many want to know at the same time, and again when it is too old", async () => {
    const { rpc } = cluster.network;
    const ask = () => rpc.getMinimumBalanceForRentExemption(321n).send();
    const answers = new Set(await Promise.all(Array.from({ length: 50 }, ask)));
    expect(answers.size).toBe(1);
    test.needs.realClock.advance(3_599_999);
    expect(answers).toContain(await ask());
    expect(cluster.asked).toEqual([rentMethod]);
    test.needs.realClock.advance(1);
    await ask();
    expect(cluster.asked).toEqual([rentMethod, rentMethod]);
  });

  it("is distinguished by every word of the question", async () => {
    const { rpc } = cluster.network;
    const one = await rpc.getMinimumBalanceForRentExemption(400n).send();
    const other = await rpc.getMinimumBalanceForRentExemption(401n).send();
    expect(other - one).toBe(6_960n);
  });

  it("is no error, of the way or of the node", async () => {
    const faults = [
      () => Promise.reject(new TypeError("the connection broke")),
      async () => ({ jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "Internal error" } }),
    ];
    for (const fault of faults) {
      let isFaulty = true;
      const { network } = await openPlayedCluster(test, [
        ({ method }) => (isFaulty && method === rentMethod ? fault() : undefined),
      ]);
      await expect(network.rpc.getMinimumBalanceForRentExemption(0n).send()).rejects.toThrow();
      isFaulty = false;
      await expect(network.rpc.getMinimumBalanceForRentExemption(0n).send()).resolves.toBe(890_880n);
    }
  });

  it.each<[string, (landed: Landed) => unknown]>([
    ["it does not have it yet", () => null],
    ["it does not have what it did", (landed) => ({ ...landed, meta: null })],
    ["it is of any size", (landed) => ({ ...landed, meta: { ...landed.meta, logMessages: ["a".repeat(20_000)] } })],
  ])("is not what a node says of a transaction where %s", async (_, bend) => {
    const { asked, network } = await openPlayedCluster(test, [
      async ({ method }, honest) => {
        if (method !== "getTransaction") return undefined;
        const answer = await honest();
        return { ...answer, result: bend(answer.result as Landed) };
      },
    ]);
    const ask = (question: object = transactionQuestion) =>
      network.rpc.getTransaction(paid, question as typeof transactionQuestion).send();
    await ask();
    await ask();
    expect(asked).toEqual(["getTransaction", "getTransaction"]);
  });

  it("is what a transaction did for twenty seconds, and in these words alone", async () => {
    const { asked, rpc } = { ...cluster, ...cluster.network };
    const ask = (question: object = transactionQuestion) =>
      rpc.getTransaction(paid, question as typeof transactionQuestion).send();
    await ask();
    await ask();
    expect(asked).toHaveLength(1);
    for (let i = 0; i < 2; i += 1) await ask({ ...transactionQuestion, maxSupportedTransactionVersion: 0 });
    expect(asked).toHaveLength(3);
    test.needs.realClock.advance(20_000);
    await ask();
    expect(asked).toHaveLength(4);
  });

  it("has a bound: the oldest answer is dropped first", async () => {
    const { rpc } = cluster.network;
    for (let size = 1_000n; size < 2_000n; size += 1n) await rpc.getMinimumBalanceForRentExemption(size).send();
    cluster.asked.length = 0;
    await rpc.getMinimumBalanceForRentExemption(1_001n).send();
    expect(cluster.asked).toEqual([]);
    await rpc.getMinimumBalanceForRentExemption(9_999n).send();
    await rpc.getMinimumBalanceForRentExemption(1_000n).send();
    expect(cluster.asked).toEqual([rentMethod, rentMethod]);
  });

  it("is never that the fee payer has more than it surely pays for", async () => {
    const perTransaction = 10_000_000_000n;
    const { network, asked } = await openPlayedCluster(test, undefined, {
      sponsorship: { ...test.network.sponsorship, perTransaction },
    });
    const { value: held } = await network.rpc.getBalance(network.feePayer.address).send();
    test.needs.realClock.advance(60_000);
    await network.feePayer.sign(new Uint8Array(1));
    const enoughFor = Number(held / perTransaction);
    asked.length = 0;
    for (let i = 1; i < enoughFor; i += 1) await network.feePayer.sign(new Uint8Array(1));
    expect(asked).toEqual([]);
    await network.feePayer.sign(new Uint8Array(1));
    expect(asked).toEqual(["getBalance"]);
  });
});

interface Landed {
  readonly meta: object;
}

/** What preparing and submitting a payment asks the node. */
async function pay(to: string, currency = "usdc") {
  cluster.asked.length = 0;
  const signed = await signedPaymentOf(test, cluster.network, holder, paymentOf(holder, currency, to));
  const prepare = cluster.count();
  cluster.asked.length = 0;
  const { transaction_signature: signature } = await test.call<{ readonly transaction_signature: string }>(
    submitTransactions,
    { network: cluster.network, ...signed },
  );
  return { prepare, submit: cluster.count(), signature };
}
