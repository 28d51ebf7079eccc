/** What a lookup table says only later is no part of what was voted on: such a proposal can be refused, and not approved here. */
import { AccountRole, type Address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  compileWrappedMessage,
  createProposalInstruction,
  createTransactionInstruction,
  deriveProposalAddress,
  voteInstruction,
} from "@trellis/program-client";
import { addressBytes, findProgramDerivedAddress } from "@trellis/program-client/program-address.js";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { compileMessage } from "@trellis/solana/compile-message.js";
import { noBlockhash } from "@trellis/solana/compose.js";
import { readLookupTables, readTableStates } from "@trellis/solana/read-message.js";
import { writeTransaction } from "@trellis/solana/transaction-bytes.js";
import { expect, it } from "vitest";
import { requireSameTables } from "../../src/transactions/judge-content.js";
import { expectError, makeKey } from "../adversarial/support.js";
import { bendNetwork } from "../support/bent-network.js";
import { useTestService } from "../support/scene.js";
import { sendElsewhere } from "./other-client.js";
import { may, newKey, type Opened, proposalsOf } from "./support.js";

const trellis = useTestService();
const undecided = { status: 409, body: { code: "undecided_content" } };

it("refuses to approve what names a place of a lookup table that is empty", async () => {
  const { at, account, proposal, payee, victim } = await proposePlaceTwo();
  const { status, body } = await at.request("GET", account, `/proposals/${proposal}`);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { data: { warnings: expect.arrayContaining([expect.objectContaining({ code: "undecided_content" })]) } },
  });
  expect((await at.list(account)).status).toBe(200);
  expect(await at.vote(account, proposal, "approve", [victim])).toMatchObject(undecided);
  expect(await trellis.lamportsOf(payee)).toBe(0n);
});

it("lets it be rejected", async () => {
  const { at, account, proposal, victim } = await proposePlaceTwo();
  expect(await at.vote(account, proposal, "reject", [victim])).toMatchObject({ status: 200 });
});

it("lets it be canceled and does not execute it where another client approved it", async () => {
  const { at, account, proposal, mallory, victim, payee } = await proposePlaceTwo();
  await approveElsewhere(account, victim);
  expect(await at.execute(account, proposal, mallory)).toMatchObject(undecided);
  expect(await at.vote(account, proposal, "cancel", [victim])).toMatchObject({ status: 200 });
  expect(await trellis.lamportsOf(payee)).toBe(0n);
});

it("does not execute what was approved elsewhere while a place was empty and filled since", async () => {
  const { at, account, proposal, mallory, victim, payee, table } = await proposePlaceTwo();
  await approveElsewhere(account, victim);
  await trellis.network.sandbox?.advanceClock(10);
  await extendTable(mallory, table, [payee]);
  expect(await at.execute(account, proposal, mallory)).toMatchObject(undecided);
  await extendTable(mallory, table, [makeKey().address]);
  expect(await at.execute(account, proposal, mallory)).toMatchObject(undecided);
});

it("executes what was approved after the place was filled", async () => {
  const { at, account, proposal, mallory, victim, payee, table } = await proposePlaceTwo();
  await extendTable(mallory, table, [payee]);
  await approveElsewhere(account, victim);
  await at.run(account, proposal, mallory);
  expect(await trellis.lamportsOf(payee)).toBe(500_000_000n);
});

it("approves it once the place is filled, and shows who is paid", async () => {
  const { at, account, proposal, mallory, victim, payee, table } = await proposePlaceTwo();
  await extendTable(mallory, table, [payee]);
  const { body } = await at.request("GET", account, `/proposals/${proposal}`);
  expect(JSON.stringify(body)).toContain(payee);
  expect(JSON.stringify(body)).not.toContain("undecided_content");
  expect(await at.vote(account, proposal, "approve", [victim])).toMatchObject({ status: 200 });
});

it("refuses to approve what names a table that is being closed", async () => {
  const { at, account, proposal, mallory, victim, payee, table } = await proposePlaceTwo();
  await extendTable(mallory, table, [payee]);
  await deactivateTable(mallory, table);
  const refused = await at.vote(account, proposal, "approve", [victim]);
  expect(refused).toMatchObject(undecided);
  expect(JSON.stringify(refused.body)).toContain(`The lookup table ${table} is being closed`);
});

it("names the table that was deactivated when an approved proposal is to be executed", async () => {
  const { at, account, proposal, mallory, victim, payee, table } = await proposePlaceTwo();
  await extendTable(mallory, table, [payee]);
  await approveElsewhere(account, victim);
  await deactivateTable(mallory, table);
  await trellis.network.sandbox?.advanceClock(600);
  const { body } = await at.request("GET", account, `/proposals/${proposal}`);
  expect(JSON.stringify(body)).toContain(`The lookup table ${table} is being closed`);
  const refused = await at.execute(account, proposal, mallory);
  expect(refused).toMatchObject(undecided);
  expect(JSON.stringify(refused.body)).toContain(table);
  expect(await at.vote(account, proposal, "cancel", [victim])).toMatchObject({ status: 200 });
});

it("does not execute a proposal whose table was closed after the vote, and cannot be made again", async () => {
  const { at, account, proposal, mallory, victim, payee, table, recent } = await proposePlaceTwo();
  await extendTable(mallory, table, [payee]);
  await approveElsewhere(account, victim);
  await deactivateTable(mallory, table);
  await trellis.network.sandbox?.advanceClock(600);
  await closeTable(mallory, table);
  const refused = await at.execute(account, proposal, mallory);
  expect(refused).toMatchObject(undecided);
  expect(JSON.stringify(refused.body)).toContain(`The lookup table ${table} is not there`);
  // The chain makes a table only of a slot that it still knows, and closes none before it has forgotten the slot.
  await expect(createTableAt(mallory, recent)).rejects.toThrow();
  expect(await at.execute(account, proposal, mallory)).toMatchObject(undecided);
  expect(await at.vote(account, proposal, "cancel", [victim])).toMatchObject({ status: 200 });
});

it("does not take a table for the one that was voted on where another is at its address since", async () => {
  const { mallory, payee, table, content } = await proposePlaceTwo();
  await extendTable(mallory, table, [payee]);
  const network = trellis.network;
  await network.sandbox?.advanceClock(100);
  const approvedAt = BigInt(Math.floor(network.clock.now() / 1_000));
  await requireSameTables(network, content, approvedAt);
  await network.sandbox?.advanceClock(100);
  const slot = await network.rpc.getSlot().send();
  // As a chain would have it that lets a table exist again: made, and filled with other entries, a moment ago.
  const madeAgain = bendNetwork(network, async ({ method, ask }) => {
    const answer = await ask();
    if (method !== "getMultipleAccounts") return answer;
    const [found] = answer.result.value;
    const data = Buffer.from(found.data[0], "base64");
    data.writeBigUInt64LE(slot, 12);
    data.fill(7, data.length - 32);
    found.data[0] = data.toString("base64");
    return answer;
  });
  await expect(requireSameTables(madeAgain, content, approvedAt)).rejects.toMatchObject({ code: "undecided_content" });
});

it("names the table that was deactivated in a transaction of one's own", async () => {
  const { account, mallory, payee, table } = await proposePlaceTwo();
  await extendTable(mallory, table, [payee]);
  const vault = account.address as Address;
  const pay = getTransferSolInstruction({ source: createNoopSigner(vault), destination: payee, amount: 1_000_000n });
  const entries = (await readLookupTables(trellis.network, [table]))[table] ?? [];
  const { messageBytes } = compileMessage(vault, noBlockhash.blockhash, [pay], { [table]: entries });
  const transaction = Buffer.from(writeTransaction([null], messageBytes)).toString("base64");
  const prepare = () => trellis.post(`/accounts/${vault}/transactions`, { transaction, account_signers: [] });
  await deactivateTable(mallory, table);
  expect((await prepare()).body).not.toMatchObject({ code: "invalid_transaction" });
  await trellis.network.sandbox?.advanceClock(600);
  const refused = await prepare();
  expectError(refused, 400, "invalid_transaction");
  expect(refused.body).toMatchObject({ details: [{ lookup_table: table }] });
});

/** The network behind a node that has forgotten all blocks before `oldest`, and says so as `forgets` has it. */
function forgetful(forgets: object, oldest: bigint, remembersFrom = oldest): Network {
  return bendNetwork(trellis.network, async ({ method, params, ask }) => {
    if (method === "getFirstAvailableBlock") return { result: oldest };
    if (method !== "getBlockTime" || BigInt(params[0] as bigint) >= remembersFrom) return ask();
    return { jsonrpc: "2.0", id: "0", ...forgets } as never;
  });
}
const errorOf = (code: number) => ({ error: { code, message: "Slot 7 was skipped, or missing in long-term storage" } });
const waysToForget: readonly (readonly [string, object])[] = [
  ["no time", { result: null }],
  ["-32001", errorOf(-32001)],
  ["-32007", errorOf(-32007)],
  ["-32009", errorOf(-32009)],
];

it.each(waysToForget)("is honest where the node has forgotten when a table grew: %s", async (_what, forgets) => {
  const { mallory, payee, table, content } = await proposePlaceTwo();
  const network = trellis.network;
  const secondsNow = () => BigInt(Math.floor(network.clock.now() / 1_000));
  const slotNow = () => network.rpc.getSlot().send();
  await extendTable(mallory, table, [payee]);
  await network.sandbox?.advanceClock(100);
  const oldest = await slotNow();
  await network.sandbox?.advanceClock(100);
  const [approvedAt, justNow] = [secondsNow(), await slotNow()];

  // Younger than every growth that is forgotten: so is what was approved.
  await requireSameTables(forgetful(forgets, oldest), content, approvedAt);
  // What the node still has is younger than the approval: it may have grown since.
  const refused = requireSameTables(forgetful(forgets, justNow), content, approvedAt - 150n);
  await expect(refused).rejects.toMatchObject({ code: "undecided_content" });
  await expect(refused).rejects.toThrow(/forgotten when that was/);
  // Nothing is known of its oldest block either.
  const nothing = requireSameTables(forgetful(forgets, oldest, justNow + 1n), content, approvedAt);
  await expect(nothing).rejects.toMatchObject({ code: "undecided_content" });
  // What grew is known, and was before.
  await requireSameTables(network, content, approvedAt);
});

it("asks again later where the node does not answer, or has not reached the slot yet", async () => {
  const { mallory, payee, table, content } = await proposePlaceTwo();
  await extendTable(mallory, table, [payee]);
  const approvedAt = BigInt(Math.floor(trellis.network.clock.now() / 1_000));
  for (const code of [-32004, -32014, -32019, -32603]) {
    const asked = requireSameTables(forgetful(errorOf(code), 1_000_000_000n), content, approvedAt);
    await expect(asked).rejects.toMatchObject({ code: "chain_unavailable" });
  }
});

it("asks no node about a table that last grew long before the approval, and about any that could have grown since", async () => {
  const { content } = await proposePlaceTwo();
  const network = trellis.network;
  await network.sandbox?.advanceClock(3 * 86_400);
  const approvedAt = BigInt(Math.floor(network.clock.now() / 1_000));
  const asked: string[] = [];
  const counting = (slots: bigint) =>
    bendNetwork(network, async ({ method, ask }) => {
      asked.push(method);
      // However fast the chain is: the slots that fit into the time since the approval.
      if (method === "getSlot") return { jsonrpc: "2.0", id: "0", result: slots } as never;
      return ask();
    });
  await requireSameTables(counting(await network.rpc.getSlot().send()), content, approvedAt);
  expect(asked).not.toContain("getBlockTime");
  await network.sandbox?.advanceClock(1_000);
  const grownAt = (await readTableStates(network, namedIn(content))).values().next().value?.lastExtendedSlot ?? 0n;
  await requireSameTables(counting(grownAt + 5_000n), content, approvedAt);
  expect(asked).toContain("getBlockTime");
});

const namedIn = (content: ProposalContent) =>
  content.kind === "transaction" ? content.message.addressTableLookups.map(({ accountKey }) => accountKey) : [];

const programAddress = "AddressLookupTab1e1111111111111111111111111" as Address;
async function deactivateTable(key: SignerKey, table: Address): Promise<void> {
  await sendElsewhere(trellis, [key], () => [
    {
      programAddress,
      accounts: [
        { address: table, role: AccountRole.WRITABLE },
        { address: addressOfKey(key) as Address, role: AccountRole.READONLY_SIGNER },
      ],
      data: Uint8Array.of(3, 0, 0, 0),
    },
  ]);
}

/** A payment to place 2 of a table with two entries, approved by the one who controls the table. */
async function proposePlaceTwo() {
  const at = proposalsOf(trellis);
  const [mallory, victim] = [newKey(), newKey()];
  const account = await at.open({ signers: [may(mallory), may(victim)], threshold: 2 }, 2_000_000_000n);
  const [one, two, payee] = [makeKey().address, makeKey().address, makeKey().address];
  const { table, recent } = await createTable(mallory, [one, two]);
  const pay = getTransferSolInstruction({
    source: createNoopSigner(account.address as Address),
    destination: payee,
    amount: 500_000_000n,
  });
  const message = compileWrappedMessage(account.address as Address, [pay], { [table]: [one, two, payee] });
  expect(message.addressTableLookups).toHaveLength(1);
  const creator = addressOfKey(mallory) as Address;
  const common = { settings: account.settings as Address, transactionIndex: 1n, creator };
  await sendElsewhere(trellis, [mallory], (rentPayer) => [
    createTransactionInstruction({ ...common, message, rentPayer }),
    createProposalInstruction({ ...common, rentPayer }),
    voteInstruction({ ...common, action: "approve", signer: creator }),
  ]);
  const proposal = deriveProposalAddress(common.settings, 1n);
  const content: ProposalContent = { kind: "transaction", accountIndex: 0, ephemeralSignerCount: 0, message };
  return { at, account, proposal, mallory, victim, payee, table, recent, content };
}

async function approveElsewhere(account: Opened, key: SignerKey): Promise<void> {
  const settings = account.settings as Address;
  await sendElsewhere(trellis, [key], () => [
    voteInstruction({ settings, transactionIndex: 1n, action: "approve", signer: addressOfKey(key) as Address }),
  ]);
}

const accountsOf = (table: Address, authority: Address, payer: Address) => [
  { address: table, role: AccountRole.WRITABLE },
  { address: authority, role: AccountRole.READONLY_SIGNER },
  { address: payer, role: AccountRole.WRITABLE_SIGNER },
  { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
];

function extension(entries: readonly Address[]): Uint8Array {
  const data = new Uint8Array(12 + 32 * entries.length);
  data[0] = 2;
  new DataView(data.buffer).setBigUint64(4, BigInt(entries.length), true);
  for (const [i, entry] of entries.entries()) data.set(addressBytes(entry), 12 + 32 * i);
  return data;
}

async function extendTable(key: SignerKey, table: Address, entries: readonly Address[]): Promise<void> {
  const authority = addressOfKey(key) as Address;
  await sendElsewhere(trellis, [key], (payer) => [
    { programAddress, accounts: accountsOf(table, authority, payer), data: extension(entries) },
  ]);
  await trellis.network.sandbox?.advanceClock(10);
}

async function closeTable(key: SignerKey, table: Address): Promise<void> {
  const authority = addressOfKey(key) as Address;
  await sendElsewhere(trellis, [key], (payer) => [
    {
      programAddress,
      accounts: [
        { address: table, role: AccountRole.WRITABLE },
        { address: authority, role: AccountRole.READONLY_SIGNER },
        { address: payer, role: AccountRole.WRITABLE },
      ],
      data: Uint8Array.of(4, 0, 0, 0),
    },
  ]);
}

/** An empty table; `recent` is the slot that its address is made of, as bytes. */
async function createTableAt(key: SignerKey, recent: Uint8Array): Promise<Address> {
  const authority = addressOfKey(key) as Address;
  const { address: table, bump } = findProgramDerivedAddress(programAddress, [addressBytes(authority), recent]);
  await sendElsewhere(trellis, [key], (payer) => [
    {
      programAddress,
      accounts: accountsOf(table, authority, payer),
      data: Uint8Array.of(0, 0, 0, 0, ...recent, bump),
    },
  ]);
  return table;
}

async function createTable(key: SignerKey, entries: readonly Address[]) {
  const { rpc, sandbox } = trellis.network;
  await sandbox?.advanceClock(10);
  const recent = new Uint8Array(8);
  new DataView(recent.buffer).setBigUint64(0, (await rpc.getSlot().send()) - 5n, true);
  const table = await createTableAt(key, recent);
  await extendTable(key, table, entries);
  return { table, recent };
}
