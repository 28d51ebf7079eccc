import { createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { deriveProposalAddress } from "@trellis/program-client";
import { addressOfKey } from "@trellis/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { proposalSubscriptions, wakeProposals } from "../../src/following/proposal-subscriptions.js";
import { createProposalFollower, wakeChanged } from "../../src/proposals/follow-proposals.js";
import { listProposals } from "../../src/proposals/list-proposals.js";
import { createProposalRefreshes, type ProposalRefreshes } from "../../src/proposals/proposal-refreshes.js";
import { rebuildProposals } from "../../src/proposals/rebuild-proposals.js";
import { openFrailDatabase } from "../support/frail-database.js";
import { useTestNetwork } from "../support/scene.js";
import { breakConnection } from "../support/test-network.js";
import {
  type ChainAccountUnderTest,
  type ChainClient,
  callsOn,
  openAccount,
  openChainClient,
} from "./index-chain-client.js";

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
let client: ChainClient;
const test = useTestNetwork({ each: true });
beforeEach(async () => {
  client = await openChainClient(test);
});

describe("an idle service", () => {
  it("asks the chain nothing about accounts that need no proposals", async () => {
    await test.openHolder("idle@example.org");
    await openAccount(test, { members: 2, threshold: 1 });
    const asked: string[] = [];
    await pass(silentChain(asked), day, 300 * second);
    expect(asked).toEqual([]);
    expect(await test.needs.db.selectFrom("proposal_watch").selectAll().execute()).toEqual([]);
  });

  it("asks about a quiet shared account ever less, and once a day in the end", async () => {
    await openAccount(test, { members: 2, threshold: 2 });
    const asked: string[] = [];
    const network = silentChain(asked);
    await pass(network, hour, 10 * second);
    expect(asked.length).toBeLessThan(40);
    await pass(network, 5 * day, 600 * second);
    asked.length = 0;
    await pass(network, 10 * day, 600 * second);
    expect(asked.length).toBeGreaterThanOrEqual(9);
    expect(asked.length).toBeLessThanOrEqual(10);
  });
});

describe("a proposal made elsewhere, on a chain without notifications,", () => {
  it.each([
    ["at once", 0, 5 * second],
    ["a minute", 60 * second, 15 * second + second],
    ["an hour", hour, 15 * 60 * second + 60 * second],
    ["ten days", 10 * day, day + 600 * second],
  ])("is found within a quarter of the quiet before it: %s", async (_quiet, quietMs, mostMs) => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    const network = silentChain();
    await createProposalFollower(test.needs).tick(network);
    await pass(network, quietMs, Math.max(second, quietMs / 500));
    await callsOn(account, client, 1n).createPayment(1n);
    expect(await timeUntil(network, mostMs, async () => (await rows(account)).length > 0)).toBeLessThanOrEqual(mostMs);
  });

  it("is followed closely while it is open: a vote is found within ten minutes, however late", async () => {
    const account = await openAccount(test, { members: 3, threshold: 2 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1n);
    const network = silentChain();
    await wakeProposals(test.needs.db, "sandbox", [account.settings], test.network.clock.now());
    await createProposalFollower(test.needs).tick(network);
    const rejects = async () => (await rows(account))[0]?.rejected !== "[]";
    test.needs.realClock.advance(second);
    await calls.vote("reject", 0);
    expect(await timeUntil(network, 5 * second, rejects)).toBeLessThanOrEqual(5 * second);
    await pass(network, 2 * day, 600 * second);
    await calls.vote("approve", 0);
    const mostMs = limits.openRefreshesApartMostMs + 3 * second;
    expect(await timeUntil(network, mostMs, async () => !(await rejects()))).toBeLessThanOrEqual(mostMs);
  });

  it("of an account that sleeps is found by a list request, followed while it is open, and left alone after", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, client, 1n);
    const network = silentChain();
    await calls.createPayment(1n);
    await pass(network, hour, 60 * second);
    expect(await rows(account)).toEqual([]);
    expect(await list(account, { network })).toMatchObject([{ transactionIndex: 1, status: "Active" }]);
    await calls.vote("reject", 0);
    await pass(network, 6 * second, second);
    expect(await rows(account)).toMatchObject([{ status: "Rejected" }]);
    await pass(network, hour, 60 * second);
    expect((await settled(account)).nextRunAt).toBeNull();
  });
});

describe("a list", () => {
  it("shows what was proposed elsewhere, and asks the chain anew after some seconds only", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    const asked: string[] = [];
    const network = silentChain(asked);
    await callsOn(account, client, 1n).createPayment(1n);
    expect(await list(account, { network })).toHaveLength(1);
    asked.length = 0;
    await callsOn(account, client, 2n).createPayment(2n);
    test.needs.realClock.advance(limits.refreshGoodForMs);
    expect(await list(account, { network })).toHaveLength(1);
    expect(asked).toEqual([]);
    test.needs.realClock.advance(1);
    expect(await list(account, { network })).toHaveLength(2);
  });

  it("refreshes once for all who ask at the same time", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    await callsOn(account, client, 1n).createPayment(1n);
    const asked: string[] = [];
    const network = silentChain(asked);
    const refreshes = createProposalRefreshes(test.needs);
    // All ask before the first one is answered, however few connections the database has.
    let entered = 0;
    let letIn = () => {};
    const all = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    const proposalRefreshes: ProposalRefreshes = {
      refresh: async (...asking) => {
        entered += 1;
        if (entered === 20) letIn();
        await all;
        return refreshes.refresh(...asking);
      },
    };
    const lists = await Promise.all(
      Array.from({ length: 20 }, () => list(account, { network, needs: { proposalRefreshes } })),
    );
    for (const listed of lists) expect(listed).toHaveLength(1);
    // The settings once, and once the two accounts of the proposal.
    expect(asked.filter((method) => method === "getMultipleAccounts")).toHaveLength(2);
  });

  it("is answered from the index where the chain does not answer", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    await callsOn(account, client, 1n).createPayment(1n);
    await list(account);
    await callsOn(account, client, 2n).createPayment(2n);
    test.needs.realClock.advance(hour);
    const broken = breakConnection(test.network, () => true);
    expect(await list(account, { network: broken })).toMatchObject([{ transactionIndex: 1 }]);
    expect(await list(account)).toHaveLength(2);
  });

  it("does not wait for a chain that hangs, nor for more than its share of refreshes", async () => {
    const accounts = [await openAccount(test, { members: 2, threshold: 2 })];
    const hangs = new Promise<never>(() => undefined);
    const rpc = createSolanaRpcFromTransport(() => hangs) as Rpc<SolanaRpcApi>;
    const waits: number[] = [];
    let release = () => {};
    const pause = (ms: number) => {
      waits.push(ms);
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    const proposalRefreshes = createProposalRefreshes({ ...test.needs, pause });
    const hanging = { ...test.network, rpc };
    const listing = list(accounts[0] as ChainAccountUnderTest, { network: hanging, needs: { proposalRefreshes } });
    await new Promise<void>((resolve) => {
      const look = () => (waits.length > 0 ? resolve() : setImmediate(look));
      look();
    });
    release();
    expect(await listing).toEqual([]);
    expect(waits).toEqual([limits.refreshPatienceMs]);
    for (let claimed = 1; claimed < limits.refreshesAtOnce; claimed += 1) {
      void proposalRefreshes.refresh(hanging, addressOfKey(new Uint8Array(32).fill(claimed)));
    }
    expect(await proposalRefreshes.refresh(hanging, addressOfKey(new Uint8Array(32).fill(200)))).toBe(false);
    expect(waits).toHaveLength(limits.refreshesAtOnce);
  });
});

describe("turns", () => {
  it("are claimed once by two processes, and by others when a process dies with them", async () => {
    const accounts = [];
    for (let i = 0; i < 3; i += 1) accounts.push(await openAccount(test, { members: 2, threshold: 2 }));
    const [mine, theirs]: string[][] = [[], []];
    await Promise.all([
      createProposalFollower(test.needs).tick(silentChain(mine)),
      createProposalFollower(test.needs).tick(silentChain(theirs)),
    ]);
    expect([...(mine ?? []), ...(theirs ?? [])]).toEqual(["getMultipleAccounts"]);

    test.needs.realClock.advance(limits.refreshesApartLeastMs);
    // A fault of our own ends the tick in its middle, as a crash does.
    await expect(createProposalFollower(test.needs).tick({ ...test.network, rpc: null as never })).rejects.toThrow(
      TypeError,
    );
    const asked: string[] = [];
    await createProposalFollower(test.needs).tick(silentChain(asked));
    expect(asked).toEqual([]);
    await callsOn(accounts[0] as ChainAccountUnderTest, client, 1n).createPayment(1n);
    test.needs.realClock.advance(limits.followLeaseMs);
    await createProposalFollower(test.needs).tick(silentChain(asked));
    expect(await rows(accounts[0] as ChainAccountUnderTest)).toHaveLength(1);
  });

  it("are not lost by changes during a refresh of the account", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    const calls = callsOn(account, client, 1n);
    // The proposal is confirmed after the settings were read, and before the refresh is noted.
    const rpc = createSolanaRpcFromTransport(async ({ payload }) => {
      const answer = await test.network.sandbox?.handleRpc(payload);
      if ((await rows(account)).length === 0) await calls.createPayment(1n);
      await wakeProposals(test.needs.db, "sandbox", [account.settings], test.network.clock.now());
      return answer as never;
    }) as Rpc<SolanaRpcApi>;
    await createProposalFollower(test.needs).tick({ ...silentChain(), rpc });
    expect(await rows(account)).toEqual([]);
    await createProposalFollower(test.needs).tick(silentChain());
    expect(await rows(account)).toHaveLength(1);
  });

  it("follow at once after the clock was moved, and are the same after a rebuild", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    const network = silentChain();
    await pass(network, hour, 10 * second);
    const before = await settled(account);
    await rebuildProposals(test.needs, network);
    expect(await settled(account)).toMatchObject({ activeAt: before.activeAt });
    expect((await settled(account)).nextRunAt).toBeLessThanOrEqual(test.network.clock.now() + hour);
    await callsOn(account, client, 1n).createPayment(1n);
    await test.network.sandbox?.advanceClock(day / second);
    await createProposalFollower(test.needs).tick(network);
    expect(await rows(account)).toHaveLength(1);
  });
});

describe("word from the chain", () => {
  it("wakes an account that sleeps, by its settings and by a proposal that is known", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1n);
    await createProposalFollower(test.needs).tick(test.network);
    expect(await rows(account)).toMatchObject([{ status: "Active" }]);
    test.needs.realClock.advance(second);
    await calls.vote("reject", 0);
    const proposal = deriveProposalAddress(account.settings, 1n);
    expect(test.network.changes?.take()).toEqual([proposal]);
    await wakeProposals(test.needs.db, "sandbox", [proposal, client.payerAddress], test.network.clock.now());
    await createProposalFollower(test.needs).tick(silentChain());
    expect(await rows(account)).toMatchObject([{ status: "Rejected" }]);
  });

  it("is kept while the database is away", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    await callsOn(account, client, 1n).createPayment(1n);
    await test.network.sandbox?.advanceClock(day / second);
    const frail = openFrailDatabase(test.needs.db);
    for (const statement of [0, 1]) {
      frail.breakAt(statement, "before");
      await expect(wakeChanged(frail.db, test.network)).rejects.toThrow("the connection broke");
    }
    frail.countStatements();
    expect(test.network.changes?.take()).toContain(account.settings);
    expect(test.network.changes?.takeNamed?.()).toContain(account.settings);
  });

  it("is not given for payments, nor for accounts that have just been made", async () => {
    await openAccount(test, { members: 1, threshold: 1 });
    await test.openHolder("new@example.org");
    expect(test.network.changes?.take()).toEqual([]);
  });
});

/** The chain as one without notifications; `asked` gets the name of every call. */
function silentChain(asked: string[] = []): Network {
  const { changes: _, ...network } = breakConnection(test.network, (method) => {
    asked.push(method);
    return false;
  });
  return network;
}

/** Moves the clock on by so much, with a tick of the follower every `stepMs`. */
async function pass(network: Network, forMs: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < forMs; passed += stepMs) {
    test.needs.realClock.advance(stepMs);
    await createProposalFollower(test.needs).tick(network);
  }
}

const settled = (account: ChainAccountUnderTest) =>
  proposalSubscriptions.get(test.needs.db, "sandbox", account.settings);

const rows = (account: ChainAccountUnderTest) =>
  test.needs.db.selectFrom("proposal").selectAll().where("settings_address", "=", account.settings).execute();

/** Until the index has it: the time that passed, with a tick every second. */
async function timeUntil(network: Network, mostMs: number, found: () => Promise<boolean>): Promise<number> {
  const begin = test.needs.realClock.now();
  const stepMs = Math.max(second, Math.floor(mostMs / 200));
  for (let passed = 0; passed <= mostMs + stepMs; passed += stepMs) {
    if (await found()) return test.needs.realClock.now() - begin;
    await pass(network, stepMs, stepMs);
  }
  return Number.POSITIVE_INFINITY;
}

const list = (account: ChainAccountUnderTest, more: { network?: Network; needs?: object } = {}) =>
  test.call<{ transactionIndex: number; status: string }[]>(listProposals, {
    params: { address: account.address },
    ...more,
  });
