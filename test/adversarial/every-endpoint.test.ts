import { randomBytes, randomUUID, sign } from "node:crypto";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { Contract } from "@trellis/kernel/endpoint.js";
import { possiblePublishableScopes, publishableScopes, type Scope, tenantsOwnScopes } from "@trellis/kernel/scope.js";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../src/endpoints.js";
import { jsonSchemaOf } from "../../src/http/json-schema.js";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { orderExport } from "../support/ordered-exports.js";
import { sampleOf } from "../support/sample-of.js";
import { startTestService, type TestService } from "../support/test-service.js";
import { type Answered, apiPath, dataOf, expectErrorBody, type Holder, makeKey, type OwnKey } from "./support.js";

/**
 * Every endpoint, as the list has it, is asked for what belongs to another party: by another tenant, for another account of
 * one's own, with a key of another environment, with one that lacks the scope, and from a page. A new endpoint is in here by
 * itself, and fails until there is something real for it to ask for; where its sample says too little, `known` gets a value
 * for the name.
 */
const contracts = endpoints.map(({ contract }): Contract => contract);
const origin = "https://app.example";
let trellis: TestService;
let ada: Holder;
let eve: Holder;
/** What belongs to the tenant that is asked about, by the name under which it is asked for. */
let known: Record<string, unknown>;
const requestId = "refused-in-the-scene";
/** The same of what stands in paths alone: what they call `{id}`, by the word before it. */
let ids: Record<string, string>;
/** What no other caller may ever get. */
let secrets: string[];
let asOther: Record<string, string>;
beforeAll(async () => {
  const masterKey = randomBytes(32);
  trellis = await startTestService({
    TRELLIS_MASTER_KEY: masterKey.toString("base64"),
    TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: "0",
    TRELLIS_PUBLISHABLE_RATE_LIMIT: "0",
    TRELLIS_TRUST_PROXY: "true",
    TRELLIS_PUBLIC_URL: "http://localhost:3000",
  });
  const keyring = createKeyring({ masterKeys: [{ id: "1", key: new Uint8Array(masterKey) }], activeId: "1" });
  asOther = bearer((await trellis.addTenant("other", keyring.macs("api-key"))).value);
  ada = await trellis.openHolder({ sol: "1000000000", usdc: "1000000000" });
  eve = await trellis.openHolder({});
  const mine = async <T>(path: string, body: unknown, method = "POST") =>
    dataOf<T>(await trellis.request(method, apiPath + path, body));
  const { client } = trellis;
  const { address: account, session } = ada;
  const wallet = session.wallets[0]?.address ?? "";
  const payee = makeKey().address;
  const payment = await trellis.preparePayment(ada, { amount: "10000000", currency: "sol", to: payee });
  const verification = await mine<{ id: string }>(`/accounts/${account}/kyc`, {
    grid_user_id: randomUUID(),
    type: "individual",
    email: ada.email,
    full_name: "Ada Lovelace",
    endorsements: [],
    redirect_uri: "https://app.example/done",
  });
  await client.sandbox.setKyc(verification.id, { status: "approved" });
  const virtual = await mine<{ id: string }>(`/accounts/${account}/virtual-account`, {
    grid_user_id: session.authentication.session.KmsA?.user_id,
    currency: "usd",
  });
  const bank = await mine<{ id: string }>(`/accounts/${account}/external-accounts`, {
    account_type: "us",
    currency: "usd",
    account_owner_name: "Ada Lovelace",
    account: { account_number: "5555123456", routing_number: "021000021" },
    address: { street_line_1: "1 Main Street", city: "Springfield", postal_code: "62701", country: "USA" },
  });
  const transfer = await mine<{ id: string }>(`/accounts/${account}/payment-intent`, {
    amount: "25000000",
    source: { account, currency: "usdc" },
    destination: { payment_rail: "ach_push", currency: "usd", external_account_id: bank.id },
  });
  const { spendingLimit } = await client.spendingLimits.create({
    account,
    session,
    limit: { currency: "sol", amount: 1_000n, period: "day", signers: [wallet] },
  });
  const order = await client.standingOrders.create({
    account,
    session,
    order: {
      currency: "sol",
      amount: 1_000_000n,
      payee,
      frequency: "monthly",
      start: new Date(Date.now() + 86_400_000),
    },
  });
  const { proposalAddress } = await client.proposals.create({
    account,
    session,
    content: { type: "transfer", currency: "sol", destination: payee, amount: 1_000n },
  });
  const endpoint = await mine<{ id: string }>("/webhook-endpoints", { url: "http://127.0.0.1:9/hook", types: ["*"] });
  const key = await mine<{ id: string }>("/api-keys", {
    name: "k",
    scopes: ["accounts:read"],
    environments: ["sandbox"],
  });
  const member = await mine<{ id: string }>("/members", { email: "member@example.org", role: "viewer" });
  await mine("/members", { email: "another@example.org", role: "viewer" });
  await trellis.request("GET", `${apiPath}/accounts?limit=101`, undefined, { "x-request-id": requestId });
  const [event] = await mine<{ id: string }[]>("/events?limit=1", undefined, "GET");
  const [entry] = await mine<{ index: number }[]>("/audit-events?type=session.opened&limit=1", undefined, "GET");
  const { url } = await mine<{ url: string }>("/passkeys", {
    sessionKey: { key: makeKey().address, expiration: 900 },
    metaInfo: { appName: "App" },
  });
  const challenge = Buffer.from(new URL(url).searchParams.get("challenge") ?? "", "base64").toString("base64url");
  const [signedIn] = (await client.sessions.page(account)).sessions;
  const { id: exportId } = (await orderExport(client, { account, session })).ordered;
  const credentials = browserWith(createSoftPasskey());
  const { id: passkeyId } = await client.passkeys.add({ account, session, name: "Phone", credentials });
  const label_address = makeKey().address;
  for (const book of [{}, { account }]) {
    await client.labels.put({ ...book, address: label_address, name: "Landlord" });
    await client.labels.put({ ...book, address: payee, name: "Tax office" });
  }
  ids = {
    "standing-order": order.id,
    "payment-intent": payment.id,
    "external-accounts": bank.id,
    kyc: verification.id,
    transfers: transfer.id,
    // Not in bodies, where it would stand beside an address.
    external_account_id: bank.id,
  };
  const ofOthers = [
    passkeyId,
    exportId,
    virtual.id,
    spendingLimit,
    proposalAddress,
    endpoint.id,
    key.id,
    member.id,
    event?.id ?? "no event",
  ];
  secrets = [account, ada.email, ...Object.values(ids), ...ofOthers];
  known = {
    wallet_nonce: "5e".repeat(32),
    address: account,
    smart_account_address: account,
    account,
    tenant_id: "default",
    tenant: "default",
    payment_intent_id: payment.id,
    kyc_id: verification.id,
    endpoint_id: endpoint.id,
    key_id: key.id,
    member_id: member.id,
    request_id: requestId,
    event_id: event?.id,
    challenge,
    index: String(entry?.index),
    session_id: signedIn?.id,
    user_id: signedIn?.grid_user_id,
    passkey_id: passkeyId,
    // No passkey of the account's: it stands for none that could be there.
    passkey: label_address,
    // The account has no guardian: it stands for none that could be there.
    label_address,
    change_id: "ab".repeat(32),
    export_id: exportId,
    virtual_account_id: virtual.id,
    proposal_address: proposalAddress,
    spending_limit_address: spendingLimit,
    transaction: payment.transaction,
    amount: "10000000",
    currency: "sol",
    mint: "sol",
    recipient_address: makeKey().address,
    frequency: "monthly",
    period: "day",
  };
});
afterAll(() => trellis?.close());
const withKey = contracts.filter(({ scope }) => scope !== null);
/** What has a name that every tenant and every account may give to something of its own. */
const namesAnything = ["putLabel", "putAccountLabel"];
/** And what the chain shows to anybody. */
const ofNobody = ["putLabel", "getPasskeySigner"];
const namesSomething = withKey.filter(({ path, operation }) => path.includes("{") && !ofNobody.includes(operation));
const namesNothing = withKey.filter(({ path, operation }) => !path.includes("{") || ofNobody.includes(operation));

describe("the tenant itself", () => {
  it("gets everything that the others ask for", async () => {
    const reads = namesSomething.filter(({ method, scope }) => method === "GET" && scope !== "admin:tenants");
    const wrong: unknown[] = [];
    for (const contract of reads) {
      const { status, body } = await ask(contract, bearer(trellis.apiKey));
      if (status !== 200) wrong.push([contract.operation, status, body]);
    }
    expect(wrong).toEqual([]);
  });
});

describe("another account of the same tenant", () => {
  const ofAccounts = namesSomething.filter(
    ({ path, operation }) => /\{(smart_account_)?address\}.*\{/.test(path) && !namesAnything.includes(operation),
  );
  /** The same contract for another holder's account. */
  const underEve = (contract: Contract): Contract => ({
    ...contract,
    path: contract.path.replace(/\{(smart_account_)?address\}/, eve.address),
  });
  const isForeign = (_contract: Contract, { status, body }: Answered) => {
    const { code } = body as { code: string };
    return (status === 404 && code !== "account_not_found") || code === "proposal_account_mismatch";
  };

  it("is not the way to what belongs to this one", async () => {
    await expectRefused(ofAccounts.map(underEve), () => bearer(trellis.apiKey), isForeign);
  });

  it("pays no bank account of this one", async () => {
    const { address } = eve;
    const destination = { payment_rail: "ach_push", currency: "usd", external_account_id: ids.external_account_id };
    const source = { account: address, currency: "usdc" };
    for (const [path, more] of [
      ["payment-intent", {}],
      ["standing-order-intent", { frequency: "monthly" }],
    ] as const) {
      const body = { amount: "25000000", source, destination, ...more };
      const answered = await trellis.request("POST", `${apiPath}/accounts/${address}/${path}`, body);
      expect(is(answered, 404, "external_account_not_found"), JSON.stringify(answered.body)).toBe(true);
    }
  });

  it("is not reachable for a page either, with any user's session there", async () => {
    const headers = { ...(await keyWith({ scopes: possiblePublishableScopes, type: "publishable" })), origin };
    const token = eve.session.authentication.session.KmsA?.token ?? "";
    await expectRefused(
      ofAccounts.filter(({ publishable }) => needsSession(publishable)).map(underEve),
      () => ({ ...headers, "x-session-token": token }),
      isForeign,
    );
  });
});

describe("another tenant", () => {
  it('gets "not found" for everything that is named', async () => {
    await expectRefused(
      namesSomething,
      () => asOther,
      ({ path, scope }, answered) =>
        // Only a key that was given that scope by name has it.
        (scope === "admin:tenants" && is(answered, 403, "insufficient_scope")) ||
        (/\{(smart_account_)?address\}/.test(path) ? is(answered, 404, "account_not_found") : is(answered, 404)),
    );
  });

  it("finds nothing of it where nothing is named, and changes nothing of it", async () => {
    const mine = await countRows("default");
    const before = known;
    // What it makes there is its own; names that it could have guessed are part of what it sends.
    known = { ...known, email: ada.email, otp_code: "000000", url: "http://127.0.0.1:9/other", types: ["*"] };
    for (const contract of namesNothing) {
      const { status, body } = await ask(contract, asOther);
      const sent = ["email", "address"];
      const text = JSON.stringify(body, (name, value) => (sent.includes(name) ? undefined : value));
      const view = secrets.filter((secret) => text.includes(secret) && secret !== ada.email);
      expect([contract.operation, status < 500, view]).toEqual([contract.operation, true, []]);
    }
    known = before;
    expect(await countRows("default")).toEqual(mine);
  });
});

describe("a key of another environment", () => {
  it("opens nothing here", async () => {
    const elsewhere = await keyOfDevnet();
    const inEnvironment = withKey.filter(({ environment }) => environment !== "none");
    await expectRefused(
      inEnvironment,
      () => elsewhere,
      (_contract, answered) => is(answered, 403, "insufficient_scope"),
    );
    // A member who may do no more than the key is disabled and removed from anywhere: that gives nothing to anybody.
    const ofMembers = ["updateMember", "removeMember"];
    const without = namesSomething.filter(
      ({ environment, operation }) => environment === "none" && !ofMembers.includes(operation),
    );
    await expectRefused(
      without,
      () => elsewhere,
      ({ scope }, answered) =>
        scope === "admin:tenants" ? is(answered, 403, "insufficient_scope") : is(answered, 404),
    );
    const listed = await trellis.request("GET", `${apiPath}/api-keys`, undefined, elsewhere);
    for (const secret of secrets) expect(JSON.stringify(listed.body)).not.toContain(secret);
  });

  /** This service has no devnet, and still such keys can be around. */
  async function keyOfDevnet(): Promise<Record<string, string>> {
    const headers = await keyWith({ scopes: tenantsOwnScopes });
    const { db } = trellis.service;
    const { id } = await db
      .selectFrom("api_key")
      .select("id")
      .orderBy("created_at", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    await db.updateTable("api_key").set({ environments: '["devnet"]' }).where("id", "=", id).execute();
    return headers;
  }
});

describe("a character that no database keeps", () => {
  it("is refused, by the name of the field, wherever it stands", async () => {
    const wrong: unknown[] = [];
    for (const contract of contracts) {
      // For members alone: no key gets as far as the body.
      if (contract.console === "member") continue;
      const body = contract.body && sampleOf(jsonSchemaOf(contract.body), known);
      for (const [where, bent] of bentBodies(body)) {
        const { status, body: said } = await ask(contract, asOther, bent);
        const isSaid = JSON.stringify(said).includes(`${where.slice(1).replaceAll("/", ".")} has the character zero`);
        if (status !== 403 && !(status === 400 && isSaid)) wrong.push([contract.operation, where, status, said]);
      }
    }
    expect(wrong).toEqual([]);
    const deep = `${"[".repeat(20_000)}"\\u0000"${"]".repeat(20_000)}`;
    expect((await trellis.request("POST", `${apiPath}/accounts`, deep)).status).toBe(400);
    const kept = { memo: "\\u0000", type: "email", email: "zero@example.net" };
    expect((await trellis.request("POST", `${apiPath}/accounts`, kept)).status).toBe(201);
  });

  /** A body once for each text in it, with a zero character in that one. */
  function* bentBodies(value: unknown, at = ""): Generator<[string, unknown]> {
    if (typeof value === "string") yield [at, `${value}\u0000`];
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      for (const [where, bent] of bentBodies(inner, `${at}/${name}`)) {
        yield [where, Array.isArray(value) ? value.with(Number(name), bent) : { ...value, [name]: bent }];
      }
    }
  }
});

describe("a key without the scope", () => {
  it("opens nothing that needs it, whatever else it opens", async () => {
    const keys = new Map<Scope, Record<string, string>>();
    for (const scope of new Set(withKey.map((contract) => contract.scope))) {
      if (scope !== null)
        keys.set(scope, await keyWith({ scopes: tenantsOwnScopes.filter((other) => other !== scope) }));
    }
    await expectRefused(
      withKey,
      ({ scope }) => keys.get(scope as Scope) ?? {},
      (_contract, answered) => is(answered, 403, "insufficient_scope"),
    );
  });
});

describe("a publishable key", () => {
  const onPage = async (): Promise<Record<string, string>> => ({
    ...(await keyWith({ scopes: possiblePublishableScopes, type: "publishable" })),
    origin,
  });
  const proofOf = ({ session }: Holder) => ({
    "x-session-token": session.authentication.session.KmsA?.token ?? "",
  });

  it("opens only what the list says it opens", async () => {
    const headers = await onPage();
    await expectRefused(
      withKey.filter(({ publishable }) => publishable === undefined),
      () => ({ ...headers, ...proofOf(ada) }),
      (_contract, answered) => is(answered, 403, "secret_key_required"),
    );
    const listed = contracts.filter(({ publishable }) => publishable !== undefined);
    expect(listed.map(({ operation, publishable }) => `${operation}: ${publishable}`).sort()).toEqual([
      "addPasskey: user",
      "beginPasskey: user",
      "beginPasskeySignIn: open",
      "beginWalletExport: user",
      "beginWalletImport: user",
      "beginWalletSignIn: open",
      "cancelGuardianChange: user",
      "cancelStandingOrder: session",
      "cancelWalletExport: user",
      "createProposal: session",
      "createStandingOrder: session",
      "endAllSessions: session",
      "endSession: session",
      "executeProposal: session",
      "getAccount: session",
      "getBalanceHistory: session",
      "getBalances: session",
      "getGuardianPolicy: user",
      "getProposal: session",
      "getSpendingLimit: session",
      "getStandingOrder: session",
      "getWalletExport: user",
      "importWallet: user",
      "initAuthentication: open",
      "issueIdentityToken: user",
      "listAccountLabels: session",
      "listAccounts: session",
      "listAllProposals: session",
      "listDeposits: session",
      "listGuardianChanges: user",
      "listPasskeys: user",
      "listProposals: session",
      "listSessions: session",
      "listSpendingLimits: session",
      "listStandingOrderRuns: session",
      "listStandingOrders: session",
      "listTransactions: session",
      "listTransfers: session",
      "listVirtualAccounts: session",
      "listWalletExports: user",
      "preparePayment: session",
      "prepareTransaction: session",
      "putAccountLabel: session",
      "refreshSession: open",
      "removeAccountLabel: session",
      "removePasskey: user",
      "renamePasskey: user",
      "requestWalletExport: user",
      "resumeStandingOrder: session",
      "setGuardianPolicy: user",
      "setPasskeyRequirement: user",
      "signInWithPasskey: open",
      "signInWithWallet: open",
      "startAuthentication: open",
      "submitTransactions: session",
      "verifyAuthentication: open",
      "voteAndExecuteProposal: session",
      "voteOnProposal: session",
    ]);
  });

  it("opens no account without the session of one of its signers", async () => {
    const headers = await onPage();
    const ofSessions = withKey.filter(({ publishable }) => needsSession(publishable));
    await expectRefused(
      ofSessions,
      () => headers,
      (_contract, answered) => is(answered, 401, "session_required"),
    );
    await expectRefused(
      ofSessions.filter(({ path }) => path.includes("{address}")),
      () => ({ ...headers, ...proofOf(eve) }),
      (_contract, answered) => is(answered, 404, "account_not_found"),
    );
  });

  it("opens no account to a wallet that signs for another one, and nothing of users to any wallet", async () => {
    const headers = await onPage();
    const key = makeKey();
    const signers = [{ address: key.address, permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const }];
    const { address } = await trellis.client.accounts.createCustom({ policies: { signers, threshold: 1 } });
    const proof = { "x-session-token": await signInWith(key, headers) };
    const ofAccounts = withKey.filter(
      ({ path, publishable }) => needsSession(publishable) && path.includes("{address}"),
    );
    await expectRefused(
      ofAccounts,
      () => ({ ...headers, ...proof }),
      (_contract, answered) => is(answered, 404, "account_not_found"),
    );
    const underOwn = (contract: Contract) => ({ ...contract, path: contract.path.replace("{address}", address) });
    await expectRefused(
      withKey.filter(({ publishable }) => publishable === "user").map(underOwn),
      () => ({ ...headers, ...proof }),
      (_contract, answered) => is(answered, 403, "insufficient_permissions"),
    );
  });

  /** The token of a wallet that has signed in on the page. */
  async function signInWith({ address, privateKey }: OwnKey, headers: Record<string, string>): Promise<string> {
    const path = `${apiPath}/auth/wallet`;
    const begun = dataOf<{ message: string; nonce: string }>(
      await trellis.request("POST", `${path}:message`, { address }, headers),
    );
    const signature = sign(null, Buffer.from(begun.message), privateKey).toString("base64");
    const body = { address, nonce: begun.nonce, signature };
    return dataOf<{ token: string }>(await trellis.request("POST", path, body, headers)).token;
  }

  it("opens nothing from another page, and nothing without one", async () => {
    const { authorization = "" } = await onPage();
    let asked = 0;
    // Each from an address of its own: so many refusals of one would be held back.
    const from = () => {
      asked += 1;
      return { "x-forwarded-for": `10.0.${asked >> 8}.${asked & 255}` };
    };
    for (const more of [{}, { origin: "https://evil.example" }]) {
      await expectRefused(
        withKey,
        () => ({ authorization, ...proofOf(ada), ...more, ...from() }),
        (_contract, answered) => is(answered, 403, "origin_not_allowed"),
      );
    }
  });

  it("reads nothing and takes part in no votes unless it was made for that", async () => {
    const { key, scopes: granted } = dataOf<{ key: string; scopes: readonly Scope[] }>(
      await trellis.request("POST", `${apiPath}/api-keys`, {
        name: "matrix",
        type: "publishable",
        environments: ["sandbox"],
        allowed_origins: [origin],
      }),
    );
    expect([...granted].sort()).toEqual([...publishableScopes].sort());
    await expectRefused(
      withKey.filter(({ publishable, scope }) => publishable && !publishableScopes.some((each) => each === scope)),
      () => ({ ...bearer(key), origin, ...proofOf(ada) }),
      (_contract, answered) => is(answered, 403, "insufficient_scope"),
    );
  });

  it("needs the scope as every key does", async () => {
    const ofPages = withKey.filter(({ publishable }) => publishable !== undefined);
    const keys = new Map<Scope, Record<string, string>>();
    for (const scope of possiblePublishableScopes) {
      const others = possiblePublishableScopes.filter((other) => other !== scope);
      keys.set(scope, { ...(await keyWith({ scopes: others, type: "publishable" })), origin, ...proofOf(ada) });
    }
    await expectRefused(
      ofPages,
      ({ scope }) => keys.get(scope as Scope) ?? {},
      (_contract, answered) => is(answered, 403, "insufficient_scope"),
    );
  });
});

describe("a list", () => {
  const lists = contracts.filter(({ query }) => query && "cursor" in (jsonSchemaOf(query).properties ?? {}));
  const uuid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  /** What clients hold from one release to the next: it is never written otherwise. */
  const forms: Record<string, RegExp> = {
    listStandingOrders: new RegExp(`^o1_\\d+_${uuid}$`),
    listMembers: new RegExp(`^mb1_\\d+_${uuid}$`),
    listLabels: /^b1_\d+_\w{32,44}$/,
    listAccountLabels: /^b1_\d+_\w{32,44}$/,
    listStandingOrderRuns: /^d1_\d+$/,
    listProposals: /^p1_\d+$/,
    listAllProposals: /^b1_\d+_\w{32,44}_\d+$/,
    listSessions: new RegExp(`^s1_\\d+_${uuid}$`),
    listUserSessions: new RegExp(`^s1_\\d+_${uuid}$`),
    listAccounts: /^c1_\d+_\w{32,44}$/,
    listUsers: new RegExp(`^u1_\\d+_${uuid}$`),
    listPaymentIntents: new RegExp(`^i1_\\d+_${uuid}$`),
    listAllPaymentIntents: new RegExp(`^i1_\\d+_${uuid}$`),
    listAllStandingOrders: new RegExp(`^o1_\\d+_${uuid}$`),
    listSpendingLimits: /^s1_\w{32,44}$/,
    listAllSpendingLimits: /^s1_\w{32,44}$/,
    listTransfers: new RegExp(`^h1_\\d+_(0_\\d{3}${uuid}|[1-9]\\d*_\\w{64,88})_\\d+$`),
    listTransactions: /^h1_\d+_[1-9]\d*_\w{64,88}_0$/,
    listAllVerifications: new RegExp(`^vf1_\\d+_${uuid}$`),
    listAllVirtualAccounts: new RegExp(`^va1_\\d+_${uuid}$`),
    listDeposits: new RegExp(`^d1_\\d+_${uuid}$`),
    listLegacyPaymentIntents: new RegExp(`^i1_\\d+_${uuid}$`),
    listEvents: /^e1_asc_\d+$/,
    listWebhookAttempts: new RegExp(`^a1_\\d+_${uuid}$`),
    listApiKeys: new RegExp(`^k1_\\d+_${uuid}$`),
    listAuditEvents: /^l1_\d+$/,
    listRequests: /^q1_\d+$/,
    listTenants: /^n1_[a-z0-9_-]+$/,
  };
  /** Lists of the same rows, or that one reader may go through side by side. */
  const ofOneKind = [
    ["listTransfers", "listTransactions"],
    ["listLabels", "listAccountLabels"],
    ["listSessions", "listUserSessions"],
    ["listPaymentIntents", "listLegacyPaymentIntents"],
    ["listPaymentIntents", "listAllPaymentIntents", "listLegacyPaymentIntents"],
    ["listStandingOrders", "listAllStandingOrders"],
    ["listSpendingLimits", "listAllSpendingLimits"],
  ];
  const cursors = new Map<string, string>();
  let headers: Record<string, string>;

  beforeAll(async () => {
    const { client } = trellis;
    const { address: account, session } = ada;
    const { db } = trellis.service;
    headers = await keyWith({ scopes: tenantsOwnScopes });
    const newest = db.selectFrom("api_key").select("id").orderBy("created_at", "desc").orderBy("id").limit(1);
    await db
      .updateTable("api_key")
      .set({ scopes: JSON.stringify([...tenantsOwnScopes, "admin:tenants"]) })
      .where("id", "in", newest)
      .execute();
    const payee = makeKey().address;
    const start = new Date(Date.now() + 86_400_000);
    const order = { currency: "sol", amount: 1_000_000n, payee, frequency: "monthly", start } as const;
    await client.standingOrders.create({ account, session, order });
    const run = {
      order_id: ids["standing-order"] ?? "",
      environment: "sandbox",
      state: "missed",
      attempts: 0,
    } as const;
    await db
      .insertInto("standing_order_run")
      .values([1n, 2n, 3n].map((due_at) => ({ ...run, due_at, created_at: 1n, updated_at: 1n })))
      .execute();
    const content = { type: "transfer", currency: "sol", destination: payee, amount: 2_000n } as const;
    await client.proposals.create({ account, session, content });
    for (const amount of ["10.00", "11.00", "12.00"]) {
      await client.sandbox.deposit(String(known.virtual_account_id), { amount });
    }
    // Others of a person, and of the other currency.
    const other = { type: "individual", email: "others@example.org", full_name: "Grace Hopper" } as const;
    const { id: kyc } = await client.kyc.start(account, { ...other, endorsements: ["sepa"] });
    await client.sandbox.setKyc(kyc, { status: "approved" });
    await client.virtualAccounts.request(account, { currency: "eur" });
    for (let again = 0; again < 2; again += 1) await client.webhookEndpoints.test(String(known.endpoint_id));
    await client.auth.start({ email: ada.email });
    const [mail] = await client.sandbox.outbox(ada.email);
    const kms_provider_config = { encryption_public_key: ada.keyPair.publicKeySpkiBase64 };
    await client.auth.verify({ email: ada.email, otp_code: mail?.otp_code ?? "", kms_provider_config });
  });

  async function pageOf({ path, ...contract }: Contract, query: string) {
    const answered = await ask({ ...contract, path: `${path}?${query}` }, headers);
    expect(answered.status, JSON.stringify(answered.body)).toBe(200);
    const { body } = answered as { body: unknown[] | { data: unknown[]; metadata: { next_cursor?: string } } };
    const cursor = answered.headers.get("x-next-cursor") ?? undefined;
    if (!Array.isArray(body)) expect(body.metadata.next_cursor).toBe(cursor);
    return { rows: Array.isArray(body) ? body : body.data, cursor };
  }

  it("is known here", () => {
    expect(lists.map(({ operation }) => operation).sort()).toEqual(Object.keys(forms).sort());
  });

  it.each(lists.map((contract) => [contract.operation, contract] as const))(
    "%s is the same page by page, and its cursor is what it ever was",
    async (operation, contract) => {
      const whole = await pageOf(contract, "limit=4");
      expect(whole.rows.length).toBeGreaterThan(1);
      const rows: unknown[] = [];
      for (let cursor: string | undefined = ""; cursor !== undefined && rows.length < whole.rows.length; ) {
        const page = await pageOf(contract, `limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
        expect(page.rows).toHaveLength(1);
        rows.push(...page.rows);
        cursor = page.cursor;
        if (cursor === undefined) break;
        expect(Buffer.from(cursor, "base64url").toString()).toMatch(forms[operation] ?? "none");
        cursors.set(operation, cursor);
      }
      expect(rows).toEqual(whole.rows);
    },
  );

  it("refuses the cursors of other lists, and what is none", async () => {
    expect([...cursors.keys()].sort()).toEqual(Object.keys(forms).sort());
    const wrong: unknown[] = [];
    for (const { path, ...contract } of lists) {
      const { operation } = contract;
      const others = [...cursors].filter(
        ([other]) => other !== operation && !ofOneKind.some((some) => some.includes(other) && some.includes(operation)),
      );
      const own = cursors.get(operation) ?? "";
      const bent = ["", "x", `${own}=`, `${own}A`, `${own} `, own.slice(1), "A".repeat(2_000)];
      for (const cursor of [...others.map(([, cursor]) => cursor), ...bent]) {
        const asked = `${path}?cursor=${encodeURIComponent(cursor)}`;
        const answered = await ask({ ...contract, path: asked }, headers);
        if (!is(answered, 400, "invalid_cursor")) wrong.push([operation, cursor, answered.status, answered.body]);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe("a caller without a key", () => {
  it("opens nothing that takes a key", async () => {
    await expectRefused(
      withKey,
      () => ({ authorization: "" }),
      (_contract, answered) => is(answered, 401, "api_key_required"),
    );
  });
});

const needsSession = (publishable: Contract["publishable"]) => publishable === "session" || publishable === "user";

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** What a parameter of a path stands for: always something that is there. */
function realOf(path: string, name: string): string {
  const word = /([\w-]+)\/\{id\}/.exec(path)?.[1] ?? "";
  const value = name === "id" ? ids[word] : (ids[name] ?? known[name]);
  if (typeof value !== "string") throw new Error(`nothing real is known for {${name}} of ${path}`);
  return value;
}

/** The request of an operation about what belongs to the tenant. */
function ask(
  { method, path, body }: Pick<Contract, "method" | "path" | "body">,
  headers: Record<string, string>,
  sent?: unknown,
): Promise<Answered> {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(realOf(path, name)));
  return trellis.request(method, url, body && JSON.stringify(sent ?? sampleOf(jsonSchemaOf(body), known)), headers);
}

async function keyWith(plan: {
  readonly scopes: readonly Scope[];
  readonly environments?: readonly string[];
  readonly type?: "publishable";
}): Promise<Record<string, string>> {
  const body = {
    name: "matrix",
    environments: ["sandbox"],
    ...(plan.type ? { allowed_origins: [origin] } : {}),
    ...plan,
  };
  const { key } = dataOf<{ key: string }>(await trellis.request("POST", `${apiPath}/api-keys`, body));
  return bearer(key);
}

/** How many rows everything has that a request could leave behind; without what passes write on their own. */
const byPasses =
  /^(meta|chain_|history_|event|webhook_delivery|webhook_attempt|proposal|rail_notice|rail_feed|simulated_|tlog$|tlog_checkpoint|tlog_tile)/;
/** Requests are counted by tenant and day, whatever their result: those rows are left out. */
async function countRows(tenant?: string): Promise<Record<string, number>> {
  const { db } = trellis.service;
  const { rows } = await sql<{ name: string; has_tenant: boolean }>`
    select table_name as name, bool_or(column_name = 'tenant_id') as has_tenant from information_schema.columns
    where table_schema = current_schema() and table_name not like 'kysely%' group by 1 order by 1`.execute(db);
  const counted: Record<string, number> = {};
  for (const { name, has_tenant } of rows) {
    // Refusals of all callers are kept for a day.
    const isKept = ["tenant_writes", "request_record", "request_count"].includes(name);
    if (byPasses.test(name) || isKept || (tenant !== undefined && !has_tenant)) continue;
    const where = tenant === undefined ? sql`` : sql`where tenant_id = ${tenant}`;
    const { rows: found } = await sql<{
      n: number;
    }>`select count(*)::int4 as n from ${sql.table(name)} ${where}`.execute(db);
    counted[name] = found[0]?.n ?? 0;
  }
  return counted;
}

/** Asks every one of them and requires that each is refused and nothing is left behind. */
async function expectRefused(
  asked: readonly Contract[],
  headers: (contract: Contract) => Record<string, string> | Promise<Record<string, string>>,
  isRefusal: (contract: Contract, answered: Answered) => boolean,
): Promise<void> {
  expect(asked.length).toBeGreaterThan(0);
  const prepared = await Promise.all(asked.map(async (contract) => [contract, await headers(contract)] as const));
  const before = await countRows();
  const wrong: unknown[] = [];
  for (const [contract, more] of prepared) {
    const answered = await ask(contract, more);
    if (answered.status >= 400) expectErrorBody(answered);
    const text = JSON.stringify(answered.body);
    if (!isRefusal(contract, answered)) wrong.push([contract.operation, answered.status, text.slice(0, 300)]);
  }
  expect(wrong).toEqual([]);
  expect(await countRows()).toEqual(before);
}

const is = ({ status, body }: Answered, expected: number, code?: string) =>
  status === expected && (code === undefined || (body as { code?: string }).code === code);
