/** What would leave an account unable to act, or could be voted on and never be executed, and what the service does about it. */
import { AccountRole, type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  closeTransactionInstruction,
  compileWrappedMessage,
  createProposalInstruction,
  createTransactionInstruction,
  deriveProposalAddress,
  executeTransactionInstruction,
  voteInstruction,
  type WrappedMessage,
} from "@trellis/program-client";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";
import { sendElsewhere } from "./other-client.js";
import { dataOf, may, newKey, type Opened, proposalsOf, refusalOf } from "./support.js";

const trellis = useTestService({ TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000" });
const at = proposalsOf(trellis);
const memo = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" as Address;

describe("a call of the program about the account itself", () => {
  it("is wrapped neither for a vote nor to be executed at once", async () => {
    const { account, member } = await openFunded();
    const signer = addressOfKey(member);
    const inner = blocking(account, member, 2n);
    const transaction = await trellis.compose(account.address, [pay(account), inner]);
    const proposed = await at.create(account, { type: "custom", signer, transaction });
    expect(refusalOf(proposed)).toEqual([400, "forbidden_account"]);
    expect(refusalOf(await at.request("POST", account, "/transactions", { transaction }))).toEqual([
      400,
      "forbidden_account",
    ]);
  });

  it("is not stored by what was built elsewhere, and not executed when it is stored; its readers are warned", async () => {
    const { account, member } = await openFunded();
    const message = compileWrappedMessage(account.address, [blocking(account, member, 2n)]);
    const store = [storing(account, member, 1n, message), ...approving(account, member, 1n)];
    expect(refusalOf(await submitOwn(account, member, store))).toEqual([400, "forbidden_account"]);

    await sendElsewhere(trellis, [member], () => store);
    const proposal = deriveProposalAddress(account.settings, 1n);
    expect((await at.get(account, proposal)).warnings.map(({ code }) => code)).toContain("blocks_account");
    expect(refusalOf(await at.execute(account, proposal, member))).toEqual([400, "forbidden_account"]);
    expect(refusalOf(await at.voteAndExecute(account, proposal, [member]))).toEqual([400, "forbidden_account"]);
    const own = executeTransactionInstruction({
      settings: account.settings,
      transactionIndex: 1n,
      signer: addressOfKey(member),
      message,
    });
    expect(refusalOf(await submitOwn(account, member, [own]))).toEqual([400, "forbidden_account"]);

    // Why: with the signatures of members who do not ask the service, it is over with proposals.
    await sendElsewhere(trellis, [member], () => [own]);
    const next = { type: "transfer", currency: "sol", amount: "1", destination: makeKey().address };
    const after = await at.create(account, { ...next, signer: addressOfKey(member) });
    expect(after.status).toBe(400);
  });

  it("about another account is nothing special", async () => {
    const { account, member } = await openFunded();
    const other = await openFunded();
    const inner = blocking(other.account, other.member, 1n);
    const transaction = await trellis.compose(account.address, [{ ...inner, accounts: inner.accounts ?? [] }]);
    const answer = await at.create(account, { type: "custom", signer: addressOfKey(member), transaction });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  });
});

describe("a vote on what was closed", () => {
  it("is not opened here, and one that was opened elsewhere is none", async () => {
    const { account, member } = await openFunded();
    const { settings } = account;
    const signer = addressOfKey(member);
    const instruction = pay(account);
    const message = compileWrappedMessage(account.address, [instruction]);
    await sendElsewhere(trellis, [member], () => [
      storing(account, member, 1n, message),
      ...approving(account, member, 1n),
      executeTransactionInstruction({ settings, transactionIndex: 1n, signer, message }),
      closeTransactionInstruction({
        settings,
        transactionIndex: 1n,
        proposalRentCollector: signer,
        transactionRentCollector: signer,
      }),
    ]);
    const again = approving(account, member, 1n);
    expect(refusalOf(await submitOwn(account, member, again))).toEqual([400, "invalid_transaction"]);
    await sendElsewhere(trellis, [member], () => again);
    const proposal = deriveProposalAddress(settings, 1n);
    expect(await at.get(account, proposal)).toMatchObject({ status: "Executed", closed: true });
    expect(refusalOf(await at.vote(account, proposal, "cancel", [member]))).toEqual([409, "invalid_proposal_status"]);
    expect(refusalOf(await at.execute(account, proposal, member))).toEqual([409, "invalid_proposal_status"]);
  });

  it("is opened where something is stored under the number, also in front of it or long before", async () => {
    const { account, member } = await openFunded();
    const message = compileWrappedMessage(account.address, [pay(account)]);
    dataOf(await submitOwn(account, member, [storing(account, member, 1n, message)]));
    dataOf(await submitOwn(account, member, approving(account, member, 1n)));
    const both = [storing(account, member, 2n, message), ...approving(account, member, 2n)];
    dataOf(await submitOwn(account, member, both));
  });
});

describe("more throw-away signers than can sign", () => {
  it("are not stored here, and a proposal that has them is returned as what it is", async () => {
    const { account, member } = await openFunded();
    const message = compileWrappedMessage(account.address, [pay(account)]);
    const store = (ephemeralSigners: number, index: bigint) => [
      storing(account, member, index, message, { ephemeralSigners }),
      ...approving(account, member, index),
    ];
    expect(refusalOf(await submitOwn(account, member, store(16, 1n)))).toEqual([400, "invalid_transaction"]);
    dataOf(await submitOwn(account, member, store(15, 1n)));
    await at.run(account, deriveProposalAddress(account.settings, 1n), member);

    await sendElsewhere(trellis, [member], () => store(16, 2n));
    const proposal = deriveProposalAddress(account.settings, 2n);
    expect((await at.get(account, proposal)).warnings.map(({ code }) => code)).toContain("never_executable");
    expect(refusalOf(await at.execute(account, proposal, member))).toEqual([400, "invalid_transaction"]);
  });
});

describe("what could be voted on and never executed", () => {
  const notes = (count: number): Instruction[] =>
    Array.from({ length: count }, () => ({ programAddress: memo, accounts: [], data: new Uint8Array(0) }));

  it("is refused for its size: each signer inside has to sign the execution, and not the proposal", async () => {
    const { account, member } = await openFunded();
    const signedBy = (count: number): Instruction => ({
      programAddress: memo,
      accounts: Array.from({ length: count }, () => ({
        address: makeKey().address,
        role: AccountRole.READONLY_SIGNER,
      })),
      data: new Uint8Array(1),
    });
    const propose = async (count: number) => {
      const transaction = await trellis.compose(account.address, [signedBy(count)]);
      return at.create(account, { type: "custom", signer: addressOfKey(member), transaction });
    };
    expect((await propose(5)).status).toBe(201);
    const refused = await propose(9);
    expect(refusalOf(refused)).toEqual([400, "transaction_too_large"]);
    expect((refused.body as { message: string }).message).toContain("never be executed");
  });

  it("is refused for the number of its instructions; the accepted number can be executed", async () => {
    const { account, member } = await openFunded();
    const propose = async (count: number) => {
      const transaction = await trellis.compose(account.address, notes(count));
      return { type: "custom", transaction, signer: addressOfKey(member) };
    };
    expect(refusalOf(await at.create(account, await propose(60)))).toEqual([400, "transaction_too_large"]);
    const made = await at.propose(account, member, { ...(await propose(59)), approve: true });
    await at.run(account, made.proposalAddress, member);
  });
});

const pay = (account: Opened): Instruction =>
  getTransferSolInstruction({
    source: createNoopSigner(account.address),
    destination: makeKey().address,
    amount: 5_000_000n,
  });

/** The account, from within, stores something under its own next number: executed, it could never propose again. */
const blocking = (account: Opened, member: SignerKey, transactionIndex: bigint): Instruction =>
  createTransactionInstruction({
    settings: account.settings,
    transactionIndex,
    creator: addressOfKey(member),
    rentPayer: account.address,
    message: compileWrappedMessage(account.address, [pay(account)]),
  });

const storing = (account: Opened, member: SignerKey, transactionIndex: bigint, message: WrappedMessage, more = {}) =>
  createTransactionInstruction({
    settings: account.settings,
    transactionIndex,
    creator: addressOfKey(member),
    rentPayer: addressOfKey(member),
    message,
    ...more,
  });

/** Everything it takes to approve something under a number, by a member who pays. */
const approving = (account: Opened, member: SignerKey, transactionIndex: bigint) => {
  const signer = addressOfKey(member);
  const common = { settings: account.settings, transactionIndex };
  return [
    createProposalInstruction({ ...common, creator: signer, rentPayer: signer }),
    voteInstruction({ ...common, action: "approve", signer }),
  ];
};

const sol = 1_000_000_000n;
async function openFunded(): Promise<{ account: Opened; member: SignerKey }> {
  const member = newKey();
  const account = await at.open({ signers: [may(member)], threshold: 1 }, sol);
  await trellis.network.sandbox?.airdrop(addressOfKey(member), sol);
  return { account, member };
}

/** Submits a transaction that a member made and pays alone. */
async function submitOwn(account: Opened, member: SignerKey, instructions: readonly Instruction[]) {
  return at.submit(account, await trellis.compose(addressOfKey(member), instructions), [member]);
}
