/**
 * Removing a policy through the service. The sandbox's program has none, so a node in front of it adds one, has the program
 * accept what the clusters' accepts, and what is prepared is held against the exact accounts that the chain takes.
 */

import { base58 } from "@scure/base";
import { type Address, address, getBase64Decoder, type Instruction } from "@solana/kit";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  addressBytes,
  decodeSettings,
  deriveEarlyPolicyAddress,
  derivePolicyAddress,
  deriveTransactionAddress,
  discriminatorOf,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { addressOfKey, assertSettingsChangeMatches, createTrellisClient, decodeTransaction } from "@trellis/sdk";
import { readMessage } from "@trellis/solana/read-message.js";
import { parseWireTransaction } from "@trellis/solana/wire-transaction.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dataOf, may, newKey, type Opened, only, type Prepared, proposalsOf, refusalOf } from "../proposals/support.js";
import { use } from "../support/scene.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { type Behaviour, type RpcProxy, type RpcRequest, startRpcProxy } from "./rpc-proxy.js";
import { startSandboxProcess } from "./sandbox-process.js";

const usdc = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
const key = newKey();
const me = addressOfKey(key) as Address;
const collector = addressOfKey(newKey()) as Address;
let proxy: RpcProxy;
let trellis: TestService;
let account: Opened;
let stranger: Opened;
/** What the node has beside the chain, or in place of it. */
const held = new Map<string, Uint8Array | ((data: Uint8Array) => Uint8Array)>();

/** What the node no longer returns once it was read. */
const gone = new Set<string>();
const u32 = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];
const bytes = (one: Address) => [...addressBytes(one)];
const policies = { ours: "" as Address, early: "" as Address, theirs: "" as Address, dark: "" as Address };
const chain = use(startSandboxProcess);
beforeAll(async () => {
  proxy = await startRpcProxy(chain.url, withPolicies);
  const { seed, publicKey } = generateEd25519KeyPair();
  await chain.airdrop(address(base58.encode(publicKey)), 5_000_000_000n);
  trellis = await startTestService({
    TRELLIS_DEVNET_RPC_URLS: proxy.url,
    TRELLIS_DEVNET_WS_URL: "off",
    TRELLIS_DEVNET_FEE_PAYER: base58.encode(Buffer.concat([seed, publicKey])),
    TRELLIS_DEVNET_MINTS: `usdc=${usdc}`,
    TRELLIS_DEVNET_GENESIS_HASH: await chain.rpc.getGenesisHash().send(),
    TRELLIS_API_KEY_ENVIRONMENTS: "devnet",
  });
  const at = proposalsOf(onDevnet());
  account = await at.open({ signers: [may(key)], threshold: 1 });
  stranger = await at.open({ signers: [may(key)], threshold: 1 });
  policies.ours = derivePolicyAddress(account.settings, 1n);
  policies.early = deriveEarlyPolicyAddress(account.settings, 2n);
  policies.dark = derivePolicyAddress(account.settings, 3n);
  policies.theirs = derivePolicyAddress(stranger.settings, 1n);
  held.set(policies.ours, policyData(account.settings, 1n, collector));
  held.set(policies.early, policyData(account.settings, 2n, null));
  held.set(policies.dark, policyData(account.settings, 3n, null, 3));
  held.set(policies.theirs, policyData(stranger.settings, 1n, collector));
}, 120_000);
afterAll(async () => {
  await trellis?.close();
  await proxy?.close();
});

it("is prepared at once by PATCH, and passes the library's check", async () => {
  const at = proposalsOf(onDevnet());
  const removed = [policies.ours, policies.early];
  const { transaction } = dataOf<Prepared>(await at.request("PATCH", account, "", { remove_policies: removed }));
  const calls = await programCalls(transaction);
  expect(calls).toHaveLength(1);
  expect(namesOf(calls[0]).slice(4)).toEqual([me, policies.ours, policies.early, collector]);
  const expected = { account: account.address, changes: {} };
  assertSettingsChangeMatches(decodeTransaction(transaction), { ...expected, removePolicies: removed });
  expect(() => assertSettingsChangeMatches(decodeTransaction(transaction), expected)).toThrow(/policy is removed/);
});

it.each<[string, (policy: Address) => object]>([
  ["its name on the chain", (policy) => ({ type: "PolicyRemove", policy })],
  ["the name that summaries give it", (policy) => ({ type: "remove_policy", policy })],
  ["the other spelling", (policy) => ({ PolicyRemove: { policy } })],
])("is put to a vote by %s", async (_what, actionOf) => {
  const at = proposalsOf(onDevnet());
  const actions = [actionOf(policies.ours), { type: "SetTimeLock", newTimeLock: 60 }];
  const prepared = dataOf<Prepared>(await at.create(account, { type: "settings", signer: me, actions }));
  expect(prepared.summary).toMatchObject([
    {
      type: "create_proposal",
      actions: [{ type: "set_time_lock" }, { type: "remove_policy", policy: policies.ours }],
    },
  ]);
});

it("is what the library lets a caller propose who asked for it", async () => {
  const client = createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "devnet" });
  const propose = (policy: Address) =>
    client.proposals.create({
      account: account.address,
      keys: [key],
      content: { type: "settings", actions: [{ type: "PolicyRemove", policy }] },
    } as never);
  // The bytes pass the check; the sandbox's program refuses them where they are sent.
  await expect(propose(policies.ours)).rejects.not.toMatchObject({ name: "TransactionMismatchError" });
});

/**
 * Proposes what the chain shows as the removal of these policies. It does so from its first block on: what stands in an
 * account of a proposal never changes, so that a reader that has it does not read it again. Returns the proposal.
 */
async function proposeRemoval(removed: readonly Address[]): Promise<string> {
  const { value } = await chain.rpc.getAccountInfo(account.settings, { encoding: "base64" }).send();
  const { transactionIndex } = decodeSettings(Buffer.from(value?.data[0] ?? "", "base64"));
  const list = [...u32(removed.length), ...removed.flatMap((policy) => [9, ...bytes(policy)])];
  held.set(deriveTransactionAddress(account.settings, transactionIndex + 1n), (data) =>
    Uint8Array.from([...data.subarray(0, 113), ...list]),
  );
  const change = { type: "settings", actions: [{ type: "SetTimeLock", newTimeLock: 60 }], approve: true };
  const { proposalAddress } = await proposalsOf(onDevnet()).propose(account, key, change);
  return proposalAddress;
}

it("is executed with the policy's account and the one address that gets its rent", async () => {
  const at = proposalsOf(onDevnet());
  const proposalAddress = await proposeRemoval([policies.ours, policies.early]);
  const view = await at.get(account, proposalAddress);
  expect(view.summary).toMatchObject([{ actions: [{ type: "remove_policy" }, { type: "remove_policy" }] }]);
  const calls = await programCalls(only(dataOf<Prepared>(await at.execute(account, proposalAddress, key))));
  expect(calls).toHaveLength(1);
  expect(namesOf(calls[0]).slice(7)).toEqual([policies.ours, policies.early, collector]);

  const early = policyData(account.settings, 2n, null);
  const unknown = early.with(0, 1);
  const replaced: [Uint8Array | undefined, string][] = [
    [undefined, "invalid_proposal_status"],
    [policyData(stranger.settings, 2n, null), "unreadable_content"],
    [unknown, "unreadable_content"],
    [early.subarray(0, 60), "unreadable_content"],
  ];
  for (const [found, code] of replaced) {
    held.delete(policies.early);
    if (found !== undefined) held.set(policies.early, found);
    expect(refusalOf(await at.execute(account, proposalAddress, key))).toEqual([409, code]);
  }
  held.set(policies.early, early);
});

it("is not executed where another client proposed it of another account's policy, and can be cancelled", {
  timeout: 300_000,
}, async () => {
  const at = proposalsOf(onDevnet());
  const removals: [Address[], string][] = [
    [[policies.theirs], "belongs to another account"],
    [[policies.ours, policies.theirs], "belongs to another account"],
    [[stranger.settings], "is no policy that can be read here"],
    [[usdc], "which it removes, is no policy"],
  ];
  for (const [removed, reason] of removals) {
    const proposalAddress = await proposeRemoval(removed);
    const view = await at.get(account, proposalAddress);
    expect(view.summary).toMatchObject([{ actions: removed.map((policy) => ({ type: "remove_policy", policy })) }]);
    const { status, body } = await at.execute(account, proposalAddress, key);
    expect(status, JSON.stringify(body)).toBe(409);
    expect(JSON.stringify(body)).toContain(reason);
    expect((await at.vote(account, proposalAddress, "cancel", [key])).status).toBe(200);
  }
});

it.each<[string, () => object[], [number, string]]>([
  ["another account's", () => [{ type: "PolicyRemove", policy: policies.theirs }], [400, "invalid_address"]],
  ["no policy", () => [{ type: "PolicyRemove", policy: account.settings }], [400, "invalid_address"]],
  ["no address", () => [{ type: "PolicyRemove", policy: "x" }], [400, "invalid_address"]],
  ["one whose rent nobody can tell", () => [{ type: "PolicyRemove", policy: policies.dark }], [400, "invalid_address"]],
  [
    "one twice",
    () => [
      { type: "PolicyRemove", policy: policies.ours },
      { type: "remove_policy", policy: policies.ours },
    ],
    [400, "invalid_request"],
  ],
])("is refused for %s", async (_what, actionsOf, refusal) => {
  const at = proposalsOf(onDevnet());
  const answer = await at.create(account, { type: "settings", signer: me, actions: actionsOf() });
  expect(refusalOf(answer)).toEqual(refusal);
  const [first, second] = actionsOf() as { policy: string }[];
  if (second !== undefined) return;
  expect(refusalOf(await at.request("PATCH", account, "", { remove_policies: [first?.policy] }))).toEqual(refusal);
});

it("is prepared from one reading of the policy, whatever becomes of it meanwhile", async () => {
  const at = proposalsOf(onDevnet());
  gone.add(policies.ours);
  try {
    const change = { remove_policies: [policies.ours] };
    expect((await at.request("PATCH", account, "", change)).status).toBe(200);
    const actions = [{ type: "PolicyRemove", policy: policies.ours }];
    expect((await at.create(account, { type: "settings", signer: me, actions })).status).toBe(201);
  } finally {
    gone.delete(policies.ours);
  }
});

it("is refused where an admin decides", async () => {
  const admin = newKey();
  const at = proposalsOf(onDevnet());
  const ruled = await at.open({ signers: [may(key)], threshold: 1, admin_address: addressOfKey(admin) });
  const answer = await at.request("PATCH", ruled, "?admin=true", { remove_policies: [policies.ours] });
  expect(refusalOf(answer)).toEqual([400, "invalid_request"]);
});

const onDevnet = (): Parameters<typeof proposalsOf>[0] => ({
  network: trellis.service.networks.get("devnet") as Network,
  request: (method, path, body, headers = {}) =>
    trellis.request(method, path, body, { "x-service-environment": "devnet", ...headers }),
});

type Held = { data: [string, string]; owner: string; lamports: number; executable: boolean; space: number } | null;

const onlyOnce =
  (names: readonly string[]) =>
  (found: Held, i: number): Held =>
    gone.has(names[i] ?? "") ? null : found;

function accountOf(name: string, found: Held): Held {
  const own = held.get(name);
  if (own === undefined) return found;
  if (typeof own === "function") {
    if (found === null) return null;
    const data = own(Uint8Array.from(Buffer.from(found.data[0], "base64")));
    return { ...found, data: [getBase64Decoder().decode(data), "base64"], space: data.length };
  }
  const data: [string, string] = [getBase64Decoder().decode(own), "base64"];
  return { data, owner: SMART_ACCOUNT_PROGRAM_ADDRESS, lamports: 3_000_000, executable: false, space: own.length };
}

/** The clusters' program takes what the sandbox's refuses as not implemented. */
function withPolicies({ method, params = [] }: RpcRequest): Behaviour {
  if (method === "getAccountInfo") {
    return (result) => {
      const { value, ...rest } = result as { value: Held };
      return { ...rest, value: accountOf(String(params[0]), value) };
    };
  }
  if (method === "getMultipleAccounts") {
    return (result) => {
      const { value, ...rest } = result as { value: Held[] };
      const names = params[0] as string[];
      return { ...rest, value: value.map((found, i) => accountOf(names[i] ?? "", found)).map(onlyOnce(names)) };
    };
  }
  if (method === "simulateTransaction") {
    return (result) => {
      const { value, ...rest } = result as { value: { err: unknown; unitsConsumed: number } };
      const isRefused = JSON.stringify(value.err ?? "").includes("6052");
      return { ...rest, value: isRefused ? { ...value, err: null, unitsConsumed: 30_000 } : value };
    };
  }
  return "honest";
}

const u64 = (value: bigint) => [...new Uint8Array(BigUint64Array.of(value).buffer)];

/** A policy of internal transfers as the chain has it; with the address that gets its rent, or of the form without. */
const policyData = (settings: Address, seed: bigint, rentCollector: Address | null, kind = 0) =>
  Uint8Array.from([
    ...discriminatorOf("policy"),
    ...bytes(settings),
    ...u64(seed),
    255,
    ...u64(0n),
    ...u64(0n),
    ...[...u32(1), ...bytes(collector), 7, 1, 0, ...u32(0)],
    ...[kind, ...Array(64).fill(255), ...u32(0)],
    ...[...u64(1_760_000_000n), 0, ...(rentCollector === null ? [] : bytes(rentCollector))],
    ...Array(33).fill(0),
  ]);

async function programCalls(transaction: string): Promise<readonly Instruction[]> {
  const { instructions } = await readMessage(
    { rpc: chain.rpc } as never,
    parseWireTransaction(transaction, "transaction"),
  );
  return instructions.filter(({ programAddress }) => programAddress === SMART_ACCOUNT_PROGRAM_ADDRESS);
}

const namesOf = (instruction: Instruction | undefined) => (instruction?.accounts ?? []).map((one) => one.address);
