import { randomBytes, randomUUID } from "node:crypto";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import {
  createTrellisClient,
  generateEncryptionKeyPair,
  openSession,
  sessionTokenOf,
  type TrellisSession,
} from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/test-service.js";
import { type Answered, apiPath, dataOf, expectError, type Holder, makeKey, stamp } from "./support.js";

const page = "https://app.example";
let trellis: TestService;
let keyring: ReturnType<typeof createKeyring>;
let pk: string;
let ada: Holder;
let eve: Holder;
beforeAll(async () => {
  const masterKey = randomBytes(32);
  trellis = await startTestService({
    TRELLIS_MASTER_KEY: masterKey.toString("base64"),
    TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: "0",
    TRELLIS_TRUST_PROXY: "true",
  });
  keyring = createKeyring({ masterKeys: [{ id: "1", key: new Uint8Array(masterKey) }], activeId: "1" });
  pk = await makePublishable();
  ada = await trellis.openHolder({ sol: "1000000000" });
  eve = await trellis.openHolder({ sol: "1000000000" });
});
afterAll(() => trellis?.close());

describe("a page with a publishable key and no server", () => {
  it("gives a new user a wallet, pays from it, lengthens the session, and signs in again", async () => {
    const email = `${randomUUID()}@example.org`;
    const made = await signIn(email);
    await trellis.client.sandbox.airdrop({ address: made.address, currency: "sol", amount: "100000000" });
    const payee = makeKey().address;
    const path = `/accounts/${made.address}`;
    const pay = async (session: TrellisSession) => {
      const proof = proofOf(session);
      const answered = await browse("POST", `${path}/payment-intent`, payment(made.address, payee), proof);
      const prepared = dataOf<{ transaction: string; kms_payloads: never[] }>(answered);
      const signed = { transaction: prepared.transaction, kms_payloads: stamp(prepared, session) };
      const headers = { ...proof, "x-idempotency-key": randomUUID() };
      const sent = await browse("POST", `${path}/submit`, signed, headers);
      expect(await browse("POST", `${path}/submit`, signed, headers)).toMatchObject({ status: 200, body: sent.body });
      return dataOf(sent);
    };
    await pay(made.session);
    const refreshed = await browse("POST", "/auth/refresh-session", {
      encryption_public_key: made.keyPair.publicKeySpkiBase64,
      kms_payload: made.session.authentication,
    });
    const next = await openSession(dataOf<{ kms_payload: never }>(refreshed).kms_payload, made.keyPair);
    await pay(next);
    // The client library does the same with two options.
    const library = createTrellisClient({
      baseUrl: trellis.url,
      apiKey: pk,
      environment: "sandbox",
      sessionToken: () => sessionTokenOf(next),
      fetch: (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as object), origin: page } }),
    });
    const transfer = { account: made.address, currency: "sol", destination: payee, amount: 10_000_000n };
    await library.transfers.send({ ...transfer, session: next });
    expect((await library.auth.identityToken()).token.split(".")).toHaveLength(3);
    const again = await signIn(email);
    expect(again).toMatchObject({ address: made.address, grid_user_id: made.grid_user_id });
    await pay(again.session);
    expect(await trellis.lamportsOf(payee)).toBe(40_000_000n);
  });

  it("gets the first session once more when the answer of a sign-up was lost", async () => {
    const email = `${randomUUID()}@example.org`;
    const otp_id = await askForCode(email);
    const kms_provider_config = { encryption_public_key: generateEncryptionKeyPair().publicKeySpkiBase64, otp_id };
    const body = { email, otp_code: await codeFor(email), kms_provider_config };
    const both = await Promise.all([browse("POST", "/auth/verify", body), browse("POST", "/auth/verify", body)]);
    const good = both.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    expectError(await browse("POST", "/auth/verify", body), 400, "invalid_otp");
  });
});

describe("a key that was made to read as well", () => {
  it("returns to its page the account that is signed in, without what is not for each of its signers", async () => {
    const scopes = ["auth:write", "payments:write", "transactions:write", "accounts:read", "proposals:read"];
    const body = { name: "App", type: "publishable", environments: ["sandbox"], allowed_origins: [page], scopes };
    const { key } = dataOf<{ key: string }>(await trellis.request("POST", `${apiPath}/api-keys`, body));
    const headers = { ...proofOf(ada.session), authorization: `Bearer ${key}` };
    const shared = await trellis.client.accounts.createCustom({
      memo: "what support noted",
      policies: {
        signers: [
          { type: "email", email: eve.email, provider: "kms_a", role: "primary", permissions: ["CAN_INITIATE"] },
          { address: makeKey().address, permissions: ["CAN_VOTE", "CAN_EXECUTE"] },
        ],
        threshold: 1,
      },
    });
    expect(dataOf(await browse("GET", `/accounts/${ada.address}`, undefined, headers))).toMatchObject({
      email: ada.email,
      address: ada.address,
    });
    expect(dataOf(await browse("GET", `/accounts/${ada.address}/balances`, undefined, headers))).toMatchObject({
      lamports: 1_000_000_000,
    });
    expect(dataOf(await browse("GET", `/accounts/${ada.address}/proposals`, undefined, headers))).toEqual([]);
    for (const address of [shared.address, eve.address]) {
      expectError(await browse("GET", `/accounts/${address}`, undefined, headers), 404, "account_not_found");
    }
    // Seen by its holder's page it is the same account, without the tenant's note.
    const ofEve = { ...headers, ...proofOf(eve.session) };
    const seen = dataOf<object>(await browse("GET", `/accounts/${shared.address}`, undefined, ofEve));
    const whole = await trellis.client.accounts.get(shared.address);
    expect(whole).toHaveProperty("memo", "what support noted");
    expect(seen).not.toHaveProperty("memo");
    // What it did, likewise of one's own account alone, and what else it has with keys that were made for it.
    for (const list of ["transfers", "transactions", "spending-limits"]) {
      expect((await browse("GET", `/accounts/${ada.address}/${list}`, undefined, headers)).status).toBe(200);
      for (const address of [shared.address, eve.address]) {
        expectError(await browse("GET", `/accounts/${address}/${list}`, undefined, headers), 404, "account_not_found");
      }
    }
    for (const list of ["standing-orders", "virtual-accounts"]) {
      const answered = await browse("GET", `/accounts/${ada.address}/${list}`, undefined, headers);
      expectError(answered, 403, "insufficient_scope");
    }
  });
});

describe("what a publishable key does not reveal", () => {
  it("whether an address is known: the same answers to everything, however wrong", async () => {
    const shapeOf = ({ status, headers, body }: Answered) => {
      const text = JSON.stringify(body, (name, value) =>
        ["otp_id", "email", "created_at", "expires_at", "timestamp", "request_id"].includes(name) ? "…" : value,
      );
      return { status, text, retry: headers.get("retry-after") !== null };
    };
    const play = async (email: string) => {
      const answers: Answered[] = [];
      const { publicKeySpkiBase64: encryption_public_key } = generateEncryptionKeyPair();
      let otp_id: string = randomUUID();
      const verify = (otp_code: string) =>
        browse("POST", "/auth/verify", { email, otp_code, kms_provider_config: { encryption_public_key, otp_id } });
      answers.push(await verify("000000"));
      answers.push(await browse("POST", "/auth", { email }), await browse("POST", "/auth/init", { email }));
      const last = await browse("POST", "/auth", { email, provider: "kms_b" });
      otp_id = (last.body as { otp_id: string }).otp_id;
      answers.push(last);
      const right = await codeFor(email);
      for (let i = 1; i <= 4; i += 1) answers.push(await verify(right === `00000${i}` ? "999999" : `00000${i}`));
      for (let i = 0; i < 3; i += 1) answers.push(await browse("POST", "/auth", { email }));
      return answers.map(shapeOf);
    };
    const known = await play(eve.email);
    const unknown = await play(`${randomUUID()}@example.org`);
    expect(unknown).toEqual(known);
    expect(known.map(({ status }) => status)).toEqual([400, 200, 200, 200, 400, 400, 400, 400, 200, 200, 429]);
  });

  it("a code without the id of its request, to a caller that has learnt the six digits", async () => {
    const email = `${randomUUID()}@example.org`;
    const otp_id = await askForCode(email);
    const { publicKeySpkiBase64: encryption_public_key } = generateEncryptionKeyPair();
    const body = (config: object) => ({
      email,
      otp_code: "",
      kms_provider_config: { encryption_public_key, ...config },
    });
    const otp_code = await codeFor(email);
    for (const [config, code] of [
      [{}, "invalid_request"],
      [{ otp_id: randomUUID() }, "invalid_otp"],
    ] as const) {
      const answered = await browse("POST", "/auth/verify", { ...body(config), otp_code });
      expectError(answered, 400, code);
    }
    // None of that has used up a try, and the browser that asked signs in.
    expect((await browse("POST", "/auth/verify", { ...body({ otp_id }), otp_code })).status).toBe(200);
  });

  it("what became of an address's last code: never one, spent, void or too old", async () => {
    const { db } = trellis.service;
    const kms_provider_config = {
      encryption_public_key: generateEncryptionKeyPair().publicKeySpkiBase64,
      otp_id: randomUUID(),
    };
    const whole = async (email: string, config: object) => {
      const body = { email, otp_code: "000000", kms_provider_config: config };
      const { status, body: answered } = await browse("POST", "/auth/verify", body);
      const hidden = ["timestamp", "request_id"];
      return { status, text: JSON.stringify(answered, (name, value) => (hidden.includes(name) ? "…" : value)) };
    };
    const both = async (email: string) => [
      await whole(email, kms_provider_config),
      await whole(email, { ...kms_provider_config, otp_id: (await newestCodeOf(email)) ?? randomUUID() }),
    ];
    const newestCodeOf = async (email: string) => {
      const codes = db.selectFrom("one_time_code").select("id").where("email", "=", email);
      return (await codes.orderBy("created_at", "desc").limit(1).executeTakeFirst())?.id;
    };
    const never = await both(`${randomUUID()}@example.org`);
    for (const purpose of ["create", "authenticate"] as const) {
      const email = `${randomUUID()}@example.org`;
      await signIn(email);
      if (purpose === "authenticate") await signIn(email);
      for (const change of [{}, { state: "void" as const }, { state: "live" as const, expires_at: 1n }]) {
        const code = db.updateTable("one_time_code").where("email", "=", email).where("purpose", "=", purpose);
        if (Object.keys(change).length > 0) await code.set(change).execute();
        expect(await both(email)).toEqual(never);
      }
    }
    // Nor that one is alive, to a caller who names another one and so spends none of its tries.
    const email = `${randomUUID()}@example.org`;
    await browse("POST", "/auth", { email });
    expect(await whole(email, kms_provider_config)).toEqual(never[0]);
  });

  it("anything of an account without its session, and prepares and submits nothing", async () => {
    const prepared = dataOf<{ transaction: string; kms_payloads: never[] }>(
      await trellis.request(
        "POST",
        `${apiPath}/accounts/${ada.address}/payment-intent`,
        payment(ada.address, eve.address),
      ),
    );
    const signed = { transaction: prepared.transaction, kms_payloads: stamp(prepared, ada.session) };
    const count = async () => {
      const { db } = trellis.service;
      const rows = await Promise.all(
        (["prepared_transaction", "payment_intent", "submission", "idempotency_record"] as const).map((table) =>
          db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll<bigint>().as("n"))
            .executeTakeFirstOrThrow(),
        ),
      );
      return rows.map(({ n }) => Number(n));
    };
    const before = await count();
    const path = `/accounts/${ada.address}`;
    const calls = (headers: Record<string, string>) => [
      browse("POST", `${path}/payment-intent`, payment(ada.address, eve.address), headers),
      browse("POST", `${path}/transactions`, { transaction: prepared.transaction }, headers),
      browse("POST", `${path}/submit`, signed, { ...headers, "x-idempotency-key": randomUUID() }),
    ];
    const foreign = { authorization: `Bearer ${await foreignKey()}` };
    const refresh = ada.session.authentication.session.KmsA?.refresh_token ?? "";
    for (const [headers, status, code] of [
      [{}, 401, "session_required"],
      [{ "x-session-token": randomBytes(32).toString("base64url") }, 401, "invalid_session"],
      [{ "x-session-token": refresh }, 401, "invalid_session"],
      [{ "x-session-token": "short" }, 401, "invalid_session"],
      [proofOf(eve.session), 404, "account_not_found"],
      [{ ...proofOf(ada.session), ...foreign }, 401, "invalid_session"],
    ] as const) {
      for (const answered of await Promise.all(calls(headers))) expectError(answered, status, code);
    }
    expect(await count()).toEqual(before);
  });

  async function foreignKey(): Promise<string> {
    const admin = await trellis.addTenant(`other-${randomUUID()}`, keyring.macs("api-key"));
    return makePublishable({ authorization: `Bearer ${admin.value}` });
  }

  it("a session that has ended", async () => {
    const { session, address, keyPair } = await signIn(`${randomUUID()}@example.org`);
    const prepare = () =>
      browse("POST", `/accounts/${address}/payment-intent`, payment(address, eve.address), proofOf(session));
    expectError(await prepare(), 400, "insufficient_balance");
    const { db } = trellis.service;
    const ended = await db
      .selectFrom("session")
      .select("chain_id")
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    await db.updateTable("session_chain").set({ ended_at: 1n }).where("id", "=", ended.chain_id).execute();
    expectError(await prepare(), 401, "invalid_session");
    expectError(await browse("POST", "/auth/token", undefined, proofOf(session)), 401, "invalid_session");
    expect(keyPair).toBeDefined();
  });

  it("to banks and webhooks", async () => {
    const path = `/accounts/${ada.address}/payment-intent`;
    for (const more of [
      { webhook_url: "https://evil.example/hook" },
      { destination: { payment_rail: "ach_push", currency: "usd", external_account_id: randomUUID() } },
      { source: { payment_rail: "ach_push", currency: "usd" } },
    ]) {
      const answered = await browse("POST", path, payment(ada.address, eve.address, more), proofOf(ada.session));
      expect(["secret_key_required", "invalid_request"]).toContain((answered.body as { code: string }).code);
    }
  });
});

describe("an idempotency key", () => {
  it("that a page has used is still free to the tenant's server and to every other user of the page", async () => {
    const path = `/accounts/${ada.address}/payment-intent`;
    const key = { "x-idempotency-key": "order-4711" };
    const claimed = await browse("POST", "/auth", { email: `${randomUUID()}@example.org` }, key);
    expect(claimed.status).toBe(200);
    const server = await trellis.request("POST", `${apiPath}/auth`, { email: eve.email }, key);
    expect([server.status, server.headers.get("idempotent-replayed")]).toEqual([200, null]);
    // In the other direction no answer reveals to a page that the server has used one.
    expect((await browse("POST", "/auth", { email: eve.email }, key)).status).toBe(422);
    const mine = await browse("POST", path, payment(ada.address, eve.address), { ...key, ...proofOf(ada.session) });
    const theirs = await trellis.request("POST", apiPath + path, payment(ada.address, eve.address), key);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(dataOf<{ id: string }>(mine).id).not.toBe(dataOf<{ id: string }>(theirs).id);
    const again = await browse("POST", path, payment(ada.address, eve.address), { ...key, ...proofOf(ada.session) });
    expect([again.headers.get("idempotent-replayed"), again.body]).toEqual(["true", mine.body]);
  });

  it("counts for each user of a page alone, also for an account that both sign for", async () => {
    const permissions = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
    const signers = [ada, eve].map(({ email }) => ({ type: "email" as const, email, permissions }));
    const { address } = await trellis.client.accounts.createCustom({ policies: { signers, threshold: 1 } });
    await trellis.client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000" });
    const body = payment(address, makeKey().address);
    const ids: string[] = [];
    for (const { session } of [ada, eve, ada]) {
      const headers = { "x-idempotency-key": "rent", ...proofOf(session) };
      ids.push(dataOf<{ id: string }>(await browse("POST", `/accounts/${address}/payment-intent`, body, headers)).id);
    }
    expect(ids[1]).not.toBe(ids[0]);
    expect(ids[2]).toBe(ids[0]);
  });
});

describe("the page", () => {
  const preflight = (origin: string) =>
    fetch(`${trellis.url}${apiPath}/auth`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });

  it("has to be one of the key's, on every request; others are not even answered readably", async () => {
    const good = await browse("POST", "/auth", { email: ada.email });
    expect(good.headers.get("access-control-allow-origin")).toBe(page);
    for (const origin of [
      "https://evil.example",
      "null",
      `${page}.evil.example`,
      `${page}.`,
      `${page}:443`,
      `${page}/`,
      "https://App.example",
      "https://a.app.example",
      "https://evil.example@app.example",
      `${page}, https://evil.example`,
      "http://app.example",
      "",
    ]) {
      const answered = await browse("POST", "/auth", { email: ada.email }, { origin });
      expectError(answered, 403, "origin_not_allowed");
      expect(answered.headers.get("access-control-allow-origin")).toBeNull();
    }
    const response = await fetch(`${trellis.url}${apiPath}/auth`, {
      method: "POST",
      headers: { authorization: `Bearer ${pk}`, "content-type": "application/json" },
      body: JSON.stringify({ email: ada.email }),
    });
    expect(response.status).toBe(403);
  });

  it("may ask beforehand where any living key lists it", async () => {
    const allowed = await preflight(page);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-origin")).toBe(page);
    expect(allowed.headers.get("access-control-allow-headers")).toContain("x-session-token");
    const refused = await preflight("https://evil.example");
    expect(refused.status).toBe(405);
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
    // Neither does a secret key open answers to a page of a publishable one.
    const secret = await trellis.request("GET", `${apiPath}/accounts/${ada.address}`, undefined, { origin: page });
    expect(secret.status).toBe(200);
    expect(secret.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a key used from where it may not be", () => {
  it("counts like a wrong key: that address gets no more look-ups, and those who share it keep working", async () => {
    const from = (address: string, origin: string) =>
      browse("POST", "/auth/verify", {}, { "x-forwarded-for": address, origin });
    expect((await from("198.51.100.7", page)).status).toBe(400);
    const statuses: number[] = [];
    for (let i = 0; i < 1_000 && statuses.at(-1) !== 429; i += 1) {
      statuses.push((await from("198.51.100.7", `https://evil-${i % 3}.example`)).status);
    }
    // Sixty at once; more are regained evenly over a minute, so that a slow machine sees some more.
    expect(statuses.length).toBeGreaterThan(60);
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([403]));
    expect(statuses.at(-1)).toBe(429);
    expect((await from("198.51.100.7", page)).status).toBe(400);
    expect((await from("198.51.100.8", "https://evil.example")).status).toBe(403);
  });
});

async function makePublishable(headers: Record<string, string> = {}): Promise<string> {
  const body = { name: "App", type: "publishable", environments: ["sandbox"], allowed_origins: [page] };
  return dataOf<{ key: string }>(await trellis.request("POST", `${apiPath}/api-keys`, body, headers)).key;
}

/** A request as a browser sends it from a page of the application. */
function browse(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Answered> {
  return trellis.request(method, apiPath + path, body, { authorization: `Bearer ${pk}`, origin: page, ...more });
}

const proofOf = (session: TrellisSession) => ({ "x-session-token": sessionTokenOf(session) ?? "" });

const payment = (from: string, to: string, more: object = {}) => ({
  amount: "10000000",
  source: { account: from, currency: "sol" },
  destination: { address: to, currency: "sol" },
  ...more,
});

async function codeFor(email: string): Promise<string> {
  const [mail] = await trellis.client.sandbox.outbox(email);
  return mail?.otp_code ?? "";
}

/** Has a code sent from a page; its id. */
async function askForCode(email: string): Promise<string> {
  const asked = await browse("POST", "/auth", { email });
  expect(asked.status, JSON.stringify(asked.body)).toBe(200);
  return (asked.body as { otp_id: string }).otp_id;
}

/** Signs any user in from a page. */
async function signIn(email: string) {
  const otp_id = await askForCode(email);
  const keyPair = generateEncryptionKeyPair();
  const body = {
    email,
    otp_code: await codeFor(email),
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64, otp_id },
  };
  const answered = await browse("POST", "/auth/verify", body);
  expect(answered.status, JSON.stringify(answered.body)).toBe(200);
  const verified = answered.body as { address: string; grid_user_id: string; authentication: never[] };
  return { ...verified, keyPair, session: await openSession(verified.authentication[0], keyPair) };
}
