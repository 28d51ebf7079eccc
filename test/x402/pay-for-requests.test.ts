import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createNoopSigner,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  addressOfKey,
  createTrellisClient,
  knownMints,
  NotPaidError,
  type PaidRequest,
  PaymentUnconfirmedError,
  type SignedPayment,
  TransactionMismatchError,
} from "@trellis/sdk";
import { describe, expect, it, vi } from "vitest";
import { may, newKey, proposalsOf } from "../proposals/support.js";
import { use, useTestService } from "../support/scene.js";

const [owner, agent] = [newKey(), newKey()];
const trellis = useTestService();
const account = use(() => proposalsOf(trellis).open({ signers: [may(owner)], threshold: 1 }, 1_000_000_000n));
const shop = use(() => openShop(trellis.url, trellis.apiKey));

/** How much the example asks for. */
const price = 20_000n;

describe("a request that is paid for out of a spending limit", () => {
  it("costs what the server asks for, and has its answer", async () => {
    const limit = await grant(50_000n);
    const { response, payment, settlement } = await trellis.client.x402.fetch(paying(limit));
    expect(await response.json()).toEqual({ weather: "sunny", celsius: 21 });
    expect(payment).toMatchObject({ amount: price });
    expect(settlement?.success).toBe(true);
    expect(await leftOf(limit)).toBe(30_000n);
  });

  it("is paid for as long as the chain lets the limit pay, and not once more", async () => {
    const limit = await grant(50_000n);
    const paid = await Promise.allSettled([1, 2, 3, 4].map(() => trellis.client.x402.fetch(paying(limit))));
    expect(paid.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await leftOf(limit)).toBe(10_000n);
    await expect(trellis.client.x402.fetch(paying(limit))).rejects.toMatchObject({ code: "spending_limit_exceeded" });
  });

  it("is paid for once when it is made again with the same payment, for that address alone", async () => {
    const limit = await grant(50_000n);
    const kept: SignedPayment[] = [];
    const lost: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (new Headers(init?.headers).has("payment-signature")) throw new TypeError("the connection was lost");
      return response;
    };
    const request = { ...paying(limit), onSigned: (payment: SignedPayment) => void kept.push(payment) };
    const error = await failureOf(trellis.client.x402.fetch({ ...request, fetch: lost }));
    expect(error).toBeInstanceOf(PaymentUnconfirmedError);
    const { payment } = error as PaymentUnconfirmedError;
    expect(kept).toEqual([payment]);
    const again = await trellis.client.x402.fetch({ ...request, payment });
    expect([again.response.status, await leftOf(limit)]).toEqual([200, 30_000n]);
    const elsewhere = { ...request, url: `${shop.url}?other`, payment };
    await expect(trellis.client.x402.fetch(elsewhere)).rejects.toThrow("another address");
  });

  it("costs nothing where the server asks for nothing", async () => {
    const limit = await grant(50_000n);
    const { response, payment } = await trellis.client.x402.fetch({
      ...paying(limit),
      url: new URL("/", shop.url).href,
    });
    expect([response.status, payment, await leftOf(limit)]).toEqual([404, null, 50_000n]);
  });

  it("is not paid for by who is no signer of the limit", async () => {
    const limit = await grant(50_000n);
    const stranger = trellis.client.x402.fetch({ ...paying(limit), key: newKey() });
    await expect(stranger).rejects.toMatchObject({ code: "insufficient_permissions" });
    expect(await leftOf(limit)).toBe(50_000n);
  });
});

describe("a server that asks for what it should not", () => {
  const asked = { scheme: "exact", amount: "20000", payTo: addressOfKey(newKey()), asset: knownMints("sandbox").usdc };
  const extra = { feePayer: addressOfKey(newKey()), features: { smartWalletSupported: true } };
  const usual = { ...asked, network: "solana:here", extra };
  const refusesSmartWallets = { ...usual, extra: { ...extra, features: { smartWalletSupported: false } } };
  it.each([
    ["more than is allowed", { ...usual, amount: "20001" }, "too_expensive"],
    ["nothing", { ...usual, amount: "0" }, "nothing_acceptable"],
    ["a negative amount", { ...usual, amount: "-1" }, "nothing_acceptable"],
    ["an amount in words", { ...usual, amount: "1e3" }, "nothing_acceptable"],
    ["another coin", { ...usual, asset: addressOfKey(newKey()) }, "nothing_acceptable"],
    ["another network", { ...usual, network: "solana:there" }, "nothing_acceptable"],
    ["another scheme", { ...usual, scheme: "upto" }, "nothing_acceptable"],
    ["a payment to no address", { ...usual, payTo: "me" }, "nothing_acceptable"],
    ["a fee payer that is none", { ...usual, extra: { ...extra, feePayer: "me" } }, "nothing_acceptable"],
    ["no smart accounts", { ...usual, extra: { feePayer: extra.feePayer } }, "nothing_acceptable"],
    [
      "what is said to take no smart accounts",
      refusesSmartWallets,
      "nothing_acceptable",
      { smartWallets: "assumed" } as const,
    ],
    ["a memo", { ...usual, extra: { ...extra, memo: "order 7" } }, "nothing_acceptable"],
    ["a list", [], "nothing_acceptable"],
    ["no list", null, "nothing_acceptable"],
  ])("is paid nothing for %s", async (_what, option, reason, further: Pick<PaidRequest, "smartWallets"> = {}) => {
    const limit = await grant(50_000n);
    const server = await openServer((_request, response) => answer402(response, { x402Version: 2, accepts: [option] }));
    try {
      const error = await failureOf(
        trellis.client.x402.fetch({ ...paying(limit), url: server.url, network: "solana:here", ...further }),
      );
      expect(error).toBeInstanceOf(NotPaidError);
      expect((error as NotPaidError).reason).toBe(reason);
      expect(server.payments).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it.each([
    ["version 1", encode({ x402Version: 1, accepts: [usual] })],
    ["no JSON", Buffer.from("[").toString("base64")],
    ["no base64", "*"],
    ["no UTF-8", Buffer.from([0xff, 0xfe]).toString("base64")],
    ["null", encode(null)],
    ["thousands of options", encode({ x402Version: 2, accepts: Array(100).fill({}) })],
    ["nothing at all", undefined],
  ])("is paid nothing for %s", async (_what, header) => {
    const server = await openServer((_request, response) =>
      response.writeHead(402, header === undefined ? {} : { "payment-required": header }).end(),
    );
    try {
      const request = { ...paying(addressOfKey(newKey())), url: server.url, network: "solana:here" };
      expect(await failureOf(trellis.client.x402.fetch(request))).toMatchObject({ reason: "unreadable" });
    } finally {
      await server.close();
    }
  });

  it("is paid without a word of smart accounts where they are assumed, and says why it did not take it", async () => {
    const limit = await grant(50_000n);
    const { accepts } = decode((await fetch(shop.url)).headers.get("payment-required"));
    const [option] = accepts;
    const silent = { ...option, network: "solana:here", extra: { feePayer: option.extra.feePayer } };
    const server = await openServer((request, response) => {
      const error = request.headers["payment-signature"] === undefined ? "pay" : "smart_wallets_not_allowed";
      answer402(response, { x402Version: 2, accepts: [silent], error });
    });
    try {
      const request = { ...paying(limit), url: server.url, network: "solana:here" };
      expect(await failureOf(trellis.client.x402.fetch(request))).toMatchObject({ reason: "nothing_acceptable" });
      const refused = await failureOf(trellis.client.x402.fetch({ ...request, smartWallets: "assumed" }));
      expect(refused).toBeInstanceOf(PaymentUnconfirmedError);
      expect((refused as Error).message).toContain("402 (smart_wallets_not_allowed)");
      expect(server.payments).toHaveLength(1);
      expect(await leftOf(limit)).toBe(50_000n);
    } finally {
      await server.close();
    }
  });

  it("is paid nothing over plain http, and nobody but the one that is named", async () => {
    const answer = async () =>
      new Response(null, {
        status: 402,
        headers: { "payment-required": encode({ x402Version: 2, accepts: [usual] }) },
      });
    const request = { ...paying(addressOfKey(newKey())), network: "solana:here", fetch: answer };
    const away = trellis.client.x402.fetch({ ...request, url: "http://shop.example/" });
    expect(await failureOf(away)).toMatchObject({ reason: "insecure" });
    const other = trellis.client.x402.fetch({ ...request, payTo: addressOfKey(newKey()) });
    expect(await failureOf(other)).toMatchObject({ reason: "nothing_acceptable" });
  });

  it("is paid nothing where it leads elsewhere, before or after it is paid", async () => {
    const limit = await grant(50_000n);
    const away = await openServer((_request, response) => response.writeHead(302, { location: shop.url }).end());
    try {
      await expect(trellis.client.x402.fetch({ ...paying(limit), url: away.url })).rejects.toThrow();
      expect(await leftOf(limit)).toBe(50_000n);
    } finally {
      await away.close();
    }
  });

  it("is paid nothing where the agent itself would pay the fee, or the payee has no account to be paid into", async () => {
    const limit = await grant(50_000n);
    const payer = addressOfKey(newKey());
    for (const address of [payer, addressOfKey(agent)]) {
      await trellis.client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
    }
    const failures: unknown[] = [];
    for (const feePayer of [payer, addressOfKey(agent)]) {
      const option = { ...usual, extra: { ...extra, feePayer } };
      const server = await openServer((_request, response) =>
        answer402(response, { x402Version: 2, accepts: [option] }),
      );
      try {
        const request = { ...paying(limit), url: server.url, network: "solana:here" };
        failures.push(await failureOf(trellis.client.x402.fetch(request)));
        expect(server.payments).toEqual([]);
      } finally {
        await server.close();
      }
    }
    expect(failures).toMatchObject([{ reason: "payee_has_no_token_account" }, { reason: "nothing_acceptable" }]);
    expect(await leftOf(limit)).toBe(50_000n);
  });

  it("is paid nothing more where the service prepares something else", async () => {
    const limit = await grant(50_000n);
    const mallory = addressOfKey(newKey());
    await trellis.client.sandbox.airdrop({ address: mallory, currency: "usdc", amount: "1" });
    for (const change of [{ recipient_address: mallory }, { amount: "20001" }, { fee_config: {} }]) {
      const lying = createTrellisClient({
        baseUrl: trellis.url,
        apiKey: trellis.apiKey,
        environment: "sandbox",
        fetch: (url, init) =>
          fetch(url, { ...init, body: JSON.stringify({ ...JSON.parse(String(init?.body)), ...change }) }),
      });
      await expect(lying.x402.fetch(paying(limit))).rejects.toThrow(TransactionMismatchError);
    }
    expect(await leftOf(limit)).toBe(50_000n);
  });
});

describe("the server that charges", () => {
  it.each([
    ["no base64", "*"],
    ["no JSON", Buffer.from("{").toString("base64")],
    ["another price", undefined],
    ["a payment of a megabyte", "A".repeat(15_000)],
  ])("gives nothing for %s", async (_what, header) => {
    const first = await fetch(shop.url);
    const required = decode(first.headers.get("payment-required"));
    const accepted = { ...required.accepts[0], amount: "1" };
    const sent = header ?? encode({ x402Version: 2, accepted, payload: { transaction: "AA==" } });
    const response = await fetch(shop.url, { headers: { "payment-signature": sent } });
    expect(response.status).toBe(402);
    expect(decode(response.headers.get("payment-response"))).toMatchObject({ success: false });
  });

  it("signs for no transaction that pays it nothing", async () => {
    const required = decode((await fetch(shop.url)).headers.get("payment-required"));
    const [accepted] = required.accepts;
    const rpc = createSolanaRpc(`${trellis.url}/api/service/v1/sandbox/rpc?api-key=${trellis.apiKey}`);
    const { value: lifetime } = await rpc.getLatestBlockhash().send();
    const memo = {
      programAddress: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" as Address,
      data: new Uint8Array([65]),
    };
    const limit = getSetComputeUnitLimitInstruction({ units: 200_000 });
    const priced = getSetComputeUnitPriceInstruction({ microLamports: 50_000 });
    for (const [instructions, reason] of [
      [[limit, memo], "it would pay too little"],
      [[memo], "it limits its compute units not once"],
      [[priced, memo], "it limits its compute units not once"],
      [[limit, limit, memo], "it limits its compute units not once"],
      [[getSetComputeUnitLimitInstruction({ units: 1_400_000 }), memo], "it costs too much"],
      [
        [
          limit,
          getTransferSolInstruction({
            source: createNoopSigner(accepted.extra.feePayer),
            destination: accepted.payTo,
            amount: 1n,
          }),
        ],
        "it calls 11111111111111111111111111111111",
      ],
    ] as const) {
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayer(accepted.extra.feePayer as Address, empty),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
        (dated) => appendTransactionMessageInstructions(instructions as readonly Instruction[], dated),
      );
      const transaction = getBase64EncodedWireTransaction(compileTransaction(message));
      const header = encode({ x402Version: 2, accepted, payload: { transaction } });
      const response = await fetch(shop.url, { headers: { "payment-signature": header } });
      expect([response.status, decode(response.headers.get("payment-response")).errorReason]).toEqual([402, reason]);
    }
  });

  it("gives one answer for one payment, however often it is sent at the same moment", async () => {
    const limit = await grant(50_000n);
    const kept: SignedPayment[] = [];
    const nowhere: typeof fetch = async (input, init) => {
      if (new Headers(init?.headers).has("payment-signature")) throw new TypeError("not sent");
      return fetch(input, init);
    };
    const request = { ...paying(limit), fetch: nowhere, onSigned: (payment: SignedPayment) => void kept.push(payment) };
    await failureOf(trellis.client.x402.fetch(request));
    const headers = { "payment-signature": kept[0]?.header ?? "" };
    const answers = await Promise.all([1, 2, 3].map(() => fetch(shop.url, { headers })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const settled = answers.map((each) => decode(each.headers.get("payment-response")).transaction);
    expect(new Set(settled).size).toBe(1);
    expect(await leftOf(limit)).toBe(30_000n);
  });
});

const grant = async (amount: bigint): Promise<string> => {
  await trellis.client.sandbox.airdrop({ address: account.address, currency: "usdc", amount: "1000000" });
  const { spendingLimit } = await trellis.client.spendingLimits.create({
    account: account.address,
    keys: [owner],
    limit: { currency: "usdc", amount, period: "day", signers: [addressOfKey(agent)] },
  });
  return spendingLimit;
};

const leftOf = async (limit: string): Promise<bigint> =>
  BigInt((await trellis.client.spendingLimits.get(account.address, limit)).remaining_amount);

const paying = (spendingLimit: string): PaidRequest => ({
  url: shop.url,
  account: account.address,
  spendingLimit,
  key: agent,
  atMost: { uiAmount: "0.02" },
  network: shop.network,
});

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable("it was paid"),
    (error: unknown) => error,
  );

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");
const decode = (header: string | null) => JSON.parse(Buffer.from(header ?? "", "base64").toString());

const answer402 = (response: ServerResponse, required: object): unknown =>
  response.writeHead(402, { "payment-required": encode(required) }).end();

/** A server that answers as it is asked to, and what payments it was sent. */
async function openServer(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const payments: unknown[] = [];
  const server = createServer((request, response) => {
    const payment = request.headers["payment-signature"];
    if (payment !== undefined) payments.push(payment);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    payments,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** The example, in this process. */
async function openShop(url: string, apiKey: string): Promise<{ url: string; network: string; close(): void }> {
  vi.stubEnv("TRELLIS_URL", url);
  vi.stubEnv("TRELLIS_API_KEY", apiKey);
  vi.stubEnv("PORT", "0");
  const example = new URL("../../examples/x402-server/server.mjs", import.meta.url).href;
  const { shop } = (await import(example)) as { shop: Awaited<ReturnType<typeof openShop>> };
  vi.unstubAllEnvs();
  return shop;
}
