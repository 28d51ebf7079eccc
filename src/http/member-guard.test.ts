import { describe, expect, it } from "vitest";
import { type Page, type Reply, useConsole } from "../../test/support/console.js";
import { endpoints } from "../endpoints.js";

const trellis = useConsole();
const plain = useConsole("");
const off = useConsole("https://trellis.example", false);

let count = 0;
const address = () => `guarded-${++count}@example.org`;
const expectError = ({ status, body }: Reply, wanted: number, code: string) =>
  expect([status, body.code]).toEqual([wanted, code]);
const hook = { url: "http://127.0.0.1:9/hook", types: ["*"] };

describe("a request with the console's cookie", () => {
  it("may do what the role may, and nothing else", async () => {
    const viewer = await trellis.signIn(address(), { role: "viewer" });
    const developer = await trellis.signIn(address(), { role: "developer" });
    const owner = await trellis.signIn(address());
    const operator = await trellis.signIn(address(), { role: "viewer", isOperator: true });
    const pages = { viewer, developer, owner, operator };
    const allowed = async (method: "GET" | "POST", path: string, body?: unknown) => {
      const who: string[] = [];
      for (const [name, page] of Object.entries(pages)) {
        const { status, body: answer } = await trellis.ask(method, path, { page, body });
        if (status === 403) expect(answer.code).toBe("insufficient_scope");
        else who.push(name);
      }
      return who;
    };
    expect(await allowed("GET", "/webhook-endpoints")).toEqual(["viewer", "developer", "owner", "operator"]);
    expect(await allowed("GET", "/audit-events")).toEqual(["viewer", "developer", "owner", "operator"]);
    expect(await allowed("POST", "/webhook-endpoints", hook)).toEqual(["developer", "owner"]);
    // What keys are, who may use passkeys, and what a page may show of a treasury are of one scope, and of owners alone.
    expect(await allowed("GET", "/api-keys")).toEqual(["owner"]);
    expect(await allowed("POST", "/api-keys", {})).toEqual(["owner"]);
    expect(await allowed("GET", "/members")).toEqual(["owner"]);
    expect(await allowed("POST", "/accounts", {})).toEqual(["owner"]);
    expect(await allowed("GET", "/tenants")).toEqual(["operator"]);
  });

  it("changes nothing without the token of its own session", async () => {
    const page = await trellis.signIn(address());
    const other = await trellis.signIn(address());
    const create = (headers: Record<string, string>) =>
      trellis.ask("POST", "/webhook-endpoints", { page, headers, body: hook });
    for (const csrf of ["", "x", other.csrf, `${page.csrf}x`]) {
      expectError(await create({ "x-csrf-token": csrf }), 403, "invalid_csrf_token");
    }
    const { headers } = { headers: { cookie: page.cookie } };
    expectError(await trellis.ask("POST", "/webhook-endpoints", { headers, body: hook }), 403, "invalid_csrf_token");
    expectError(await trellis.ask("POST", "/console/sign-out", { headers }), 403, "invalid_csrf_token");
    expectError(await trellis.ask("DELETE", "/console/sessions", { headers }), 403, "invalid_csrf_token");
    // Reading needs none.
    expect((await trellis.ask("GET", "/webhook-endpoints", { headers })).status).toBe(200);
    expect((await create({})).status).toBe(201);
  });

  it("is refused when a page of another origin made it", async () => {
    const page = await trellis.signIn(address());
    const read = (headers: Record<string, string>) => trellis.ask("GET", "/console/session", { page, headers });
    for (const site of ["cross-site", "same-site", "odd"]) {
      expectError(await read({ "sec-fetch-site": site }), 403, "foreign_page");
    }
    for (const origin of [
      "https://evil.example",
      "null",
      "https://app.example",
      "http://trellis.example",
      "https://trellis.example:444",
      "https://trellis.example.evil.example",
    ]) {
      expectError(await read({ origin }), 403, "foreign_page");
      const reply = await trellis.ask("GET", "/webhook-endpoints", { page, headers: { origin } });
      expectError(reply, 403, "foreign_page");
      expect(reply.headers["access-control-allow-credentials"]).toBeUndefined();
    }
    for (const path of ["/console/sign-in", "/console/verify", "/console/accept", "/console/passkey"]) {
      const headers = { origin: "https://evil.example" };
      expectError(await trellis.ask("POST", path, { headers, body: {} }), 403, "foreign_page");
    }
    expect((await read({ "sec-fetch-site": "none" })).status).toBe(200);
  });

  it("counts as the key's where there is one, whatever the cookie says", async () => {
    const page = await trellis.signIn(address());
    const headers = await trellis.makeKey({ scopes: ["accounts:read"] });
    expectError(await trellis.ask("GET", "/webhook-endpoints", { page, headers }), 403, "insufficient_scope");
    for (const authorization of ["Bearer sk_test_unknown", "Basic abc", ""]) {
      const { status } = await trellis.ask("GET", "/webhook-endpoints", { page, headers: { authorization } });
      expect(status).toBe(401);
    }
    // No key is a member, and none has the member's session.
    expectError(await trellis.ask("GET", "/console/session", { page, headers }), 401, "sign_in_required");
    expectError(await trellis.ask("GET", "/console/session", { headers }), 401, "sign_in_required");
    // A key needs no token of a page's.
    const able = await trellis.makeKey();
    expect(
      (await trellis.ask("POST", "/webhook-endpoints", { headers: { ...able, cookie: page.cookie }, body: hook }))
        .status,
    ).toBe(201);
  });

  it("counts for nothing in a dialect, at the sandbox's chain, and under another name", async () => {
    const page = await trellis.signIn(address());
    expectError(await trellis.ask("GET", "/api/grid/v1/webhook-endpoints", { page }), 401, "api_key_required");
    expectError(await trellis.ask("GET", "/api/grid/v1/console/session", { page }), 401, "sign_in_required");
    const token = page.cookie.split("=")[1] ?? "";
    for (const cookie of [
      `trellis_console=${token}`,
      `__host-trellis_console=${token}`,
      `x=1; __Host-trellis_console=${token}; __Host-trellis_console=${"A".repeat(43)}`,
      "__Host-trellis_console=",
    ]) {
      const { status } = await trellis.ask("GET", "/webhook-endpoints", { headers: { cookie } });
      expect([cookie, status]).toEqual([cookie, 401]);
    }
    const headers = { cookie: `x=1; ${page.cookie}; y=2` };
    expect((await trellis.ask("GET", "/webhook-endpoints", { headers })).status).toBe(200);
  });

  it("reaches what the member reaches, and the tenant's own alone", async () => {
    const tenantId = "elsewhere";
    await trellis.addTenant(tenantId);
    const page = await trellis.signIn(address(), { tenantId });
    const mine = await trellis.signIn(address());
    const made = await trellis.ask("POST", "/webhook-endpoints", { page: mine, body: hook });
    const { id } = made.body.data as { id: string };
    expect((await trellis.ask("GET", `/webhook-endpoints/${id}`, { page: mine })).status).toBe(200);
    expect((await trellis.ask("GET", `/webhook-endpoints/${id}`, { page })).status).toBe(404);
    const devnet = await trellis.signIn(address(), { environments: ["devnet"] });
    const headers = { "x-service-environment": "sandbox" };
    expectError(await trellis.ask("GET", "/webhook-endpoints", { page: devnet, headers }), 403, "insufficient_scope");
  });

  it("makes a key of no more than the member's scopes, once, and for the member alone", async () => {
    const page = await trellis.signIn(address());
    const make = (as: Page, scopes: string[]) =>
      trellis.ask("POST", "/api-keys", {
        page: as,
        body: { name: "k", scopes, environments: ["sandbox"] },
        headers: { "x-idempotency-key": "the-same" },
      });
    expectError(await make(page, ["admin:tenants"]), 403, "insufficient_scope");
    const developer = await trellis.signIn(address(), { role: "developer" });
    expectError(await make(developer, ["accounts:read"]), 403, "insufficient_scope");
    const made = await make(page, ["accounts:read", "admin:keys"]);
    expect(made.status).toBe(201);
    const again = await make(page, ["accounts:read", "admin:keys"]);
    expect([again.headers["idempotent-replayed"], again.body]).toEqual(["true", made.body]);
    const other = await make(await trellis.signIn(address()), ["accounts:read", "admin:keys"]);
    expect(JSON.stringify(other.body)).not.toContain((made.body.data as { key: string }).key);
  });

  it("is limited as the requests of a key are", async () => {
    const page = await trellis.signIn(address());
    const first = await trellis.ask("GET", "/console/session", { page });
    const second = await trellis.ask("GET", "/webhook-endpoints", { page });
    const left = ({ headers }: Reply) => Number(headers["ratelimit-remaining"]);
    expect(left(second)).toBe(left(first) - 1);
    const other = await trellis.signIn(address());
    expect(left(await trellis.ask("GET", "/webhook-endpoints", { page: other }))).toBe(left(first));
  });

  it("changes nothing of a tenant that is frozen", async () => {
    const tenantId = "frozen";
    await trellis.addTenant(tenantId);
    const page = await trellis.signIn(address(), { tenantId });
    await trellis.db.updateTable("tenant").set({ frozen_at: 1n }).where("id", "=", tenantId).execute();
    expectError(await trellis.ask("POST", "/webhook-endpoints", { page, body: hook }), 503, "tenant_frozen");
    expect((await trellis.ask("GET", "/webhook-endpoints", { page })).status).toBe(200);
  });
});

it("where the console is off nobody signs in, and the cookie is nothing", async () => {
  for (const path of [
    "/console/sign-in",
    "/console/verify",
    "/console/accept",
    "/console/sign-out",
    "/console/passkey",
  ]) {
    expect((await off.ask("POST", path, { body: {} })).status).toBe(404);
  }
  expect((await off.ask("GET", "/console/session")).status).toBe(404);
  const headers = { cookie: `__Host-trellis_console=${"A".repeat(43)}` };
  expectError(await off.ask("GET", "/webhook-endpoints", { headers }), 401, "api_key_required");
  expect((await off.ask("GET", "/webhook-endpoints", { headers: await off.makeKey() })).status).toBe(200);
});

it("every endpoint takes the cookie by the same rules", async () => {
  const viewer = await trellis.signIn(address(), { role: "viewer" });
  const stranger = { cookie: `__Host-trellis_console=${"A".repeat(43)}` };
  const wrong: unknown[] = [];
  const expectCode = async (operation: string, reply: Promise<Reply>, ...codes: (string | undefined)[]) => {
    const { status, body } = await reply;
    if (!codes.includes(body.code)) wrong.push([operation, status, body.code, codes]);
  };
  for (const { contract } of endpoints) {
    const { scope, method, operation, environment } = contract;
    if (scope === null && contract.console !== "member") continue;
    const path = contract.path.replaceAll(/\{\w+\}/g, "x");
    const headers: Record<string, string> = environment === "none" ? {} : { "x-service-environment": "sandbox" };
    const ask = (more: Record<string, string>, page?: Page) =>
      trellis.ask(method, path, { headers: { ...headers, ...more }, ...(page && { page }) });
    await expectCode(operation, ask(stranger), "sign_in_required");
    await expectCode(operation, ask({ "sec-fetch-site": "cross-site" }, viewer), "foreign_page");
    if (method !== "GET") await expectCode(operation, ask({ "x-csrf-token": "" }, viewer), "invalid_csrf_token");
    if (scope !== null && !scope.endsWith(":read")) {
      await expectCode(operation, ask({}, viewer), "insufficient_scope");
    }
  }
  expect(wrong).toEqual([]);
}, 60_000);

it("where pages are not encrypted the cookie has a plain name, and the page's address is the request's own", async () => {
  const page = await plain.signIn(address());
  expect(page.cookie).toMatch(/^trellis_console=/);
  const read = (headers: Record<string, string>) => plain.ask("GET", "/console/session", { page, headers });
  expect((await read({ origin: "http://localhost:8080" })).status).toBe(200);
  for (const origin of ["http://localhost:9090", "http://127.0.0.1:8080", "https://localhost:8080"]) {
    expectError(await read({ origin }), 403, "foreign_page");
  }
});
