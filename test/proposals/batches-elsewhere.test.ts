import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  activateProposalInstruction,
  addTransactionToBatchInstruction,
  closeBatchInstruction,
  closeBatchTransactionInstruction,
  compileWrappedMessage,
  createBatchInstruction,
  createProposalInstruction,
  deriveProposalAddress,
  deriveSmartAccountAddress,
  executeBatchTransactionInstruction,
  voteInstruction,
  type WrappedMessage,
} from "@trellis/program-client";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { createLogger, createPinoLog } from "../../src/adapters/log/pino-log.js";
import { rebuildProposals } from "../../src/proposals/rebuild-proposals.js";
import { useTestService } from "../support/scene.js";
import { sendElsewhere } from "./other-client.js";
import { dataOf, may, newKey, type Opened, only, type Prepared, proposalsOf, refusalOf, type View } from "./support.js";

const [ana, ben] = [newKey(), newKey()];
const payees = [newKey(), newKey(), newKey()].map(addressOfKey);
const trellis = useTestService();
const api = proposalsOf(trellis);
beforeAll(async () => {
  // A payee that holds nothing could not be paid less than rent.
  for (const payee of payees) await trellis.network.sandbox?.airdrop(payee, 1_000_000n);
});

describe("a batch that another client made", () => {
  it("is listed, voted on and executed here, and outlives its closing", async () => {
    const account = await api.open({ signers: [may(ana), may(ben)], threshold: 2 }, 1_000_000_000n);
    const other = elsewhere(account, 1n, ana);
    const messages = payees.map((to, i) => messageOf(account, pay(account, to, BigInt(i + 1))));
    const [first, second, third] = messages as [WrappedMessage, WrappedMessage, WrappedMessage];
    const collector = await other.begin(first);
    const draft = await get(account, other.proposal);
    expect(draft).toMatchObject({ kind: "batch", status: "Active", batch: { size: 1, executed: 0 } });
    expect(draft.summary).toMatchObject([{ type: "transfer", to: payees[0], amount: "1" }]);

    // What is listed is not what would be approved: its creator may add to it until it is open.
    expect(refusalOf(await api.vote(account, other.proposal, "approve", [ben]))).toEqual([
      409,
      "invalid_proposal_status",
    ]);
    expect(refusalOf(await api.voteAndExecute(account, other.proposal, [ana, ben]))).toEqual([
      409,
      "invalid_proposal_status",
    ]);

    const collectors = [collector, await other.add(2, second), await other.add(3, third)];
    await other.activate();
    const open = await get(account, other.proposal);
    expect(open.batch).toMatchObject({ size: 3, executed: 0 });
    expect(open.batch?.transactions?.map(([effect]) => effect)).toMatchObject(
      payees.map((to, i) => ({ type: "transfer", to, amount: String(i + 1) })),
    );
    expect(open.balanceChanges?.[0]).toMatchObject({ address: account.address, change: "-6" });
    await api.cast(account, other.proposal, "approve", [ana, ben]);

    // The first is executed by the other client, the rest here, together.
    await other.execute(1, first);
    expect((await get(account, other.proposal)).batch).toMatchObject({ size: 3, executed: 1 });
    const prepared = await api.run(account, other.proposal, ana);
    expect(prepared.summary).toMatchObject([
      { type: "execute_proposal", batch_transaction: 2, effects: [{ to: payees[1], amount: "2" }] },
      { type: "execute_proposal", batch_transaction: 3, effects: [{ to: payees[2], amount: "3" }] },
    ]);
    const executed = await get(account, other.proposal);
    expect(executed).toMatchObject({ status: "Executed", batch: { size: 3, executed: 3 } });
    expect(await lamportsOf(account.address)).toBe(1_000_000_000n - 6n);

    const kept = await dump(account);
    await rebuild();
    expect(await dump(account)).toEqual(kept);

    for (const number of [3, 2, 1]) await other.close(number, collectors[number - 1] as Address);
    expect((await get(account, other.proposal)).batch).toMatchObject({ size: 3, executed: 3 });
    await other.closeBatch(collector);
    const closed = await get(account, other.proposal);
    expect(closed).toMatchObject({ status: "Executed", closed: true, batch: { size: 3, executed: 3 } });
    expect(closed.summary).toHaveLength(3);
    const followed = await dump(account);
    await rebuild();
    expect(await dump(account)).toEqual(followed);
  });

  it("is executed one by one where they do not succeed together, and halts at one that fails", async () => {
    const account = await api.open({ signers: [may(ana)], threshold: 1 }, 1_000_000_000n);
    const other = elsewhere(account, 1n, ana);
    const [payee] = payees as [Address];
    const good = messageOf(account, pay(account, payee, 5n));
    await other.begin(good);
    await other.add(2, messageOf(account, pay(account, payee, 2_000_000_000n)));
    await other.activate();
    const before = await lamportsOf(account.address);
    const prepared = dataOf<Prepared>(await api.voteAndExecute(account, other.proposal, [ana]));
    expect(prepared.summary).toMatchObject([{ type: "vote" }, { type: "execute_proposal", batch_transaction: 1 }]);
    dataOf(await api.submit(account, only(prepared), [ana]));
    expect(await lamportsOf(account.address)).toBe(before - 5n);
    expect(refusalOf(await api.execute(account, other.proposal, ana))[1]).toBe("transaction_failed");
    expect(await get(account, other.proposal)).toMatchObject({ status: "Approved", batch: { size: 2, executed: 1 } });
    // A signer cancels it.
    await api.cast(account, other.proposal, "cancel", [ana]);
    expect(await get(account, other.proposal)).toMatchObject({ status: "Cancelled", batch: { size: 2, executed: 1 } });
  });

  it("never touches a key of the service, in whichever of its transactions that stands", async () => {
    const account = await api.open({ signers: [may(ana)], threshold: 1 }, 1_000_000_000n);
    const other = elsewhere(account, 1n, ana);
    const [payee] = payees as [Address];
    const { feePayer } = trellis.network;
    const fine = messageOf(account, pay(account, payee, 5n));
    const drain = messageOf(
      account,
      getTransferSolInstruction({ source: createNoopSigner(feePayer.address), destination: payee, amount: 1_000n }),
    );
    await other.begin(fine);
    await other.add(2, drain);
    await other.activate();
    await other.vote(ana);
    expect(refusalOf(await api.execute(account, other.proposal, ana))[1]).toBe("forbidden_account");
  });

  it("acts for the address it was made for", async () => {
    const account = await api.open({ signers: [may(ana)], threshold: 1 }, 1_000_000_000n);
    const second = { ...account, address: deriveSmartAccountAddress(account.settings, 1) };
    const other = elsewhere(account, 1n, ana);
    const message = messageOf(second, pay(second, payees[0] as Address, 5n));
    const { settings } = account;
    const signer = addressOfKey(ana);
    await trellis.network.sandbox?.airdrop(second.address, 1_000_000_000n);
    await sendElsewhere(trellis, [ana], (rentPayer) => [
      createBatchInstruction({ settings, batchIndex: 1n, creator: signer, rentPayer, accountIndex: 1 }),
      createProposalInstruction({ settings, transactionIndex: 1n, creator: signer, rentPayer, draft: true }),
      addTransactionToBatchInstruction({ settings, batchIndex: 1n, number: 1, signer, rentPayer, message }),
    ]);
    await other.activate();
    await other.vote(ana);
    await api.run(account, other.proposal, ana);
    expect(await lamportsOf(second.address)).toBe(1_000_000_000n - 5n);
  });
});

interface WireBatch extends View {
  readonly batch?: { size: number; executed: number; transactions?: Record<string, unknown>[][] };
}

const pay = (account: Opened, to: Address, amount: bigint): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(account.address), destination: to, amount });

const messageOf = (account: Opened, ...instructions: Instruction[]): WrappedMessage =>
  compileWrappedMessage(account.address, instructions);

/** What another client does with one batch. */
function elsewhere(account: Opened, batchIndex: bigint, creator: SignerKey) {
  const { settings } = account;
  const signer = addressOfKey(creator);
  const place = { settings, transactionIndex: batchIndex };
  const send = (keys: readonly SignerKey[], build: (payer: Address) => readonly Instruction[]) =>
    sendElsewhere(trellis, keys, build);
  const add = (payer: Address, number: number, message: WrappedMessage) =>
    addTransactionToBatchInstruction({ settings, batchIndex, number, signer, rentPayer: payer, message });
  return {
    proposal: deriveProposalAddress(settings, batchIndex),
    begin: (message: WrappedMessage) =>
      send([creator], (payer) => [
        createBatchInstruction({ settings, batchIndex, creator: signer, rentPayer: payer }),
        createProposalInstruction({ ...place, creator: signer, rentPayer: payer, draft: true }),
        add(payer, 1, message),
      ]),
    add: (number: number, message: WrappedMessage) => send([creator], (payer) => [add(payer, number, message)]),
    activate: () => send([creator], () => [activateProposalInstruction({ ...place, signer })]),
    vote: (key: SignerKey) =>
      send([key], () => [voteInstruction({ action: "approve", ...place, signer: addressOfKey(key) })]),
    execute: (number: number, message: WrappedMessage) =>
      send([creator], () => [executeBatchTransactionInstruction({ settings, batchIndex, number, signer, message })]),
    close: (number: number, rentCollector: Address) =>
      send([], () => [closeBatchTransactionInstruction({ settings, batchIndex, number, rentCollector })]),
    closeBatch: (collector: Address) =>
      send([], () => [
        closeBatchInstruction({
          settings,
          batchIndex,
          proposalRentCollector: collector,
          batchRentCollector: collector,
        }),
      ]),
  };
}

const get = async (account: Opened, proposal: Address) => (await api.get(account, proposal)) as WireBatch;

const lamportsOf = async (address: Address) =>
  (await trellis.network.rpc.getBalance(address, { commitment: "confirmed" }).send()).value;

async function dump(account: Opened) {
  const rows = await trellis.service.db
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

const rebuild = () => {
  const log = createPinoLog(createLogger("fatal"));
  return rebuildProposals({ db: trellis.service.db, log }, trellis.network);
};
