import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { beforeAll, describe, expect, it } from "vitest";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { describeExecutors } from "../../src/cli/list-executors.js";
import { updateSpendingLimit } from "../../src/spending-limits/update-spending-limit.js";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { findExecutorLimits, findOfferedRenewals } from "../../src/standing-orders/executor-limits.js";
import { getStandingOrder } from "../../src/standing-orders/get-standing-order.js";
import { listStandingOrderRuns } from "../../src/standing-orders/list-runs.js";
import { payStandingOrders } from "../../src/standing-orders/pay-orders.js";
import { resumeStandingOrder } from "../../src/standing-orders/resume-standing-order.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { may, newKey } from "../proposals/support.js";
import { useTestNetwork } from "../support/scene.js";
import { hashOf } from "../support/test-network.js";
import type { WireOrder, WireRun } from "./support.js";

const dayMs = 86_400_000;

/** The environment as it is once its operator has given it another executor. */
let rotated: Network;
const test = useTestNetwork();
beforeAll(async () => {
  const executor = serviceKeyOf(hashOf("the next executor"));
  rotated = {
    ...test.network,
    executor,
    serviceAddresses: new Set([test.network.feePayer.address, executor.address]),
  };
});
const owner: SignerKey = newKey();

describe("an executor that is replaced by another key", () => {
  it("pays no more: its orders rest with the reason, and resume by the new one once their renewal is signed", async () => {
    const before = test.network;
    const { address } = await test.call<{ address: Address }>(createCustomAccount, {
      body: { policies: { signers: [may(owner)], threshold: 1 } },
    });
    await before.sandbox?.airdrop(address, 1_000_000_000n);
    const payee = addressOfKey(newKey());
    const params = { address };
    const submit = (network: Network, transaction = "") =>
      test.call(submitTransactions, {
        network,
        params,
        body: { transaction: signTransaction(transaction, [owner]), kms_payloads: [] },
      });
    const made = await test.call<WireOrder>(createStandingOrder, {
      params,
      body: {
        amount: "5000000",
        frequency: "daily",
        source: { account: address, currency: "sol" },
        destination: { address: payee, currency: "sol" },
        start_date: new Date(now() + dayMs).toISOString(),
      },
    });
    expect(made.executor_address).toBe(before.executor?.address);
    await submit(before, made.transaction);
    const order = (network: Network) =>
      test.call<WireOrder>(getStandingOrder, { network, params: { address, id: made.id } });
    await advance(dayMs);
    expect(await payStandingOrders(test.needs, before)).toEqual({ paid: 1, missed: 0 });

    // The next due date follows the change: it is not paid, and nothing is drawn on the old limit.
    await advance(dayMs);
    expect(await payStandingOrders(test.needs, rotated)).toEqual({ paid: 0, missed: 0 });
    expect(await order(rotated)).toMatchObject({
      status: "inactive",
      reason: "executor_rotated",
      executor_address: before.executor?.address,
      spending_limit_address: made.spending_limit_address,
    });
    // Its operator gets a list of who can still draw on what.
    const held = await executors();
    expect(held).toEqual([
      { executor: rotated.executor?.address, isPresent: true, count: 0, orders: [] },
      {
        executor: before.executor?.address,
        isPresent: false,
        count: 1,
        orders: [
          { id: made.id, account_address: address, status: "inactive", reason: "executor_rotated", mandate: "active" },
        ],
      },
    ]);
    expect(describeExecutors("devnet", held, await renewals())).toContain(
      `  ${made.id}  ${address}  inactive (executor_rotated)  limit active\n`,
    );
    // The limit is an order's also for the service that does not know the key any more.
    await expect(
      test.call(updateSpendingLimit, {
        network: rotated,
        params: { address, spending_limit_address: made.spending_limit_address },
        body: { amount: "9000000" },
      }),
    ).rejects.toMatchObject({ code: "forbidden_account" });
    expect(await lamportsOf(payee)).toBe(5_000_000n);
    await advance(dayMs + 1_000);
    expect(await payStandingOrders(test.needs, rotated)).toEqual({ paid: 0, missed: 0 });

    const offered = await test.call<WireOrder>(resumeStandingOrder, {
      network: rotated,
      params: { address, id: made.id },
      body: {},
    });
    expect(offered).toMatchObject({ status: "inactive", reason: "executor_rotated" });
    // The old limit stands until the renewal that removes it is confirmed.
    expect(await readAccount(rotated, made.spending_limit_address)).toBeDefined();
    await submit(rotated, offered.transaction);
    expect(await readAccount(rotated, made.spending_limit_address)).toBeUndefined();
    expect(await order(rotated)).toMatchObject({
      status: "active",
      mandate: "active",
      spending_limit_address: offered.renewal_limit_address,
      executor_address: rotated.executor?.address,
    });
    const left = await executors();
    expect(left).toEqual([{ executor: rotated.executor?.address, isPresent: true, count: 1, orders: [] }]);
    expect(describeExecutors("devnet", left, await renewals())).toContain("No former executor holds a limit");

    await advance(dayMs);
    expect(await payStandingOrders(test.needs, rotated)).toEqual({ paid: 1, missed: 0 });
    expect(await lamportsOf(payee)).toBe(10_000_000n);
    const runs = await test.call<WireRun[]>(listStandingOrderRuns, {
      network: rotated,
      params: { address, id: made.id },
    });
    expect(runs.map(({ state, error }) => [state, error])).toEqual([
      ["paid", null],
      ["missed", "order_inactive"],
      ["missed", "order_inactive"],
      ["paid", null],
    ]);
  });

  it("may have been named by a renewal that is confirmed after the change, which is listed and stays the order's", async () => {
    const before = test.network;
    const { address } = await test.call<{ address: Address }>(createCustomAccount, {
      body: { policies: { signers: [may(owner)], threshold: 1 } },
    });
    await before.sandbox?.airdrop(address, 1_000_000_000n);
    const params = { address };
    const submit = (network: Network, transaction = "") =>
      test.call(submitTransactions, {
        network,
        params,
        body: { transaction: signTransaction(transaction, [owner]), kms_payloads: [] },
      });
    const made = await test.call<WireOrder>(createStandingOrder, {
      params,
      body: {
        amount: "5000000",
        frequency: "daily",
        source: { account: address, currency: "sol" },
        destination: { address: addressOfKey(newKey()), currency: "sol" },
        start_date: new Date(now() + dayMs).toISOString(),
      },
    });
    await submit(before, made.transaction);
    // The first change makes it rest; the renewal names the second executor, and is confirmed when that one is replaced too.
    await advance(dayMs);
    await payStandingOrders(test.needs, rotated);
    const offered = await test.call<WireOrder>(resumeStandingOrder, {
      network: rotated,
      params: { address, id: made.id },
      body: {},
    });
    await submit(before, offered.transaction);
    const renewal = offered.renewal_limit_address ?? "";
    expect(await readAccount(before, made.spending_limit_address)).toBeUndefined();
    expect(await readAccount(before, renewal as Address)).toBeDefined();

    const held = await findExecutorLimits(test.needs.db, "sandbox", before.executor?.address, { now: now(), most: 10 });
    const offers = await renewals();
    expect(offers.orders).toContainEqual({ id: made.id, account_address: address, renewal_limit_address: renewal });
    const reported = describeExecutors("devnet", held, offers);
    expect(reported).toContain(`  ${made.id}  ${address}  renewal ${renewal}\n`);
    expect(reported).not.toContain("No former executor");
    await expect(
      test.call(updateSpendingLimit, {
        network: before,
        params: { address, spending_limit_address: renewal },
        body: { amount: "9000000" },
      }),
    ).rejects.toMatchObject({ code: "forbidden_account" });
  });
});

describe("a former executor that is still configured", () => {
  it("pays the orders whose limits name it, while new orders name its successor", async () => {
    const former = test.network.executor;
    if (former === null) throw new Error("the sandbox has an executor");
    const both: Network = {
      ...rotated,
      formerExecutor: former,
      serviceAddresses: new Set([...rotated.serviceAddresses, former.address]),
    };
    const { address } = await test.call<{ address: Address }>(createCustomAccount, {
      body: { policies: { signers: [may(owner)], threshold: 1 } },
    });
    await both.sandbox?.airdrop(address, 1_000_000_000n);
    const [payee, other] = [addressOfKey(newKey()), addressOfKey(newKey())];
    const open = async (network: Network, to: string) => {
      const made = await test.call<WireOrder>(createStandingOrder, {
        network,
        params: { address },
        body: {
          amount: "5000000",
          frequency: "daily",
          source: { account: address, currency: "sol" },
          destination: { address: to, currency: "sol" },
          start_date: new Date(now() + dayMs).toISOString(),
        },
      });
      await test.call(submitTransactions, {
        network,
        params: { address },
        body: { transaction: signTransaction(made.transaction ?? "", [owner]), kms_payloads: [] },
      });
      return made;
    };
    expect((await open(test.network, payee)).executor_address).toBe(former.address);
    expect((await open(both, other)).executor_address).toBe(rotated.executor?.address);
    await advance(dayMs + 1_000);
    await payStandingOrders(test.needs, both);
    expect([await lamportsOf(payee), await lamportsOf(other)]).toEqual([5_000_000n, 5_000_000n]);
  });
});

const now = () => test.network.clock.now();

const lamportsOf = async (address: Address) => (await test.network.rpc.getBalance(address).send()).value;

const executors = () =>
  findExecutorLimits(test.needs.db, "sandbox", rotated.executor?.address, { now: now(), most: 10 });

const renewals = () => findOfferedRenewals(test.needs.db, "sandbox", { most: 10 });

const advance = (ms: number) => test.network.sandbox?.advanceClockTo(now() + ms);
