import { p256 } from "@noble/curves/nist.js";
import { hex } from "@scure/base";
import { type Address, address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import canonicalize from "canonicalize";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildSyncInstruction, buildTransaction } from "../../../test/vectors/build-sync-transaction.js";
import { type ReceivedRequest, startScriptedServer } from "../../../test/vectors/scripted-server.js";
import { smartAccountVector } from "../../../test/vectors/smart-account.js";
import { createTrellisClient } from "./client.js";
import { decodeBase64, encodeBase64, encodeUtf8 } from "./encoding.js";
import type { TrellisSession } from "./session.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { SendTransfer } from "./transfers.js";
import type { CustodyProvider, SubmitTransactionRequest } from "./wire.js";

const attacker = address("LbUiWL3xVV8hTFYBVdbTNrpDo41NKS6o3LHHuDzjfcY");

describe("transfers.send", () => {
  it("prepares, signs the payload as kms_a and submits the same transaction", async () => {
    const { trellis, prepared, received } = await startService();
    expect(await trellis.transfers.send(order())).toEqual({
      signature: "5sig",
      confirmedAt: "2026-01-05T09:05:02.000Z",
      id: "intent-1",
    });
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST /api/service/v1/accounts/${vault}/payment-intent`,
      `POST /api/service/v1/accounts/${vault}/submit`,
    ]);
    expect(received[0]?.body).toEqual({
      amount: "1000",
      source: { account: vault, currency: "sol" },
      destination: { address: recipient, currency: "sol" },
      transaction_signers: [wallet],
    });
    const submitted = received[1]?.body as SubmitTransactionRequest;
    expect(submitted.transaction).toBe(prepared.data.transaction);
    const [entry] = submitted.kms_payloads ?? [];
    if (entry?.provider !== "kms_a") throw new Error("a kms_a signature was to be submitted");
    const signed = encodeUtf8(canonicalize(prepared.document) ?? "");
    const signature = decodeBase64(entry.kms_signed_payload.signature);
    expect(p256.verify(signature, signed, publicKey, { format: "der", lowS: true })).toBe(true);
  });

  it("says that a program is to be paid where the caller asks for it", async () => {
    const { trellis, received } = await startService();
    await trellis.transfers.send({ ...order(), confirmProgramAddress: true });
    expect(received[0]?.body).toMatchObject({
      destination: { address: recipient, currency: "sol", confirm_program_address: true },
    });
  });

  it("signs document and time as kms_b", async () => {
    const { trellis, prepared, received } = await startService({}, "kms_b");
    await trellis.transfers.send(order("kms_b"));
    const submitted = received[1]?.body as SubmitTransactionRequest;
    const [entry] = submitted.kms_payloads ?? [];
    if (entry === undefined || !("timestamp_ms" in entry.kms_signed_payload)) throw new Error("no kms_b signature");
    const { public_key, signature, timestamp_ms } = entry.kms_signed_payload;
    expect(timestamp_ms).toBe(String(nowMs));
    expect(public_key).toBe(hex.encode(publicKey));
    const signed = encodeUtf8(canonicalize({ payload: prepared.document, timestamp_ms }) ?? "");
    expect(p256.verify(hex.decode(signature), signed, publicKey, { format: "der", lowS: true })).toBe(true);
  });

  it.each<[string, Preparation]>([
    ["another destination", { to: attacker }],
    ["another amount", { amount: 1_000_000n }],
    ["a payload with another transaction", { payload: { params: { transaction: "AQID", encoding: "base64" } } }],
    ["a payload of another account", { payload: { account: attacker } }],
    ["a payload of another environment", { payload: { environment: "mainnet" } }],
    ["a payload of another wallet", { payload: { wallet: attacker } }],
    ["a payload for a wallet that is not the session's", { payloadFor: attacker }],
    ["no payload", { none: true }],
  ])("signs and submits nothing when the service answers %s", async (_name, change) => {
    const { trellis, received } = await startService(change);
    await expect(trellis.transfers.send(order())).rejects.toThrow(TransactionMismatchError);
    expect(received.map(({ url }) => url)).toEqual([`/api/service/v1/accounts/${vault}/payment-intent`]);
  });

  it("reports its progress, and no step that it has not reached", async () => {
    const hear = async (change: Preparation = {}) => {
      const { trellis, received } = await startService(change);
      const steps: [string, number][] = [];
      const onProgress = (step: string) => void steps.push([step, received.length]);
      const sent = trellis.transfers.send(order(), { onProgress });
      await sent.catch((error: unknown) => expect(error).toBeInstanceOf(TransactionMismatchError));
      return steps;
    };
    // With each: how many requests had gone out by then.
    expect(await hear()).toEqual([
      ["prepared", 1],
      ["checked", 1],
      ["signed", 1],
      ["submitted", 1],
      ["confirmed", 2],
    ]);
    expect(await hear({ to: attacker })).toEqual([["prepared", 1]]);
  });

  it("signs nothing for another provider than the session's", async () => {
    const { trellis, received } = await startService({}, "kms_b");
    await expect(trellis.transfers.send(order("kms_a"))).rejects.toMatchObject({ difference: "payload" });
    expect(received).toHaveLength(1);
  });

  it("asks nothing when the mint is not known here or an address is none", async () => {
    const { trellis, received } = await startService();
    await expect(trellis.transfers.send({ ...order(), currency: "doge" })).rejects.toThrow(TypeError);
    await expect(trellis.transfers.send({ ...order(), currency: "constructor" })).rejects.toThrow(TypeError);
    await expect(trellis.transfers.send({ ...order(), destination: "nobody" })).rejects.toThrow(TypeError);
    expect(received).toHaveLength(0);
  });

  it("takes a currency that is a mint's address for that mint", async () => {
    const { trellis, received } = await startService();
    await expect(trellis.transfers.send({ ...order(), currency: attacker })).rejects.toMatchObject({
      difference: "mint",
      expected: attacker,
    });
    expect(received).toHaveLength(1);
  });

  it("compares with the mint of the currency", async () => {
    const { trellis } = await startService();
    await expect(trellis.transfers.send({ ...order(), currency: "usdc" })).rejects.toMatchObject({
      difference: "mint",
    });
  });
});

describe("every call reaches its endpoint", () => {
  it("with the method and path of the interface, whether the answer is bare or enveloped", async () => {
    const { trellis } = await startService();
    const kms_provider_config = { encryption_public_key: "k" };
    const kms_payload = { provider: "kms_a", session: {} } as const;
    const email = "ada+1@example.com";
    const calls: [Promise<unknown>, string][] = [
      [trellis.accounts.create({ type: "email", email }), "POST /accounts"],
      [trellis.accounts.verify({ email, otp_code: "042137", kms_provider_config }), "POST /accounts/verify"],
      [trellis.accounts.get("a/b"), "GET /accounts/a%2Fb"],
      [trellis.accounts.balances(vault, { limit: 5, page: 2 }), `GET /accounts/${vault}/balances?limit=5&page=2`],
      [trellis.auth.start({ email }), "POST /auth"],
      [trellis.auth.verify({ email, otp_code: "042137", kms_provider_config }), "POST /auth/verify"],
      [trellis.auth.refresh({ encryption_public_key: "k", kms_payload }), "POST /auth/refresh-session"],
      [trellis.transactions.prepare(vault, { transaction: "AQ==" }), `POST /accounts/${vault}/transactions`],
      [
        trellis.proposals.get("a/b", "c", { showOnChainStatus: true }),
        "GET /accounts/a%2Fb/proposals/c?showOnChainStatus=true",
      ],
      [trellis.sandbox.outbox(email), "GET /sandbox/outbox?email=ada%2B1%40example.com"],
      [trellis.sandbox.airdrop({ address: vault, currency: "sol", amount: "1" }), "POST /sandbox/airdrop"],
      [trellis.sandbox.advanceClock(60), "POST /sandbox/clock/advance"],
    ];
    for (const [answer, asked] of calls) {
      expect(await answer).toEqual({ asked: asked.replace(" ", " /api/service/v1") });
    }
  });
});

const settings = address(smartAccountVector.settings);
const vault = address(smartAccountVector.vault0);
const feePayer = address("8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR");
const wallet = address("CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8");
const recipient = address("GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq");
const nowMs = Date.parse("2026-01-05T09:05:00.000Z");

const privateKey = p256.utils.randomSecretKey();
const publicKey = p256.getPublicKey(privateKey, true);

type Preparation = {
  to?: Address;
  amount?: bigint;
  payload?: Record<string, unknown>;
  payloadFor?: Address;
  none?: true;
};

const metadata = { request_id: "r", timestamp: "2026-01-05T09:05:00.000Z" };

function sessionOf(provider: CustodyProvider): TrellisSession {
  const wallets = [{ id: "w-1", address: wallet }];
  return {
    provider,
    authorizationKey: { privateKey, publicKey },
    wallets,
    expiresAtMs: nowMs + 60_000,
    authentication: { provider, session: {} },
  };
}

function prepare(change: Preparation, provider: CustodyProvider) {
  const transaction = buildTransaction(feePayer, [
    buildSyncInstruction({
      settings,
      members: [wallet],
      instructions: [
        getTransferSolInstruction({
          source: createNoopSigner(vault),
          destination: change.to ?? recipient,
          amount: change.amount ?? 1_000n,
        }),
      ],
    }),
  ]);
  const document = {
    version: 1,
    method: "signTransaction",
    environment: "sandbox",
    account: vault,
    wallet,
    params: { transaction, encoding: "base64" },
    nonce: "n-1",
    expires_at: "2026-01-05T09:06:00.000Z",
    ...change.payload,
  };
  const payload = encodeBase64(encodeUtf8(JSON.stringify(document)));
  const entry = { provider, address: change.payloadFor ?? wallet, payload };
  return {
    document,
    data: {
      id: "intent-1",
      state: "awaiting_funds",
      transaction,
      transaction_signers: [wallet],
      kms_payloads: change.none ? [] : [entry],
    },
  };
}

async function startService(change: Preparation = {}, provider: CustodyProvider = "kms_a") {
  const prepared = prepare(change, provider);
  const started = await startScriptedServer((request: ReceivedRequest) => {
    if (request.url.endsWith("/payment-intent")) return { status: 200, body: { data: prepared.data, metadata } };
    if (request.url.endsWith("/submit")) {
      const data = { transaction_signature: "5sig", confirmed_at: "2026-01-05T09:05:02.000Z" };
      return { status: 200, body: { data, metadata } };
    }
    return { status: 200, body: { asked: `${request.method} ${request.url}` } };
  });
  onTestFinished(started.close);
  const trellis = createTrellisClient({
    baseUrl: started.baseUrl,
    apiKey: "sk_test_1",
    environment: "sandbox",
    now: () => nowMs,
  });
  return { trellis, prepared, received: started.received };
}

const order = (provider: CustodyProvider = "kms_a"): SendTransfer => ({
  account: vault,
  session: sessionOf(provider),
  currency: "sol",
  destination: recipient,
  amount: 1_000n,
});
