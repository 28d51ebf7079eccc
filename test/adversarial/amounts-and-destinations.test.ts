import { randomUUID } from "node:crypto";
import { createNoopSigner } from "@solana/kit";
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { describe, expect, it } from "vitest";
import { use, useTestService } from "../support/scene.js";
import { dataOf, expectError, type Holder, makeKey, tokenProgram, usdcMint } from "./support.js";

const shop = makeKey().address;
const usdt = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB";
const trellis = useTestService();
const ada = use(() => trellis.openHolder({ sol: "1000000000", usdc: "10000000" }));

describe("amounts", () => {
  it("are returned without the zeros in front", async () => {
    const answered = await ask("007", "usdc", shop);
    expect(answered.status).toBe(201);
    expect(answered.body).toMatchObject({ data: { amount: "7", summary: expect.anything() } });
  });

  it("that are no positive whole number of 64 bits are refused", async () => {
    const wrong = [
      "0",
      "000",
      "-1",
      "+1",
      "1.5",
      "1e9",
      "0x10",
      " 1",
      "1 ",
      "١",
      "",
      "NaN",
      "18446744073709551616",
      "99999999999999999999",
      "100000000000000000000000",
    ];
    for (const currency of ["sol", "usdc"]) {
      for (const amount of wrong) expectError(await ask(amount, currency, shop), 400, "invalid_amount");
    }
    for (const amount of [1_000_000, 1.5, true, null, [], {}, ["1"]]) {
      const answered = await trellis.post(`/accounts/${ada.address}/payment-intent`, {
        amount,
        source: { account: ada.address, currency: "sol" },
        destination: { address: shop, currency: "sol" },
      });
      expectError(answered, 400, "invalid_request");
    }
  });

  it("beyond the balance are refused at prepare, up to the largest there is", async () => {
    for (const amount of ["1000000001", "18446744073709551615"]) {
      expectError(await ask(amount, "sol", shop), 400, "insufficient_balance");
    }
    for (const amount of ["10000001", "18446744073709551615"]) {
      expectError(await ask(amount, "usdc", shop), 400, "insufficient_balance");
    }
    expectError(await ask("1", "usdt", shop), 400, "insufficient_balance");
  });

  it("that would leave a rest below the rent minimum are refused, the whole balance is not", async () => {
    const poor = await trellis.openHolder({ sol: "5000000", usdc: "700" });
    for (const amount of ["4999999", "4200000"]) {
      expectError(await ask(amount, "sol", shop, poor), 400, "insufficient_balance");
    }
    dataOf(await trellis.pay(poor, { amount: "5000000", currency: "sol", to: shop }));
    expect(await trellis.lamportsOf(poor.address)).toBe(0n);
    dataOf(await trellis.pay(poor, { amount: "700", currency: "usdc", to: shop }));
    expect(await trellis.usdcOf(poor.address)).toBe(0n);
    expect(await trellis.usdcOf(shop)).toBe(700n);
    expectError(await ask("1", "sol", shop, poor), 400, "insufficient_balance");
    expectError(await ask("1", "usdc", shop, poor), 400, "insufficient_balance");
  });

  it("too small to open an account are refused", async () => {
    const gift = await trellis.post("/sandbox/airdrop", { address: makeKey().address, currency: "sol", amount: "1" });
    expectError(gift, 400, "transaction_failed");
    expectError(await ask("1", "sol", makeKey().address), 400, "invalid_amount");
  });
});

describe("destinations", () => {
  it("that are no address, the system program, or a key of the service are refused", async () => {
    for (const to of ["nobody", "", "11111111111111111111111111111111", `${shop}${shop}`, "0x00"]) {
      expectError(await ask("1000000", "sol", to), 400, "invalid_address");
    }
    const feePayer = trellis.feePayer;
    for (const currency of ["sol", "usdc"]) {
      expectError(await ask("1000000", currency, feePayer), 400, "forbidden_account");
    }
  });

  it("of another currency's kind are refused: its mint, and a token account of another mint", async () => {
    expectError(await ask("1000", "usdc", usdcMint), 400, "invalid_address");
    expectError(await ask("1000", "usdc", usdt), 400, "invalid_address");
    const key = makeKey();
    await trellis.client.sandbox.airdrop({ address: key.address, currency: "usdt", amount: "1" });
    const other = deriveTokenAccount(key.address, usdt as typeof usdcMint, tokenProgram);
    expectError(await ask("1000", "usdc", other), 400, "invalid_address");
  });

  it("that could never give it back are refused: mints, programs, settings accounts", async () => {
    expectError(await ask("1000000", "sol", usdcMint), 400, "invalid_address");
    for (const currency of ["sol", "usdc"]) {
      for (const to of [tokenProgram, ada.settingsAddress]) {
        expectError(await ask("1000000", currency, to), 400, "invalid_address");
      }
    }
  });

  it("that are a token account of the currency are used as they are, and the payer's own are refused, though not the payer", async () => {
    const key = makeKey();
    await trellis.client.sandbox.airdrop({ address: key.address, currency: "sol", amount: "1000000000" });
    const ata = deriveTokenAccount(key.address, usdcMint, tokenProgram);
    await trellis.sendDirectly(key, [
      getCreateAssociatedTokenIdempotentInstruction({
        payer: createNoopSigner(key.address),
        ata,
        owner: key.address,
        mint: usdcMint,
        tokenProgram,
      }),
    ]);
    dataOf(await trellis.pay(ada, { amount: "1000", currency: "usdc", to: ata }));
    expect(await trellis.usdcOf(key.address)).toBe(1_000n);
    const before = await trellis.usdcOf(ada.address);
    dataOf(await trellis.pay(ada, { amount: "1000", currency: "usdc", to: ada.address }));
    expect(await trellis.usdcOf(ada.address)).toBe(before);
    const own = [usdcMint, usdt as typeof usdcMint].map((mint) => deriveTokenAccount(ada.address, mint, tokenProgram));
    for (const to of own) {
      for (const currency of ["sol", "usdc"]) expectError(await ask("1000000", currency, to), 400, "invalid_address");
    }
  });

  it("in another currency, on another rail, or from another account are refused", async () => {
    const body = {
      amount: "1000",
      source: { account: ada.address, currency: "usdc" },
      destination: { address: shop, currency: "usdc" },
    };
    const path = `/accounts/${ada.address}/payment-intent`;
    const mixed = { ...body, destination: { address: shop, currency: "usdt" } };
    expectError(await trellis.post(path, mixed), 400, "unsupported_currency");
    const unknown = { ...body, source: { account: ada.address, currency: "gold" } };
    expectError(await trellis.post(path, unknown), 400, "unsupported_currency");
    const pigeon = { ...body, amount: "10000000", destination: { payment_rail: "pigeon", currency: "usd" } };
    expectError(await trellis.post(path, pigeon), 400, "rail_not_available");
    const bank = { ...body, destination: { payment_rail: "ach", currency: "usd", external_account_id: randomUUID() } };
    expectError(await trellis.post(path, bank), 400, "invalid_amount");
    expectError(await trellis.post(path, { ...bank, amount: "10000000" }), 404, "external_account_not_found");
    const theirs = { ...body, source: { account: shop, currency: "usdc" } };
    expectError(await trellis.post(path, theirs), 400, "invalid_request");
    const sentBefore = await trellis.countTransactions(shop);
    expectError(await trellis.post(`/accounts/${shop}/payment-intent`, theirs), 404, "account_not_found");
    expect(await trellis.countTransactions(shop)).toBe(sentBefore);
  });

  it("signers who are none, or not enough, are refused", async () => {
    const more = (transaction_signers: string[], provider?: string) =>
      trellis.askPayment(ada, {
        amount: "1000",
        currency: "usdc",
        to: shop,
        more: { transaction_signers, ...(provider === undefined ? {} : { provider }) },
      });
    expectError(await more([makeKey().address]), 403, "insufficient_permissions");
    expectError(await more([trellis.feePayer]), 403, "insufficient_permissions");
    expectError(await more([], "external"), 409, "proposal_required");
    expectError(await more(Array.from({ length: 11 }, () => shop)), 400, "invalid_request");
  });
});

function ask(amount: string, currency: string, to: string, from: Pick<Holder, "address"> = ada) {
  return trellis.askPayment(from, { amount, currency, to });
}
