import type { Address } from "@solana/kit";
import { SYSTEM_PROGRAM_ADDRESS } from "@solana-program/system";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, type CallParts, hashOf } from "../../test/support/test-network.js";
import { openMint } from "../../test/support/token-2022.js";
import { getBalances } from "./get-balances.js";

const test = useTestNetwork();

describe("200", () => {
  it("answers zeros for an account that holds nothing", async () => {
    const address = await openAccount();
    const sol = { token_address: SYSTEM_PROGRAM_ADDRESS, decimals: 9, name: "Solana", symbol: "SOL" };
    expect(await read(address)).toEqual({
      address,
      lamports: 0,
      sol: 0,
      tokens: [{ ...sol, amount: 0, amount_decimal: "0" }],
    });
  });

  it("shows SOL first and then the coins, in base units and as decimals", async () => {
    const address = await openAccount();
    await give(address, { sol: "1500000000", eurc: "2500000", usdc: "10000001" });
    const { tokens, ...whole } = await read(address);
    expect(whole).toEqual({ address, lamports: 1_500_000_000, sol: 1.5 });
    expect(
      tokens.map(({ symbol, amount, amount_decimal, decimals }) => [symbol, amount, amount_decimal, decimals]),
    ).toEqual([
      ["SOL", 1_500_000_000, "1.5", 9],
      ["USDC", 10_000_001, "10.000001", 6],
      ["EURC", 2_500_000, "2.5", 6],
    ]);
    expect(tokens[1]?.token_address).toBe(test.network.currencies.find(({ symbol }) => symbol === "usdc")?.mint);
  });

  it("shows tokens that it knows no name of, behind those that it knows", async () => {
    const address = await openAccount();
    const mint = await openMint(test.network, serviceKeyOf(hashOf("a mint")), serviceKeyOf(hashOf("its issuer")), {});
    await mint.mintTo(address, 1_234_567n);
    await give(address, { usdc: "1" });
    const { tokens } = await read(address);
    expect(tokens.map(({ symbol }) => symbol)).toEqual(["SOL", "USDC", undefined]);
    expect(tokens[2]).toEqual({
      token_address: mint.address,
      amount: 1_234_567,
      amount_decimal: "1.234567",
      decimals: 6,
    });
  });

  it("gives each balance once, page by page", async () => {
    const address = await openAccount();
    await give(address, { usdc: "1", eurc: "2" });
    const symbolsOf = async (query: object) => (await read(address, { query })).tokens.map(({ symbol }) => symbol);
    expect(await symbolsOf({ limit: 2 })).toEqual(["SOL", "USDC"]);
    expect(await symbolsOf({ limit: 2, page: 2 })).toEqual(["EURC"]);
    expect(await symbolsOf({ limit: 2, page: 3 })).toEqual([]);
    expect(await symbolsOf({ limit: 0 })).toEqual([]);
  });
});

describe("404", () => {
  it("is the answer for an account that there is not, and to another tenant", async () => {
    const address = await openAccount();
    const caller = await test.addTenant("other");
    const notFound = { status: 404, code: "account_not_found" };
    await expect(read(address, { caller })).rejects.toMatchObject(notFound);
    for (const missing of [SYSTEM_PROGRAM_ADDRESS, "nobody", "x\u0000"]) {
      await expect(read(missing)).rejects.toMatchObject(notFound);
    }
  });
});

describe("502", () => {
  it("is the answer where a node does not answer, whichever of the calls it is", async () => {
    const address = await openAccount();
    for (const dead of ["getBalance", "getTokenAccountsByOwner"]) {
      const network = breakConnection(test.network, (method) => method === dead);
      await expect(read(address, { network }), dead).rejects.toMatchObject({ status: 502, code: "chain_unavailable" });
    }
  });
});

interface Balances {
  readonly address: string;
  readonly lamports: number;
  readonly sol: number;
  readonly tokens: readonly {
    readonly token_address: string;
    readonly symbol?: string;
    readonly amount: number;
    readonly amount_decimal: string;
    readonly decimals: number;
  }[];
}

let accounts = 0;
async function openAccount(): Promise<Address> {
  accounts += 1;
  return (await test.openHolder(`balances-${accounts}@example.org`)).verified.address as Address;
}

async function give(address: string, amounts: Record<string, string>): Promise<void> {
  for (const [currency, amount] of Object.entries(amounts)) {
    await test.airdrop(address, currency, amount);
  }
}

const read = (address: string, more: CallParts = {}) =>
  test.call<Balances>(getBalances, { params: { address }, ...more });
