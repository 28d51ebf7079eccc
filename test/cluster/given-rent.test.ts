import { base58 } from "@scure/base";
import { type Address, address } from "@solana/kit";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import {
  addressOfKey,
  createTrellisClient,
  type PreparedTransfer,
  type SignerKey,
  signTransaction,
} from "@trellis/sdk";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError, tokenProgram, usdcMint } from "../adversarial/support.js";
import { use } from "../support/scene.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { startSandboxProcess } from "./sandbox-process.js";

/** A devnet of one sandbox process: here the service pays by the rules of real clusters. */
let trellis: TestService;
let feePayer: Address;
const chain = use(startSandboxProcess);
beforeAll(async () => {
  const { seed, publicKey } = generateEd25519KeyPair();
  feePayer = address(base58.encode(publicKey));
  await chain.airdrop(feePayer, 10_000_000_000n);
  trellis = await startTestService({
    TRELLIS_DEVNET_RPC_URLS: chain.url,
    TRELLIS_DEVNET_FEE_PAYER: base58.encode(Buffer.concat([seed, publicKey])),
    TRELLIS_DEVNET_MINTS: `usdc=${usdcMint}`,
    TRELLIS_DEVNET_GENESIS_HASH: await chain.rpc.getGenesisHash().send(),
    TRELLIS_API_KEY_ENVIRONMENTS: "devnet",
  });
});
afterAll(() => trellis?.close());

describe("a cluster, as it is configured where nothing is said", { timeout: 240_000 }, () => {
  it("gives no rent away: a farmer gains nothing, and the refusal says what is missing and who could pay it", async () => {
    const mallory = await openFunded();
    const before = await lamportsOf(feePayer);
    const answered = await ask(mallory, addressOfKey(newKey()));
    expectError(answered, 400, "rent_not_sponsored");
    const [detail] = (answered.body as { details: Record<string, string>[] }).details;
    expect(detail).toMatchObject({
      field: "destination.address",
      rent_lamports: "2039280",
      missing_lamports: "2039280",
      payer: mallory.address,
    });
    for (const word of [
      mallory.address,
      "token account",
      "self_managed_fees",
      "TRELLIS_SPONSOR_OPENINGS_PER_ACCOUNT",
    ]) {
      expect(detail?.suggestion).toContain(word);
    }
    expect(await lamportsOf(feePayer)).toBe(before);
  });

  it("pays the plain fee to a destination that has a token account, also by its own address", async () => {
    const [ada, grace] = [await openFunded(), await openFunded()];
    const before = await lamportsOf(feePayer);
    await submit(ada, await ask(ada, grace.address));
    await submit(ada, await ask(ada, deriveTokenAccount(grace.address, usdcMint, tokenProgram)));
    expect(before - (await lamportsOf(feePayer))).toBe(20_000n);
  });

  it("has the account pay as soon as it holds what was said to be missing, and keeps its hands off laid-out lamports", async () => {
    const ada = await openFunded();
    const payee = addressOfKey(newKey());
    // A stranger lays lamports to the payee's token account: that makes it no token account, and the service still pays no rent.
    await chain.airdrop(deriveTokenAccount(payee, usdcMint, tokenProgram), 2_100_000n);
    expectError(await ask(ada, payee), 400, "rent_not_sponsored");
    await chain.airdrop(ada.address, 2_039_280n);
    const before = await lamportsOf(feePayer);
    const prepared = await submit(ada, await ask(ada, payee));
    expect(prepared.summary[0]).toMatchObject({ type: "create_token_account", payer: ada.address });
    expect(before - (await lamportsOf(feePayer))).toBe(10_000n);
  });

  it("does not pay for what was prepared while the account could pay and spent it meanwhile", async () => {
    const ada = await openFunded();
    await chain.airdrop(ada.address, 2_039_280n);
    const [first, second] = [await ask(ada, addressOfKey(newKey())), await ask(ada, addressOfKey(newKey()))];
    await submit(ada, first);
    const before = await lamportsOf(feePayer);
    const { transaction } = (second.body as { data: PreparedTransfer }).data;
    const late = await request(`/accounts/${ada.address}/submit`, {
      transaction: signTransaction(transaction, [ada.key]),
      kms_payloads: [],
    });
    expectError(late, 400, "transaction_failed");
    expect(await lamportsOf(feePayer)).toBe(before);
  });
});

interface Funded {
  readonly key: SignerKey;
  readonly address: Address;
}

const newKey = (): SignerKey => generateEd25519KeyPair().seed;

const lamportsOf = async (of: Address) => (await chain.rpc.getBalance(of, { commitment: "confirmed" }).send()).value;

const request = (path: string, body: object) =>
  trellis.request("POST", `/api/service/v1${path}`, body, { "x-service-environment": "devnet" });

/** An account of one key, which holds USDC and no SOL. */
async function openFunded(): Promise<Funded> {
  const client = createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "devnet" });
  const key = newKey();
  const opened = await client.accounts.create({ type: "signers", signers: [addressOfKey(key)], threshold: 1 });
  await chain.mint(opened.address as Address, usdcMint, 1_000_000n);
  return { key, address: opened.address as Address };
}

const ask = (from: Funded, to: string) =>
  request(`/accounts/${from.address}/payment-intent`, {
    amount: "1",
    source: { account: from.address, currency: "usdc" },
    destination: { address: to, currency: "usdc" },
  });

async function submit(from: Funded, answered: Awaited<ReturnType<typeof ask>>): Promise<PreparedTransfer> {
  expect(answered.status, JSON.stringify(answered.body)).toBe(201);
  const prepared = (answered.body as { data: PreparedTransfer }).data;
  const transaction = signTransaction(prepared.transaction, [from.key]);
  const submitted = await request(`/accounts/${from.address}/submit`, { transaction, kms_payloads: [] });
  expect(submitted.status, JSON.stringify(submitted.body)).toBe(200);
  return prepared;
}
