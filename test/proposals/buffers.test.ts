import { createHash } from "node:crypto";
import { AccountRole, type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { limits } from "@trellis/kernel/limits.js";
import {
  closeTransactionBufferInstruction,
  compileWrappedMessage,
  createProposalInstruction,
  createTransactionBufferInstruction,
  createTransactionFromBufferInstruction,
  decodeTransactionBuffer,
  deriveProposalAddress,
  deriveTransactionBufferAddress,
  encodeWrappedMessage,
  extendTransactionBufferInstruction,
} from "@trellis/program-client";
import { addressOfKey, type KmsPayload, type SignerKey, signPayload, signTransaction } from "@trellis/sdk";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { beforeAll, describe, expect, it } from "vitest";
import { apiPath } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";
import { sendElsewhere } from "./other-client.js";
import { dataOf, may, newKey, type Opened, type Prepared, pays, proposalsOf, refusalOf } from "./support.js";

const [ana, ben] = [newKey(), newKey()];
const payees = Array.from({ length: 20 }, () => addressOfKey(newKey()));
const rich = 1_000_000_000n;
const trellis = useTestService({ TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000" });
const api = proposalsOf(trellis);
beforeAll(async () => {
  const { sandbox } = trellis.network;
  // A payee that holds nothing could not be paid less than rent.
  for (const payee of payees) await sandbox?.airdrop(payee, 1_000_000n);
  for (const key of [ana, ben]) await sandbox?.airdrop(addressOfKey(key), rich);
});

describe("a proposal that does not fit one transaction", () => {
  it("is sent through a buffer, is voted on and executed like any other, and costs what was announced", async () => {
    const account = await openShared();
    const prepared = await prepare(account, { approve: true });
    expect(prepared.transactions.length).toBeGreaterThan(1);
    expect(prepared.buffer).toMatchObject({ written_bytes: 0, rent_payer: addressOfKey(ana) });
    expect(prepared.summary.at(-2)).toMatchObject({
      type: "create_proposal",
      effects: payees.map((to, i) => ({ type: "transfer", to, amount: String(1 + i) })),
    });
    expect(prepared.summary[0]).toMatchObject({ type: "write_buffer", buffer: prepared.buffer?.address });

    const { feePayer } = trellis.network;
    const [paid, own] = [await lamportsOf(feePayer.address), await lamportsOf(addressOfKey(ana))];
    dataOf(await submitAll(account, prepared.transactions));
    const { rent_lamports, lamports } = prepared.fee as unknown as Record<"rent_lamports" | "lamports", string>;
    expect(paid - (await lamportsOf(feePayer.address))).toBe(BigInt(rent_lamports) + BigInt(lamports));
    expect(await lamportsOf(addressOfKey(ana))).toBe(own);
    expect(await bufferAt(prepared.buffer?.address as Address)).toBeUndefined();

    expect(await api.get(account, prepared.proposalAddress)).toMatchObject({
      kind: "transaction",
      status: "Active",
      approved: [addressOfKey(ana)],
    });
    await api.cast(account, prepared.proposalAddress, "approve", [ben]);
    const before = await lamportsOf(payees[0] as Address);
    await api.run(account, prepared.proposalAddress, ben);
    expect((await lamportsOf(payees[0] as Address)) - before).toBe(1n);
    expect(await api.get(account, prepared.proposalAddress)).toMatchObject({ status: "Executed" });
  });

  it("that is long because of its data is sent through one as well", async () => {
    const account = await openShared();
    const memo = {
      programAddress: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" as Address,
      accounts: [{ address: account.address, role: AccountRole.READONLY_SIGNER }],
      data: new TextEncoder().encode("a".repeat(1_000)),
    };
    const transaction = await trellis.compose(account.address, [memo]);
    const body = { type: "custom", transaction, signer: addressOfKey(ana), approve: true };
    const prepared = dataOf<Buffered>(await api.create(account, body));
    dataOf(await submitAll(account, prepared.transactions));
    await api.cast(account, prepared.proposalAddress, "approve", [ben]);
    await api.run(account, prepared.proposalAddress, ben);
    expect(await api.get(account, prepared.proposalAddress)).toMatchObject({ status: "Executed" });
  });

  it("is continued by preparing it again, and existing parts are not sent again", async () => {
    const account = await openShared();
    const prepared = await prepare(account);
    const [first = "", ...rest] = prepared.transactions;
    dataOf(await submitAll(account, [first]));
    await outlive();
    const late = dataOf<Submitted>(await submitAll(account, prepared.transactions));
    expect(late).toMatchObject({ results: [{}], partial_failure: { error_code: "blockhash_expired" } });

    const again = await prepare(account);
    expect(again.transactions).toHaveLength(rest.length);
    const written = again.buffer?.written_bytes ?? 0;
    expect(written).toBe((await bufferAt(again.buffer?.address as Address))?.content.length);
    expect(again.buffer).toMatchObject({ address: prepared.buffer?.address, rent_lamports: "0" });
    dataOf(await submitAll(account, again.transactions));
    expect(await listed(account)).toHaveLength(1);
    expect((await api.get(account, again.proposalAddress)).summary).toHaveLength(payees.length);
  });

  it("is made once, however often it is submitted, and under one key prepared once", async () => {
    const account = await openShared();
    const body = await bodyOf(account);
    const path = `${apiPath}/accounts/${account.address}/proposals`;
    const key = { "x-idempotency-key": "the-same" };
    const prepared = dataOf<Buffered>(await trellis.request("POST", path, body, key));
    expect(dataOf(await trellis.request("POST", path, body, key))).toEqual(prepared);
    dataOf(await submitAll(account, prepared.transactions.slice(0, 1)));
    const answers = await Promise.all([1, 2, 3].map(() => submitAll(account, prepared.transactions)));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    const again = dataOf<Submitted>(await submitAll(account, prepared.transactions));
    expect(again.results).toHaveLength(prepared.transactions.length);
    expect(again.partial_failure).toBeUndefined();
    expect(await listed(account)).toHaveLength(1);
  });

  it("that was prepared twice at once is made once, and the slower caller gets an error", async () => {
    const account = await openShared();
    const [one, other] = await Promise.all([prepare(account), prepare(account)]);
    expect(one.buffer?.address).toBe(other.buffer?.address);
    const answers = await Promise.all([one, other].map(({ transactions }) => submitAll(account, transactions)));
    const whole = answers.filter(({ status, body }) => {
      return status === 200 && (body as { data: Submitted }).data.partial_failure === undefined;
    });
    expect(whole.length).toBeLessThan(2);
    // Whatever became of the two, preparing it again ends in one proposal, if it was not made.
    if (whole.length === 0) dataOf(await submitAll(account, (await prepare(account)).transactions));
    expect(await listed(account)).toHaveLength(1);
    for (const { transactions } of [one, other]) await submitAll(account, transactions);
    expect(await listed(account)).toHaveLength(1);
  });

  it("stops with a reason of its own where another copy was faster, step by step", async () => {
    const account = await openShared();
    const one = await prepare(account);
    const other = await prepare(account);
    const [first = "", ...rest] = one.transactions;
    dataOf(await submitAll(account, [first]));
    expect(refusalOf(await submitAll(account, other.transactions))).toEqual([409, "transaction_buffer_conflict"]);
    dataOf(await submitAll(account, rest));
    expect(refusalOf(await submitAll(account, other.transactions))[0]).toBe(409);
    expect(await listed(account)).toHaveLength(1);
  });

  it("is not continued before its predecessor is confirmed", async () => {
    const account = await openShared();
    const prepared = await prepare(account);
    const [first = "", second = ""] = prepared.transactions;
    expect(refusalOf(await submitAll(account, [second]))).toEqual([400, "invalid_transaction"]);
    expect(refusalOf(await submitAll(account, [second, first]))).toEqual([400, "invalid_transaction"]);
    expect(refusalOf(await submitAll(account, [prepared.transactions.at(-1) ?? ""]))[0]).toBe(400);
    expect(await bufferAt(prepared.buffer?.address as Address)).toBeUndefined();
  });

  it("gives way to a proposal that used its number, and keeps what is in the buffer", async () => {
    const account = await openShared();
    const prepared = await prepare(account);
    const [first = "", ...rest] = prepared.transactions;
    dataOf(await submitAll(account, [first]));
    await api.propose(account, ana, pays(payees[0] as Address, 1n));
    expect(refusalOf(await submitAll(account, rest))).toEqual([409, "proposal_index_conflict"]);
    const again = await prepare(account);
    expect(again.buffer?.written_bytes).toBeGreaterThan(0);
    dataOf(await submitAll(account, again.transactions));
    expect(await listed(account)).toHaveLength(2);
  });
});

describe("the rent of a buffer", () => {
  it("is never the service's: the creator pays it, or the caller's own fee payer, or it is refused", async () => {
    const [poor, payer] = [newKey(), newKey()];
    const account = await api.open({ signers: [may(poor), may(ben)], threshold: 2 }, rich);
    const transaction = await trellis.compose(account.address, paymentsOf(account));
    const body = { type: "custom", transaction, signer: addressOfKey(poor) };
    const refused = await api.create(account, body);
    expect(refusalOf(refused)).toEqual([400, "rent_not_sponsored"]);
    const [detail] = (refused.body as { details: Record<string, string>[] }).details;
    expect(detail).toMatchObject({ payer: addressOfKey(poor) });
    expect(JSON.stringify(detail)).not.toContain("TRELLIS_SPONSOR");

    await trellis.network.sandbox?.airdrop(addressOfKey(payer), rich);
    const own = { fee_config: { self_managed_fees: true }, payer_address: addressOfKey(payer) };
    const prepared = dataOf<Buffered>(await api.create(account, { ...body, ...own }));
    expect(prepared.buffer?.rent_payer).toBe(addressOfKey(payer));
    dataOf(await submitAll(account, prepared.transactions, [poor, payer]));
    // It is paid to the creator of the buffer, whichever account paid it.
    expect(await lamportsOf(addressOfKey(poor))).toBe(BigInt(prepared.buffer?.rent_lamports ?? 0));

    await trellis.network.sandbox?.airdrop(addressOfKey(poor), BigInt(detail?.missing_lamports ?? 0));
    expect(dataOf<Buffered>(await api.create(account, body)).buffer?.rent_payer).toBe(addressOfKey(poor));
  });
});

describe("what else lies in a creator's buffers", () => {
  it("is given up first where it is for this message and holds anything else", async () => {
    const account = await openShared();
    const bytes = messageOf(account, paymentsOf(account));
    const other = elsewhere(account, bytes, hashOf(bytes)[0] ?? 0);
    await other.begin(Uint8Array.of(1, 2, 3));
    const prepared = await prepare(account);
    expect(prepared.buffer).toMatchObject({ address: other.address, written_bytes: 0 });
    expect(prepared.summary[0]).toMatchObject({ type: "close_buffer", buffer: other.address });
    dataOf(await submitAll(account, prepared.transactions));
    expect(await listed(account)).toHaveLength(1);
  });

  it("is left alone while there is another number, and of those only the first is given up", async () => {
    const account = await openShared();
    const bytes = messageOf(account, paymentsOf(account));
    const foreign = new TextEncoder().encode("something else that is being proposed");
    const numbers = [...new Set(hashOf(bytes).subarray(0, 4))];
    for (const [i, number] of numbers.entries()) {
      const place = elsewhere(account, foreign, number);
      await place.begin(foreign.subarray(0, 5));
      const { buffer } = await prepare(account);
      const next = numbers[i + 1] ?? numbers[0] ?? 0;
      expect(buffer?.address).toBe(elsewhere(account, foreign, next).address);
    }
    const last = await prepare(account);
    expect(last.summary[0]).toMatchObject({ type: "close_buffer" });
    dataOf(await submitAll(account, last.transactions));
    expect(await listed(account)).toHaveLength(1);
  });

  it("never becomes a proposal that was not asked for", async () => {
    const account = await openShared();
    const prepared = await prepare(account, { approve: true });
    const rest = prepared.transactions.slice(1);
    dataOf(await submitAll(account, prepared.transactions.slice(0, 1)));
    // The same creator puts another message where this one was, all but what the last transaction brings.
    const bytes = messageOf(account, paymentsOf(account));
    const changed = messageOf(account, paymentsOf(account, 7n));
    const number = hashOf(bytes)[0] ?? 0;
    await elsewhere(account, bytes, number).close();
    const other = elsewhere(account, changed, number);
    const there = (await prepare(account)).buffer?.written_bytes ?? 0;
    expect(there).toBe(0);
    await other.begin(changed.subarray(0, 700));
    await other.fill(changed.subarray(700, changed.length - 4));
    expect(refusalOf(await submitAll(account, rest))).toEqual([409, "transaction_buffer_conflict"]);
    expect(await listed(account)).toHaveLength(0);
  });
});

describe("the client library", () => {
  it("checks every part of what it proposes, and resumes where it broke off", async () => {
    const account = await openShared();
    const { transaction } = await bodyOf(account);
    const content = { type: "custom", transaction } as const;
    const holder = { account: account.address, keys: [ana] };
    const begun = await prepare(account);
    dataOf(await submitAll(account, begun.transactions.slice(0, 1)));
    const { proposalAddress } = await trellis.client.proposals.create({ ...holder, content, approve: true });
    expect(await api.get(account, proposalAddress)).toMatchObject({ approved: [addressOfKey(ana)] });
    expect(await listed(account)).toHaveLength(1);
    const fresh = await trellis.client.proposals.create({ ...holder, content });
    const both = { account: account.address, keys: [ana, ben], proposal: fresh.proposalAddress, content };
    await trellis.client.proposals.vote({ ...both, action: "approve" });
    await trellis.client.proposals.execute(both);
    expect(await api.get(account, fresh.proposalAddress)).toMatchObject({ status: "Executed" });
  });
});

describe("a buffer of a custodian's key", () => {
  it("is filled for a stamp on each transaction", async () => {
    const { address, settingsAddress, session } = await trellis.openHolder({ sol: "1000000000" });
    const account: Opened = { address, settings: settingsAddress };
    const { signers } = (await trellis.client.accounts.get(address)).policies;
    const wallet = signers.find(({ provider }) => provider === "kms_a")?.address as Address;
    await trellis.network.sandbox?.airdrop(wallet, rich);
    const prepared = await prepare(account, { signer: wallet, approve: true });
    const kms_payloads = (prepared.kms_payloads as KmsPayload[][]).map((list) =>
      list.map((payload) => signPayload(payload, session.authorizationKey, Date.now())),
    );
    const { transactions } = prepared;
    const submit = `${apiPath}/accounts/${address}/submit`;
    const done = dataOf<Submitted>(await trellis.request("POST", submit, { transactions, kms_payloads }));
    expect(done.partial_failure).toBeUndefined();
    expect(await lamportsOf(wallet)).toBe(rich);
    expect(await api.get(account, prepared.proposalAddress)).toMatchObject({ status: "Approved" });
  });
});

describe("a proposal made from a buffer by another client", () => {
  it("is listed and executed like any other", async () => {
    const account = await openShared();
    const bytes = messageOf(account, paymentsOf(account));
    const other = elsewhere(account, bytes, 200);
    await other.begin(bytes.subarray(0, 700));
    await other.fill(bytes.subarray(700));
    await other.use(1n);
    const proposal = deriveProposalAddress(account.settings, 1n);
    expect((await api.get(account, proposal)).summary).toHaveLength(payees.length);
    await api.cast(account, proposal, "approve", [ana, ben]);
    await api.run(account, proposal, ben);
    expect(await api.get(account, proposal)).toMatchObject({ kind: "transaction", status: "Executed" });
  });

  it("is not stored here where it names a key of the service", async () => {
    const account = await openShared();
    const { feePayer } = trellis.network;
    const drain = pay(account, feePayer.address, 1n);
    const bytes = messageOf(account, [drain]);
    const other = elsewhere(account, bytes, 201);
    await other.begin(bytes);
    const payer = newKey();
    await trellis.network.sandbox?.airdrop(addressOfKey(payer), rich);
    const common = { settings: account.settings, creator: addressOfKey(ana), rentPayer: addressOfKey(payer) };
    const use = createTransactionFromBufferInstruction({ ...common, transactionIndex: 1n, bufferIndex: 201 });
    const transaction = await trellis.compose(addressOfKey(payer), [use]);
    expect(refusalOf(await api.submit(account, transaction, [payer, ana]))).toEqual([400, "forbidden_account"]);
  });
});

interface Buffered extends Prepared {
  readonly buffer?: {
    readonly address: Address;
    readonly message: string;
    readonly message_sha256: string;
    readonly written_bytes: number;
    readonly rent_lamports: string;
    readonly rent_payer?: string;
  };
}

interface Submitted {
  readonly results: readonly unknown[];
  readonly partial_failure?: { readonly error_code: string };
}

const pay = (account: Opened, to: Address, amount: bigint): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(account.address), destination: to, amount });

const lamportsOf = async (address: Address) =>
  (await trellis.network.rpc.getBalance(address, { commitment: "confirmed" }).send()).value;

const openShared = () => api.open({ signers: [may(ana), may(ben)], threshold: 2 }, rich);

const paymentsOf = (account: Opened, amount = 1n) => payees.map((payee, i) => pay(account, payee, amount + BigInt(i)));

/** Twenty payees do not fit where their addresses, the creator's and the accounts of the vote have to stand. */
async function bodyOf(account: Opened, more: object = {}, amount = 1n) {
  const transaction = await trellis.compose(account.address, paymentsOf(account, amount));
  return { type: "custom", transaction, signer: addressOfKey(ana), ...more };
}

const prepare = async (account: Opened, more: object = {}, amount = 1n) =>
  dataOf<Buffered>(await api.create(account, await bodyOf(account, more, amount)));

const submitAll = (account: Opened, transactions: readonly string[], keys: readonly SignerKey[] = [ana]) =>
  trellis.request("POST", `${apiPath}/accounts/${account.address}/submit`, {
    transactions: transactions.map((transaction) => signTransaction(transaction, keys)),
    kms_payloads: transactions.map(() => []),
  });

const bufferAt = async (address: Address) => {
  const found = await readAccount(trellis.network, address);
  return found && found.data.length > 0 ? decodeTransactionBuffer(found.data) : undefined;
};

const listed = async (account: Opened) => ((await api.list(account)).body as { data: unknown[] }).data;

const outlive = () =>
  trellis.request("POST", `${apiPath}/sandbox/clock/advance`, { seconds: limits.preparedLifetimeMs / 1000 + 1 });

/** What another client of the creator's does with buffers. */
function elsewhere(account: Opened, bytes: Uint8Array, number: number) {
  const place = { settings: account.settings, creator: addressOfKey(ana), bufferIndex: number };
  const finalHash = Uint8Array.from(createHash("sha256").update(bytes).digest());
  return {
    address: deriveTransactionBufferAddress(place.settings, place.creator, number),
    begin: (part: Uint8Array) =>
      sendElsewhere(trellis, [ana], (rentPayer) => [
        createTransactionBufferInstruction({
          ...place,
          rentPayer,
          finalHash,
          finalSize: bytes.length,
          firstPart: part,
        }),
      ]),
    fill: (part: Uint8Array) =>
      sendElsewhere(trellis, [ana], () => [extendTransactionBufferInstruction({ ...place, part })]),
    close: () => sendElsewhere(trellis, [ana], () => [closeTransactionBufferInstruction(place)]),
    use: (transactionIndex: bigint) =>
      sendElsewhere(trellis, [ana], (rentPayer) => [
        createTransactionFromBufferInstruction({ ...place, transactionIndex, rentPayer }),
        createProposalInstruction({ settings: place.settings, transactionIndex, creator: place.creator, rentPayer }),
      ]),
  };
}

const messageOf = (account: Opened, instructions: readonly Instruction[]) =>
  Uint8Array.from(encodeWrappedMessage(compileWrappedMessage(account.address, instructions)));

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
