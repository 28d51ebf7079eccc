import { createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { limits } from "@trellis/kernel/limits.js";
import type { ProposalTable } from "@trellis/kernel/ports/database.js";
import { deriveProposalAddress, deriveTransactionAddress, voteInstruction } from "@trellis/program-client";
import { decodeContent } from "@trellis/program-client/proposal-content.js";
import { addressOfKey } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { createProposalFollower } from "../../src/proposals/follow-proposals.js";
import {
  countOpenProposals,
  findProposalByAddress,
  listProposals,
  type ProposalRow,
  type WireRow,
} from "../../src/proposals/proposal-store.js";
import { readVotes } from "../../src/proposals/proposal-votes.js";
import { saveProposals } from "../../src/proposals/proposal-write-store.js";
import { rebuildProposals } from "../../src/proposals/rebuild-proposals.js";
import { refreshAccountProposals, refreshProposal } from "../../src/proposals/refresh-proposals.js";
import { useTestNetwork } from "../support/scene.js";
import { breakConnection } from "../support/test-network.js";
import {
  type ChainAccountUnderTest,
  type ChainClient,
  callsOn,
  mention,
  openAccount,
  openChainClient,
  paymentOf,
} from "./index-chain-client.js";
import { byBytes } from "./support.js";

let client: ChainClient;
const test = useTestNetwork();
beforeAll(async () => {
  client = await openChainClient(test);
});

describe("a proposal that another client made straight on the chain", () => {
  it("is listed within one tick, with its content, its creator and who paid", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    await follow();
    expect(await list(account)).toEqual([]);
    await callsOn(account, client, 1n).createPayment(1_000_000n);
    await follow();
    const [row, ...others] = await list(account);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      proposal_address: deriveProposalAddress(account.settings, 1n),
      status: "Active",
      chain_status: "active",
      kind: "transaction",
      creator: member(account, 0),
      opened_at: Number(nowSeconds()),
    });
    const whole = await rowOf(account, 1n);
    expect(whole).toMatchObject({
      proposal_rent_collector: client.payerAddress,
      transaction_rent_collector: client.payerAddress,
      uses_durable_nonce: false,
      stale_transaction_index: 0n,
    });
    expect(decodeContent(whole)).toEqual({
      kind: "transaction",
      accountIndex: 0,
      ephemeralSignerCount: 0,
      message: paymentOf(account, 1_000_000n),
    });
  });

  it("is followed through votes, changes of mind and execution, with the time of each vote", async () => {
    const account = await openAccount(test, { members: 3, threshold: 2 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(2_000_000n);
    await follow();
    test.needs.realClock.advance(60_000);
    const rejectedAt = nowSeconds();
    const rejection = await calls.vote("reject", 1);
    await follow();
    expect(await rowOf(account, 1n)).toMatchObject({
      status: "Active",
      rejected: JSON.stringify([member(account, 1)]),
      last_modified_signature: rejection,
      last_modified_at: rejectedAt,
    });
    test.needs.realClock.advance(60_000);
    const approvedAt = nowSeconds();
    const approval = await calls.vote("approve", 1);
    await calls.vote("approve", 2);
    await follow();
    const row = await rowOf(account, 1n);
    expect(row).toMatchObject({ status: "Approved", rejected: "[]", status_timestamp: approvedAt });
    expect(readVotes(row)).toMatchObject([
      { signer: member(account, 1), action: "reject", at: Number(rejectedAt), signature: rejection },
      { signer: member(account, 1), action: "approve", at: Number(approvedAt), signature: approval },
      { signer: member(account, 2), action: "approve" },
    ]);
    const execution = await calls.executePayment(2_000_000n);
    await follow();
    expect(await rowOf(account, 1n)).toMatchObject({
      status: "Executed",
      chain_status: "executed",
      last_modified_signature: execution,
    });
    await expectSameAfterRebuild(account);
  });

  it("is found by its votes even where a change of mind and back left nothing to see", async () => {
    const account = await openAccount(test, { members: 3, threshold: 2 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1n);
    await calls.vote("approve", 1);
    await follow();
    test.needs.realClock.advance(3_600_000);
    await calls.vote("reject", 1);
    const again = await calls.vote("approve", 1);
    // Every open proposal's transactions are read in turn.
    for (let tick = 0; tick < 12; tick += 1) {
      test.needs.realClock.advance(5_000);
      await follow();
    }
    expect(readVotes(await rowOf(account, 1n)).at(-1)).toMatchObject({ action: "approve", signature: again });
    await expectSameAfterRebuild(account);
  });

  it("becomes stale by a change of settings, and its kind and changes are reported", async () => {
    const account = await openAccount(test, { members: 2, threshold: 1 });
    await callsOn(account, client, 1n).createPayment(1n);
    const actions = [{ __kind: "ChangeThreshold", newThreshold: 2 }] as const;
    const change = callsOn(account, client, 2n);
    await change.createChange(actions);
    await follow();
    expect(await countOpenProposals(test.needs.db, "sandbox", account.settings, client.payerAddress)).toBe(2);
    await change.vote("approve", 0);
    await change.executeChange(actions);
    await follow();
    const rows = await list(account);
    expect(rows).toMatchObject([
      { transaction_index: 2, kind: "settings", status: "Executed" },
      { transaction_index: 1, kind: "transaction", status: "Active" },
    ]);
    const changed = await rowOf(account, 2n);
    expect(changed.stale_transaction_index).toBe(2n);
    expect(decodeContent(changed)).toEqual({ kind: "settings", unread: null, actions });
    expect(await countOpenProposals(test.needs.db, "sandbox", account.settings, client.payerAddress)).toBe(0);
    await expectSameAfterRebuild(account);
  });

  it("may begin as a draft, which says nothing when it is opened", async () => {
    const account = await openAccount(test, { members: 2, threshold: 1 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1n, { draft: true });
    await follow();
    expect(await rowOf(account, 1n)).toMatchObject({ status: "Active", chain_status: "draft" });
    test.needs.realClock.advance(10_000);
    const activation = await calls.activate();
    await follow();
    expect(await rowOf(account, 1n)).toMatchObject({
      chain_status: "active",
      status_timestamp: nowSeconds(),
      last_modified_signature: activation,
    });
    await expectSameAfterRebuild(account);
  });

  it("is not listed while its vote is not open", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    const calls = callsOn(account, client, 1n);
    await calls.createPaymentAlone(1n);
    await follow();
    expect(await list(account)).toEqual([]);
    expect(await rowOf(account, 1n)).toMatchObject({ status: null, kind: "transaction", creator: member(account, 0) });
    await calls.open();
    await follow();
    expect(await list(account)).toMatchObject([{ status: "Active", transaction_index: 1 }]);
    await expectSameAfterRebuild(account);
  });
});

describe("a closed proposal", () => {
  it("keeps outcome, votes and content when another client closed it", async () => {
    const account = await openAccount(test, { members: 3, threshold: 2 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(5n);
    await calls.vote("reject", 1);
    await calls.vote("reject", 2);
    await follow();
    const rent = await rentOf(account, 1n);
    const before = await rowOf(account, 1n);
    expect(before).toMatchObject({ status: "Rejected", chain_status: "rejected", reclaimed_lamports: null });
    const closing = await calls.close();
    await follow();
    const after = await rowOf(account, 1n);
    expect(after).toMatchObject({
      status: "Rejected",
      chain_status: "closed",
      reclaimed_lamports: rent,
      last_modified_signature: closing,
      votes: before.votes,
      rejected: before.rejected,
      status_timestamp: before.status_timestamp,
    });
    expect(decodeContent(after)).toEqual(decodeContent(before));
    await expectSameAfterRebuild(account);
  });

  it("is reported whole where the service was away over its whole life", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    const calls = callsOn(account, client, 1n);
    const openedAt = nowSeconds();
    await calls.createPayment(3_000_000n);
    test.needs.realClock.advance(30_000);
    const votedAt = nowSeconds();
    await calls.vote("approve", 0);
    await calls.vote("approve", 1);
    test.needs.realClock.advance(30_000);
    const executedAt = nowSeconds();
    await calls.executePayment(3_000_000n);
    const rent = await rentOf(account, 1n);
    await calls.close();
    await follow();
    const row = await rowOf(account, 1n);
    expect(row).toMatchObject({
      status: "Executed",
      chain_status: "closed",
      kind: "transaction",
      creator: member(account, 0),
      opened_at: openedAt,
      status_timestamp: executedAt,
      reclaimed_lamports: rent,
      approved: JSON.stringify([member(account, 0), member(account, 1)].sort(byBytes)),
    });
    expect(readVotes(row).map(({ signer, at }) => [signer, at])).toEqual([
      [member(account, 0), Number(votedAt)],
      [member(account, 1), Number(votedAt)],
    ]);
    expect(decodeContent(row)).toMatchObject({ message: paymentOf(account, 3_000_000n) });
    await expectSameAfterRebuild(account);
  });

  it("is reported whole also where only its transaction had been seen", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, client, 1n);
    await calls.createPaymentAlone(1_000_000n);
    await follow();
    await calls.open();
    await calls.vote("approve", 0);
    await calls.executePayment(1_000_000n);
    await calls.close();
    const actions = [{ __kind: "SetTimeLock", newTimeLock: 5 }] as const;
    const change = callsOn(account, client, 2n);
    await change.createChange(actions);
    await change.vote("approve", 0);
    await change.executeChange(actions);
    await follow();
    expect(await rowOf(account, 1n)).toMatchObject({ status: "Executed", chain_status: "closed", kind: "transaction" });
    await expectSameAfterRebuild(account);
  });

  it("that was stale when it was closed counts as cancelled", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    await callsOn(account, client, 1n).createPayment(1n);
    const actions = [{ __kind: "SetTimeLock", newTimeLock: 5 }] as const;
    const change = callsOn(account, client, 2n);
    await change.createChange(actions);
    await change.vote("approve", 0);
    await change.executeChange(actions);
    await change.closeChange();
    await callsOn(account, client, 1n).close();
    await follow();
    expect(await list(account)).toMatchObject([
      { transaction_index: 2, status: "Executed", chain_status: "closed", kind: "settings" },
      { transaction_index: 1, status: "Cancelled", chain_status: "closed" },
    ]);
    await expectSameAfterRebuild(account);
  });

  it("stays closed when a vote on it is opened again: that has no effect", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1_000_000n);
    await calls.vote("approve", 0);
    await calls.executePayment(1_000_000n);
    await calls.close();
    await follow();
    const closed = await rowOf(account, 1n);
    expect(closed).toMatchObject({ status: "Executed", chain_status: "closed" });
    test.needs.realClock.advance(10_000);
    await calls.open();
    await calls.vote("approve", 0);
    await follow();
    await refreshProposal(test.needs, test.network, account.settings, 1n);
    expect(await rowOf(account, 1n)).toMatchObject({ status: "Executed", chain_status: "closed", votes: closed.votes });
    await expectSameAfterRebuild(account);
  });

  it("does not count as open where the service reads it only after a vote was opened on it again", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1_000_000n);
    await follow();
    expect(await rowOf(account, 1n)).toMatchObject({ chain_status: "active" });
    await calls.vote("approve", 0);
    await calls.executePayment(1_000_000n);
    await calls.close();
    await calls.open();
    await follow();
    expect(await rowOf(account, 1n)).toMatchObject({ status: "Executed", chain_status: "closed" });
    await expectSameAfterRebuild(account);
  });
});

describe("what strangers do", () => {
  it("changes nothing: lamports sent to the addresses, and other accounts' votes beside them", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1n);
    await follow();
    const before = await dump(account);
    const proposal = deriveProposalAddress(account.settings, 1n);
    await mention(client, [proposal, deriveTransactionAddress(account.settings, 1n)]);
    await mention(client, [deriveProposalAddress(account.settings, 2n)]);
    const other = await openAccount(test, { members: 1, threshold: 1 });
    await callsOn(other, client, 1n).createPayment(1n);
    await client.send(
      [
        voteInstruction({ action: "reject", settings: other.settings, transactionIndex: 1n, signer: member(other, 0) }),
        getTransferSolInstruction({
          source: createNoopSigner(client.payerAddress),
          destination: proposal,
          amount: 1n,
        }),
      ],
      other.members,
    );
    await follow();
    expect(await dump(account)).toEqual(before);
    expect(await rowOf(other, 1n)).toMatchObject({ status: "Rejected" });
    await calls.vote("reject", 0);
    await follow();
    expect(readVotes(await rowOf(account, 1n))).toHaveLength(1);
    await expectSameAfterRebuild(account);
  });

  it("does not bring a closed proposal back when they send lamports to its address", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1n);
    await calls.vote("reject", 0);
    await calls.close();
    await mention(client, [
      deriveProposalAddress(account.settings, 1n),
      deriveTransactionAddress(account.settings, 1n),
    ]);
    await follow();
    expect(await list(account)).toMatchObject([{ status: "Rejected", chain_status: "closed", kind: "transaction" }]);
    await expectSameAfterRebuild(account);
  });
});

describe("following", () => {
  it("never lets an older reading replace a newer one", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1n);
    await follow();
    const { stale_transaction_index: _, close_tried_at: __, ...older } = await rowOf(account, 1n);
    test.needs.realClock.advance(10_000);
    await calls.vote("approve", 0);
    await follow();
    await saveProposals(test.needs.db, [older]);
    expect(await rowOf(account, 1n)).toMatchObject({ status: "Approved" });
  });

  it("asks little where nothing changes, and leaves rows alone", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    await callsOn(account, client, 1n).createPayment(1n);
    for (let tick = 0; tick < 3; tick += 1) await follow();
    const before = await rowOf(account, 1n);
    const asked: string[] = [];
    const watched = breakConnection(test.network, (method) => {
      asked.push(method);
      return false;
    });
    test.needs.realClock.advance(limits.refreshesApartLeastMs);
    await createProposalFollower(test.needs).tick(watched);
    expect(asked).toContain("getMultipleAccounts");
    expect(asked).not.toContain("getTransaction");
    expect(asked.filter((method) => method === "getMultipleAccounts").length).toBeLessThanOrEqual(2);
    expect(await rowOf(account, 1n)).toEqual(before);
  });

  it("catches up after the chain did not answer", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1n);
    await calls.vote("approve", 0);
    await createProposalFollower(test.needs).tick(
      breakConnection(test.network, (method) => method === "getTransaction"),
    );
    expect(test.logLines.at(-1)?.level).toBe("warn");
    expect(await list(account)).toEqual([]);
    test.needs.realClock.advance(limits.refreshesApartLeastMs);
    await follow();
    expect(await list(account)).toMatchObject([{ status: "Approved" }]);
  });

  it("may be done by two at once", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    for (const index of [1n, 2n, 3n]) await callsOn(account, client, index).createPayment(index);
    await Promise.all([follow(), follow(), refreshAccountProposals(test.needs, test.network, account.settings)]);
    expect((await list(account)).map(({ transaction_index }) => transaction_index)).toEqual([3, 2, 1]);
    await expectSameAfterRebuild(account);
  });

  it("reads one proposal from the chain when it is asked for, indexed or not", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const calls = callsOn(account, client, 1n);
    await calls.createPayment(1n);
    const fresh = await refreshProposal(test.needs, test.network, account.settings, 1n);
    expect(fresh).toMatchObject({ status: "Active", transaction_index: 1n });
    await calls.vote("approve", 0);
    expect(await refreshProposal(test.needs, test.network, account.settings, 1n)).toMatchObject({ status: "Approved" });
    await expect(refreshProposal(test.needs, test.network, account.settings, 2n)).rejects.toMatchObject({
      code: "proposal_not_found",
    });
  });
});

describe("lists", () => {
  it("are pages of the newest first, of one status, of several, or of all", async () => {
    const account = await openAccount(test, { members: 2, threshold: 2 });
    for (let index = 1n; index <= 6n; index += 1n) {
      const calls = callsOn(account, client, index);
      await calls.createPayment(index);
      if (index % 2n === 0n) await calls.vote("reject", 0);
      if (index === 5n) {
        await calls.vote("approve", 0);
        await calls.vote("approve", 1);
      }
    }
    await follow();
    const indexes = async (more: Parameters<typeof list>[1]) =>
      (await list(account, more)).map(({ transaction_index }) => transaction_index);
    expect(await indexes({})).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await indexes({ limit: 2 })).toEqual([6, 5]);
    expect(await indexes({ before: 5n, limit: 2 })).toEqual([4, 3]);
    expect(await indexes({ statuses: ["Rejected"] })).toEqual([6, 4, 2]);
    expect(await indexes({ statuses: ["Rejected", "Approved"], limit: 3 })).toEqual([6, 5, 4]);
    expect(await indexes({ statuses: ["Active", "Approved"], before: 4n })).toEqual([3, 1]);
    expect(await indexes({ statuses: ["Cancelled"] })).toEqual([]);
    expect(await indexes({ limit: 0 })).toEqual([]);
  });
});

async function rentOf(account: ChainAccountUnderTest, index: bigint): Promise<bigint> {
  const { value } = await test.network.rpc
    .getMultipleAccounts(
      [deriveProposalAddress(account.settings, index), deriveTransactionAddress(account.settings, index)],
      { encoding: "base64" },
    )
    .send();
  return value.reduce((sum, found) => sum + (found?.lamports ?? 0n), 0n);
}

const follow = () => createProposalFollower(test.needs).tick(test.network);

const nowSeconds = () => BigInt(Math.floor(test.network.clock.now() / 1000));

async function rowOf(account: ChainAccountUnderTest, index: bigint): Promise<ProposalRow> {
  const proposal = deriveProposalAddress(account.settings, index);
  const row = await findProposalByAddress(test.needs.db, test.network.name, proposal);
  if (row === undefined) throw new Error(`no row of ${index}`);
  return row;
}

async function list(
  account: ChainAccountUnderTest,
  more: { statuses?: NonNullable<ProposalTable["status"]>[]; before?: bigint; limit?: number } = {},
): Promise<readonly WireRow[]> {
  const page = await listProposals(test.needs.db, {
    environment: "sandbox",
    tenantId: test.caller.tenantId,
    accountAddress: account.address,
    statuses: more.statuses ?? [],
    limit: more.limit ?? 50,
    ...(more.before === undefined ? {} : { before: more.before }),
  });
  if (page === undefined) throw new Error("the account is not known");
  return page.rows;
}

/** All columns but those that say how the index got the row. */
async function dump(account: ChainAccountUnderTest) {
  const rows = await test.needs.db
    .selectFrom("proposal")
    .selectAll()
    .where("settings_address", "=", account.settings)
    .orderBy("transaction_index")
    .execute();
  return rows.map(({ read_slot: _, seen_signature: __, close_tried_at: ___, content, ...row }) => ({
    ...row,
    content: content && Buffer.from(content).toString("hex"),
  }));
}

/** What a rebuild makes of it is what following made of it. */
async function expectSameAfterRebuild(account: ChainAccountUnderTest): Promise<void> {
  const before = await dump(account);
  await rebuildProposals(test.needs, test.network);
  expect(await dump(account)).toEqual(before);
}

const member = (account: ChainAccountUnderTest, index: number) =>
  addressOfKey(account.members[index] ?? new Uint8Array());
