import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { limits } from "@trellis/kernel/limits.js";
import {
  addressOfKey,
  assertStoredContentMatches,
  deriveBatchTransactionAddress,
  deriveTransactionAddress,
  type KmsPayload,
  type SignerKey,
  signPayload,
  signTransaction,
  TransactionMismatchError,
} from "@trellis/sdk";
import { type ChainAccount, readAccounts } from "@trellis/solana/read-accounts.js";
import { beforeAll, describe, expect, it } from "vitest";
import { apiPath } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";
import { dataOf, may, newKey, type Opened, type Prepared, proposalsOf, refusalOf, type View } from "./support.js";

const trellis = useTestService();
const api = proposalsOf(trellis);
const [ana, ben] = [newKey(), newKey()];
const payee = addressOfKey(newKey());
beforeAll(() => trellis.network.sandbox?.airdrop(payee, 1_000_000n));

describe("a batch", () => {
  it("of 20 payments is made in one submit, approved, executed in order, and costs what was announced", async () => {
    const account = await openShared();
    const prepared = await propose(account, 20, { approve: true });
    expect(prepared.transactions.length).toBeGreaterThan(1);
    expect(prepared.summary[0]).toMatchObject({ type: "create_proposal", effects: [] });
    expect(prepared.summary.filter(({ type }) => type === "add_to_batch")).toMatchObject(
      Array.from({ length: 20 }, (_, i) => ({
        batch_transaction: i + 1,
        effects: [{ type: "transfer", to: payee, amount: String(i + 1) }],
      })),
    );
    const { feePayer } = trellis.network;
    const before = await lamportsOf(feePayer.address);
    dataOf(await submitAll(account, prepared.transactions, [ana]));
    const { rent_lamports, lamports } = (prepared as unknown as { fee: Record<string, string> }).fee;
    expect(before - (await lamportsOf(feePayer.address))).toBe(BigInt(rent_lamports ?? 0) + BigInt(lamports ?? 0));

    const open = await get(account, prepared);
    expect(open).toMatchObject({ kind: "batch", status: "Active", approved: [addressOfKey(ana)] });
    expect(open).toMatchObject({ batch: { size: 20, executed: 0 } });
    await api.cast(account, prepared.proposalAddress, "approve", [ben]);
    const held = await lamportsOf(payee);
    for (let executed = 0; executed < 20; ) {
      await api.run(account, prepared.proposalAddress, ben);
      const next = (await get(account, prepared)).batch?.executed ?? 0;
      expect(next).toBeGreaterThan(executed);
      executed = next;
    }
    expect(await get(account, prepared)).toMatchObject({ status: "Executed" });
    expect((await lamportsOf(payee)) - held).toBe(210n);
  });

  it("is made, approved and executed by the client library, which checks every byte of it", async () => {
    const account = await openShared();
    const transactions = [await written(account, pay(account, 1n)), await written(account, pay(account, 2n))];
    const content = { type: "batch", transactions } as const;
    const { proposals } = trellis.client;
    const holder = { account: account.address, keys: [ana] };
    const { proposalAddress: proposal, transactionIndex } = await proposals.create({
      ...holder,
      content,
      approve: true,
    });
    const index = BigInt(transactionIndex);
    const places = [1, 2].map((number) => deriveBatchTransactionAddress(account.settings, index, number));
    const [batch, ...put] = await readAccounts(trellis.network, [
      deriveTransactionAddress(account.settings, index),
      ...places,
    ]);
    const batchTransactions = put.map((held) => ({ address: held?.address as Address, data: dataIn(held) }));
    const stored = { account: account.address, transactionIndex, batchTransactions };
    assertStoredContentMatches(dataIn(batch), { ...stored, content });
    const changed = { ...content, transactions: [...transactions].reverse() };
    expect(() => assertStoredContentMatches(dataIn(batch), { ...stored, content: changed })).toThrow(
      TransactionMismatchError,
    );
    const both = { account: account.address, keys: [ana, ben], proposal, content };
    await proposals.voteAndExecute(both);
    expect(await proposals.get(account.address, proposal)).toMatchObject({
      status: "Executed",
      batch: { size: 2, executed: 2 },
    });
    const other = { ...content, transactions: [...transactions].reverse() };
    await expect(proposals.execute({ ...both, content: other })).rejects.toThrow();
  });

  it("is made once, however often it is submitted, also where the process died in between", async () => {
    const account = await openShared();
    const prepared = await propose(account, 20);
    const [first = "", ...rest] = prepared.transactions;
    // What was recorded before the process died.
    dataOf(await submitAll(account, [first], [ana]));
    const answers = await Promise.all([1, 2, 3].map(() => submitAll(account, prepared.transactions, [ana], "a-batch")));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    const again = dataOf<{ results: unknown[] }>(await submitAll(account, prepared.transactions, [ana]));
    expect(again.results).toHaveLength(rest.length + 1);
    expect(await get(account, prepared)).toMatchObject({ status: "Active", batch: { size: 20 } });
    const { body } = await api.list(account);
    expect((body as { data: unknown[] }).data).toHaveLength(1);
  });

  it("is not continued before its predecessor is confirmed, and a beginning can be rejected", async () => {
    const account = await openShared();
    const prepared = await propose(account, 20);
    const [first = "", second = "", ...rest] = prepared.transactions;
    expect(refusalOf(await api.submit(account, second, [ana]))).toEqual([400, "invalid_transaction"]);
    expect(refusalOf(await submitAll(account, [second, first], [ana]))).toEqual([400, "invalid_transaction"]);
    // A fault in the last one is found before the first is sent.
    const unsigned = [first, second, ...rest].map((transaction, i) =>
      i === rest.length + 1 ? transaction : signTransaction(transaction, [ana]),
    );
    const faulty = await trellis.request("POST", `${apiPath}/accounts/${account.address}/submit`, {
      transactions: unsigned,
      kms_payloads: unsigned.map(() => []),
    });
    expect(refusalOf(faulty)[1]).toBe("missing_signature");

    dataOf(await submitAll(account, [first], [ana]));
    const draft = await get(account, prepared);
    expect(draft).toMatchObject({ status: "Active", kind: "batch" });
    expect(refusalOf(await api.vote(account, prepared.proposalAddress, "approve", [ben]))[1]).toBe(
      "invalid_proposal_status",
    );
    // One of two is enough where both would have to approve.
    await api.cast(account, prepared.proposalAddress, "reject", [ana]);
    expect(await get(account, prepared)).toMatchObject({ status: "Rejected" });
    // The rest is too late.
    expect(refusalOf(await api.submit(account, second, [ana]))[1]).toBe("invalid_proposal_status");
  });

  it("stops where another proposal used its number", async () => {
    const account = await openShared();
    const prepared = await propose(account, 20);
    await api.propose(account, ana, { type: "transfer", currency: "sol", amount: "1", destination: payee });
    expect(refusalOf(await submitAll(account, prepared.transactions, [ana]))).toEqual([409, "proposal_index_conflict"]);
  });

  it("is out of date like any other transaction, and its beginning with it", async () => {
    const account = await openShared();
    const prepared = await propose(account, 20);
    const [first = "", second = ""] = prepared.transactions;
    dataOf(await submitAll(account, [first], [ana]));
    await trellis.request("POST", `${apiPath}/sandbox/clock/advance`, {
      seconds: limits.preparedLifetimeMs / 1000 + 1,
    });
    expect(refusalOf(await api.submit(account, second, [ana]))[1]).toBe("blockhash_expired");
  });

  it("is made with the key of a custodian, which signs each transaction for a stamp of its own", async () => {
    const { address, settingsAddress, session } = await trellis.openHolder({ sol: "1000000000" });
    const account: Opened = { address, settings: settingsAddress };
    const { signers } = (await trellis.client.accounts.get(address)).policies;
    const wallet = signers.find(({ provider }) => provider === "kms_a");
    const transactions = await Promise.all(
      Array.from({ length: 20 }, (_, i) => written(account, pay(account, BigInt(i + 1)))),
    );
    const body = { type: "custom", transactions, signer: wallet?.address, approve: true };
    const prepared = dataOf<Prepared>(await api.create(account, body));
    const kms_payloads = (prepared.kms_payloads as KmsPayload[][]).map((list) =>
      list.map((payload) => signPayload(payload, session.authorizationKey, Date.now())),
    );
    const submit = `${apiPath}/accounts/${address}/submit`;
    const swapped = [...kms_payloads.slice(1), ...kms_payloads.slice(0, 1)];
    const wrong = await trellis.request("POST", submit, { transactions: prepared.transactions, kms_payloads: swapped });
    expect(wrong.status).toBe(400);
    const done = await trellis.request("POST", submit, { transactions: prepared.transactions, kms_payloads });
    expect(dataOf<{ results: unknown[]; partial_failure?: object }>(done).partial_failure).toBeUndefined();
    expect(await get(account, prepared)).toMatchObject({ status: "Approved", batch: { size: 20, executed: 0 } });
  });

  it("names no key of the service, and has at least two transactions", async () => {
    const account = await openShared();
    const { feePayer } = trellis.network;
    const fine = await written(account, pay(account, 1n));
    const drain = await written(
      account,
      getTransferSolInstruction({ source: createNoopSigner(feePayer.address), destination: payee, amount: 1n }),
    );
    const common = { type: "custom", signer: addressOfKey(ana) };
    expect(refusalOf(await api.create(account, { ...common, transactions: [fine, drain] }))[1]).toBe(
      "forbidden_account",
    );
    expect(refusalOf(await api.create(account, { ...common, transactions: [fine] }))[0]).toBe(400);
    expect(refusalOf(await api.create(account, { ...common, transaction: fine, transactions: [fine, fine] }))).toEqual([
      400,
      "invalid_request",
    ]);
    expect(refusalOf(await api.create(account, common))).toEqual([400, "invalid_request"]);
  });
});

interface WireBatch extends View {
  readonly batch?: { size: number; executed: number; transactions?: Record<string, unknown>[][] };
}

const pay = (account: Opened, amount: bigint, to: Address = payee): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(account.address), destination: to, amount });

const written = (account: Opened, ...instructions: Instruction[]) => trellis.compose(account.address, instructions);

const get = async (account: Opened, { proposalAddress }: Prepared) =>
  (await api.get(account, proposalAddress)) as WireBatch;

const submitAll = (account: Opened, transactions: readonly string[], keys: readonly SignerKey[], key?: string) =>
  trellis.request(
    "POST",
    `${apiPath}/accounts/${account.address}/submit`,
    {
      transactions: transactions.map((transaction) => signTransaction(transaction, keys)),
      kms_payloads: transactions.map(() => []),
    },
    key === undefined ? {} : { "x-idempotency-key": key },
  );

const dataIn = (held: ChainAccount | undefined) => Uint8Array.from(held?.data ?? []);

const lamportsOf = async (address: Address) =>
  (await trellis.network.rpc.getBalance(address, { commitment: "confirmed" }).send()).value;

const openShared = () => api.open({ signers: [may(ana), may(ben)], threshold: 2 }, 1_000_000_000n);

async function propose(account: Opened, count: number, more: object = {}): Promise<Prepared> {
  const transactions = await Promise.all(
    Array.from({ length: count }, (_, i) => written(account, pay(account, BigInt(i + 1)))),
  );
  const body = { type: "custom", transactions, signer: addressOfKey(ana), ...more };
  return dataOf<Prepared>(await api.create(account, body));
}
