import { readFileSync } from "node:fs";
import {
  type Address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import { limits } from "@trellis/kernel/limits.js";
import { rpcMethods } from "@trellis/sandbox/node/rpc-handler.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxProcess, startSandboxProcess, startServiceProcess } from "../cluster/sandbox-process.js";

/** Every method of the sandbox's node, alone and in batches, with what costs most, on a chain of a million slots. */

const timeoutMs = 900_000;

let chain: SandboxProcess;

beforeAll(async () => {
  chain = await startSandboxProcess();
  for (const [name, more] of [
    ["split", { TRELLIS_SANDBOX_RPC_URL: chain.url }],
    ["embedded", {}],
  ] as const) {
    const { told: reported, pid, stop } = await startServiceProcess({ ...variables, ...more });
    const target = { url: reported, pids: name === "split" ? [pid, chain.pid] : [pid], stop };
    targets[name] = target;
    scenes[name] = await setScene(target);
  }
}, timeoutMs);
afterAll(async () => {
  for (const target of Object.values(targets)) await target.stop();
  await chain?.stop();
});

describe.each(["split", "embedded"] as const)("a service with its sandbox %s", (topology) => {
  const target = () => targets[topology] as Target;

  it("lives, answers others and stays small, whatever its node is asked", { timeout: timeoutMs }, async () => {
    const heaviest = heaviestCalls(scenes[topology] as Scene);
    expect(Object.keys(heaviest).sort()).toEqual(Object.keys(rpcMethods).sort());
    const before = peakBytes(target());
    for (const [method, params] of Object.entries(heaviest)) {
      for (const body of [requestOf(method, params), batchOf(method, params)]) {
        const { text, healthy } = await askBesideHealth(target(), body);
        expect(text.length, method).toBeLessThan(limits.sandboxRpc.answerBytes + envelopes);
        expect(healthy, method).toBeGreaterThan(0);
      }
    }
    expect(peakBytes(target()) - before).toBeLessThan(growthMost);
  });

  it("reads a large account no thousand times for a batch that shows nothing of it", async () => {
    const { large } = scenes[topology] as Scene;
    const nothing = { encoding: "base64", dataSlice: { offset: 0, length: 0 } };
    const answers = JSON.parse(await rpc(target(), batchOf("getAccountInfo", [large, nothing]))) as object[];
    const shown = answers.filter((answer) => "result" in answer).length;
    expect([shown > 100, shown < 200]).toEqual([true, true]);
  });

  it("keeps no more than its share where many large answers are wanted and not read", {
    timeout: timeoutMs,
  }, async () => {
    const { large } = scenes[topology] as Scene;
    const before = peakBytes(target());
    const body = requestOf("getAccountInfo", [large, { encoding: "base64" }]);
    const begun = await Promise.all(Array.from({ length: 200 }, () => begin(target(), body)));
    const grown = peakBytes(target()) - before;
    const answers = await Promise.all(begun.map(async (answer) => JSON.parse(await answer.text()) as object));
    for (const answer of answers) expect(answer).toMatchObject({ id: 1 });
    const refused = answers.filter((answer) => "error" in answer).length;
    expect([refused > 0, refused < begun.length]).toEqual([true, true]);
    expect(grown).toBeLessThan(growthMost);
  });
});

const key = "sk_test_".padEnd(40, "f");
const million = 1_000_000;
const slotSeconds = 0.4;
/** What the words for calls that found no room may add. */
const envelopes = 1024 * 1024;
/** The heap of a service under attack; it starts with less than half of it. */
const heapMb = 256;
/** What its memory may grow by, whatever is asked: answers that are under way, and what becomes garbage around them. */
const growthMost = 384 * 1024 * 1024;

interface Target {
  readonly url: string;
  readonly pids: readonly number[];
  stop(): Promise<unknown>;
}

const variables = {
  TRELLIS_API_KEY: key,
  TRELLIS_RATE_LIMIT: "0",
  TRELLIS_TENANT_RATE_LIMIT: "0",
  NODE_OPTIONS: `--max-old-space-size=${heapMb}`,
};

const targets: Partial<Record<"split" | "embedded", Target>> = {};
const scenes: Partial<Record<"split" | "embedded", Scene>> = {};

interface Scene {
  readonly payer: Address;
  /** 4 MiB of data, encoded as 5.4 MiB. */
  readonly large: Address;
  readonly wire: string;
  readonly signature: string;
  readonly message: string;
  readonly mint: string;
  readonly tokenAccount: string;
}

const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const systemProgram = "11111111111111111111111111111111";

/** A million slots, an account that is large, one with a history, and tokens. */
async function setScene(target: Target): Promise<Scene> {
  await post(target, "/api/service/v1/sandbox/clock/advance", { seconds: million * slotSeconds });
  const [payer, large] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  for (let i = 0; i < 10; i += 1) await airdrop(target, payer.address, "sol", 10_000_000_000n);
  await airdrop(target, payer.address, "usdc", 5_000_000n);
  const space = 4 * 1024 * 1024;
  const lamports = BigInt(await call<number>(target, "getMinimumBalanceForRentExemption", [space]));
  const creating = getCreateAccountInstruction({
    payer,
    newAccount: large,
    lamports,
    space,
    programAddress: "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo" as Address,
  });
  const wire = await signed(target, payer, [creating]);
  const signature = await call<string>(target, "sendTransaction", [wire, { encoding: "base64" }]);
  const next = await signed(target, payer, [
    getTransferSolInstruction({ source: payer, destination: large.address, amount: 1n }),
  ]);
  const { value } = await call<{ value: { pubkey: string }[] }>(target, "getTokenAccountsByOwner", [
    payer.address,
    { mint },
    { encoding: "base64" },
  ]);
  return {
    payer: payer.address,
    large: large.address,
    wire: next,
    signature,
    message: Buffer.from(next, "base64").subarray(65).toString("base64"),
    mint,
    tokenAccount: value[0]?.pubkey ?? "",
  };
}

/** For each method the parameters that make the most of it. */
function heaviestCalls(scene: Scene): Record<string, readonly unknown[]> {
  const { payer, large, wire, signature, message, tokenAccount } = scene;
  const base64 = { encoding: "base64" };
  const parsed = { encoding: "jsonParsed" };
  const simulated = { ...base64, accounts: { encoding: "base64", addresses: [large] }, innerInstructions: true };
  return {
    getAccountInfo: [large, base64],
    getBalance: [payer],
    getBlock: [million - 10, { maxSupportedTransactionVersion: 0, ...parsed }],
    getBlockCommitment: [0],
    getBlockHeight: [],
    getBlockProduction: [],
    getBlocks: [0],
    getBlocksWithLimit: [0, 500_000],
    getBlockTime: [0],
    getClusterNodes: [],
    getEpochInfo: [],
    getEpochSchedule: [],
    getFeeForMessage: [message],
    getFirstAvailableBlock: [],
    getGenesisHash: [],
    getHealth: [],
    getHighestSnapshotSlot: [],
    getIdentity: [],
    getInflationGovernor: [],
    getInflationRate: [],
    getInflationReward: [Array.from({ length: 1_000 }, () => payer)],
    getLargestAccounts: [],
    getLatestBlockhash: [],
    getLeaderSchedule: [],
    getMaxRetransmitSlot: [],
    getMaxShredInsertSlot: [],
    getMinimumBalanceForRentExemption: [10 * 1024 * 1024],
    getMultipleAccounts: [Array.from({ length: 100 }, () => large), base64],
    getProgramAccounts: [systemProgram, base64],
    getRecentPerformanceSamples: [720],
    getRecentPrioritizationFees: [],
    getSignatureStatuses: [Array.from({ length: 256 }, () => signature), { searchTransactionHistory: true }],
    getSignaturesForAddress: [payer],
    getSlot: [],
    getSlotLeader: [],
    getSlotLeaders: [0, 5_000],
    getStakeMinimumDelegation: [],
    getSupply: [],
    getTokenAccountBalance: [tokenAccount],
    getTokenAccountsByDelegate: [payer, { programId: tokenProgram }, parsed],
    getTokenAccountsByOwner: [payer, { programId: tokenProgram }, parsed],
    getTokenLargestAccounts: [mint],
    getTokenSupply: [mint],
    getTransaction: [signature, { ...parsed, maxSupportedTransactionVersion: 0 }],
    getTransactionCount: [],
    getVersion: [],
    getVoteAccounts: [],
    isBlockhashValid: [systemProgram],
    minimumLedgerSlot: [],
    requestAirdrop: [payer, 1_000_000],
    sendTransaction: [wire, base64],
    simulateTransaction: [wire, simulated],
  };
}

const requestOf = (method: string, params: readonly unknown[]) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** A thousand, or as many as a body holds. */
function batchOf(method: string, params: readonly unknown[]): string {
  const one = requestOf(method, params);
  const count = Math.min(limits.sandboxRpc.batchCalls, Math.floor((limits.bodyBytes - 2) / (one.length + 1)));
  return `[${Array.from({ length: count }, () => one).join(",")}]`;
}

/** Asks the node, and meanwhile, one after the other, whether the process lives: how often it has said so. */
async function askBesideHealth(target: Target, body: string): Promise<{ text: string; healthy: number }> {
  let isAnswered = false;
  const asked = rpc(target, body).finally(() => {
    isAnswered = true;
  });
  let healthy = 0;
  do {
    const answer = await fetch(`${target.url}/healthz`);
    await answer.arrayBuffer();
    if (answer.status === 200) healthy += 1;
  } while (!isAnswered);
  return { text: await asked, healthy };
}

async function rpc(target: Target, body: string): Promise<string> {
  return (await begin(target, body)).text();
}

/** An answer of which no more is read than its beginning. */
async function begin(target: Target, body: string): Promise<Response> {
  const answer = await fetch(`${target.url}/api/service/v1/sandbox/rpc`, {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  });
  expect(answer.status).toBe(200);
  return answer;
}

async function call<Result>(target: Target, method: string, params: readonly unknown[]): Promise<Result> {
  const answer = JSON.parse(await rpc(target, requestOf(method, params))) as { result?: Result; error?: unknown };
  if (answer.result === undefined) throw new Error(JSON.stringify(answer));
  return answer.result;
}

async function post(target: Target, path: string, body: object): Promise<void> {
  const answer = await fetch(target.url + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

const airdrop = (target: Target, address: string, currency: string, amount: bigint) =>
  post(target, "/api/service/v1/sandbox/airdrop", { address, currency, amount: amount.toString() });

async function signed(
  target: Target,
  payer: KeyPairSigner,
  instructions: Parameters<typeof appendTransactionMessageInstructions>[0],
): Promise<string> {
  const { value } = await call<{ value: { blockhash: string; lastValidBlockHeight: number } }>(
    target,
    "getLatestBlockhash",
    [],
  );
  const lifetime = { ...value, lastValidBlockHeight: BigInt(value.lastValidBlockHeight) };
  const message = pipe(
    createTransactionMessage({ version: "legacy" }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime as never, paid),
    (alive) => appendTransactionMessageInstructions(instructions, alive),
  );
  return getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message as never));
}

/** The most memory that its processes have ever had resident. */
function peakBytes({ pids }: Target): number {
  return pids.reduce((sum, pid) => {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return sum + Number(found) * 1024;
  }, 0);
}
