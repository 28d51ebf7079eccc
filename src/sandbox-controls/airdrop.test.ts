import { describe, expect, it } from "vitest";
import { held } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { airdrop } from "./airdrop.js";

const test = useTestNetwork();

describe("200", () => {
  it("gives SOL where no currency is named, and answers when it landed", async () => {
    const address = publicKeyOf("who is given SOL");
    const given = await give({ address, amount: "1000000000" });
    expect(given).toMatchObject({ address, currency: "sol", amount: "1000000000" });
    expect(await lamportsOf(address)).toBe(1_000_000_000n);
    const signatures = [given.transaction_signature as never];
    const { value } = await test.network.rpc.getSignatureStatuses(signatures).send();
    expect(value).toMatchObject([{ err: null }]);
  });

  it("gives a coin by its symbol or its mint, also to a smart account", async () => {
    const { address } = (await test.openHolder("coins@example.org")).verified;
    const usdc = test.network.currencies.find(({ symbol }) => symbol === "usdc")?.mint;
    for (const currency of ["USDC", usdc]) {
      expect(await give({ address, currency, amount: "2500000" })).toMatchObject({ currency: "usdc" });
    }
    expect(await held(test, address)).toBe(5_000_000n);
  });

  it("gives once for each call, also for several at once", async () => {
    const address = publicKeyOf("who is given a lot at once");
    const all = await Promise.all([1, 2, 3, 4].map(() => give({ address, amount: "1000000" })));
    expect(new Set(all.map(({ transaction_signature }) => transaction_signature)).size).toBe(4);
    expect(await lamportsOf(address)).toBe(4_000_000n);
  });
});

describe("400", () => {
  const address = publicKeyOf("who is given nothing");
  it.each([
    ["no address", { address: "nobody" }, "invalid_address"],
    ["an unknown currency", { currency: "doge" }, "unsupported_currency"],
    ["the mint of no currency", { currency: address }, "unsupported_currency"],
    ["nothing", { amount: "0" }, "invalid_amount"],
    ["a decimal", { amount: "1.5" }, "invalid_amount"],
    ["less than nothing", { amount: "-1" }, "invalid_amount"],
    ["more than one airdrop hands out", { amount: "1000000000000001" }, "invalid_amount"],
    ["less than the rent of the account that it opens", { amount: "1" }, "transaction_failed"],
  ])("for %s", async (_what, change, code) => {
    expect(await errorOf(give({ address, amount: "1000000000", ...change }))).toMatchObject({ code, status: 400 });
    expect(await lamportsOf(address)).toBe(0n);
  });
});

interface Given {
  readonly address: string;
  readonly currency: string;
  readonly amount: string;
  readonly transaction_signature: string;
}

const give = (body: object) => test.call<Given>(airdrop, { body });

const lamportsOf = async (address: string) => (await test.network.rpc.getBalance(address as never).send()).value;
