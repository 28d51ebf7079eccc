import type { Address } from "@solana/kit";
import { removeSpendingLimitAsAuthorityInstruction } from "@trellis/program-client";
import { describe, expect, it } from "vitest";
import { openPlayedCluster, type PlayedNode } from "../../test/support/played-cluster.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { openControlledAccount, openOrder, orderOf, runsOf, sendAs } from "../../test/support/standing-orders.js";
import { publicKeyOf } from "../../test/support/test-network.js";
import { payStandingOrders } from "./pay-orders.js";
import { changeOrder } from "./standing-order-store.js";

const minuteMs = 60_000;
const test = useTestNetwork();

describe("a node that has stopped before a limit was made", () => {
  it("is not believed that the limit was removed, however often it is asked", async () => {
    const { network, stall } = await openStalling();
    await open(network, "due");
    stall(true);
    for (let tries = 0; tries < 4; tries += 1) {
      await payStandingOrders(test.needs, network);
      test.needs.realClock.advance(2 * minuteMs);
    }
    expect(await orderOf(test.needs.db, "due")).toMatchObject({ status: "active", mandate: "active" });
    stall(false);
    test.needs.realClock.advance(10 * minuteMs);
    expect(await payStandingOrders(test.needs, network)).toEqual({ paid: 1, missed: 0 });
    expect(await statesOf("due")).toEqual(["paid"]);
  });

  it("is not believed either of an order that was cancelled, until the limit is removed", async () => {
    const { network, stall } = await openStalling();
    const { account, order } = await open(network, "cancelled");
    const to = { status: "cancelled", mandate: "revocation_pending", attempt_at: BigInt(network.clock.now()) } as const;
    await changeOrder(test.needs.db, order, to, network.clock.now());
    stall(true);
    for (let tries = 0; tries < 3; tries += 1) {
      await payStandingOrders(test.needs, network);
      test.needs.realClock.advance(10 * minuteMs);
    }
    expect(await orderOf(test.needs.db, "cancelled")).toMatchObject({ mandate: "revocation_pending" });
    stall(false);
    const { settings, authority } = account;
    const removal = removeSpendingLimitAsAuthorityInstruction({
      settings,
      settingsAuthority: authority.address,
      spendingLimit: order.spending_limit_address as Address,
      rentCollector: network.feePayer.address,
    });
    await sendAs(network, [removal], [authority]);
    test.needs.realClock.advance(360 * minuteMs);
    await payStandingOrders(test.needs, network);
    expect(await orderOf(test.needs.db, "cancelled")).toMatchObject({ mandate: "revoked", attempt_at: null });
  });
});

interface Read {
  readonly result: { readonly context: { readonly slot: unknown }; readonly value: readonly unknown[] };
}

/** A cluster whose node can stop: from then on it shows no account at all, at the slot it had come to before. */
async function openStalling() {
  const stoppedAt = await test.network.rpc.getSlot().send();
  let isStopped = false;
  const node: PlayedNode = async ({ method }, honest) => {
    if (method !== "getMultipleAccounts" || !isStopped) return undefined;
    const answer = (await honest()) as Read;
    const value = answer.result.value.map(() => null);
    return { ...answer, result: { context: { slot: Number(stoppedAt) }, value } };
  };
  const { network } = await openPlayedCluster(test, [node]);
  // What it shows is older than everything that follows.
  test.needs.realClock.advance(5 * minuteMs);
  const stall = (to: boolean) => {
    isStopped = to;
  };
  return { network, stall };
}

const open = async (network: Awaited<ReturnType<typeof openStalling>>["network"], id: string) => {
  const account = await openControlledAccount(network, `holder of ${id}`);
  await test.network.sandbox?.airdrop(account.address, 10_000_000_000n);
  const order = await openOrder(test.needs.db, network, account, {
    id,
    amount: 1_000_000n,
    frequency: "monthly",
    startAt: network.clock.now(),
    payee: publicKeyOf(`payee of ${id}`) as Address,
    limit: { expiration: null },
  });
  return { account, order };
};

const statesOf = async (id: string) => (await runsOf(test.needs.db, id)).map((run) => run.slice(17));
