import type { Address } from "@solana/kit";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { parseRsaPublicKeys } from "@trellis/kernel/crypto/rsa-public-keys.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { addressOfKey, createTrellisClient, type TrellisClient } from "@trellis/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createBridgeHttp } from "../../src/adapters/rails/bridge/bridge-http.js";
import { createBridgePartner } from "../../src/adapters/rails/bridge/bridge-partner.js";
import { usdcMint } from "../adversarial/support.js";
import { type FakeBridge, fakeBridgeKey, startFakeBridge } from "../support/fake-bridge.js";
import { followRailsOf } from "../support/followed-rails.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { usAccount } from "./transfers-support.js";

/** Payments to a bank and from one through the whole service, with Bridge on a socket: it lies, repeats and forgets itself. */
const email = "grace@example.org";
const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent } as unknown as Log;
const { seed } = generateEd25519KeyPair();
let bridge: FakeBridge;
let trellis: TestService;
let client: TrellisClient;
let account: string;
let bank: string;

beforeAll(async () => {
  bridge = await startFakeBridge();
  const partner = createBridgePartner({
    ask: createBridgeHttp({ baseUrl: bridge.baseUrl, apiKey: fakeBridgeKey, log }),
    log,
    realClock: { now: () => Date.now() },
    choices: {
      pairs: [{ currency: "usd", coins: ["usdc"] }],
      developerFeePercent: null,
      travelRule: null,
      allowsAnySender: false,
    },
    webhookKeys: parseRsaPublicKeys(bridge.publicKey),
  });
  trellis = await startTestService({}, { rails: () => new Map([["sandbox", { partner }]]) });
  client = createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "sandbox" });
  ({ address: account } = await client.accounts.create({
    type: "signers",
    signers: [addressOfKey(seed)],
    threshold: 1,
  }));
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  await client.sandbox.airdrop({ address: account, currency: "usdc", amount: "100000000" });
  const kyc = await client.kyc.start(account, { type: "individual", email, full_name: "Grace Hopper" });
  bridge.decide(email, "approved");
  expect((await client.kyc.get(account, kyc.id)).id).toBe(kyc.id);
  bank = (await client.externalAccounts.add(account, usAccount as never)).id;
  bridge.payOutsGoTo(addressOfKey(generateEd25519KeyPair().seed));
}, 120_000);
afterAll(async () => {
  await trellis?.close();
  await bridge?.close();
});

it("a payment to a bank is one transfer, moves by what is read alone, and is returned", {
  timeout: 60_000,
}, async () => {
  bridge.fail("POST /v0/transfers", "500_after", "half_after");
  const { id } = await client.transfers.sendToBank({
    account,
    keys: [seed],
    currency: "usdc",
    amount: 5_000_000n,
    to: { externalAccountId: bank, rail: "ach_push", currency: "usd", reference: "RENT" },
  });
  const theirs = theirsOf(id);
  expect(bridge.transfers.size).toBe(1);
  expect(bridge.transfers.get(theirs)).toMatchObject({
    amount: "5.00",
    destination: { ach_reference: "RENT" },
    source: { from_address: account },
  });
  // Whatever a message claims, the partner still waits.
  await hear(theirs, { id: theirs, state: "payment_processed" });
  expect(await stateOf(id)).toBe("awaiting_funds");

  bridge.moveTransfer(theirs, "funds_received");
  // The partner is away when its webhooks are followed; they are retried, and once more.
  bridge.fail(`GET /v0/transfers/${theirs}`, "500", "html", "close");
  await hear(theirs, {}, "news");
  await hear(theirs, {}, "news");
  while ((await stateOf(id)) === "awaiting_funds") await hear(theirs);
  expect(await stateOf(id)).toBe("funds_received");

  bridge.moveTransfer(theirs, "payment_processed");
  await hear(theirs);
  bridge.moveTransfer(theirs, "payment_submitted");
  await hear(theirs);
  expect(await stateOf(id)).toBe("payment_processed");
  bridge.moveTransfer(theirs, "returned", { return_details: { reason: "Account closed" } });
  await hear(theirs);
  bridge.moveTransfer(theirs, "refunded");
  await hear(theirs);
  expect(await client.paymentIntents.get(account, id)).toMatchObject({
    state: "refunded",
    return_details: { reason: "Account closed" },
  });
  expect(await eventsOf(id)).toEqual(["funds_received", "payment_processed", "returned", "refunded"]);
});

it("a payment from a bank is processed when the chain shows it, whatever the partner says", {
  timeout: 60_000,
}, async () => {
  bridge.fail("POST /v0/transfers", "half_after");
  const opened = await client.transfers.receiveFromBank(account, {
    amount: "25.00",
    source: { payment_rail: "wire", currency: "usd" },
    destination: { currency: "usdc" },
  });
  const { id } = opened;
  const theirs = theirsOf(id);
  expect(bridge.transfers.size).toBe(2);
  expect(opened.source_deposit_instructions).toMatchObject({ deposit_message: `BRG${theirs.slice(0, 8)}` });

  const receipt = (hash: string) => ({ receipt: { final_amount: "25.00", destination_tx_hash: hash } });
  bridge.moveTransfer(theirs, "payment_processed", receipt("5".repeat(88)));
  await hear(theirs);
  expect(await stateOf(id)).toBe("payment_submitted");
  const { sandbox } = trellis.service.networks.get("sandbox") ?? {};
  const paid = (await sandbox?.mintTo(account as Address, usdcMint, 25_000_000n)) ?? "";
  bridge.moveTransfer(theirs, "payment_processed", receipt(paid));
  while ((await stateOf(id)) !== "payment_processed") await hear(theirs);
  expect(await client.paymentIntents.get(account, id)).toMatchObject({
    state: "payment_processed",
    transaction_signature: paid,
  });
  expect(await eventsOf(id)).toEqual(["payment_submitted", "payment_processed"]);
});

/** What the partner sends, once or again, and what the service makes of it. */
async function hear(id: string, object: object = {}, eventId = `event ${Math.random()}`): Promise<void> {
  const { headers, body } = bridge.signed({
    event_id: eventId,
    event_category: "transfer",
    event_type: "transfer.updated.status_transitioned",
    event_object_id: id,
    event_object: object,
    event_created_at: new Date().toISOString(),
  });
  const answer = await fetch(`${trellis.url}/hooks/bridge/sandbox`, { method: "POST", headers, body });
  expect(answer.status).toBe(200);
  await followRailsOf(trellis, "bridge");
}

const theirsOf = (intentId: string) =>
  [...bridge.transfers.values()].find((row) => row.client_reference_id === intentId)?.id ?? "";

const stateOf = async (id: string) => (await client.paymentIntents.get(account, id)).state;

const eventsOf = async (id: string) =>
  (
    await trellis.service.db
      .selectFrom("event")
      .select("data")
      .where("object_id", "=", id)
      .where("type", "=", "payment_intent.updated")
      .orderBy("sequence")
      .execute()
  ).map(({ data }) => JSON.parse(data).state as string);
