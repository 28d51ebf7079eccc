/** Other sources of blind approvals: custodians, batches, and policies as the account that decides. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  addressBytes,
  deriveBatchTransactionAddress,
  derivePolicyAddress,
  deriveProposalAddress,
  deriveTransactionAddress,
  voteInstruction,
} from "@trellis/program-client";
import { addressOfKey, createTrellisClient, type ReadAccounts, signPayload, signTransaction } from "@trellis/sdk";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiPath, type Holder, makeKey } from "../adversarial/support.js";
import { createTestLocation, type TestLocation } from "../support/test-database.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { changeStored, copyAccount, dropAccount, forgetProposals, rewriteAccount } from "./rewrite-account.js";
import { dataOf, may, newKey, type Opened, only, type Prepared, pays, proposalsOf, refusalOf } from "./support.js";

const [ana, ben] = [newKey(), newKey()];
const benAddress = addressOfKey(ben) as Address;
const payee = makeKey().address;
const change = { type: "settings", actions: [{ type: "SetTimeLock", newTimeLock: 60 }] };
/** A list with one action that no release knows. */
const unknownAction = [1, 0, 0, 0, 10, 1, 2, 3];
const broken = [255, 255, 255];
let directory: string;
let place: TestLocation;
let trellis: TestService;
let account: Opened;
let holder: Holder;
let held: Opened;
let wallet: Address;
let ofCustodian: string;
let policy: Address;
const batches = new Map<string, string>();
const titles = ["a message that is malformed", "an account of another kind", "a transaction that is gone"] as const;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "trellis-test-"));
  place = await createTestLocation();
  const variables = {
    TRELLIS_DATA_DIR: directory,
    TRELLIS_MASTER_KEY: randomBytes(32).toString("base64"),
    TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000",
    ...(place.url === undefined ? {} : { DATABASE_URL: place.url }),
  };
  trellis = await startTestService(variables);
  const at = proposalsOf(trellis);

  holder = await trellis.openHolder({ sol: "3000000000" });
  held = { address: holder.address, settings: holder.settingsAddress };
  const { signers } = (await trellis.client.accounts.get(holder.address)).policies;
  wallet = signers.find(({ provider }) => provider === "kms_a")?.address as Address;
  const asked = dataOf<Prepared>(await at.create(held, { signer: wallet, ...change }));
  const body = { transaction: only(asked), kms_payloads: stamp(asked.kms_payloads.flat()) };
  dataOf(await at.request("POST", held, "/submit", body));
  ofCustodian = asked.proposalAddress;

  account = await at.open({ signers: [may(ana), may(ben)], threshold: 2 }, 5_000_000_000n);
  policy = derivePolicyAddress(account.settings, 1n);
  const parts = await Promise.all(
    [1n, 2n, 3n].map((amount) => trellis.compose(account.address, [pay(amount * 1_000_000n)])),
  );
  const partOf = new Map<string, Address>();
  for (const title of titles) {
    const made = await proposeBatch(parts);
    batches.set(title, made.proposalAddress);
    partOf.set(title, deriveBatchTransactionAddress(account.settings, BigInt(made.transactionIndex), 2));
  }
  const paid = await at.propose(account, ana, pays(payee, 1_000_000n));

  await changeStored(trellis, variables, async (db) => {
    await rewriteAccount(db, deriveTransactionAddress(held.settings, BigInt(asked.transactionIndex)), (data) => [
      ...data.subarray(0, 113),
      ...unknownAction,
    ]);
    const [malformed, otherKind, removed] = titles.map((title) => partOf.get(title) as Address);
    await rewriteAccount(db, malformed as Address, (data) => [...data.subarray(0, 44), ...broken]);
    await rewriteAccount(db, otherKind as Address, (data) => [1, 2, 3, 4, 5, 6, 7, 8, ...data.subarray(8)]);
    await dropAccount(db, removed as Address);
    // A policy's own vote and payload, as programs that have policies keep them: at addresses that derive from the policy's.
    const ofPolicy = (data: Uint8Array) => [...data.subarray(0, 8), ...addressBytes(policy), ...data.subarray(40)];
    const index = BigInt(paid.transactionIndex);
    await copyAccount(db, paid.proposalAddress as Address, deriveProposalAddress(policy, index), ofPolicy);
    const own = deriveTransactionAddress(account.settings, index);
    await copyAccount(db, own, deriveTransactionAddress(policy, index), ofPolicy);
    policyVote = { proposal: deriveProposalAddress(policy, index), index };
    await rewriteAccount(db, own, ofPolicy);
    namesPolicy = paid.proposalAddress;

    for (const { settings } of [held, account]) await forgetProposals(db, settings);
  });
  trellis = await startTestService(variables);
}, 300_000);
afterAll(async () => {
  await trellis?.close();
  await place?.drop();
  await rm(directory, { recursive: true, force: true });
});
let policyVote: { readonly proposal: Address; readonly index: bigint };
let namesPolicy: string;

describe("a custodian's signer", () => {
  const about = () => `/proposals/${ofCustodian}`;
  const approval = () => ({ action: "approve", signers: [wallet] });
  const unreadable = [409, "unreadable_content"];

  it("is not asked to approve what cannot be read, in any way, and rejects it", async () => {
    const at = proposalsOf(trellis);
    const view = await at.get(held, ofCustodian);
    expect(view.warnings.map(({ code }) => code)).toEqual(["unreadable_content"]);
    expect(refusalOf(await at.request("POST", held, `${about()}/vote`, approval()))).toEqual(unreadable);
    const both = { signers: [wallet] };
    expect(refusalOf(await at.request("POST", held, `${about()}/vote-and-execute`, both))).toEqual(unreadable);
    const rejection = await at.request("POST", held, `${about()}/vote`, { action: "reject", signers: [wallet] });
    expect(dataOf<Prepared>(rejection).kms_payloads).toHaveLength(1);
  });

  it("signs no approval by another client's bytes, nor with what it stamped for something else", async () => {
    const at = proposalsOf(trellis);
    const { transactionIndex } = await at.get(held, ofCustodian);
    const transaction = await approvalElsewhere(held.settings, BigInt(transactionIndex), wallet);
    const prepared = await at.request("POST", held, "/transactions", { transaction, account_signers: [wallet] });
    expect(prepared.status, JSON.stringify(prepared.body)).toBe(400);
    const rejection = dataOf<Prepared>(
      await at.request("POST", held, `${about()}/vote`, { action: "reject", signers: [wallet] }),
    );
    const mixed = {
      transaction: signTransaction(transaction, [ben]),
      kms_payloads: stamp(rejection.kms_payloads),
    };
    expect((await at.request("POST", held, "/submit", mixed)).status).toBeGreaterThanOrEqual(400);
    expect((await at.get(held, ofCustodian)).approved).toEqual([]);
  });

  it("approves it where the request says so, and it is not executed here", async () => {
    const at = proposalsOf(trellis);
    const withWord = { ...approval(), approve_unreadable: true };
    const vote = dataOf<Prepared>(await at.request("POST", held, `${about()}/vote`, withWord));
    const body = { transaction: vote.transaction, kms_payloads: stamp(vote.kms_payloads) };
    dataOf(await at.request("POST", held, "/submit", body));
    expect(await at.get(held, ofCustodian)).toMatchObject({ status: "Approved", approved: [wallet] });
    const execution = await at.request("POST", held, `${about()}/execute`, { signer: wallet });
    expect(refusalOf(execution)).toEqual(unreadable);
  });
});

describe("a batch of which a part cannot be read", () => {
  const proposalOf = (title: string) => batches.get(title) ?? "";
  const readFromChain: ReadAccounts = async (addresses) =>
    (await readAccounts(trellis.network, addresses)).map((found) => (found ? Uint8Array.from(found.data) : null));

  it.each(titles)("is warned of as a whole, and approved only where the request says so: %s", async (title) => {
    const at = proposalsOf(trellis);
    const view = await at.get(account, proposalOf(title));
    expect(view.summary).toEqual([]);
    expect(view.warnings.map(({ code }) => code)).toContain("unreadable_content");
    const path = `/proposals/${proposalOf(title)}/vote`;
    const approval = { action: "approve", signers: [benAddress] };
    expect(refusalOf(await at.request("POST", account, path, approval))).toEqual([409, "unreadable_content"]);
    const both = await at.voteAndExecute(account, proposalOf(title), [ana, ben]);
    expect(refusalOf(both)).toEqual([409, "unreadable_content"]);
    const elsewhere = await approvalElsewhere(account.settings, BigInt(view.transactionIndex), benAddress);
    expect(refusalOf(await at.submit(account, elsewhere, [ben]))).toEqual([409, "unreadable_content"]);
    const withWord = { ...approval, approve_unreadable: true };
    expect((await at.request("POST", account, path, withWord)).status).toBe(200);
    expect((await at.vote(account, proposalOf(title), "reject", [ben])).status).toBe(200);
  });

  it.each(titles)("is not approved by the library, whether the answer is true or a lie: %s", async (title) => {
    const about = { account: account.address, proposal: proposalOf(title), action: "approve", keys: [ben] } as const;
    const clientOf = (lie: object, own?: ReadAccounts) =>
      createTrellisClient({
        baseUrl: trellis.service.url,
        apiKey: trellis.apiKey,
        environment: "sandbox",
        ...(own === undefined ? {} : { readAccounts: own }),
        fetch: async (input, init) => {
          if (!String(input).endsWith("/vote")) return fetch(input, init);
          const asked = { ...JSON.parse(String(init?.body)), approve_unreadable: true };
          const answer = await fetch(input, { ...init, body: JSON.stringify(asked) });
          const { data, ...rest } = (await answer.json()) as { data: { proposal: object } };
          const said = { ...rest, data: { ...data, proposal: { ...data.proposal, ...lie } } };
          return new Response(JSON.stringify(said), { status: answer.status, headers: answer.headers });
        },
      });
    const summary = [{ type: "transfer", from: account.address, to: payee, mint: null, amount: "1000000" }];
    const lie = { kind: "batch", summary, warnings: [], batch: { size: 1, executed: 0, transactions: [summary] } };
    await expect(clientOf({}).proposals.vote(about)).rejects.toMatchObject({ difference: "unreadable" });
    await expect(clientOf(lie, readFromChain).proposals.vote(about)).rejects.toMatchObject({
      name: "TransactionMismatchError",
      difference: "unreadable",
    });
  });
});

describe("a policy as the account that decides", () => {
  it("has votes that do not count under the account, in every way", async () => {
    const at = proposalsOf(trellis);
    const { proposal, index } = policyVote;
    const foreign = [403, "proposal_account_mismatch"];
    expect(refusalOf(await at.request("GET", account, `/proposals/${proposal}`))).toEqual(foreign);
    for (const action of ["approve", "reject", "cancel"]) {
      expect(refusalOf(await at.vote(account, proposal, action, [ben]))).toEqual(foreign);
    }
    expect(refusalOf(await at.execute(account, proposal, ana))).toEqual(foreign);
    expect(refusalOf(await at.voteAndExecute(account, proposal, [ana, ben]))).toEqual(foreign);
    const listed = dataOf<{ proposalAddress: string }[]>(await at.list(account));
    expect(listed.map(({ proposalAddress }) => proposalAddress)).not.toContain(proposal);
    const elsewhere = await approvalElsewhere(policy, index, benAddress);
    const refused = await at.submit(account, elsewhere, [ben]);
    expect(refused.status, JSON.stringify(refused.body)).toBe(400);
    expect(await trellis.lamportsOf(payee)).toBe(0n);
  });

  it("named by the payload of the account's own proposal is not approved blindly, and not executed", async () => {
    const at = proposalsOf(trellis);
    const view = await at.get(account, namesPolicy);
    expect(view.summary).toEqual([]);
    expect(view.warnings.map(({ code }) => code)).toContain("unreadable_content");
    expect(refusalOf(await at.vote(account, namesPolicy, "approve", [ben]))).toEqual([409, "unreadable_content"]);
    expect(await trellis.lamportsOf(payee)).toBe(0n);
  });
});

const pay = (amount: bigint) =>
  getTransferSolInstruction({ source: createNoopSigner(account.address), destination: payee, amount });

const stamp = (payloads: readonly unknown[]) =>
  payloads.map((one) =>
    signPayload(one as Parameters<typeof signPayload>[0], holder.session.authorizationKey, Date.now()),
  );

async function proposeBatch(transactions: readonly string[]): Promise<Prepared> {
  const at = proposalsOf(trellis);
  const body = { type: "custom", transactions, signer: addressOfKey(ana) };
  const prepared = dataOf<Prepared>(await at.create(account, body));
  const submitted = await trellis.request("POST", `${apiPath}/accounts/${account.address}/submit`, {
    transactions: prepared.transactions.map((transaction) => signTransaction(transaction, [ana])),
    kms_payloads: prepared.transactions.map(() => []),
  });
  expect(dataOf<{ partial_failure?: object | null }>(submitted).partial_failure ?? null).toBeNull();
  return prepared;
}

/** An approval that another client builds, of a vote under whatever account decides. */
async function approvalElsewhere(consensus: Address, transactionIndex: bigint, signer: Address): Promise<string> {
  await trellis.network.sandbox?.airdrop(benAddress, 100_000_000n);
  const common = { settings: consensus, transactionIndex, signer };
  return trellis.compose(benAddress, [voteInstruction({ ...common, action: "approve" })]);
}
