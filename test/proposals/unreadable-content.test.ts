/** What other releases and other clients put to a vote: listed as far as it can be read, and never approved blindly. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address } from "@solana/kit";
import { addressBytes, deriveTransactionAddress, voteInstruction } from "@trellis/program-client";
import { addressOfKey, createTrellisClient, type ReadAccounts, type TrellisClient } from "@trellis/sdk";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeKey } from "../adversarial/support.js";
import { createTestLocation, type TestLocation } from "../support/test-database.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { changeStored, forgetProposals, rewriteAccount } from "./rewrite-account.js";
import { dataOf, may, newKey, type Opened, type Prepared, proposalsOf, refusalOf } from "./support.js";

const [ana, ben] = [newKey(), newKey()];
const [outsider, policy] = [makeKey().address, makeKey().address];
const benAddress = addressOfKey(ben) as Address;
const u16 = (value: number) => [value & 0xff, value >> 8];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];
const u64 = (value: bigint) => [...Buffer.from(BigUint64Array.of(value).buffer)];
const key = (address: Address) => [...addressBytes(address)];
const listOf = (...actions: number[][]) => [...u32(actions.length), ...actions.flat()];
const addOutsider = [0, ...key(outsider), 7];
const removeBen = [1, ...key(benAddress)];
const lowerThreshold = [2, ...u16(1)];
const signersOfPolicy = [...u32(1), ...key(outsider), 7];
/** A limit for SOL: 4.9 of them, once, to any owner. */
const limitOfPolicy = [
  1,
  ...new Array(32).fill(0),
  0,
  ...u64(0n),
  0,
  0,
  0,
  ...u64(4_900_000_000n),
  ...u64(4_900_000_000n),
  0,
  0,
  ...u32(0),
];
const createPolicy = [7, ...u64(1n), ...limitOfPolicy, ...signersOfPolicy, ...u16(1), ...u32(0), 0, 0];
const updatePolicy = [8, ...key(policy), ...signersOfPolicy, ...u16(1), ...u32(0), ...limitOfPolicy, 0];
/** Programs that a policy may call: of another layout in every release. */
const createPolicyOfPrograms = [7, ...u64(1n), 3, 1, 2, 3, 4];
const added = { type: "add_signer", address: outsider, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] };
const removed = { type: "remove_signer", address: benAddress };
const lowered = { type: "change_threshold", threshold: 1 };
const other = (name: string) => ({ type: "other", name });

/** Lists of actions of which not all can be read. */
const lists: readonly Case[] = [
  {
    title: "PolicyCreate behind actions that take the account over",
    list: listOf(addOutsider, removeBen, lowerThreshold, createPolicy),
    shown: [added, removed, lowered, other("PolicyCreate")],
    warnings: ["unreadable_content", "removes_signer", "lowers_threshold", "grants_policy"],
  },
  {
    title: "PolicyCreate in front of them, of a layout that is known",
    list: listOf(createPolicy, addOutsider, lowerThreshold),
    shown: [other("PolicyCreate"), added, lowered],
    warnings: ["unreadable_content", "grants_policy", "lowers_threshold"],
  },
  {
    title: "PolicyCreate in front of them, of a layout that is not",
    list: listOf(createPolicyOfPrograms, addOutsider, lowerThreshold),
    shown: [other("PolicyCreate"), other("2 more actions that cannot be read")],
    warnings: ["unreadable_content", "grants_policy"],
  },
  {
    title: "PolicyUpdate in front of another action",
    list: listOf(updatePolicy, lowerThreshold),
    shown: [other("PolicyUpdate"), lowered],
    warnings: ["unreadable_content", "grants_policy", "lowers_threshold"],
  },
  {
    title: "SetArchivalAuthority",
    list: listOf([6, 1, ...key(outsider)]),
    shown: [other("SetArchivalAuthority")],
    warnings: ["unreadable_content"],
  },
  {
    title: "AddSigner with permissions that no release knows",
    list: listOf([0, ...key(outsider), 9]),
    shown: [other("AddSigner with unknown permissions")],
    warnings: ["unreadable_content"],
  },
  {
    title: "an action that no release knows, alone",
    list: listOf([10, 1, 2, 3]),
    shown: [other("action of the unknown kind 10")],
    warnings: ["unreadable_content"],
  },
  {
    title: "an action that no release knows, among others",
    list: listOf(lowerThreshold, [200, 1, 2, 3], addOutsider),
    shown: [lowered, other("action of the unknown kind 200"), other("1 more action that cannot be read")],
    warnings: ["unreadable_content", "lowers_threshold"],
  },
  {
    title: "a list that ends before its count does",
    list: [...u32(3), ...lowerThreshold],
    shown: [lowered, other("2 more actions that cannot be read")],
    warnings: ["unreadable_content", "lowers_threshold"],
  },
];
let directory: string;
let place: TestLocation;
let trellis: TestService;
let account: Opened;
const proposals = new Map<string, string>();
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "trellis-test-"));
  place = await createTestLocation();
  const variables = {
    TRELLIS_DATA_DIR: directory,
    ...(place.url === undefined
      ? {}
      : { DATABASE_URL: place.url, TRELLIS_MASTER_KEY: randomBytes(32).toString("base64") }),
  };
  trellis = await startTestService(variables);
  const at = proposalsOf(trellis);
  account = await at.open({ signers: [may(ana), may(ben)], threshold: 2 }, 5_000_000_000n);
  const change = { type: "settings", actions: [{ type: "SetTimeLock", newTimeLock: 60 }] };
  const pays = { type: "transfer", currency: "sol", amount: "1000000", destination: outsider };
  const rewrites: [Address, (data: Uint8Array) => number[]][] = [];
  const prepare = async (title: string, body: object, rewrite: (data: Uint8Array) => number[]) => {
    const { proposalAddress, transactionIndex } = await at.propose(account, ana, body);
    proposals.set(title, proposalAddress);
    rewrites.push([deriveTransactionAddress(account.settings, BigInt(transactionIndex)), rewrite]);
  };
  for (const { title, list } of lists) await prepare(title, change, (data) => [...data.subarray(0, 113), ...list]);
  for (const { title, tail } of payloads) await prepare(title, pays, (data) => [...data.subarray(0, 112), ...tail]);
  await prepare("an account of no known kind", pays, (data) => [1, 2, 3, 4, 5, 6, 7, 8, ...data.subarray(8)]);
  await prepare("PolicyRemove", change, (data) => [...data.subarray(0, 113), ...listOf([9, ...key(policy)])]);
  await changeStored(trellis, variables, async (db) => {
    for (const [address, rewrite] of rewrites) await rewriteAccount(db, address, rewrite);
    await forgetProposals(db, account.settings);
  });
  trellis = await startTestService(variables);
}, 300_000);
afterAll(async () => {
  await trellis?.close();
  await place?.drop();
  await rm(directory, { recursive: true, force: true });
});

describe("a list of actions of which not all can be read", () => {
  it.each(lists)(
    "shows what can be read of it and warns of the rest: $title",
    async ({ title, shown: view, warnings }) => {
      const details = await proposalsOf(trellis).get(account, proposalOf(title));
      expect(details).toMatchObject({ kind: "settings", summary: [{ type: "settings_change", actions: view }] });
      expect(codesOf(details.warnings)).toEqual([...warnings].sort());
    },
  );

  it.each(lists)("is approved only where the request says so: $title", ({ title }) =>
    expectNotApprovedBlindly(proposalOf(title)),
  );
});

describe("an account that cannot be read", () => {
  const titles = [...payloads.map(({ title }) => title), "an account of no known kind"];
  it.each(titles)("is warned of, and approved only where the request says so: %s", async (title) => {
    const details = await proposalsOf(trellis).get(account, proposalOf(title));
    expect(details).toMatchObject({ kind: "unknown", summary: [] });
    expect(codesOf(details.warnings)).toEqual(["unreadable_content"]);
    await expectNotApprovedBlindly(proposalOf(title));
  });
});

/** A client of a service that prepares anything, and changes what it answers about the proposal. */
function clientOf(lie: (said: object) => object, readAccounts?: ReadAccounts) {
  return createTrellisClient({
    baseUrl: trellis.service.url,
    apiKey: trellis.apiKey,
    environment: "sandbox",
    ...(readAccounts === undefined ? {} : { readAccounts }),
    fetch: async (input, init) => {
      if (!String(input).endsWith("/vote")) return fetch(input, init);
      const asked = { ...JSON.parse(String(init?.body)), approve_unreadable: true };
      const answer = await fetch(input, { ...init, body: JSON.stringify(asked) });
      const body = (await answer.json()) as { data: { proposal: object } };
      const reported = {
        ...body,
        data: { ...body.data, proposal: { ...body.data.proposal, ...lie(body.data.proposal) } },
      };
      return new Response(JSON.stringify(reported), { status: answer.status, headers: answer.headers });
    },
  });
}
const readFromChain: ReadAccounts = async (addresses) =>
  (await readAccounts(trellis.network, addresses)).map((held) => (held ? Uint8Array.from(held.data) : null));
const nothingSpecial = () => ({ kind: "settings", summary: [lowerOnly], warnings: [] });
const lowerOnly = { type: "settings_change", settings: outsider, by: [], actions: [lowered] };

describe("the client library signs no approval of what cannot be read", () => {
  const titles = [
    ...lists.map(({ title }) => title),
    ...payloads.map(({ title }) => title),
    "an account of no known kind",
  ];
  const approve = (client: TrellisClient, title: string) =>
    client.proposals.vote({ account: account.address, proposal: proposalOf(title), action: "approve", keys: [ben] });

  it.each(titles)("where the service asks for no word: %s", async (title) => {
    await expect(
      approve(
        clientOf(() => ({})),
        title,
      ),
    ).rejects.toMatchObject({ difference: "unreadable" });
    await expect(
      approve(
        clientOf(() => ({ warnings: [] })),
        title,
      ),
    ).rejects.toMatchObject({ difference: "unreadable" });
  });

  it.each(titles)("where the service says that it is something else: %s", async (title) => {
    await expect(approve(clientOf(nothingSpecial, readFromChain), title)).rejects.toMatchObject({
      name: "TransactionMismatchError",
      difference: "unreadable",
    });
  });

  it("and signs it with the caller's word", async () => {
    const title = "SetArchivalAuthority";
    const vote = { account: account.address, proposal: proposalOf(title), action: "approve", keys: [ben] } as const;
    const client = createTrellisClient({
      baseUrl: trellis.service.url,
      apiKey: trellis.apiKey,
      environment: "sandbox",
      readAccounts: readFromChain,
    });
    await expect(client.proposals.vote(vote)).rejects.toMatchObject({ code: "unreadable_content" });
    const { proposal } = await client.proposals.vote({ ...vote, approveUnreadable: true });
    expect(proposal.warnings.map(({ code }) => code)).toEqual(["unreadable_content"]);
    expect((await client.proposals.get(account.address, proposalOf(title))).approved).toEqual([benAddress]);
  });
});

it("a removal of a policy names the policy, and is approved like any other change", async () => {
  const at = proposalsOf(trellis);
  const details = await at.get(account, proposalOf("PolicyRemove"));
  expect(details.summary).toMatchObject([{ actions: [{ type: "remove_policy", policy }] }]);
  expect(details.warnings).toEqual([]);
  expect((await at.vote(account, proposalOf("PolicyRemove"), "approve", [ben])).status).toBe(200);
});

it("what was approved with the word for it is not executed here", async () => {
  const at = proposalsOf(trellis);
  const proposal = proposalOf("PolicyUpdate in front of another action");
  const body = { action: "approve", signers: [addressOfKey(ana), addressOfKey(ben)], approve_unreadable: true };
  const vote = dataOf<Prepared>(await at.request("POST", account, `/proposals/${proposal}/vote`, body));
  dataOf(await at.submit(account, vote.transaction, [ana, ben]));
  expect((await at.get(account, proposal)).status).toBe("Approved");
  expect(refusalOf(await at.execute(account, proposal, ana))).toEqual([409, "unreadable_content"]);
  await at.cast(account, proposal, "cancel", [ana, ben]);
});

interface Case {
  readonly title: string;
  /** The list of actions, as the chain has it. */
  readonly list: readonly number[];
  readonly shown: readonly object[];
  readonly warnings: readonly string[];
}

/** Everything that stands in a transaction's account behind its head. */
const payloads = [
  { title: "the payload of a policy", tail: [1, 2, 3, 4] },
  { title: "a payload that no release knows", tail: [2, 0, 0, 0, 0, 0, 0, 0] },
  { title: "a message that is malformed", tail: [0, 0, 0, 0, 0, 0, 255, 255, 255] },
] as const;

const proposalOf = (title: string): string => proposals.get(title) ?? "";

const codesOf = (warnings: readonly { readonly code: string }[]) => warnings.map(({ code }) => code).sort();

/** That it cannot be approved without the word for it, here or at once with the execution, and that it can be rejected. */
async function expectNotApprovedBlindly(proposal: string): Promise<void> {
  const at = proposalsOf(trellis);
  const about = `/proposals/${proposal}/vote`;
  const approval = { action: "approve", signers: [addressOfKey(ben)] };
  expect(refusalOf(await at.request("POST", account, about, approval))).toEqual([409, "unreadable_content"]);
  const withWord = { ...approval, approve_unreadable: true };
  expect(dataOf<Prepared>(await at.request("POST", account, about, withWord)).signers).toEqual([benAddress]);
  expect(refusalOf(await at.voteAndExecute(account, proposal, [ana, ben]))).toEqual([409, "unreadable_content"]);
  expect(refusalOf(await approveElsewhere(proposal))).toEqual([409, "unreadable_content"]);
  expect(dataOf<Prepared>(await at.vote(account, proposal, "reject", [ben])).signers).toEqual([benAddress]);
}

/** Submits an approval that another client has prepared, at its signer's own cost. */
async function approveElsewhere(proposal: string) {
  await trellis.network.sandbox?.airdrop(benAddress, 100_000_000n);
  const { transactionIndex } = await proposalsOf(trellis).get(account, proposal);
  const common = { settings: account.settings, transactionIndex: BigInt(transactionIndex), signer: benAddress };
  const wire = await trellis.compose(benAddress, [voteInstruction({ ...common, action: "approve" })]);
  return proposalsOf(trellis).submit(account, wire, [ben]);
}
