import { type Address, createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { deriveProposalAddress } from "@trellis/program-client";
import { beforeEach, describe, expect, it } from "vitest";
import type { Follower } from "../../src/following/follower.js";
import { historySubscriptions } from "../../src/following/history-subscriptions.js";
import { proposalSubscriptions } from "../../src/following/proposal-subscriptions.js";
import type { Subscription } from "../../src/following/subscriptions.js";
import { createHistoryFollower } from "../../src/history/follow-histories.js";
import { createHistoryRefreshes } from "../../src/history/history-refreshes.js";
import { findAccounts } from "../../src/history/history-store.js";
import { createProposalFollower } from "../../src/proposals/follow-proposals.js";
import { createProposalRefreshes } from "../../src/proposals/proposal-refreshes.js";
import {
  type ChainAccountUnderTest,
  type ChainClient,
  callsOn,
  openAccount,
  openChainClient,
} from "../proposals/index-chain-client.js";
import { useTestNetwork } from "../support/scene.js";
import type { TestNetwork } from "../support/test-network.js";

const environment = "sandbox";
const tenDays = 10 * 86_400_000;
const kinds: readonly (readonly [name: string, kind: Kind])[] = [
  [
    "proposals",
    {
      subscriptions: proposalSubscriptions,
      open: ({ needs }) => createProposalFollower(needs),
      refresh: ({ needs }, network, { settings }) => createProposalRefreshes(needs).refresh(network, settings),
      keyOf: ({ settings }) => settings,
      askedAlone: ({ settings }) => deriveProposalAddress(settings, 1n),
      hasRead: async ({ needs }, { settings }) => {
        const rows = needs.db.selectFrom("proposal").select("status").where("settings_address", "=", settings);
        return (await rows.executeTakeFirst()) !== undefined;
      },
    },
  ],
  [
    "histories",
    {
      subscriptions: historySubscriptions,
      open: ({ needs }) => createHistoryFollower(needs),
      refresh: async ({ needs }, network, { address }) => {
        const [account] = await findAccounts(needs.db, environment, [address]);
        if (account === undefined) throw new Error("the account is here");
        return createHistoryRefreshes(needs).refresh(network, account);
      },
      keyOf: ({ address }) => address,
      askedAlone: ({ address }) => address,
      hasRead: async ({ needs }, { address }) => {
        const rows = needs.db.selectFrom("history_transfer").select("signature").where("account_address", "=", address);
        return (await rows.executeTakeFirst()) !== undefined;
      },
    },
  ],
];
let client: ChainClient;
const test = useTestNetwork({ each: true });
beforeEach(async () => {
  client = await openChainClient(test);
});
const now = () => test.network.clock.now();

describe.each(kinds)("the follower of %s", (_name, kind) => {
  const { subscriptions } = kind;
  const get = (account: ChainAccountUnderTest) => subscriptions.get(test.needs.db, environment, kind.keyOf(account));
  const wake = (account: ChainAccountUnderTest) =>
    subscriptions.wake(test.needs.db, environment, [kind.keyOf(account)], now());

  it("refreshes an account again that was woken during its refresh", async () => {
    const account = await openBusyAccount();
    let woken = 0;
    const waking = silentChain(async () => {
      woken += 1;
      await wake(account);
    });
    await kind.open(test).tick(waking);
    expect(woken).toBeGreaterThan(0);
    expect((await get(account)).nextRunAt).toBeLessThanOrEqual(now());
  });

  it("refreshes an account again that was woken during a caller's refresh, also one that was overdue", async () => {
    const account = await openBusyAccount();
    await kind.open(test).tick(silentChain(() => undefined));
    test.needs.realClock.advance(tenDays);
    const { nextRunAt, activeAt } = await get(account);
    expect(nextRunAt).toBeLessThan(now());
    const waking = silentChain(() => wake(account));
    expect(await kind.refresh(test, waking, account)).toBe(true);
    const after = await get(account);
    expect(after.activeAt).toBeGreaterThan(activeAt);
    expect(after.nextRunAt).toBeLessThanOrEqual(now());
  });

  it("claims an account again when the lease of a process that died has run out", async () => {
    const account = await openBusyAccount();
    const claim = { now: now(), leasedUntil: now() + limits.followLeaseMs, limit: 10 };
    const claimed = await subscriptions.claimDue(test.needs.db, environment, claim);
    expect(claimed.map(({ key }) => key)).toEqual([kind.keyOf(account)]);
    const asked: string[] = [];
    const network = silentChain(({ method }) => void asked.push(method));
    test.needs.realClock.advance(limits.followLeaseMs - 1);
    await kind.open(test).tick(network);
    expect(asked).toEqual([]);
    test.needs.realClock.advance(1);
    await kind.open(test).tick(network);
    expect(asked).not.toEqual([]);
    expect(await kind.hasRead(test, account)).toBe(true);
  });

  it.each(["slow", "failing"])("lets no account wait for one that is %s", async (fault) => {
    const [ill, well] = [await openBusyAccount(), await openBusyAccount()];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const network = silentChain(({ method, params = [] }) => {
      if (method !== "getSignaturesForAddress" || params[0] !== kind.askedAlone(ill)) return undefined;
      return fault === "slow" ? held : fail();
    });
    const tick = kind.open(test).tick(network);
    await until(() => kind.hasRead(test, well));
    expect(await kind.hasRead(test, ill)).toBe(false);
    release();
    await tick;
    expect(await kind.hasRead(test, ill)).toBe(fault === "slow");
    expect((await get(ill)).nextRunAt).toBeGreaterThan(now());
    // It was refreshed, and gave its lease back.
    expect((await get(well)).nextRunAt).toBeLessThan(now() + limits.followLeaseMs);
  });

  it("plans the next attempt later where the chain did not answer", async () => {
    const account = await openBusyAccount();
    let asked = 0;
    const broken = silentChain(() => {
      asked += 1;
      fail();
    });
    const follower = kind.open(test);
    await follower.tick(broken);
    const askedFirst = asked;
    expect(askedFirst).toBeGreaterThan(0);
    const { nextRunAt } = await get(account);
    const waitMs = Number(nextRunAt) - now();
    expect(waitMs).toBeGreaterThanOrEqual(limits.refreshesApartLeastMs);
    expect(waitMs).toBeLessThan(limits.followLeaseMs);
    test.needs.realClock.advance(waitMs - 1);
    await follower.tick(broken);
    expect(asked).toBe(askedFirst);
    test.needs.realClock.advance(1);
    await follower.tick(silentChain(() => undefined));
    expect(await kind.hasRead(test, account)).toBe(true);
  });
});

/** A kind of followers as these tests see it. */
interface Kind {
  readonly subscriptions: Pick<typeof proposalSubscriptions, "wake" | "release"> & {
    get(...asked: Parameters<typeof proposalSubscriptions.get>): Promise<Subscription>;
    claimDue(...asked: Parameters<typeof proposalSubscriptions.claimDue>): Promise<readonly Subscription[]>;
  };
  open(test: TestNetwork): Follower;
  /** A refresh for a caller who asks about an account. */
  refresh(test: TestNetwork, network: Network, account: ChainAccountUnderTest): Promise<boolean>;
  keyOf(account: ChainAccountUnderTest): Address;
  /** What a node is asked about for this account alone, when the follower reads what happened there. */
  askedAlone(account: ChainAccountUnderTest): Address;
  /** Whether what happened to an account is in the index. */
  hasRead(test: TestNetwork, account: ChainAccountUnderTest): Promise<boolean>;
}

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** The chain as one that reports nothing; `before` runs before the node hears of a call. */
function silentChain(before: (call: Call) => Promise<void> | void): Network {
  const rpc = createSolanaRpcFromTransport(async ({ payload }) => {
    await before(payload as Call);
    return (await test.network.sandbox?.handleRpc(payload)) as never;
  }) as Rpc<SolanaRpcApi>;
  const { changes: _, ...network } = test.network;
  return { ...network, rpc };
}

const fail = (): never => {
  throw new Error("the connection broke");
};

/** An account that two have to agree on, with a proposal and money that were not reported to the service. */
async function openBusyAccount(): Promise<ChainAccountUnderTest> {
  const account = await openAccount(test, { members: 2, threshold: 2 });
  await callsOn(account, client, 1n).createPayment(1n);
  return account;
}

async function until(found: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; !(await found()); tried += 1) {
    if (tried === 2_000) throw new Error("it did not come about");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
