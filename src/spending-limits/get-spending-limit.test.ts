import { addressOfKey } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { grantLimit, submitAs } from "../../test/spending-limits/support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type OwnAccount, openOwnAccount } from "../../test/support/self-paid.js";
import { breakConnection, type CallParts, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { getSpendingLimit } from "./get-spending-limit.js";
import { prepareLimitPayment } from "./prepare-limit-payment.js";

const test = useTestNetwork();
let account: OwnAccount;
beforeAll(async () => {
  account = await openOwnAccount(test);
});

describe("200", () => {
  it("shows a limit as the chain has it", async () => {
    const expiration = new Date(Math.floor(test.network.clock.now() / 1000) * 1000 + 3_600_000).toISOString();
    const address = await grantLimit(test, account, { destinations: [payee], expiration });
    expect(await get(address)).toMatchObject({
      address,
      settings_address: account.settings,
      main_account_address: account.address,
      environment: "sandbox",
      mint: null,
      currency: "sol",
      amount: "5000000",
      remaining_amount: "5000000",
      period: "day",
      signers: [addressOfKey(account.key)],
      destinations: [payee],
      expiration,
      usable: true,
    });
  });

  it("counts down what was paid, until the next period begins", async () => {
    const address = await grantLimit(test, account);
    await pay(address, "2000000");
    const { next_reset } = await get(address);
    expect(await get(address)).toMatchObject({ remaining_amount: "3000000", usable: true });
    await pay(address, "3000000");
    expect(await get(address)).toMatchObject({ amount: "5000000", remaining_amount: "0", usable: false });
    await test.network.sandbox?.advanceClock((Date.parse(next_reset) - test.network.clock.now()) / 1000);
    expect(await get(address)).toMatchObject({ remaining_amount: "5000000", usable: true });
  });

  it("shows one that has expired, which cannot be used", async () => {
    const now = Math.floor(test.network.clock.now() / 1000);
    const address = await grantLimit(test, account, { expiration: now + 60 });
    expect(await get(address)).toMatchObject({ usable: true });
    await test.network.sandbox?.advanceClock(61);
    expect(await get(address)).toMatchObject({ remaining_amount: "5000000", usable: false });
  });

  it("names no next period of a limit for one time", async () => {
    const address = await grantLimit(test, account, { period: "one_time" });
    expect(await get(address)).toMatchObject({ period: "one_time", next_reset: null, expiration: null });
  });
});

describe("404", () => {
  it("for what is no limit, or another account's", async () => {
    const other = await openOwnAccount(test);
    const elsewhere = await grantLimit(test, other);
    for (const address of [elsewhere, account.settings, payee, "nonsense"]) {
      expect(await errorOf(get(address))).toMatchObject({ code: "spending_limit_not_found", status: 404 });
    }
  });

  it("for an account that is another tenant's, or nobody's", async () => {
    const address = await grantLimit(test, account);
    const caller = await test.addTenant("stranger");
    const notFound = { code: "account_not_found", status: 404 };
    expect(await errorOf(get(address, { caller }))).toMatchObject(notFound);
    const params = { address: payee, spending_limit_address: address };
    expect(await errorOf(get(address, { params }))).toMatchObject(notFound);
  });
});

describe("502", () => {
  it("while the chain cannot be reached", async () => {
    const address = await grantLimit(test, account);
    const network = breakConnection(test.network, () => true);
    expect(await errorOf(get(address, { network }))).toMatchObject({ code: "chain_unavailable", status: 502 });
  });
});

const payee = publicKeyOf("the payee of limits that are read");

const get = (address: string, parts: CallParts = {}) =>
  test.call<{ readonly next_reset: string }>(getSpendingLimit, {
    params: { address: account.address, spending_limit_address: address },
    ...parts,
  });

async function pay(limit: string, amount: string): Promise<void> {
  const prepared = await test.call<{ transaction: string }>(prepareLimitPayment, {
    params: { address: account.address, spending_limit_address: limit },
    body: { amount, signer_address: addressOfKey(account.key), recipient_address: payee },
  });
  await submitAs(test, account, prepared);
}
