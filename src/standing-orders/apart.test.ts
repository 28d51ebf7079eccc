import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { beforeAll, describe, expect, it } from "vitest";
import { openPlayedCluster, type PlayedNode } from "../../test/support/played-cluster.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { openControlledAccount, openOrder, orderOf, runsOf } from "../../test/support/standing-orders.js";
import { publicKeyOf } from "../../test/support/test-network.js";
import { recoverSubmissions } from "../submissions/recover-submissions.js";
import { payStandingOrders } from "./pay-orders.js";

const minuteMs = 60_000;
const test = useTestNetwork();
beforeAll(() => test.addTenant("tenant-2"));

describe("a payment that is not confirmed", () => {
  it("holds up no order that is due meanwhile, and gets its end by the recovery pass and the next poll", async () => {
    let isLossy: boolean | undefined;
    let lost: unknown;
    let sentAt: number | undefined;
    const node: PlayedNode = async ({ method, params }) => {
      if (method !== "sendTransaction" || isLossy === undefined) return undefined;
      lost ??= params[0];
      if (params[0] === lost) return isLossy ? { jsonrpc: "2.0", id: 1, result: "1".repeat(64) } : undefined;
      sentAt ??= clock().now();
      return undefined;
    };
    const { network } = await openPlayedCluster(test, [node]);
    const start = clock().now();
    await open(network, "slow", { startAt: start });
    await open(network, "quick", { startAt: start + 1_000, tenantId: "tenant-2" });
    isLossy = true;
    // The scheduler: a pass each second, never beside itself.
    for (let number = 0; number < 5 && sentAt === undefined; number += 1) {
      await payStandingOrders(patient(), network);
      clock().advance(1_000);
    }
    expect((sentAt ?? Number.POSITIVE_INFINITY) - start - 1_000).toBeLessThan(20_000);
    expect([await statesOf("slow"), await statesOf("quick")]).toEqual([["sending"], ["paid"]]);
    // Nobody signs anything else for it meanwhile.
    clock().advance(10_000);
    await payStandingOrders(patient(), network);
    expect(await statesOf("slow")).toEqual(["sending"]);
    isLossy = false;
    await recoverSubmissions(patient(), network, 0);
    await recoverSubmissions(patient(), network, 0);
    clock().advance(minuteMs);
    expect(await payStandingOrders(patient(), network)).toEqual({ paid: 1, missed: 0 });
    expect(await statesOf("slow")).toEqual(["paid"]);
    expect((await orderOf(db(), "slow")).next_index).toBe(1);
  });
});

describe("an order whose trial the node does not answer", () => {
  it("holds up no payment of the same batch", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHanging = false;
    let arrived = () => {};
    const sent = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const node: PlayedNode = async ({ method }) => {
      if (method === "simulateTransaction" && !isHanging) {
        isHanging = true;
        await gate;
      }
      if (method === "sendTransaction") arrived();
      return undefined;
    };
    const { network } = await openPlayedCluster(test, [node]);
    const startAt = clock().now();
    await open(network, "hanging", { startAt });
    await open(network, "beside", { startAt, tenantId: "tenant-2" });
    const pass = payStandingOrders(patient(), network);
    await sent;
    release();
    expect(await pass).toEqual({ paid: 2, missed: 0 });
  });
});

describe("where no executor is configured any more", () => {
  it("a payment that was sent before gets its end, and what is due waits", async () => {
    const { network } = await openPlayedCluster(test);
    const startAt = clock().now();
    await open(network, "sent", { startAt });
    const lossy: Network = (
      await openPlayedCluster(test, [
        ({ method }) =>
          method === "sendTransaction" ? Promise.resolve({ jsonrpc: "2.0", id: 1, result: "1".repeat(64) }) : undefined,
      ])
    ).network;
    await payStandingOrders(patient(), lossy);
    expect(await statesOf("sent")).toEqual(["sending"]);
    await recoverSubmissions(patient(), network, 0);
    await recoverSubmissions(patient(), network, 0);
    await open(network, "due", { startAt: clock().now(), tenantId: "tenant-2" });
    clock().advance(minuteMs);
    const without = { ...network, executor: null };
    expect(await payStandingOrders(patient(), without)).toEqual({ paid: 1, missed: 0 });
    expect(await statesOf("sent")).toEqual(["paid"]);
    expect(await statesOf("due")).toEqual(["retrying service_unavailable"]);
    expect(await orderOf(db(), "due")).toMatchObject({ status: "active" });
    clock().advance(10 * minuteMs);
    expect(await payStandingOrders(patient(), network)).toEqual({ paid: 1, missed: 0 });
    expect(await statesOf("due")).toEqual(["paid"]);
  });
});

const db = () => test.needs.db;

const clock = () => test.needs.realClock;

/** Waiting takes no time but the clock's. */
const patient = () => ({ ...test.needs, pause: async (ms: number) => clock().advance(ms) });

const statesOf = async (id: string) => (await runsOf(db(), id)).map((run) => run.slice(17));

async function open(network: Network, id: string, terms: { startAt: number; tenantId?: string }) {
  const account = await openControlledAccount(network, `holder of ${id}`);
  await test.network.sandbox?.airdrop(account.address, 10_000_000_000n);
  const payee = publicKeyOf(`payee of ${id}`) as Address;
  const limit = { expiration: null };
  return openOrder(db(), network, account, { id, amount: 1_000_000n, frequency: "monthly", payee, limit, ...terms });
}
