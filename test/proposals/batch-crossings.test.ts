import { randomBytes } from "node:crypto";
import { type Address, createNoopSigner, type Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import { createTransactionBufferInstruction } from "@trellis/program-client";
import {
  addressOfKey,
  createTrellisClient,
  type ReadAccounts,
  type SignedSubmission,
  type SignerKey,
  signTransaction,
} from "@trellis/sdk";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChainReader } from "../../src/cli/doctor/chain-reader.js";
import { readExaminedAccount } from "../../src/cli/doctor/find-settings.js";
import { judgeAuthority } from "../../src/cli/doctor/judge-authority.js";
import { readAuthority } from "../../src/cli/doctor/read-authority.js";
import { describeAuthority, renderAuthority } from "../../src/cli/doctor/render-authority.js";
import { apiPath } from "../adversarial/support.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { sendElsewhere } from "./other-client.js";
import { dataOf, may, newKey, type Opened, type Prepared, proposalsOf, refusalOf, type View } from "./support.js";

let trellis: TestService;
let api: ReturnType<typeof proposalsOf>;
let asOther: Record<string, string>;
const [ana, ben] = [newKey(), newKey()];
const payees = Array.from({ length: 24 }, () => addressOfKey(newKey()));
beforeAll(async () => {
  const masterKey = randomBytes(32);
  trellis = await startTestService({
    TRELLIS_MASTER_KEY: masterKey.toString("base64"),
    TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000",
  });
  api = proposalsOf(trellis);
  const keyring = createKeyring({ masterKeys: [{ id: "1", key: new Uint8Array(masterKey) }], activeId: "1" });
  asOther = { authorization: `Bearer ${(await trellis.addTenant("other", keyring.macs("api-key"))).value}` };
  for (const payee of payees) await trellis.network.sandbox?.airdrop(payee, 1_000_000n);
});
afterAll(() => trellis?.close());

/** As many as it takes for several transactions. */
const few = 6;

describe("a batch that broke off", () => {
  it("is brought to its end by what its client kept, also twice at once, and pays all 24 payees once", async () => {
    const account = await openShared();
    const content = { type: "batch", transactions: await written(account, 12) } as const;
    const { client } = trellis;
    let kept: SignedSubmission<{ proposalAddress: string; transactionIndex: number }> | undefined;
    const holder = { account: account.address, keys: [ana] };
    const creation = client.proposals.create(
      { ...holder, content, approve: true },
      {
        // The process dies once it has stored what it signed, and one of it was sent.
        onSigned: async (signed) => {
          kept = signed;
          const [first] = signed.transactions;
          const { transaction, kms_payloads } = first ?? {};
          dataOf(
            await trellis.request("POST", `${apiPath}/accounts/${account.address}/submit`, {
              transaction,
              kms_payloads,
            }),
          );
          throw new Error("dead");
        },
      },
    );
    await expect(creation).rejects.toThrow("dead");
    if (kept === undefined) throw new Error("nothing was signed");
    const [one, other] = await Promise.all([client.transactions.resume(kept), client.transactions.resume(kept)]);
    expect(other.proposalAddress).toBe(one.proposalAddress);
    expect(await listed(account)).toHaveLength(1);
    await executeAll(account, one.proposalAddress, 12);
  });

  it("is continued by preparing it again, and existing parts are not sent again", async () => {
    const account = await openShared();
    const transactions = await written(account);
    const prepared = await prepare(account, transactions);
    expect(prepared.batch).toEqual({ size: few, stored: 0 });
    dataOf(await submitAll(account, prepared.transactions.slice(0, 1)));
    // No other client continues it, and nothing else is put in.
    const shorter = await prepare(account, transactions.slice(0, 2));
    const turned = await prepare(account, [...transactions].reverse());
    const bens = await prepare(account, transactions, { signer: addressOfKey(ben) });
    for (const other of [shorter, turned, bens]) {
      expect(other).toMatchObject({ transactionIndex: prepared.transactionIndex + 1, batch: { stored: 0 } });
    }

    await outlive();
    const again = await prepare(account, transactions, { approve: true });
    const { proposalAddress, transactionIndex } = prepared;
    expect(again).toMatchObject({ proposalAddress, transactionIndex, batch: { size: few } });
    const added = again.summary.filter(({ type }) => type === "add_to_batch");
    expect(again.batch?.stored).toBe(few - added.length);
    expect(added[0]).toMatchObject({ batch_transaction: (again.batch?.stored ?? 0) + 1 });
    const { rent_lamports, lamports } = again.fee as unknown as Record<string, string>;
    const { rpc, feePayer } = trellis.network;
    const held = async () => (await rpc.getBalance(feePayer.address, { commitment: "confirmed" }).send()).value;
    const before = await held();
    dataOf(await submitAll(account, again.transactions));
    expect(before - (await held())).toBe(BigInt(rent_lamports ?? 0) + BigInt(lamports ?? 0));
    expect(await api.get(account, proposalAddress)).toMatchObject({
      approved: [addressOfKey(ana)],
      batch: { size: few },
    });
    // Its vote was opened: asked for again, it is another one.
    expect((await prepare(account, transactions)).transactionIndex).toBe(transactionIndex + 1);
  });

  it("is continued by another client of the creator's, and the slower one adds nothing", async () => {
    const account = await openShared();
    const transactions = await written(account);
    const one = await prepare(account, transactions);
    dataOf(await submitAll(account, one.transactions.slice(0, 1)));
    const other = await prepare(account, transactions);
    expect(other.proposalAddress).toBe(one.proposalAddress);
    dataOf(await submitAll(account, other.transactions));
    const late = await submitAll(account, one.transactions);
    expect(dataOf(late)).toMatchObject({ results: [{}], partial_failure: { error_code: "invalid_proposal_status" } });
    expect(await listed(account)).toHaveLength(1);
    expect(await api.get(account, one.proposalAddress)).toMatchObject({ batch: { size: few } });
  });

  it("that two clients of the creator's continue at once is made once", async () => {
    const account = await openShared();
    const transactions = await written(account);
    const begun = await prepare(account, transactions);
    dataOf(await submitAll(account, begun.transactions.slice(0, 1)));
    const two = await Promise.all([prepare(account, transactions), prepare(account, transactions)]);
    const answers = await Promise.all(two.map((one) => submitAll(account, one.transactions)));
    const isWhole = answers.some(({ status, body }) => {
      return status === 200 && (body as { data: { partial_failure?: object } }).data.partial_failure === undefined;
    });
    // Both may have stopped the other.
    if (!isWhole) dataOf(await submitAll(account, (await prepare(account, transactions)).transactions));
    expect(await listed(account)).toHaveLength(1);
    expect(await api.get(account, begun.proposalAddress)).toMatchObject({ batch: { size: few } });
  });

  it("is prepared once under one idempotency key, and continued under another", async () => {
    const account = await openShared();
    const transactions = await written(account);
    const path = `${apiPath}/accounts/${account.address}/proposals`;
    const key = { "x-idempotency-key": "the-same" };
    const first = dataOf<PreparedBatch>(await trellis.request("POST", path, bodyOf(transactions), key));
    dataOf(await submitAll(account, first.transactions.slice(0, 1)));
    expect(dataOf(await trellis.request("POST", path, bodyOf(transactions), key))).toEqual(first);
    await outlive();
    expect(dataOf(await trellis.request("POST", path, bodyOf(transactions), key))).toEqual(first);
    const next = { "x-idempotency-key": "the-next" };
    const again = dataOf<PreparedBatch>(await trellis.request("POST", path, bodyOf(transactions), next));
    expect(again).toMatchObject({ proposalAddress: first.proposalAddress });
    expect(again.batch?.stored).toBeGreaterThan(0);
  });

  it("is not continued at the service's cost where its creator has paid for it", async () => {
    const account = await openShared();
    const transactions = await written(account);
    await trellis.network.sandbox?.airdrop(addressOfKey(ana), 1_000_000_000n);
    const own = { fee_config: { self_managed_fees: true }, payer_address: addressOfKey(ana) };
    const begun = await prepare(account, transactions, own);
    dataOf(await submitAll(account, begun.transactions.slice(0, 1)));
    expect(await prepare(account, transactions)).toMatchObject({
      transactionIndex: begun.transactionIndex + 1,
      batch: { stored: 0 },
    });
    const rest = await prepare(account, transactions, own);
    expect(rest.proposalAddress).toBe(begun.proposalAddress);
    expect(rest.batch?.stored).toBeGreaterThan(0);
  });

  it("is not continued once it was rejected, or the settings changed", async () => {
    const account = await openShared();
    const transactions = await written(account);
    const rejected = await prepare(account, transactions);
    dataOf(await submitAll(account, rejected.transactions.slice(0, 1)));
    await api.cast(account, rejected.proposalAddress, "reject", [ana]);
    const stale = await prepare(account, transactions);
    expect(stale).toMatchObject({ transactionIndex: rejected.transactionIndex + 1, batch: { stored: 0 } });
    const [first = "", ...rest] = stale.transactions;
    dataOf(await submitAll(account, [first]));
    const holder = { account: account.address, keys: [ana, ben] };
    await trellis.client.accounts.update({ ...holder, changes: { threshold: 1 } });
    expect(refusalOf(await submitAll(account, rest))).toEqual([409, "stale_proposal"]);
    expect(await prepare(account, transactions)).toMatchObject({ batch: { stored: 0 } });
  });

  it("is hidden from another tenant", async () => {
    const account = await openShared();
    const transactions = await written(account);
    const prepared = await prepare(account, transactions);
    const [first = "", ...rest] = prepared.transactions;
    dataOf(await submitAll(account, [first]));
    expect(refusalOf(await submitAll(account, rest, [ana], asOther))).toEqual([404, "account_not_found"]);
    const path = `${apiPath}/accounts/${account.address}`;
    const going = await trellis.request("POST", `${path}/proposals`, bodyOf(transactions), asOther);
    expect(refusalOf(going)).toEqual([404, "account_not_found"]);
    const body = { signer: addressOfKey(ana) };
    const closing = await trellis.request("POST", `${path}/transaction-buffers/close`, body, asOther);
    expect(refusalOf(closing)).toEqual([404, "account_not_found"]);
    dataOf(await submitAll(account, rest));
    expect(await api.get(account, prepared.proposalAddress)).toMatchObject({ batch: { size: few } });
  });

  it("stands beside a buffer that its creator fills meanwhile", async () => {
    const account = await openShared();
    const transactions = await written(account);
    await trellis.network.sandbox?.airdrop(addressOfKey(ana), 1_000_000_000n);
    const long = await trellis.compose(
      account.address,
      payees.slice(0, 20).map((to) => pay(account, to, 1n)),
    );
    const single = bodyOf([], { transaction: long, transactions: undefined });
    const batch = await prepare(account, transactions);
    const buffered = dataOf<PreparedBatch>(await api.create(account, single));
    dataOf(await submitAll(account, batch.transactions.slice(0, 1)));
    // Both were prepared for the same index: what ends the buffer has to be prepared anew, what fills it has not.
    dataOf(await submitAll(account, buffered.transactions.slice(0, 1)));
    const rest = await prepare(account, transactions);
    const again = dataOf<PreparedBatch & { buffer: { written_bytes: number } }>(await api.create(account, single));
    expect(again.buffer.written_bytes).toBeGreaterThan(0);
    expect(rest.proposalAddress).toBe(batch.proposalAddress);
    expect(again.transactionIndex).toBe(batch.transactionIndex + 1);
    for (const { transactions: left } of [again, rest]) dataOf(await submitAll(account, left));
    expect(await listed(account)).toHaveLength(2);
    expect(await api.get(account, batch.proposalAddress)).toMatchObject({ batch: { size: few } });
  });
});

describe("the client library", () => {
  it.each([
    ["", false],
    [", with a node of its own", true],
  ])("continues a batch automatically, also where all of it went out of date in between%s", async (_, hasNode) => {
    const client = hasNode ? clientWith(ownNode) : trellis.client;
    const account = await openShared();
    const content = { type: "batch", transactions: await written(account) } as const;
    const holder = { account: account.address, keys: [ana] };
    let signed = 0;
    const creating = () =>
      client.proposals.create(
        { ...holder, content, approve: true },
        {
          idempotencyKey: `a-batch-of-${account.address}`,
          onSigned: async ({ transactions: [first] }) => {
            signed += 1;
            if (signed > 1) return;
            const { transaction, kms_payloads } = first ?? {};
            const path = `${apiPath}/accounts/${account.address}/submit`;
            dataOf(await trellis.request("POST", path, { transaction, kms_payloads }));
            await outlive();
          },
        },
      );
    const { proposalAddress } = await creating();
    expect(signed).toBe(2);
    // The call repeated under its key ends at the same proposal.
    expect((await creating()).proposalAddress).toBe(proposalAddress);
    expect(await listed(account)).toHaveLength(1);
    await executeAll(account, proposalAddress, few);
  });

  it("with a node of its own repeats a call that died, from the beginning and from further on, at one proposal", async () => {
    const account = await openShared();
    const content = { type: "batch", transactions: await written(account) } as const;
    const client = clientWith(ownNode);
    const creating = (idempotencyKey: string, lands: "first" | "none") =>
      client.proposals.create(
        { account: account.address, keys: [ana], content, approve: true },
        {
          idempotencyKey,
          onSigned: async ({ transactions: [first] }) => {
            if (lands === "none") return;
            const { transaction, kms_payloads } = first ?? {};
            const path = `${apiPath}/accounts/${account.address}/submit`;
            dataOf(await trellis.request("POST", path, { transaction, kms_payloads }));
            throw new Error("dead");
          },
        },
      );
    const [one, other] = [`one-of-${account.address}`, `other-of-${account.address}`];
    await expect(creating(one, "first")).rejects.toThrow("dead");
    await expect(creating(other, "first")).rejects.toThrow("dead");
    // What the second key continues is completed, and then requested again under that key.
    const { proposalAddress } = await creating(other, "none");
    expect((await creating(other, "none")).proposalAddress).toBe(proposalAddress);
    expect(await listed(account)).toHaveLength(1);
    await executeAll(account, proposalAddress, few);
  });

  it("proves with a node of its own what a batch holds, and signs for nothing else", async () => {
    const account = await openShared();
    const transactions = await written(account);
    const content = { type: "batch", transactions } as const;
    const holder = { account: account.address, keys: [ana] };
    const begun = await prepare(account, transactions);
    dataOf(await submitAll(account, begun.transactions.slice(0, 1)));
    const lies: ReadAccounts[] = [
      async (addresses) => addresses.map(() => null),
      // The content there pays another address.
      async (addresses) => {
        const held = await ownNode(addresses);
        return held.map((data, at) => (at === 1 ? (held[2] ?? null) : data));
      },
      async (addresses) => (await ownNode(addresses)).map((data, at) => (at === 0 ? data : null)),
    ];
    for (const lie of lies) {
      await expect(clientWith(lie).proposals.create({ ...holder, content })).rejects.toThrow();
    }
    const { proposalAddress } = await clientWith(ownNode).proposals.create({ ...holder, content, approve: true });
    expect(proposalAddress).toBe(begun.proposalAddress);
    expect(await api.get(account, proposalAddress)).toMatchObject({ batch: { size: few } });
  });
});

describe("the doctor", () => {
  it("reads a batch, and names a buffer that was left behind with the recipient of its rent", async () => {
    const account = await openShared();
    const prepared = await prepare(account, await written(account));
    dataOf(await submitAll(account, prepared.transactions));
    await sendElsewhere(trellis, [ana], (rentPayer) => [
      createTransactionBufferInstruction({
        settings: account.settings,
        creator: addressOfKey(ana),
        bufferIndex: 9,
        rentPayer,
        finalHash: new Uint8Array(32),
        finalSize: 10,
        firstPart: Uint8Array.of(1, 2, 3),
      }),
    ]);
    const chain = await openChainReader(trellis.network.rpc as Parameters<typeof openChainReader>[0]);
    const authority = await readAuthority(chain, await readExaminedAccount(chain, account.settings));
    const checks = judgeAuthority(authority, { signers: undefined, serviceKeys: [] });
    const report = describeAuthority(authority, checks);
    expect(report.proposals).toMatchObject([{ content: { kind: "batch", size: few, executed: 0 } }]);
    expect(report.transaction_buffers).toMatchObject([
      { creator: addressOfKey(ana), number: 9, message_bytes: 10, written_bytes: 3 },
    ]);
    const warning = checks.find(({ check }) => check === "buffers")?.message;
    expect(warning).toContain(addressOfKey(ana));
    expect(warning).toContain("transaction-buffers/close");
    const text = renderAuthority(report);
    expect(text).toContain("a batch of 6, 0 executed");
    // What it found can be closed, and then it is not found any more.
    await trellis.client.proposals.closeBuffers({ account: account.address, keys: [ana] });
    const after = await readAuthority(chain, await readExaminedAccount(chain, account.settings));
    const later = describeAuthority(after, judgeAuthority(after, { signers: undefined, serviceKeys: [] }));
    expect(later.transaction_buffers).toEqual([]);
  });
});

interface WireBatch extends View {
  readonly batch?: { size: number; executed: number };
}

interface PreparedBatch extends Prepared {
  readonly batch?: { size: number; stored: number };
}

const pay = (account: Opened, to: Address, lamports: bigint): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(account.address), destination: to, amount: lamports });

const openShared = () => api.open({ signers: [may(ana), may(ben)], threshold: 2 }, 1_000_000_000n);

const balances = async () =>
  Promise.all(
    payees.map(
      async (payee) => (await trellis.network.rpc.getBalance(payee, { commitment: "confirmed" }).send()).value,
    ),
  );

const outlive = () =>
  trellis.request("POST", `${apiPath}/sandbox/clock/advance`, { seconds: limits.preparedLifetimeMs / 1000 + 1 });

/** Transactions that pay two of the payees each. */
const written = (account: Opened, count = few) =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      trellis.compose(
        account.address,
        payees.slice(2 * i, 2 * i + 2).map((to) => pay(account, to, 5n)),
      ),
    ),
  );

const bodyOf = (transactions: readonly string[], more: object = {}) => ({
  type: "custom",
  transactions,
  signer: addressOfKey(ana),
  ...more,
});

const prepare = async (account: Opened, transactions: readonly string[], more: object = {}) =>
  dataOf<PreparedBatch>(await api.create(account, bodyOf(transactions, more)));

const submitAll = (
  account: Opened,
  transactions: readonly string[],
  keys: readonly SignerKey[] = [ana],
  headers: Record<string, string> = {},
) =>
  trellis.request(
    "POST",
    `${apiPath}/accounts/${account.address}/submit`,
    {
      transactions: transactions.map((transaction) => signTransaction(transaction, keys)),
      kms_payloads: transactions.map(() => []),
    },
    headers,
  );

const listed = async (account: Opened) => ((await api.list(account)).body as { data: View[] }).data;

/** Approved by both, executed to its end: every payee got what was meant for it, once. */
async function executeAll(account: Opened, proposal: string, size: number): Promise<void> {
  const before = await balances();
  await api.cast(account, proposal, "approve", [ben]);
  for (let executed = 0; executed < size; ) {
    await api.run(account, proposal, ben);
    executed = ((await api.get(account, proposal)) as WireBatch).batch?.executed ?? size;
  }
  expect(await api.get(account, proposal)).toMatchObject({ status: "Executed", batch: { size, executed: size } });
  expect(await balances()).toEqual(before.map((held, i) => (i < 2 * size ? held + 5n : held)));
}

/** What a node of the client's own says. */
const ownNode: ReadAccounts = async (addresses) =>
  (await readAccounts(trellis.network, addresses)).map((held) => (held ? Uint8Array.from(held.data) : null));

const clientWith = (readAccounts: ReadAccounts) =>
  createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "sandbox", readAccounts });
