import type { Address } from "@solana/kit";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { parseRsaPublicKeys } from "@trellis/kernel/crypto/rsa-public-keys.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { addressOfKey, createTrellisClient } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBridgeHttp } from "../../src/adapters/rails/bridge/bridge-http.js";
import { createBridgePartner } from "../../src/adapters/rails/bridge/bridge-partner.js";
import { usdcMint } from "../adversarial/support.js";
import { fakeBridgeKey, startFakeBridge } from "../support/fake-bridge.js";
import { followRailsOf } from "../support/followed-rails.js";
import { use } from "../support/scene.js";
import { startTestService, type TestService } from "../support/test-service.js";

/** The whole service with the partner Bridge behind one of its environments, and that partner on a socket. */
const email = "ada@example.org";
const reported: string[] = [];
const log = Object.fromEntries(
  ["debug", "info", "warn", "error"].map((level) => [level, (_: object, message: string) => reported.push(message)]),
) as unknown as Log;
let trellis: TestService;
let account: string;
const bridge = use(startFakeBridge);
beforeAll(async () => {
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
  const client = createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "sandbox" });
  const { seed } = generateEd25519KeyPair();
  ({ address: account } = await client.accounts.create({
    type: "signers",
    signers: [addressOfKey(seed)],
    threshold: 1,
  }));
}, 120_000);
afterAll(() => trellis?.close());
const person = { type: "individual", email, full_name: "Ada Lovelace", endorsements: ["ach"] };

describe("a customer of Bridge", { timeout: 120_000 }, () => {
  let kycId: string;

  it("begins although the partner is away at first, and exists there once", async () => {
    bridge.fail("POST /v0/kyc_links", "500_after", "html");
    for (let time = 0; time < 2; time += 1) {
      const away = await v1("POST", `/accounts/${account}/kyc`, person, "begin");
      expect(away).toMatchObject({ status: 502, body: { code: "partner_unavailable" } });
    }
    const begun = dataOf(await v1("POST", `/accounts/${account}/kyc`, person, "begin"));
    expect(begun).toMatchObject({ kyc_status: "not_started", tos_status: "pending" });
    expect(begun.kyc_link).toMatch(/^https:\/\/bridge\.withpersona\.com/);
    kycId = String(begun.id);
    expect(bridge.links.size).toBe(1);
    // One operation, one key at the partner, however often it was asked.
    const keys = bridge.seen.filter(({ method, path }) => method === "POST" && path === "/v0/kyc_links");
    expect(new Set(keys.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  it("is approved when the partner says so, by webhooks of the link and of the customer", async () => {
    const [link] = bridge.links.keys();
    const customer = bridge.decide(email, "under_review");
    await hear("kyc_link", link ?? "");
    expect(await statusOf()).toBe("under_review");
    bridge.decide(email, "approved");
    await hear("customer", customer.id);
    expect(await statusOf()).toBe("approved");
  });

  it("loses the approval when it is revoked, whatever the message itself claims", async () => {
    const [link] = bridge.links.keys();
    bridge.decide(email, "offboarded");
    await hear("kyc_link", link ?? "", { kyc_status: "approved" });
    expect(await statusOf()).toBe("rejected");
    bridge.decide(email, "approved");
    await hear("kyc_link", link ?? "", { kyc_status: "rejected" });
    expect(await statusOf()).toBe("approved");
  });

  const statusOf = async () => {
    const { rows } = await kycRows();
    return rows.find(({ id }) => id === kycId)?.status;
  };
  const kycRows = async () => ({
    rows: await trellis.service.db.selectFrom("rail_verification").select(["id", "status"]).execute(),
  });
});

describe("a virtual account with Bridge", { timeout: 120_000 }, () => {
  interface Account {
    readonly id: string;
    readonly source_deposit_instructions: Record<string, unknown>;
    readonly destination: Record<string, unknown>;
  }
  interface Deposit {
    readonly state: string;
    readonly amount: string;
    readonly credited: boolean;
    readonly transaction_signature?: string;
  }
  let opened: Account;
  let theirs: string;
  const open = (key: string) => v1("POST", `/accounts/${account}/virtual-account`, { currency: "usd" }, key);
  const deposits = async () =>
    dataOf<Deposit[]>(await v1("GET", `/accounts/${account}/virtual-accounts/${opened.id}/deposits`));

  it("is opened once, although the answer of opening it is lost", async () => {
    bridge.fail("POST /v0/customers", "half_after");
    expect(await open("account")).toMatchObject({ status: 502, body: { code: "partner_unavailable" } });
    opened = dataOf<Account>(await open("account"));
    expect(opened.destination).toMatchObject({ address: account, currency: "usdc", payment_rail: "solana" });
    expect(opened.source_deposit_instructions).toMatchObject({
      bank_account_number: "900012345678",
      payment_rails: ["ach_push", "wire"],
    });
    expect([...bridge.accounts.values()]).toMatchObject([{ destination: { address: account } }]);
    theirs = [...bridge.accounts.keys()][0] ?? "";
    expect(await open("another")).toMatchObject({ status: 409, body: { code: "virtual_account_exists" } });
  });

  it("credits a deposit when the chain has it, in any order of its webhooks", async () => {
    const { sandbox } = trellis.service.networks.get("sandbox") ?? {};
    const signature = await sandbox?.mintTo(account as Address, usdcMint, 99_500_000n);
    bridge.addActivity(theirs, "payment_processed", {
      deposit_id: "d1",
      amount: "99.50",
      destination_tx_hash: signature,
    });
    bridge.addActivity(theirs, "funds_received", { deposit_id: "d1", source: { payment_rail: "ach_push" } });
    const news = { virtual_account_id: theirs };
    await hear("virtual_account.activity", "activity", news);
    while ((await deposits())[0]?.credited !== true) await settle();
    expect(await deposits()).toMatchObject([
      { state: "processed", amount: "100.00", credited: true, transaction_signature: signature },
    ]);
  });

  it("credits nothing that the chain does not show, and no microdeposit", async () => {
    bridge.addActivity(theirs, "payment_processed", { deposit_id: "d2", destination_tx_hash: "5".repeat(88) });
    bridge.addActivity(theirs, "microdeposit", { deposit_id: "d3", amount: "0.03" });
    await hear("virtual_account.activity", "activity", { virtual_account_id: theirs });
    await settle();
    const view = await deposits();
    expect(view).toHaveLength(3);
    expect(view.filter(({ credited }) => credited)).toHaveLength(1);
    expect(view.find(({ amount }) => amount === "0.03")?.state).toBe("not_credited");
  });
});

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

const v1 = (method: string, path: string, body?: unknown, key?: string): Promise<Answered> =>
  trellis.request(method, `/api/service/v1${path}`, body, key === undefined ? {} : { "x-idempotency-key": key });

const dataOf = <T = Record<string, unknown>>({ status, body }: Answered): T => {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return (body as { data: T }).data;
};

/** What the partner sends, and what the service makes of it. */
async function hear(category: string, objectId: string, object: object = {}): Promise<void> {
  const message = bridge.signed({
    event_id: `event ${Math.random()}`,
    event_category: category,
    event_type: `${category}.updated`,
    event_object_id: objectId,
    event_object: object,
    event_created_at: new Date().toISOString(),
  });
  const { headers, body } = message;
  const answer = await fetch(`${trellis.url}/hooks/bridge/sandbox`, { method: "POST", headers, body });
  expect(answer.status).toBe(200);
  await settle();
}

/** Has the follower process everything that was reported to it. */
const settle = () => followRailsOf(trellis, "bridge");
