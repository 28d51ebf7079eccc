import { AccountRole, type Address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { Network } from "@trellis/kernel/ports/network.js";
import { decodeSpendingLimit } from "@trellis/program-client";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPlayedCluster, type PlayedNode } from "../../test/support/played-cluster.js";
import { useTestNetwork } from "../../test/support/scene.js";
import {
  type ControlledAccount,
  openControlledAccount,
  openOrder,
  orderOf,
  runsOf,
  sendAs,
} from "../../test/support/standing-orders.js";
import { publicKeyOf } from "../../test/support/test-network.js";
import { findUnknownPayment } from "./find-unknown-payments.js";
import { payStandingOrders } from "./pay-orders.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let network: Network;
let isBlind = false;
let account: ControlledAccount;
let id: string;
let payee: Address;
let number = 0;
/** Transactions that the node was asked for. */
let reads = 0;
const test = useTestNetwork();
beforeAll(async () => {
  // A cluster's clock is the machine's; the chain behind it is the sandbox's, which is an hour ahead.
  await test.network.sandbox?.advanceClock(3_600);
  const node: PlayedNode = async ({ method }) => {
    if (method === "getTransaction") reads += 1;
    return isBlind && method === "getSignaturesForAddress" ? { jsonrpc: "2.0", id: 1, result: [] } : undefined;
  };
  network = (await openPlayedCluster(test, [node])).network;
});
beforeEach(async () => {
  number += 1;
  isBlind = false;
  id = `order-${number}`;
  payee = publicKeyOf(`payee of ${id}`);
  await db().updateTable("standing_order").set({ status: "cancelled", attempt_at: null, leased_until: null }).execute();
  account = await openControlledAccount(test.network, `holder of ${id}`);
  await test.network.sandbox?.airdrop(account.address, 100_000_000_000n);
});

describe("while the chain's clock is ahead of the machine's", () => {
  it.each([
    ["without an end", undefined],
    ["with an end", 3 * dayMs],
  ])("an order %s continues though its payment is dated before its limit's last reset", async (_, end) => {
    const { spending_limit_address: address } = await open(end);
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    await dateByMachine();
    const limit = await limitOf(address);
    expect(Number(limit.lastReset) * 1000).toBeGreaterThan(network.clock.now());
    const dueAt = network.clock.now() + 23 * hourMs;
    const asked = { dueAt, drawnOn: limit };
    expect(await findUnknownPayment(db(), network, await orderOf(db(), id), asked)).toEqual({
      kind: "none",
      knownSinceReset: 1,
    });
    for (let day = 1; day < 4; day += 1) {
      goOn(dayMs);
      expect(await pass()).toEqual({ paid: 1, missed: 0 });
      await dateByMachine();
    }
    expect(await states()).toEqual(["paid", "paid", "paid", "paid"]);
  });

  it("what the database has forgotten is found all the same, and not paid again", async () => {
    const { spending_limit_address: address } = await open();
    const backup = await orderOf(db(), id);
    await pass();
    const [known] = await db().selectFrom("standing_order_run").selectAll().where("order_id", "=", id).execute();
    await db().deleteFrom("standing_order_run").where("order_id", "=", id).execute();
    const asked = { dueAt: Number(backup.start_at), drawnOn: await limitOf(address) };
    expect(await findUnknownPayment(db(), network, backup, asked)).toMatchObject({
      kind: "found",
      signature: known?.signature,
    });
  });

  it("and a node returns no history, the known runs do not count as an explanation", async () => {
    await open();
    await pass();
    await dateByMachine();
    isBlind = true;
    goOn(dayMs);
    expect(await pass()).toEqual({ paid: 0, missed: 0 });
    expect(await states()).toEqual(["paid", "retrying spending_limit_unexplained"]);
    isBlind = false;
    goOn(10 * 60_000);
    await pass();
    expect(await states()).toEqual(["paid", "paid"]);
  });
});

describe("a limit that others have named in many transactions of their own", () => {
  it("is searched a part at a time, holds up no other order, and what was forgotten is found in the end", async () => {
    const others = 250;
    const { spending_limit_address: limit } = await open();
    const backup = await orderOf(db(), id);
    for (let one = 0; one < others; one += 1) {
      const source = createNoopSigner(network.feePayer.address);
      const transfer = getTransferSolInstruction({ source, destination: account.address, amount: BigInt(one + 1) });
      const named = { address: limit as Address, role: AccountRole.READONLY };
      await sendAs(network, [{ ...transfer, accounts: [...transfer.accounts, named] }], []);
    }
    await pass();
    await db().deleteFrom("standing_order_run").where("order_id", "=", id).execute();
    await db().deleteFrom("standing_order").where("id", "=", id).execute();
    await db().insertInto("standing_order").values(backup).execute();
    const beside = { id: `${id}-beside`, amount: 1_000_000n, frequency: "monthly", place: 1 } as const;
    const terms = { payee: publicKeyOf(`beside ${id}`), startAt: network.clock.now(), limit: { expiration: null } };
    await openOrder(db(), network, account, { ...beside, ...terms });
    reads = 0;
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    expect(reads).toBe(200);
    expect(await states()).toEqual(["retrying spending_limit_unexplained"]);
    goOn(10_000);
    reads = 0;
    expect(await pass()).toEqual({ paid: 1, missed: 0 });
    expect(reads).toBeLessThanOrEqual(others - 200 + 8);
    expect(await states()).toEqual(["paid"]);
    expect((await network.rpc.getBalance(payee).send()).value).toBe(1_000_000n);
  });
});

const db = () => test.needs.db;

const pass = () => payStandingOrders(test.needs, network);

const states = async () => (await runsOf(db(), id)).map((run) => run.slice(17));

const open = (end?: number) => {
  const startAt = network.clock.now();
  const bounds = end === undefined ? {} : { endAt: startAt + end };
  const terms = { id, amount: 1_000_000n, frequency: "daily", startAt, payee, limit: { expiration: null } } as const;
  return openOrder(db(), network, account, { ...terms, ...bounds });
};

const limitOf = async (address: string) => {
  const found = await readAccount(network, address as Address);
  if (!found) throw new Error("the limit is there");
  return decodeSpendingLimit(found.data);
};

/** Dates what was paid last by the machine's clock, which is an hour behind the chain's. */
const dateByMachine = () =>
  db()
    .updateTable("standing_order_run")
    .set({ paid_at: BigInt(network.clock.now()) })
    .where("order_id", "=", id)
    .where("paid_at", ">", BigInt(network.clock.now()))
    .execute();

/** The chain's clock goes on with the machine's. */
const goOn = (ms: number) => test.needs.realClock.advance(ms);
