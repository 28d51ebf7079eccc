import type { Address, Signature } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { Value } from "typebox/value";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Follower } from "../../src/following/follower.js";
import { historySubscriptions, wakeSubmitted } from "../../src/following/history-subscriptions.js";
import { createHistoryFollower } from "../../src/history/follow-histories.js";
import { findAccounts, type HistoryAccount, type ReadTransaction, takeIn } from "../../src/history/history-store.js";
import { saveRead } from "../../src/history/history-write-store.js";
import { rebuildHistories } from "../../src/history/rebuild-histories.js";
import { eventCatalogue } from "../../src/modules.js";
import {
  openPlayedAccount,
  openPlayedCluster,
  type PlayedCluster,
  type PlayedNode,
  playedUsdc,
} from "../support/played-cluster.js";
import { type HeldAccount, openTestNetwork, type TestNetwork } from "../support/test-network.js";
import { payFrom, transactionsOf, transfersOf } from "./support.js";

const payee = "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g";
const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

let test: TestNetwork;
let cluster: PlayedCluster;
let follower: Follower;
let holder: HeldAccount;
let address: Address;
/** How the node answers; honestly by default. */
let bend: PlayedNode;

beforeEach(async () => {
  bend = () => undefined;
  test = await openTestNetwork();
  cluster = await openPlayedCluster(test, [(request, honest) => bend(request, honest)]);
  follower = createHistoryFollower(test.needs);
  holder = await openPlayedAccount(test, cluster.network, "cluster@example.org");
  address = holder.address as Address;
});
afterEach(() => test?.close());

describe("an account on a cluster", () => {
  it("is followed within seconds where something happens, and asked about ever less where nothing does", async () => {
    await pass(10 * second, second);
    await give(1_000_000_000n);
    await giveUsdc(5n);
    await pass(10 * second, second);
    expect(await amounts()).toEqual(expect.arrayContaining(["inflow 1000000000", "inflow 5"]));
    await payFrom(test, holder, { currency: "sol", amount: "1000000", to: payee }, cluster.network);
    await pass(7 * second, second);
    expect(await amounts()).toContain("outflow 1000000");

    await pass(5 * day, 2 * hour);
    cluster.asked.length = 0;
    await pass(10 * day, 2 * hour);
    // One question a day, of which a hundred addresses share one.
    expect(cluster.count()).toEqual({ getMultipleAccounts: expect.any(Number) });
    expect(cluster.asked.length).toBeGreaterThanOrEqual(9);
    expect(cluster.asked.length).toBeLessThanOrEqual(11);
    // What is received on a quiet day is found by then, and by a list request at once.
    await giveUsdc(7n);
    expect(await transfersOf(test, address, {}, { network: cluster.network })).toMatchObject([
      { amount: "7" },
      {},
      {},
      {},
    ]);
    test.needs.realClock.advance(limits.refreshGoodForMs);
    cluster.asked.length = 0;
    await transfersOf(test, address, {}, { network: cluster.network });
    expect(cluster.asked).toEqual([]);
  });
});

describe("a list", () => {
  it("has a payment that was made here, however recent the last refresh is", async () => {
    await give(1_000_000_000n);
    await pass(10 * second, second);
    const at = { network: cluster.network };
    expect(await transfersOf(test, address, {}, at)).toMatchObject([{ amount: "1000000000" }]);
    await payFrom(test, holder, { currency: "sol", amount: "1000000", to: payee }, cluster.network);
    expect(await transfersOf(test, address, {}, at)).toMatchObject([{ direction: "outflow", amount: "1000000" }, {}]);
    // Then a refresh is good for its time again.
    test.needs.realClock.advance(limits.refreshGoodForMs);
    await transfersOf(test, address, {}, at);
    cluster.asked.length = 0;
    await transfersOf(test, address, {}, at);
    expect(cluster.asked).toEqual([]);
  });
});

describe("an account whose list has no end", () => {
  it("takes its share of a tick's pages, and leaves the rest to those behind it", async () => {
    const others = await Promise.all(
      [1, 2, 3].map((number) => openPlayedAccount(test, cluster.network, `other-${number}@example.org`)),
    );
    const askedOf = new Map<unknown, number>();
    let listed = 0;
    bend = async ({ method, params }) => {
      if (method === "getTransaction") return { jsonrpc: "2.0", id: 1, result: null };
      if (method !== "getSignaturesForAddress") return undefined;
      askedOf.set(params[0], (askedOf.get(params[0]) ?? 0) + 1);
      if (params[0] !== address) return undefined;
      const result = Array.from({ length: limits.historySignaturesPerPage }, () => {
        listed += 1;
        return { signature: `listed-${listed}`, slot: 1, blockTime: 1, err: null, confirmationStatus: "finalized" };
      });
      return { jsonrpc: "2.0", id: 1, result };
    };
    const due = { due_at: 0n, fingerprint: null, read_at: null };
    await test.needs.db.updateTable("history_watch").set(due).execute();
    // Before all others.
    const first = { due_at: -1n };
    await test.needs.db.updateTable("history_watch").set(first).where("account_address", "=", address).execute();
    await follower.tick(cluster.network);
    expect(askedOf.get(address)).toBeLessThanOrEqual(limits.historyPagesInOneTick / 4);
    for (const { verified } of others) expect(askedOf.get(verified.address)).toBeGreaterThan(0);
  });
});

describe("a node", () => {
  it("that leaves transactions out, or does not show them, makes no hole that stays", async () => {
    const hidden = new Set<string>();
    const unshown = new Set<string>();
    bend = async ({ method, params }, honest) => {
      if (method === "getSignaturesForAddress") {
        const answer = (await honest()) as { result: { signature: string }[] };
        return { ...answer, result: answer.result.filter(({ signature }) => !hidden.has(signature)) };
      }
      if (method === "getTransaction" && unshown.has(params[0] as string)) {
        return { jsonrpc: "2.0", id: 1, result: null };
      }
      return undefined;
    };
    const first = (await give(1_000_000_000n)) as Signature;
    test.needs.realClock.advance(2 * second);
    hidden.add(first);
    const next = (await give(2_000_000_000n)) as Signature;
    unshown.add(next);
    test.needs.realClock.advance(2 * second);
    await giveUsdc(5n);
    await pass(20 * second, second);
    expect(await amounts()).toEqual(["inflow 5"]);
    unshown.clear();
    await pass(120 * second, second);
    expect(await amounts()).toEqual(["inflow 2000000000", "inflow 5"]);
    hidden.clear();
    await pass(600 * second, 5 * second);
    expect(await amounts()).toEqual(["inflow 1000000000", "inflow 2000000000", "inflow 5"]);
    const subscription = await test.needs.db.selectFrom("history_watch").select("fingerprint").executeTakeFirst();
    expect(subscription?.fingerprint).not.toBeNull();
  });

  it("that fails in the middle loses nothing: what was listed is read later", async () => {
    for (let i = 1n; i <= 5n; i += 1n) {
      await give(1_000_000_000n + i);
      test.needs.realClock.advance(2 * second);
    }
    let answered = 0;
    bend = ({ method }) => {
      if (method !== "getTransaction") return undefined;
      answered += 1;
      return answered > 3 ? Promise.reject(new TypeError("the connection broke")) : undefined;
    };
    await pass(3 * second, second);
    bend = () => undefined;
    await pass(120 * second, second);
    expect(await amounts()).toHaveLength(5);
  });

  it("that confirms and drops again is believed at last", async () => {
    let finalized = true;
    const removed = new Set<string>();
    bend = async ({ method }, honest) => {
      if (method !== "getSignaturesForAddress") return undefined;
      const answer = (await honest()) as { result: { signature: string; confirmationStatus: string }[] };
      const result = answer.result
        .filter(({ signature }) => !removed.has(signature))
        .map((entry) => ({ ...entry, confirmationStatus: finalized ? "finalized" : "confirmed" }));
      return { ...answer, result };
    };
    await give(1_000_000_000n);
    await pass(6 * second, second);
    finalized = false;
    const dropped = (await give(5n)) as Signature;
    await pass(12 * second, second);
    const at = { network: cluster.network };
    expect(await transfersOf(test, address, { status: "confirmed" }, at)).toMatchObject([{ amount: "5" }]);
    removed.add(dropped);
    await pass(120 * second, second);
    expect(await transfersOf(test, address, { status: "confirmed" }, at)).toEqual([]);
    // It was no fork after all: the balance says so, and it is found again, as final.
    removed.clear();
    finalized = true;
    await pass(600 * second, 5 * second);
    expect(await transfersOf(test, address, { status: "finalized" }, at)).toMatchObject([{ amount: "5" }, {}]);
    expect(await transactionsOf(test, address, { status: "confirmed" }, at)).toEqual([]);
  });
});

describe("a deposit to a known token account", () => {
  it("is known as final when it is, though only the token account's own list says so", async () => {
    await giveUsdc(5n);
    await pass(20 * second, second);
    let finalized = false;
    let latest: string | undefined;
    bend = async ({ method, params }, honest) => {
      if (method !== "getSignaturesForAddress") return undefined;
      const answer = (await honest()) as { result: { signature: string; confirmationStatus: string }[] };
      const result = answer.result
        // As if the payer named the token account alone: the sandbox's mint names its owner too.
        .filter(({ signature }) => signature !== latest || params[0] !== address)
        .map((entry) =>
          entry.signature === latest && !finalized ? { ...entry, confirmationStatus: "confirmed" } : entry,
        );
      return { ...answer, result };
    };
    latest = (await giveUsdc(7n)) as string;
    await pass(12 * second, second);
    const at = { network: cluster.network };
    expect(await transfersOf(test, address, { status: "confirmed" }, at)).toMatchObject([{ amount: "7" }]);
    finalized = true;
    await pass(60 * second, second);
    expect(await transfersOf(test, address, { status: "confirmed" }, at)).toEqual([]);
    expect(await transfersOf(test, address, { status: "finalized" }, at)).toMatchObject([{ amount: "7" }, {}]);
  });
});

describe("money that arrives", () => {
  const reported = async () => {
    const events = await test.needs.db
      .selectFrom("event")
      .select("data")
      .where("type", "=", "transfer.received")
      .orderBy("sequence")
      .execute();
    return events.map(({ data }) => {
      const transfer = JSON.parse(data) as { Spl: { amount: string } };
      expect([...Value.Errors(eventCatalogue["transfer.received"].schema, transfer)]).toEqual([]);
      return transfer.Spl.amount;
    });
  };

  it("is reported however late it is found", async () => {
    await pass(20 * second, second);
    await give(1_000_000_000n);
    test.needs.realClock.advance(3 * day);
    await pass(20 * second, second);
    expect(await reported()).toEqual(["1000000000"]);
  });

  it("is not reported where it arrived long before its account was followed", async () => {
    await give(1_000_000_000n);
    test.needs.realClock.advance(3 * day);
    await give(5n);
    await test.needs.db
      .updateTable("history_watch")
      .set({ followed_since: BigInt(test.needs.realClock.now()) })
      .execute();
    await pass(20 * second, second);
    expect(await amounts()).toEqual(["inflow 1000000000", "inflow 5"]);
    expect(await reported()).toEqual(["5"]);
  });
});

describe("submissions that have ended", () => {
  it("wake every account, also where there are more than one statement handles", async () => {
    const { db, realClock } = test.needs;
    const { name } = cluster.network;
    const since = realClock.now();
    await sql`insert into submission (id, environment, account_address, purpose, signature, wire_transaction,
        last_valid_block_height, state, reserved_lamports, created_at, updated_at)
      select 's' || n, ${name}, 'a' || n, 'transaction', 's' || n, 'x', 0, 'landed', 0, ${since}::int8,
        ${since}::int8 + case when n <= 4990 then 1 else 2 end
      from generate_series(1, 5020) as n`.execute(db);
    const first = await wakeSubmitted(db, name, since);
    expect(first).toEqual({ until: since + 1, isAll: false });
    expect(await wakeSubmitted(db, name, first.until)).toEqual({ until: since + 2, isAll: true });
    const woken = await db
      .selectFrom("history_watch")
      .select("account_address")
      .where("active_at", ">", BigInt(since))
      .execute();
    expect(woken).toHaveLength(5_020);
  });
});

describe("two refreshes at the same time", () => {
  const state = async () => {
    const found = await test.needs.db.selectFrom("history_transaction").select(["signature", "finalized"]).execute();
    const totals = await test.needs.db.selectFrom("history_address").select(["address", "total"]).execute();
    return { found, totals: totals.map(({ address: at, total }) => [at, BigInt(total)]) };
  };

  it.each([
    ["before the other has saved it", [true, false]],
    ["after the other has saved it", [false, true]],
  ])("keep that a transaction is final, when one learns so %s", async (_when, [before, after]) => {
    const [found] = await findAccounts(test.needs.db, cluster.network.name, [address]);
    const account: HistoryAccount = { ...found, settingsAddress: payee as Address } as HistoryAccount;
    const listed = { signature: "one", slot: 7n, confirmedAt: 1_000n };
    const { db } = test.needs;
    const fields = { slot: 7n, confirmed_at: 1_000n };
    const transfer = {
      position: 0,
      instruction_index: 0,
      direction: "inflow",
      own_address: address,
      mint: "SOL",
      is_token_2022: false,
      decimals: 9,
      from_address: payee,
      to_address: address,
      amount: "5",
      is_first_of_mint: true,
    } as const;
    const readAs = (finalized: boolean): ReadTransaction => ({
      transaction: {
        signature: "one",
        ...fields,
        finalized,
        failed: false,
        error: null,
        kind: "deposit",
        found_at: address,
      },
      transfers: [transfer],
    });
    await takeIn(db, account, address, [{ ...listed, finalized: false }]);
    if (before) await takeIn(db, account, address, [{ ...listed, finalized: true }]);
    expect(await saveRead(db, account, [readAs(false)], ["one"])).toBe(1);
    // A refresh that began before that was saved puts it on the list again.
    if (after) expect(await saveRead(db, account, [readAs(true)], ["one"])).toBe(0);
    expect(await state()).toEqual({ found: [{ signature: "one", finalized: true }], totals: [[address, 5n]] });
  });
});

describe("a long history", () => {
  it("is read in parts, and delays no other account", async () => {
    const other = await openPlayedAccount(test, cluster.network, "other@example.org");
    for (let i = 0; i < limits.historyReadsInOneTick + 30; i += 1) await give(1n + BigInt(i) + 1_000_000n);
    await test.network.sandbox?.airdrop(other.address as never, 1_000_000n);
    for (const [first, second] of [
      [address, other.address],
      [other.address, address],
    ] as const) {
      const { db } = test.needs;
      const due = (at: string, dueAt: bigint) =>
        db.updateTable("history_watch").set({ due_at: dueAt }).where("account_address", "=", at).execute();
      await due(first, 1n);
      await due(second, 2n);
      const claim = { now: test.needs.realClock.now(), leasedUntil: test.needs.realClock.now(), limit: 10 };
      const claimed = await historySubscriptions.claimDue(db, cluster.network.name, claim);
      expect(claimed).toMatchObject([
        { key: first, nextRunAt: 1 },
        { key: second, nextRunAt: 2 },
      ]);
    }
    // The long one is first in the queue, has more than a whole tick, and leaves some of it to the other.
    await test.needs.db
      .updateTable("history_watch")
      .set({ due_at: 0n })
      .where("account_address", "=", address)
      .execute();
    await pass(second, second);
    const read = (await rows()).length;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(limits.historyReadsInOneTick / 2);
    const transfers = test.needs.db.selectFrom("history_transfer").select("amount");
    expect(await transfers.where("account_address", "=", other.address).execute()).toHaveLength(1);
    await test.network.sandbox?.airdrop(other.address as never, 1_000_000_000n);
    await pass(12 * second, second);
    expect(await rows()).toHaveLength(limits.historyReadsInOneTick + 30);
    expect(await transfersOf(test, other.address, {}, { network: cluster.network })).toHaveLength(2);
  });

  it("is the same after a rebuild, with the same ids", async () => {
    await give(1_000_000_000n);
    test.needs.realClock.advance(2 * second);
    await giveUsdc(50n);
    for (const [currency, amount] of [
      ["sol", "1000000"],
      ["usdc", "7"],
      ["sol", "2000000"],
    ] as const) {
      test.needs.realClock.advance(2 * second);
      await payFrom(test, holder, { currency, amount, to: payee }, cluster.network);
      await pass(2 * second, second);
    }
    await pass(60 * second, second);
    const network: Network = cluster.network;
    const before = await dump();
    const listed = await transfersOf(test, address, {}, { network });
    expect(before.transactions.map(({ kind }) => kind).sort()).toEqual([
      "account_creation",
      "deposit",
      "deposit",
      "payment",
      "payment",
      "payment",
    ]);
    const counts = await rebuildHistories(test.needs, network);
    expect(counts).toEqual({ accounts: 1, transactions: 6, transfers: before.transfers.length, unread: 0 });
    expect(await dump()).toEqual(before);
    expect(await transfersOf(test, address, {}, { network })).toEqual(listed);
    await pass(60 * second, second);
    expect(await dump()).toEqual(before);
  });
});

const give = (lamports: bigint) => test.network.sandbox?.airdrop(address, lamports);

const giveUsdc = (amount: bigint) => test.network.sandbox?.mintTo(address, playedUsdc as never, amount);

/** Moves the clock on by so much, with a tick of the follower every `stepMs`. */
async function pass(forMs: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < forMs; passed += stepMs) {
    test.needs.realClock.advance(stepMs);
    await follower.tick(cluster.network);
  }
}

const rows = () =>
  test.needs.db
    .selectFrom("history_transfer")
    .selectAll()
    .where("account_address", "=", address)
    .orderBy("confirmed_at")
    .orderBy("signature")
    .orderBy("position")
    .execute();

/** Everything but by which address a transaction was found. */
async function dump() {
  const { db } = test.needs;
  const transactions = await db.selectFrom("history_transaction").selectAll().orderBy("signature").execute();
  const addresses = await db
    .selectFrom("history_address")
    .select(["account_address", "address", "role", "total"])
    .orderBy("account_address")
    .orderBy("address")
    .execute();
  return {
    transactions: transactions.map(({ found_at: _, ...row }) => row),
    transfers: await rows(),
    addresses: addresses.map((row) => ({ ...row, total: BigInt(row.total) })),
  };
}

const amounts = async () => (await rows()).map(({ direction, amount }) => `${direction} ${amount}`);
