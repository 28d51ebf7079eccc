import { randomUUID } from "node:crypto";
import { parseRsaPublicKeys } from "@trellis/kernel/crypto/rsa-public-keys.js";
import type { RailsByEnvironment, RailsPartner } from "@trellis/kernel/ports/rails.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createBridgeHttp } from "../../src/adapters/rails/bridge/bridge-http.js";
import { createBridgePartner } from "../../src/adapters/rails/bridge/bridge-partner.js";
import { followRails, settleRails } from "../../src/rails/follow-rails.js";
import { getKyc } from "../../src/rails/get-kyc.js";
import { storeNotices } from "../../src/rails/notice-store.js";
import { startKyc } from "../../src/rails/start-kyc.js";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { getStandingOrder } from "../../src/standing-orders/get-standing-order.js";
import { listStandingOrderRuns } from "../../src/standing-orders/list-runs.js";
import { payStandingOrders } from "../../src/standing-orders/pay-orders.js";
import { type FakeBridge, fakeBridgeKey, startFakeBridge } from "../support/fake-bridge.js";
import { errorOf, type HeldAccount, openTestNetwork, publicKeyOf, type TestNetwork } from "../support/test-network.js";
import { addBank, type PreparedBankIntent, submitBank, usAccount } from "./transfers-support.js";

/** Standing orders to a bank account with the partner Bridge, on a socket, behind the sandbox's chain. */
const email = "ada@example.org";
let bridge: FakeBridge;
let test: TestNetwork;
let holder: HeldAccount;
let address: string;
let bank: string;
let partner: RailsPartner;
let needs: { readonly rails: RailsByEnvironment };
beforeAll(async () => {
  [bridge, test] = await Promise.all([startFakeBridge(), openTestNetwork()]);
  partner = createBridgePartner({
    ask: createBridgeHttp({ baseUrl: bridge.baseUrl, apiKey: fakeBridgeKey, log: test.needs.log }),
    log: test.needs.log,
    realClock: test.needs.realClock,
    choices: {
      pairs: [{ currency: "usd", coins: ["usdc"] }],
      developerFeePercent: null,
      travelRule: null,
      allowsAnySender: false,
    },
    webhookKeys: parseRsaPublicKeys(bridge.publicKey),
  });
  needs = { rails: new Map([["sandbox", { partner }]]) };
  holder = await test.openHolder(email, {
    expiration: Math.floor(test.needs.realClock.now() / 1000) + 25 * 86_400,
  });
  address = holder.address;
  for (const [currency, amount] of [
    ["sol", "1000000000"],
    ["usdc", "100000000"],
  ] as const) {
    await test.airdrop(address, currency, amount);
  }
  const body = { type: "individual", email, full_name: "Ada Lovelace", endorsements: ["ach"] };
  const { id } = await test.call<{ id: string }>(startKyc, { params: { address }, body, needs });
  bridge.decide(email, "approved");
  test.needs.realClock.advance(60_000);
  expect(await test.call(getKyc, { params: { address, kyc_id: id }, needs })).toMatchObject({ status: "approved" });
  bank = (await addBank(test, address, usAccount, { needs })).id;
}, 120_000);
afterAll(async () => {
  await test?.close();
  await bridge?.close();
});

it("the partner opens one address, however its answers fail, and no other one than was asked for", async () => {
  const owner = publicKeyOf("bridge's first address");
  bridge.openNextAt(owner);
  for (const fault of ["500_after", "half_after", "empty_object_after", "429"] as const) {
    bridge.fail(path(), fault);
    expect((await errorOf(prepare())).code).toBe("partner_unavailable");
  }
  for (const lie of [{ external_account_id: "another" }, { chain: "ethereum" }, { destination_currency: "eur" }]) {
    bridge.answerNextWith(path(), lie);
    expect((await errorOf(prepare())).code).toBe("partner_unavailable");
  }
  const prepared = await prepare();
  expect(prepared.destination.address).toBe(owner);
  expect(bridge.addresses.size).toBe(1);
  const asked = bridge.seen.filter(
    ({ method, path: at }) => method === "POST" && at.endsWith("/liquidation_addresses"),
  );
  expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(asked[0]?.body).toEqual({
    chain: "solana",
    currency: "usdc",
    external_account_id: [...bridge.banks.keys()][0],
    destination_payment_rail: "ach",
    destination_currency: "usd",
    return_address: address,
  });
});

it("its drains are followed by signature on chain, in any order, and a returned one is reported", async () => {
  const prepared = await prepare();
  await submitBank(test, holder, prepared);
  await read(prepared.id);
  await payStandingOrders(test.needs, test.network);
  await test.network.sandbox?.advanceClock(30);
  await payStandingOrders(test.needs, test.network);
  const [run] = await runsOf(prepared.id);
  expect(run).toMatchObject({ state: "paid", payout: null });
  const to = prepared.destination.address;
  // Another payer's coins arrive there as well, and one drain lacks what it is about.
  bridge.addDrain(to, "5".repeat(88));
  bridge.addDrain(to, "unreadable", { amount: undefined, receipt: undefined });
  const drain = bridge.addDrain(to, run?.signature ?? "", { state: "payment_submitted" });
  await hear("liquidation_address.drain", drain);
  expect(await runsOf(prepared.id)).toMatchObject([{ payout: { state: "payment_submitted" } }]);
  Object.assign(drain, { state: "funds_received" });
  await hear("liquidation_address.drain", drain);
  Object.assign(drain, { state: "something new" });
  await hear("liquidation_address.drain", drain);
  expect(await runsOf(prepared.id)).toMatchObject([{ payout: { state: "payment_submitted" } }]);
  Object.assign(drain, { state: "payment_processed" });
  bridge.forms.quotedNames = true;
  await hear("liquidation_address.drain", drain);
  bridge.forms.quotedNames = false;
  expect(await runsOf(prepared.id)).toMatchObject([{ payout: { state: "payment_processed" } }]);
  // No webhook of it: the daily read finds what was returned.
  Object.assign(drain, { state: "returned", return_details: { reason: "R03 no account" } });
  test.needs.realClock.advance(26 * 3_600_000);
  await followRails({ ...test.needs, ...needs }, test.network);
  expect(await runsOf(prepared.id)).toMatchObject([{ payout: { state: "returned", return_reason: "R03 no account" } }]);
  const reported = await test.needs.db
    .selectFrom("event")
    .select("data")
    .where("type", "=", "standing_order_payout.updated")
    .orderBy("sequence")
    .execute();
  expect(JSON.parse(reported.at(-1)?.data ?? "{}")).toMatchObject({ state: "returned" });
  expect(JSON.stringify(reported)).not.toContain("R03");
  expect(await test.needs.db.selectFrom("rail_payout").select("id").execute()).toHaveLength(1);
});

it("an address whose refunds go to another account is neither opened nor found", async () => {
  const details = { ...usAccount, account: { ...usAccount.account, account_number: "555555555" } };
  const { id } = await addBank(test, address, details, { needs });
  const elsewhere = publicKeyOf("another account");
  const body = { ...terms(), destination: { ...terms().destination, external_account_id: id } };
  const ask = () => test.call<Prepared>(createStandingOrder, { params: { address }, body, needs });
  bridge.openNextAt(publicKeyOf("bridge's second address"));
  bridge.answerNextWith(path(), { return_address: elsewhere });
  expect(await errorOf(ask())).toMatchObject({ code: "partner_refused" });
  const kept = () =>
    test.needs.db.selectFrom("rail_payout_address").select("address").where("account_address", "=", address).execute();
  expect(await kept()).toHaveLength(1);

  const [customer, bankAccount] = [[...bridge.customers.keys()][0], [...bridge.banks.keys()].at(-1)] as never[];
  const find = async (returnAddress: string) => {
    const request = { customer, bankAccount, rail: "ach_push", coin: "usdc", returnAddress } as const;
    const found = await partner.findPayoutAddress(request as never, AbortSignal.timeout(60_000));
    return found.ok ? found.value?.address : found;
  };
  expect(await find(address)).toBe(publicKeyOf("bridge's second address"));
  expect(await find(elsewhere)).toBeUndefined();

  bridge.openNextAt(publicKeyOf("bridge's third address"));
  expect((await ask()).destination.address).toBe(publicKeyOf("bridge's third address"));
});

it("a revoked approval stops the order, by the partner's answer alone", async () => {
  const orders = await test.needs.db.selectFrom("standing_order").select("id").where("status", "=", "active").execute();
  const id = orders[0]?.id ?? "";
  bridge.decide(email, "offboarded");
  const [link] = [...bridge.links.values()];
  await hear("kyc_link", { id: link?.id });
  expect(await read(id)).toMatchObject({ status: "inactive", reason: "kyc_required" });
  expect((await errorOf(prepare())).code).toBe("kyc_required");
});

interface Run {
  readonly state: string;
  readonly signature: string;
  readonly payout: { readonly state: string; readonly return_reason: string | null } | null;
}

type Prepared = PreparedBankIntent & { readonly destination: { readonly address: string } };

const terms = () => ({
  amount: "5000000",
  frequency: "monthly",
  source: { account: address, currency: "usdc" },
  destination: { payment_rail: "ach", currency: "usd", external_account_id: bank },
});

const prepare = () => test.call<Prepared>(createStandingOrder, { params: { address }, body: terms(), needs });

const runsOf = (id: string) =>
  test.call<Run[]>(listStandingOrderRuns, { params: { address, id }, query: { limit: 100 } });

const read = (id: string) => test.call<object>(getStandingOrder, { params: { address, id } });

const path = () => `POST /v0/customers/${[...bridge.customers.keys()][0]}/liquidation_addresses`;

/** What the partner sends, and what the service makes of it. */
async function hear(category: string, object: Record<string, unknown>): Promise<void> {
  const { headers, body } = bridge.signed(
    {
      event_id: randomUUID(),
      event_category: category,
      event_type: `${category}.updated`,
      event_object_id: object.id,
      event_object: object,
      event_created_at: new Date().toISOString(),
    },
    test.needs.realClock.now(),
  );
  const hints = partner.hintsFrom(headers, Buffer.from(body), test.needs.realClock.now());
  expect(hints).toHaveLength(1);
  const place = { environment: "sandbox", partner: "bridge" };
  await storeNotices(test.needs.db, place, hints, test.needs.realClock.now());
  await settleRails({ ...test.needs, ...needs }, test.network);
}
