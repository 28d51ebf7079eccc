import { describe, expect, it } from "vitest";
import { closeEndedProposals } from "../../src/proposals/close-proposals.js";
import { createProposalFollower } from "../../src/proposals/follow-proposals.js";
import { rebuildProposals } from "../../src/proposals/rebuild-proposals.js";
import { refreshProposal } from "../../src/proposals/refresh-proposals.js";
import { openTestNetwork, type TestNetwork } from "../support/test-network.js";
import {
  type ChainAccountUnderTest,
  type ChainClient,
  callsOn,
  openAccount,
  openChainClient,
  openServiceClient,
} from "./index-chain-client.js";

describe("a rebuild", () => {
  it.each([1, 2, 3])("gives what following gave, whatever happened in between (history %i)", async (seed) => {
    const test = await openTestNetwork();
    try {
      const chance = createChance(seed);
      const clients = [await openChainClient(test), openServiceClient(test)];
      const accounts = [
        await openAccount(test, { members: 3, threshold: 2 }),
        await openAccount(test, { members: 1, threshold: 1 }),
      ];
      const last = accounts.map(() => 0n);
      for (let step = 0; step < 120; step += 1) {
        const which = chance(accounts.length);
        const account = accounts[which];
        const indexes = last[which];
        if (account === undefined || indexes === undefined) throw new Error("no account");
        if (await act(chance, account, clients, indexes)) last[which] = indexes + 1n;
        test.needs.realClock.advance(chance(3) * 1_000);
        if (chance(6) === 0) await createProposalFollower(test.needs).tick(test.network);
        if (chance(30) === 0 && indexes > 0n) {
          await refreshProposal(test.needs, test.network, account.settings, indexes);
        }
        if (chance(40) === 0) {
          test.needs.realClock.advance(3_600_000);
          await closeEndedProposals(test.needs, test.network);
        }
      }
      // Until every open one's transactions have had their turn.
      for (let tick = 0; tick < 40; tick += 1) {
        test.needs.realClock.advance(5_000);
        await createProposalFollower(test.needs).tick(test.network);
      }
      const before = await dump(test);
      expect(new Set(before.map(({ chain_status }) => chain_status)).size).toBeGreaterThan(2);
      const counts = await rebuildProposals(test.needs, test.network);
      expect(counts).toMatchObject({ accounts: 2, unreadable: 0, transactions: before.length });
      expect(await dump(test)).toEqual(before);
      await createProposalFollower(test.needs).tick(test.network);
      expect(await dump(test)).toEqual(before);
    } finally {
      await test.close();
    }
  });
});

/** The same sequence for the same seed: what failed can be run again. */
function createChance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Rows without the columns that say how the index got them. */
async function dump(test: TestNetwork) {
  const rows = await test.needs.db
    .selectFrom("proposal")
    .selectAll()
    .orderBy("settings_address")
    .orderBy("transaction_index")
    .execute();
  return rows.map(({ read_slot: _, seen_signature: __, close_tried_at: ___, content, ...row }) => ({
    ...row,
    content: content && Buffer.from(content).toString("hex"),
  }));
}

/** One action on an account; the chain refuses many of them. */
async function act(
  chance: (below: number) => number,
  account: ChainAccountUnderTest,
  clients: readonly ChainClient[],
  last: bigint,
): Promise<boolean> {
  const client = clients[chance(clients.length)];
  if (client === undefined) throw new Error("no client");
  const by = chance(account.members.length);
  const newest = callsOn(account, client, last + 1n);
  const some = callsOn(account, client, 1n + BigInt(chance(Math.max(1, Number(last)))));
  const actions = [{ __kind: "SetTimeLock", newTimeLock: 0 }] as const;
  const doings: [weight: number, creates: boolean, doing: () => Promise<unknown>][] = [
    [4, true, () => newest.createPayment(7n, { draft: chance(4) === 0 })],
    [1, true, () => newest.createPaymentAlone(7n)],
    [1, true, () => newest.createChange(actions)],
    [2, false, () => some.open()],
    [2, false, () => some.activate()],
    [10, false, () => some.vote("approve", by)],
    [5, false, () => some.vote("reject", by)],
    [3, false, () => some.vote("cancel", by)],
    [5, false, () => some.executePayment(7n, by)],
    [3, false, () => some.executeChange(actions, by)],
    [3, false, () => some.close()],
    [2, false, () => some.closeChange()],
  ];
  let left = chance(doings.reduce((sum, [weight]) => sum + weight, 0));
  const chosen = doings.find(([weight]) => {
    left -= weight;
    return left < 0;
  });
  if (chosen === undefined) throw new Error("nothing chosen");
  const [, creates, doing] = chosen;
  const done = await doing().then(
    () => true,
    () => false,
  );
  return done && creates;
}
