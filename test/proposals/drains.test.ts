import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import {
  compileWrappedMessage,
  createProposalInstruction,
  createSettingsTransactionInstruction,
  createTransactionInstruction,
  decodeProposal,
  decodeTransaction,
  deriveProposalAddress,
  deriveTransactionAddress,
  executeTransactionInstruction,
  type SettingsActionArgs,
  voteInstruction,
} from "@trellis/program-client";
import { addressBytes, findProgramDerivedAddress } from "@trellis/program-client/program-address.js";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { parseWireTransaction } from "@trellis/solana/wire-transaction.js";
import { describe, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";
import { sendElsewhere } from "./other-client.js";
import { dataOf, may, newKey, type Opened, only, type Prepared, pays, proposalsOf, refusalOf } from "./support.js";

const trellis = useTestService({ TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000" });
const at = proposalsOf(trellis);
const sol = 1_000_000_000n;

describe("a stored message that names the fee payer", () => {
  it("is neither executed nor treated as harmless, whichever client stored it", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const message = compileWrappedMessage(account.address, [fromFeePayer(account.address)]);
    const proposal = await approveElsewhere(account, a, (common) =>
      createTransactionInstruction({ ...common, message }),
    );
    const before = await trellis.lamportsOf(trellis.feePayer);
    expect(refusalOf(await at.execute(account, proposal, a))).toEqual([400, "forbidden_account"]);
    expect(refusalOf(await at.voteAndExecute(account, proposal, [a]))).toEqual([400, "forbidden_account"]);
    const view = await at.get(account, proposal);
    expect(view.balanceChanges).toBeUndefined();
    expect(view.warnings.map(({ code }) => code)).toContain("simulation_failed");

    const own = executeTransactionInstruction({
      settings: account.settings,
      transactionIndex: 1n,
      signer: addressOfKey(a),
      message,
    });
    const payer = newKey();
    await trellis.network.sandbox?.airdrop(addressOfKey(payer), sol);
    const submitted = await at.submit(account, await trellis.compose(addressOfKey(payer), [own]), [payer, a]);
    expect(refusalOf(submitted)).toEqual([400, "transaction_not_prepared"]);
    expect(await trellis.lamportsOf(trellis.feePayer)).toBe(before);
  });

  it("is found behind a lookup table", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const table = await createLookupTable(a, [trellis.feePayer, makeKey().address]);
    const pay = getTransferSolInstruction({
      source: createNoopSigner(account.address),
      destination: trellis.feePayer,
      amount: 1_000_000n,
    });
    const message = compileWrappedMessage(account.address, [pay], { [table]: [trellis.feePayer] });
    expect(message.addressTableLookups).toHaveLength(1);
    const proposal = await approveElsewhere(account, a, (common) =>
      createTransactionInstruction({ ...common, message }),
    );
    expect(refusalOf(await at.execute(account, proposal, a))).toEqual([400, "forbidden_account"]);
  });

  it("is not stored through the service, and a change that makes it a signer is not executed", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const transaction = await trellis.compose(account.address, [fromFeePayer(account.address)]);
    const custom = { signer: addressOfKey(a), type: "custom", transaction };
    expect(refusalOf(await at.create(account, custom))).toEqual([400, "forbidden_account"]);
    const actions: SettingsActionArgs[] = [
      { __kind: "AddSigner", newSigner: { key: trellis.feePayer, permissions: 7 } },
    ];
    const proposal = await approveElsewhere(account, a, (common) =>
      createSettingsTransactionInstruction({ ...common, actions }),
    );
    expect(refusalOf(await at.execute(account, proposal, a))).toEqual([400, "forbidden_account"]);
  });
});

describe("lookup tables of a caller's transaction", () => {
  it("stay in what is stored where that is shorter, are resolved for the summary, and carry the execution", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, 10n * sol);
    // More than an execution could name without the table.
    const payees = Array.from({ length: 24 }, () => makeKey().address);
    const table = await createLookupTable(a, payees);
    const { value: lifetime } = await trellis.network.rpc.getLatestBlockhash().send();
    const transaction = getBase64EncodedWireTransaction(
      compileTransaction(
        pipe(
          createTransactionMessage({ version: 0 }),
          (m) => setTransactionMessageFeePayer(account.address, m),
          (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
          (m) =>
            appendTransactionMessageInstructions(
              payees.map((destination) =>
                getTransferSolInstruction({
                  source: createNoopSigner(account.address),
                  destination,
                  amount: 5_000_000n,
                }),
              ),
              m,
            ),
          (m) => compressTransactionMessageUsingAddressLookupTables(m, { [table]: payees }),
        ),
      ),
    );
    const made = await at.propose(account, a, { type: "custom", transaction, approve: true });
    const [created] = made.summary as { effects: { to: string }[] }[];
    expect(created?.effects.map(({ to }) => to)).toEqual(payees);
    const stored = await trellis.network.rpc
      .getAccountInfo(deriveTransactionAddress(account.settings, 1n), { encoding: "base64" })
      .send();
    const bytes = getBase64Encoder().encode(stored.value?.data[0] ?? "") as Uint8Array;
    expect(decodeTransaction(bytes).message.addressTableLookups).toMatchObject([{ accountKey: table }]);
    const run = await at.run(account, made.proposalAddress, a);
    expect(parseWireTransaction(only(run)).message).toMatchObject({
      addressTableLookups: [{ lookupTableAddress: table }],
    });
    for (const payee of payees) expect(await trellis.lamportsOf(payee)).toBe(5_000_000n);
    const view = await at.get(account, made.proposalAddress);
    expect(view.summary.map((effect) => (effect as { to: string }).to)).toEqual(payees);
  });
});

describe("a time lock", () => {
  it("that was set after an execution was prepared holds at its submission", async () => {
    const a = newKey();
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const payee = makeKey().address;
    const { proposalAddress } = await at.propose(account, a, { ...pays(payee, 5_000_000n), approve: true });
    const prepared = dataOf<Prepared>(await at.execute(account, proposalAddress, a));
    const change = dataOf<Prepared>(await at.request("PATCH", account, "", { time_lock: 3600 }));
    dataOf(await at.submit(account, change.transaction, [a]));
    const late = await at.submit(account, only(prepared), [a]);
    expect(refusalOf(late)).toEqual([409, "time_lock_not_released"]);
    expect(await trellis.lamportsOf(payee)).toBe(0n);
  });
});

describe("the growth of a proposal that is cancelled", () => {
  /** An approved proposal of an account that has two more signers by now. */
  async function outgrown(): Promise<{ account: Opened; keys: SignerKey[]; proposal: string }> {
    const keys = [newKey(), newKey(), newKey()];
    const [a = newKey(), b = newKey(), c = newKey()] = keys;
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const made = await at.propose(account, a, { ...pays(makeKey().address, 5_000_000n), approve: true });
    const patch = { signers: [may(a), may(b), may(c)], threshold: 2 };
    const change = dataOf<Prepared>(await at.request("PATCH", account, "", patch));
    dataOf(await at.submit(account, change.transaction, [a]));
    return { account, keys, proposal: made.proposalAddress };
  }

  it("is paid to the lamport by the fee payer, into the proposal", async () => {
    const { account, keys, proposal } = await outgrown();
    const [a = newKey(), b = newKey()] = keys;
    const prepared = dataOf<Prepared>(await at.vote(account, proposal, "cancel", [a, b]));
    const rent = await trellis.network.rpc.getMinimumBalanceForRentExemption(102n + 96n * 3n).send();
    const missing = rent - (await trellis.lamportsOf(proposal));
    expect(prepared.summary[0]).toMatchObject({
      type: "transfer",
      from: trellis.feePayer,
      to: proposal,
      amount: missing.toString(),
    });
    expect(prepared.fee.rent_lamports).toBe(missing.toString());
    dataOf(await at.submit(account, prepared.transaction, [a, b]));
    expect(await trellis.lamportsOf(addressOfKey(a))).toBe(0n);
    expect(await trellis.lamportsOf(proposal)).toBe(rent);
    expect((await at.get(account, proposal)).status).toBe("Cancelled");
  });

  it("stays in the proposal, whose rent returns to the fee payer, where others pay it at the same time", async () => {
    const { account, keys, proposal } = await outgrown();
    const [a = newKey(), b = newKey()] = keys;
    const votes = [];
    for (const key of [a, b]) votes.push(dataOf<Prepared>(await at.vote(account, proposal, "cancel", [key])));
    const amounts = votes.map(({ fee }) => BigInt(fee.rent_lamports));
    const [grown = 0n, surplus] = amounts;
    expect([grown > 0n, surplus]).toEqual([true, grown]);
    const before = await trellis.lamportsOf(proposal);
    for (const [i, key] of [a, b].entries()) dataOf(await at.submit(account, votes[i]?.transaction ?? "", [key]));
    expect((await trellis.lamportsOf(proposal)) - before).toBe(2n * grown);
    for (const key of [a, b]) expect(await trellis.lamportsOf(addressOfKey(key))).toBe(0n);
    const { status, rentCollector } = await proposalOnChain(proposal);
    expect([status, rentCollector]).toEqual(["cancelled", trellis.feePayer]);
  });

  it("is not paid where the rent would be returned to another address", async () => {
    const [a, b] = [newKey(), newKey()];
    const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
    const transfer = getTransferSolInstruction({
      source: createNoopSigner(account.address),
      destination: makeKey().address,
      amount: 5_000_000n,
    });
    const proposal = await approveElsewhere(account, a, (common) =>
      createTransactionInstruction({ ...common, message: compileWrappedMessage(account.address, [transfer]) }),
    );
    const change = dataOf<Prepared>(await at.request("PATCH", account, "", { signers: [may(a), may(b)] }));
    dataOf(await at.submit(account, change.transaction, [a]));
    expect(refusalOf(await at.vote(account, proposal, "cancel", [b]))).toEqual([400, "insufficient_balance"]);
    await trellis.network.sandbox?.airdrop(addressOfKey(b), sol);
    const prepared = await at.cast(account, proposal, "cancel", [b]);
    expect(prepared.summary.map(({ type }) => type)).toEqual(["vote"]);
  });
});

async function proposalOnChain(proposal: string) {
  const { value } = await trellis.network.rpc.getAccountInfo(proposal as Address, { encoding: "base64" }).send();
  return decodeProposal(Buffer.from(value?.data[0] ?? "", "base64"));
}

/** Stores, opens and approves something under index 1, as another client would. */
async function approveElsewhere(
  account: Opened,
  key: SignerKey,
  store: (common: { settings: Address; transactionIndex: bigint; creator: Address; rentPayer: Address }) => Instruction,
): Promise<Address> {
  const { settings } = account;
  const common = { settings, transactionIndex: 1n, creator: addressOfKey(key) };
  await sendElsewhere(trellis, [key], (rentPayer) => [
    store({ ...common, rentPayer }),
    createProposalInstruction({ ...common, rentPayer }),
    voteInstruction({ ...common, action: "approve", signer: common.creator }),
  ]);
  return deriveProposalAddress(settings, 1n);
}

const fromFeePayer = (to: Address) =>
  getTransferSolInstruction({
    source: createNoopSigner(trellis.feePayer),
    destination: to,
    amount: sol,
  });

/** A lookup table with these entries, made by a key of one's own. */
async function createLookupTable(key: SignerKey, entries: readonly Address[]): Promise<Address> {
  const programAddress = "AddressLookupTab1e1111111111111111111111111" as Address;
  const { rpc, sandbox } = trellis.network;
  await sandbox?.advanceClock(10);
  const slot = (await rpc.getSlot().send()) - 5n;
  const recent = new Uint8Array(8);
  new DataView(recent.buffer).setBigUint64(0, slot, true);
  const authority = addressOfKey(key);
  const { address: table, bump } = findProgramDerivedAddress(programAddress, [addressBytes(authority), recent]);
  const extend = new Uint8Array(12 + 32 * entries.length);
  extend[0] = 2;
  new DataView(extend.buffer).setBigUint64(4, BigInt(entries.length), true);
  entries.forEach((entry, i) => {
    extend.set(addressBytes(entry), 12 + 32 * i);
  });
  await sendElsewhere(trellis, [key], (payer) => {
    const accounts = [
      { address: table, role: AccountRole.WRITABLE },
      { address: authority, role: AccountRole.READONLY_SIGNER },
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
    ];
    return [
      { programAddress, accounts, data: Uint8Array.of(0, 0, 0, 0, ...recent, bump) },
      { programAddress, accounts, data: extend },
    ];
  });
  await sandbox?.advanceClock(10);
  return table;
}
