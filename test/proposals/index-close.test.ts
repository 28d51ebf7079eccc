import { limits } from "@trellis/kernel/limits.js";
import {
  addTransactionToBatchInstruction,
  createBatchInstruction,
  createProposalInstruction,
  deriveBatchTransactionAddress,
  deriveProposalAddress,
  deriveTransactionAddress,
} from "@trellis/program-client";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { closeEndedProposals } from "../../src/proposals/close-proposals.js";
import { createProposalFollower } from "../../src/proposals/follow-proposals.js";
import { findProposalByAddress, type ProposalRow } from "../../src/proposals/proposal-store.js";
import { rebuildProposals } from "../../src/proposals/rebuild-proposals.js";
import { recoverSubmissions } from "../../src/submissions/recover-submissions.js";
import { useTestNetwork } from "../support/scene.js";
import { breakConnection } from "../support/test-network.js";
import {
  type ChainAccountUnderTest,
  type ChainClient,
  callsOn,
  openAccount,
  openChainClient,
  openServiceClient,
  paymentOf,
} from "./index-chain-client.js";

let service: ChainClient;
const test = useTestNetwork({ each: true });
beforeEach(async () => {
  service = openServiceClient(test);
});

describe("closing ended proposals", () => {
  it("reclaims exactly what the service paid, several at a time, after an hour and not before", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const actions = [
      {
        __kind: "AddSpendingLimit",
        seed: account.address,
        accountIndex: 0,
        mint: account.address,
        amount: 1n,
        period: 1,
        signers: [account.address],
        destinations: [],
        expiration: 2n ** 62n,
      },
    ] as const;
    await rejected(account, service, 1n);
    const change = callsOn(account, service, 2n);
    await change.createChange([{ ...actions[0], signers: [...actions[0].signers], destinations: [] }]);
    await change.vote("reject", 0);
    await callsOn(account, service, 3n).createPayment(3n);
    await follow();
    await close();
    expect(await closings()).toEqual([]);

    test.needs.realClock.advance(limits.proposalClosingDelayMs);
    const rents = [await rentOf(account, 1n), await rentOf(account, 2n)];
    const before = await lamportsOf(test.network.feePayer.address);
    await close();
    const [closing, ...others] = await closings();
    expect(others).toEqual([]);
    expect(closing).toMatchObject({ state: "landed", tenant_id: null, reserved_lamports: 0n });
    const reclaimed = rents.reduce((sum, rent) => sum + rent, 0n);
    expect(await lamportsOf(test.network.feePayer.address)).toBe(before + reclaimed - 5_000n);
    expect(await rowOf(account, 1n)).toMatchObject({
      status: "Rejected",
      chain_status: "closed",
      reclaimed_lamports: rents[0],
    });
    expect(await rowOf(account, 2n)).toMatchObject({
      status: "Rejected",
      chain_status: "closed",
      reclaimed_lamports: rents[1],
    });
    expect(await rowOf(account, 3n)).toMatchObject({ status: "Active", chain_status: "active" });
    const rows = () =>
      test.needs.db
        .selectFrom("proposal")
        .select(["transaction_index", "status", "reclaimed_lamports", "votes"])
        .orderBy("transaction_index")
        .execute();
    const kept = await rows();
    await rebuildProposals(test.needs, test.network);
    expect(await rows()).toEqual(kept);
  });

  it("closes a batch with all that is in it, and says what that brought", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    const size = 14;
    const { settings } = account;
    const [key] = account.members as [SignerKey];
    const [creator, rentPayer] = [addressOfKey(key), service.payerAddress];
    const place = { settings, batchIndex: 1n };
    const add = (number: number) =>
      addTransactionToBatchInstruction({
        ...place,
        number,
        signer: creator,
        rentPayer,
        message: paymentOf(account, 5n),
      });
    await service.send(
      [
        createBatchInstruction({ ...place, creator, rentPayer }),
        createProposalInstruction({ settings, transactionIndex: 1n, creator, rentPayer, draft: true }),
      ],
      [key],
    );
    for (let first = 1; first <= size; first += 2) await service.send([add(first), add(first + 1)], [key]);
    await callsOn(account, service, 1n).activate();
    await callsOn(account, service, 1n).vote("reject", 0);
    await follow();
    expect(await rowOf(account, 1n)).toMatchObject({ kind: "batch", batch_size: size, batch_executed: 0 });

    test.needs.realClock.advance(limits.proposalClosingDelayMs);
    const numbers = Array.from({ length: size }, (_, i) => deriveBatchTransactionAddress(settings, 1n, i + 1));
    const rent = (await rentOf(account, 1n)) + (await lamportsOf(...numbers));
    const before = await lamportsOf(test.network.feePayer.address);
    await close();
    expect((await closings()).map(({ state }) => state)).toEqual(["landed", "landed"]);
    expect(await lamportsOf(test.network.feePayer.address)).toBe(before + rent - 10_000n);
    const row = await rowOf(account, 1n);
    expect(row).toMatchObject({
      chain_status: "closed",
      status: "Rejected",
      reclaimed_lamports: rent,
      batch_size: size,
    });
    await rebuildProposals(test.needs, test.network);
    expect(await rowOf(account, 1n)).toMatchObject({
      reclaimed_lamports: rent,
      batch_size: size,
      content: row.content,
    });
  });

  it("takes stale ones once they have been stale for an hour, and approved payments never", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    await callsOn(account, service, 1n).createPayment(1n);
    await callsOn(account, service, 2n).createPayment(2n);
    await callsOn(account, service, 2n).vote("approve", 0);
    await follow();
    test.needs.realClock.advance(limits.proposalClosingDelayMs);
    const actions = [{ __kind: "SetTimeLock", newTimeLock: 1 }] as const;
    const change = callsOn(account, service, 3n);
    await change.createChange(actions);
    await change.vote("approve", 0);
    await change.executeChange(actions);
    await follow();
    await close();
    expect(await closings()).toEqual([]);
    test.needs.realClock.advance(limits.proposalClosingDelayMs);
    await close();
    expect(await rowOf(account, 1n)).toMatchObject({ status: "Cancelled", chain_status: "closed" });
    expect(await rowOf(account, 2n)).toMatchObject({ status: "Approved", chain_status: "approved" });
    expect(await rowOf(account, 3n)).toMatchObject({ status: "Executed", chain_status: "closed" });
  });

  it("leaves alone what another payer paid for", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    await rejected(account, await openChainClient(test), 1n);
    await follow();
    test.needs.realClock.advance(limits.proposalClosingDelayMs);
    await close();
    expect(await closings()).toEqual([]);
    expect(await rowOf(account, 1n)).toMatchObject({ status: "Rejected", chain_status: "rejected" });
  });

  it("closes the others when another client closed one of them meanwhile", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    for (const index of [1n, 2n, 3n]) await rejected(account, service, index);
    await follow();
    test.needs.realClock.advance(limits.proposalClosingDelayMs);
    // A stranger is faster by so little that the last read still finds it open.
    let raced = false;
    const racing = breakConnection(test.network, () => false);
    const rpc = new Proxy(racing.rpc, {
      get: (target, name, receiver) => {
        if (name !== "getLatestBlockhash" || raced) return Reflect.get(target, name, receiver);
        return (...asked: Parameters<typeof target.getLatestBlockhash>) => ({
          send: async () => {
            raced = true;
            await callsOn(account, service, 2n).close();
            return target.getLatestBlockhash(...asked).send();
          },
        });
      },
    });
    await close({ ...test.network, rpc });
    expect(raced).toBe(true);
    for (const index of [1n, 2n, 3n]) {
      expect(await rowOf(account, index)).toMatchObject({ status: "Rejected", chain_status: "closed" });
    }
    expect((await closings()).map(({ state }) => state)).toEqual(["landed", "landed"]);
  });

  it("is done once by two jobs at once", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    for (let index = 1n; index <= 10n; index += 1n) await rejected(account, service, index);
    await follow();
    test.needs.realClock.advance(limits.proposalClosingDelayMs);
    await Promise.all([close(), close()]);
    for (let index = 1n; index <= 10n; index += 1n) {
      expect(await rowOf(account, index)).toMatchObject({ chain_status: "closed" });
    }
    const states = (await closings()).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["landed"]));
  });

  it("is completed by the recovery pass when the process dies between storing and sending", async () => {
    const account = await openAccount(test, { members: 1, threshold: 1 });
    await rejected(account, service, 1n);
    await follow();
    test.needs.realClock.advance(limits.proposalClosingDelayMs);
    await close(breakConnection(test.network, (method) => method === "sendTransaction" || method === "getBlockHeight"));
    expect((await closings()).map(({ state }) => state)).not.toContain("landed");
    await recoverSubmissions(test.needs, test.network, 0);
    await follow();
    expect(await rowOf(account, 1n)).toMatchObject({ status: "Rejected", chain_status: "closed" });
  });
});

const follow = () => createProposalFollower(test.needs).tick(test.network);

const close = (network = test.network) => closeEndedProposals(test.needs, network);

async function rowOf(account: ChainAccountUnderTest, index: bigint): Promise<ProposalRow> {
  const proposal = deriveProposalAddress(account.settings, index);
  const row = await findProposalByAddress(test.needs.db, test.network.name, proposal);
  if (row === undefined) throw new Error(`no row of ${index}`);
  return row;
}

const lamportsOf = async (...addresses: Parameters<typeof deriveProposalAddress>[0][]): Promise<bigint> => {
  const { value } = await test.network.rpc.getMultipleAccounts(addresses, { encoding: "base64" }).send();
  return value.reduce((sum, found) => sum + (found?.lamports ?? 0n), 0n);
};

const rentOf = (account: ChainAccountUnderTest, index: bigint) =>
  lamportsOf(deriveProposalAddress(account.settings, index), deriveTransactionAddress(account.settings, index));

const closings = () =>
  test.needs.db.selectFrom("submission").selectAll().where("purpose", "=", "proposal_close").execute();

async function rejected(account: ChainAccountUnderTest, client: ChainClient, index: bigint): Promise<void> {
  const calls = callsOn(account, client, index);
  await calls.createPayment(index);
  await calls.vote("reject", 0);
}
