import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKeyring } from "../../src/core/crypto/envelope.js";
import type { Contract } from "../../src/endpoint.js";
import { endpoints } from "../../src/endpoints.js";
import { jsonSchemaOf } from "../../src/http/json-schema.js";
import {
  possiblePublishableScopes,
  publishableScopes,
  type Scope,
  tenantsOwnScopes,
} from "../../src/rooms/api-keys/scope.js";
import { sampleOf } from "../support/sample-of.js";
import { startTestService, type TestService } from "../support/test-service.js";
import {
  type Answered,
  addTenant,
  apiPath,
  dataOf,
  expectErrorBody,
  type Holder,
  makeKey,
  openHolder,
  preparePayment,
} from "./support.js";

/**
 * Every endpoint, as the list has it, is asked for what belongs to somebody else: by another tenant, with a key of another
 * environment, with one that lacks the scope, and from a page. A new endpoint is in here by itself; where its sample says
 * too little, `known` gets a value for the name.
 */
const contracts = endpoints.map(({ contract }): Contract => contract);
const origin = "https://app.example";

let trellis: TestService;
let ada: Holder;
let eve: Holder;
/** What belongs to the tenant that is asked about, by the name under which it is asked for. */
let known: Record<string, unknown>;
/** What nobody else may ever be shown. */
let secrets: string[];
let asOther: Record<string, string>;

beforeAll(async () => {
  const masterKey = randomBytes(32);
  trellis = await startTestService({
    TRELLIS_MASTER_KEY: masterKey.toString("base64"),
    TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: "0",
    TRELLIS_PUBLISHABLE_RATE_LIMIT: "0",
    TRELLIS_TRUST_PROXY: "true",
  });
  const keyring = createKeyring({ masterKeys: [{ id: "1", key: new Uint8Array(masterKey) }], activeId: "1" });
  asOther = bearer((await addTenant(trellis, "other", keyring.deriveSecret("api-key"))).value);
  ada = await openHolder(trellis, { sol: "1000000000" });
  eve = await openHolder(trellis, {});
  const mine = async <T>(path: string, body: unknown, method = "POST") =>
    dataOf<T>(await trellis.request(method, apiPath + path, body));
  const payment = await preparePayment(trellis, ada, { amount: "10000000", currency: "sol", to: makeKey().address });
  const verification = await mine<{ id: string }>(`/accounts/${ada.address}/kyc`, {
    grid_user_id: randomUUID(),
    type: "individual",
    email: ada.email,
    full_name: "Ada Lovelace",
    endorsements: [],
    redirect_uri: "https://app.example/done",
  });
  const endpoint = await mine<{ id: string }>("/webhook-endpoints", { url: "http://127.0.0.1:9/hook", types: ["*"] });
  const key = await mine<{ id: string }>("/api-keys", {
    name: "k",
    scopes: ["accounts:read"],
    environments: ["sandbox"],
  });
  const [event] = await mine<{ id: string }[]>("/events?limit=1", undefined, "GET");
  secrets = [ada.address, ada.email, payment.id, verification.id, endpoint.id, key.id, event?.id ?? "no event"];
  known = {
    address: ada.address,
    smart_account_address: ada.address,
    account: ada.address,
    payment_intent_id: payment.id,
    kyc_id: verification.id,
    endpoint_id: endpoint.id,
    key_id: key.id,
    event_id: event?.id,
    virtual_account_id: randomUUID(),
    proposal_address: makeKey().address,
    spending_limit_address: makeKey().address,
    id: payment.id,
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

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** The request of an operation about what belongs to the tenant. */
function ask(
  { method, path, params, body }: Contract,
  headers: Record<string, string>,
  sent?: unknown,
): Promise<Answered> {
  const named = params ? jsonSchemaOf(params) : {};
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(sampleOf(named.properties?.[name] ?? {}, known, name))),
  );
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

/** How many rows everything has that a request could leave behind; what passes write by themselves aside. */
const byPasses =
  /^(meta|chain_|history_|event|webhook_delivery|webhook_attempt|proposal|rail_notice|rail_feed|simulated_)/;
async function countRows(tenant?: string): Promise<Record<string, number>> {
  const { db } = trellis.service;
  const { rows } = await sql<{ name: string; has_tenant: boolean }>`
    select table_name as name, bool_or(column_name = 'tenant_id') as has_tenant from information_schema.columns
    where table_schema = current_schema() and table_name not like 'kysely%' group by 1 order by 1`.execute(db);
  const counted: Record<string, number> = {};
  for (const { name, has_tenant } of rows) {
    if (byPasses.test(name) || (tenant !== undefined && !has_tenant)) continue;
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

const withKey = contracts.filter(({ scope }) => scope !== null);
const namesSomething = withKey.filter(({ path }) => path.includes("{"));
const namesNothing = withKey.filter(({ path }) => !path.includes("{"));

describe("another tenant", () => {
  it("is told of everything that is named that it is not there", async () => {
    await expectRefused(
      namesSomething,
      () => asOther,
      ({ path, scope }, answered) =>
        // Nobody has that scope who was not given it by name.
        (scope === "admin:tenants" && is(answered, 403, "insufficient_scope")) ||
        // A sample may say too little to get as far as the account.
        is(answered, 400) ||
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
      const shown = secrets.filter((secret) => text.includes(secret) && secret !== ada.email);
      expect([contract.operation, status < 500, shown]).toEqual([contract.operation, true, []]);
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
    const without = namesSomething.filter(({ environment }) => environment === "none");
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
      "createProposal: session",
      "executeProposal: session",
      "getAccount: session",
      "getBalances: session",
      "getProposal: session",
      "initAuthentication: open",
      "issueIdentityToken: session",
      "listProposals: session",
      "preparePayment: session",
      "prepareTransaction: session",
      "refreshSession: open",
      "startAuthentication: open",
      "submitTransactions: session",
      "verifyAuthentication: open",
      "voteAndExecuteProposal: session",
      "voteOnProposal: session",
    ]);
  });

  it("opens no account without the session of one of its signers", async () => {
    const headers = await onPage();
    const ofSessions = withKey.filter(({ publishable }) => publishable === "session");
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

describe("nobody", () => {
  it("opens nothing that takes a key", async () => {
    await expectRefused(
      withKey,
      () => ({ authorization: "" }),
      (_contract, answered) => is(answered, 401, "api_key_required"),
    );
  });
});
