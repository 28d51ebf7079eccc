import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import Type from "typebox";
import { beforeAll, describe, expect, it } from "vitest";
import { type FloorNeeds, openFloor, useFloor } from "./http-fixture.js";

const floor = useFloor(() => ({
  endpoints,
  environments: ["sandbox", "devnet"],
  http: { corsOrigins: ["https://app.example"] },
}));
let twoEnvironmentsKey: string;
beforeAll(async () => {
  twoEnvironmentsKey = (await floor.makeKey({ environments: ["sandbox", "devnet"] })).value;
});

describe("success", () => {
  it("is an envelope that carries the caller's well-formed request id", async () => {
    const answer = await call("POST", "/api/service/v1/things/a", { title: "hello" }, { "x-request-id": "mine_1.2-3" });
    expect(answer.json()).toEqual({
      data: { name: "a", body: { title: "hello" } },
      metadata: { request_id: "mine_1.2-3", timestamp: "2026-03-01T12:00:00.000Z" },
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers["x-request-id"]).toBe("mine_1.2-3");
  });

  it.each([
    ["a b"],
    [""],
    ["x".repeat(41)],
    ["a/b"],
    ["123456"],
    ["sk_test_abc"],
    ["whsec_abc"],
    [`${"Ab0_-".repeat(8)}xyz`],
  ])("makes a request id where the given one is %j", async (given) => {
    const answer = await call("GET", "/api/service/v1/things/a", undefined, { "x-request-id": given });
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("is bare where the contract says so, with the answer's own headers", async () => {
    const answer = await call("GET", "/api/service/v1/things/a");
    expect(answer.json()).toEqual({ name: "a", query: {}, environment: "sandbox" });
    expect(answer.headers["x-next-cursor"]).toBe("next");
  });

  it("works on paths with a colon of their own, and path parameters are decoded", async () => {
    const custom = await call("POST", "/api/service/v1/things:custom", undefined, {
      "x-service-environment": "sandbox",
    });
    expect(custom.json().data).toEqual({ environment: "sandbox" });
    const decoded = await call("GET", "/api/service/v1/things/a%2Fb%20c");
    expect(decoded.json().name).toBe("a/b c");
  });

  it("works on GET with a JSON content type and no body", async () => {
    const answer = await call("GET", "/api/service/v1/things/a", undefined, { "content-type": "application/json" });
    expect(answer.statusCode).toBe(200);
  });

  it("works on POST with a JSON content type and no body, where none is asked for", async () => {
    const headers = { "content-type": "application/json", "x-service-environment": "sandbox" };
    const answer = await call("POST", "/api/service/v1/things:custom", undefined, headers);
    expect(answer.statusCode).toBe(200);
  });

  it("works on DELETE with a JSON body", async () => {
    const answer = await call("DELETE", "/api/service/v1/things/a", { reason: "old" });
    expect(answer.json().data).toEqual({ reason: "old" });
  });

  it("answers HEAD like GET, without the body", async () => {
    const answer = await call("HEAD", "/api/service/v1/things/a");
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe("");
    expect(answer.headers["x-next-cursor"]).toBe("next");
  });
});

describe("strictness of bodies", () => {
  it("takes null for absent in optional fields, at any depth, except where null is a value", async () => {
    const answer = await call("POST", "/api/service/v1/things/a", {
      title: "hello",
      memo: null,
      admin: null,
      policies: { threshold: 1, signers: [{ address: "x", role: null }] },
      signed: null,
    });
    expect(answer.json().data.body).toEqual({
      title: "hello",
      admin: null,
      policies: { threshold: 1, signers: [{ address: "x" }] },
    });
  });

  it("ignores unknown fields, and refuses them where the contract says no extra fields", async () => {
    const ignored = await call("POST", "/api/service/v1/things/a", { title: "hello", unknown: 1 });
    expect(ignored.statusCode).toBe(201);
    const refused = await call("POST", "/api/service/v1/things/a", {
      title: "hello",
      signed: { signature: "s", k: 1 },
    });
    expect(expectErrorBody(refused, 400, "invalid_request").details).toEqual([
      { field: "signed.k", code: "field_unknown", message: "signed.k is not a known field here.", documentation },
    ]);
  });

  it("names every wrong field by its dotted path, and repeats no value", async () => {
    const answer = await call("POST", "/api/service/v1/things/a", {
      title: null,
      policies: { threshold: "1", signers: [{ address: 5 }, {}] },
    });
    const { message, details } = expectErrorBody(answer, 400, "invalid_request");
    expect(message).toBe(details[0]?.message);
    expect(details).toEqual([
      { field: "title", code: "field_wrong_type", message: "title must be a string.", documentation },
      {
        field: "policies.signers.0.address",
        code: "field_wrong_type",
        message: "policies.signers.0.address must be a string.",
      },
      {
        field: "policies.signers.1.address",
        code: "field_required",
        message: "policies.signers.1.address is required.",
      },
      {
        field: "policies.threshold",
        code: "field_wrong_type",
        message: "policies.threshold must be a whole number.",
      },
    ]);
  });

  it("names twenty wrong fields at most", async () => {
    const signers = Array.from({ length: 200 }, () => ({}));
    const answer = await call("POST", "/api/service/v1/things/a", { title: "ab", policies: { threshold: 1, signers } });
    expect(expectErrorBody(answer, 400, "invalid_request").details).toHaveLength(20);
  });

  it.each([
    ["no body at all", undefined],
    ["null", "null"],
    ["a list", "[]"],
    ["text", '"hello"'],
  ])("refuses %s where an object is asked for", async (_what, payload) => {
    const answer = await call("POST", "/api/service/v1/things/a", payload);
    expect(expectErrorBody(answer, 400, "invalid_request").message).toBe("The body must be an object.");
  });

  it.each([["{"], ['{"title":"hello"} x'], ["{'title':1}"]])("answers malformed JSON %s", async (payload) => {
    expectErrorBody(await call("POST", "/api/service/v1/things/a", payload), 400, "malformed_json");
  });

  it.each([['{"__proto__":{"a":1},"title":"hello"}'], ['{"title":"hello","constructor":{"prototype":{}}}']])(
    "says what is wrong with %s, which is JSON",
    async (payload) => {
      const { message } = expectErrorBody(
        await call("POST", "/api/service/v1/things/a", payload),
        400,
        "invalid_request",
      );
      expect(message).toContain("__proto__");
    },
  );

  it("takes no compressed body", async () => {
    const headers = { "content-encoding": "gzip" };
    const answer = await call("POST", "/api/service/v1/things/a", '{"title":"hello"}', headers);
    expectErrorBody(answer, 415, "unsupported_media_type");
  });

  it("takes an encoded colon for a colon", async () => {
    const sandbox = { "x-service-environment": "sandbox" };
    expect((await call("POST", "/api/service/v1/things%3Acustom", undefined, sandbox)).statusCode).toBe(200);
    expect((await call("GET", "/api/service/v1/things/a%3Ab?x=%3A")).json().name).toBe("a:b");
  });
});

describe("query strings", () => {
  it("are parsed from text by the schema; unknown names are ignored", async () => {
    const many = await call("GET", "/api/service/v1/things/a?limit=0&raw=true&status=Active&status=Approved");
    expect(many.json().query).toEqual({ limit: 0, raw: true, status: ["Active", "Approved"] });
    const one = await call("GET", "/api/service/v1/things/a?status=Active&raw=false");
    expect(one.json().query).toEqual({ raw: false, status: ["Active"] });
    expect((await call("GET", "/api/service/v1/things/a?other=1")).statusCode).toBe(200);
  });

  it.each([
    ["limit=1.5", "limit", "The query parameter limit must be a whole number."],
    ["limit=ten", "limit", "The query parameter limit must be a whole number."],
    ["limit=", "limit", "The query parameter limit must be a whole number."],
    ["limit=101", "limit", "The query parameter limit must be at most 100."],
    ["limit=1&limit=2", "limit", "The query parameter limit must be a whole number."],
    ["raw=1", "raw", "The query parameter raw must be true or false."],
    ["status=Dead", "status", 'The query parameter status must be one of "Active", "Approved".'],
  ])("are refused with the parameter named: %s", async (search, field, message) => {
    const answer = await call("GET", `/api/service/v1/things/a?${search}`);
    expect(expectErrorBody(answer, 400, "invalid_request").details).toMatchObject([{ field, message }]);
  });
});

describe("environments", () => {
  const url = "/api/service/v1/things/a";

  it("are the key's only one, or the named one", async () => {
    expect((await call("GET", url)).json().environment).toBe("sandbox");
    const named = { authorization: `Bearer ${twoEnvironmentsKey}`, "x-service-environment": "devnet" };
    expect((await call("GET", url, undefined, named)).json().environment).toBe("devnet");
  });

  it("have to be named by a key with several", async () => {
    const answer = await call("GET", url, undefined, { authorization: `Bearer ${twoEnvironmentsKey}` });
    expectErrorBody(answer, 400, "environment_required");
  });

  it("have to be named where the operation requires it, whatever the key", async () => {
    expectErrorBody(await call("POST", "/api/service/v1/things:custom"), 400, "environment_required");
  });

  it.each([["staging"], [""], ["Sandbox"], ["sandbox, sandbox"]])("refuse the word %j", async (word) => {
    const answer = await call("GET", url, undefined, { "x-service-environment": word });
    expectErrorBody(answer, 400, "invalid_environment");
  });

  it.each([["mainnet"], ["production"]])("that this server does not have are said so: %s", async (word) => {
    const answer = await call("GET", url, undefined, { "x-service-environment": word });
    expectErrorBody(answer, 400, "environment_not_available");
  });

  it("that are not the key's are refused", async () => {
    const answer = await call("GET", url, undefined, { "x-service-environment": "devnet" });
    expectErrorBody(answer, 403, "insufficient_scope");
  });

  it("are implied on sandbox operations, and another one named is an error", async () => {
    const sandboxPath = "/api/service/v1/sandbox/thing";
    const implied = await call("POST", sandboxPath, undefined, { authorization: `Bearer ${twoEnvironmentsKey}` });
    expect(implied.json().data).toEqual({ environment: "sandbox" });
    const other = { authorization: `Bearer ${twoEnvironmentsKey}`, "x-service-environment": "devnet" };
    expectErrorBody(await call("POST", sandboxPath, undefined, other), 400, "environment_not_available");
  });

  it("call a word unknown even where the operation has none", async () => {
    const answer = await call("DELETE", url, { reason: "old" }, { "x-service-environment": "nowhere" });
    expectErrorBody(answer, 400, "invalid_environment");
  });
});

describe("refusals of the floor itself", () => {
  it("404 for an unknown path, with and without a key", async () => {
    expectErrorBody(await call("GET", "/api/service/v2/things"), 404, "route_not_found");
    expectErrorBody(await floor.app.inject({ url: "/nothing" }), 404, "route_not_found");
    expectErrorBody(await call("POST", "/nothing", "{"), 404, "route_not_found");
  });

  it("404 names the variable where a client speaks a dialect that this service was not started with", async () => {
    const { details } = (await call("GET", "/api/grid/v1/accounts/x")).json<{ details: { suggestion: string }[] }>();
    expect(details[0]?.suggestion).toContain("TRELLIS_DIALECT=grid");
  });

  it("405 for a method the path does not know, with the ones it does", async () => {
    const answer = await call("PUT", "/api/service/v1/things/a", { title: "hello" });
    expectErrorBody(answer, 405, "method_not_allowed");
    expect(answer.headers.allow).toBe("DELETE, GET, HEAD, POST");
    expect((await call("GET", "/api/service/v1/things:custom")).headers.allow).toBe("POST");
  });

  it("413 for a body over 256 KiB, and none at the limit", async () => {
    const over = JSON.stringify({ title: "x".repeat(limits.bodyBytes) });
    expectErrorBody(await call("POST", "/api/service/v1/things/a", over), 413, "body_too_large");
    const exact = JSON.stringify({ title: "x".repeat(limits.bodyBytes - 12) });
    expect(exact.length).toBe(limits.bodyBytes);
    expect((await call("POST", "/api/service/v1/things/a", exact)).statusCode).toBe(201);
  });

  it.each([["text/plain"], ["application/x-www-form-urlencoded"], ["multipart/form-data; boundary=x"], ["rubbish"]])(
    "415 for a body of type %s",
    async (type) => {
      const answer = await call("POST", "/api/service/v1/things/a", "title=hello", { "content-type": type });
      expectErrorBody(answer, 415, "unsupported_media_type");
    },
  );

  it("takes JSON with a charset", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect((await call("POST", "/api/service/v1/things/a", { title: "hello" }, headers)).statusCode).toBe(201);
  });

  it("414 for a path parameter longer than any address, 400 for a path that does not decode", async () => {
    expectErrorBody(await call("GET", `/api/service/v1/things/${"x".repeat(300)}`), 414, "uri_too_long");
    expectErrorBody(await call("GET", "/api/service/v1/things/%zz"), 400, "invalid_request");
  });

  it("says nothing of an internal error but its request id, and logs it with its stack", async () => {
    const answer = await call("GET", "/api/service/v1/fail/broken", undefined, { "x-request-id": "broken-1" });
    expectErrorBody(answer, 500, "internal_error");
    expect(answer.body).not.toContain("db.internal");
    const line = floor
      .logged()
      .split("\n")
      .find((text) => text.includes("broken-1") && text.includes("request failed"));
    expect(line).toContain("db.internal");
    expect(line).toContain("http-floor.test");
  });

  it("passes a refusal of a rule on, with its facts and its time to wait", async () => {
    const refused = await call("GET", "/api/service/v1/fail/refused");
    expect(expectErrorBody(refused, 400, "unsupported_currency").details).toEqual([
      {
        field: "currency",
        code: "unsupported_currency",
        message: "The currency doge is not known.",
        suggestion: "Known here: sol.",
        lamports: "5",
        documentation: "/docs/errors#unsupported_currency",
      },
    ]);
    const wordy = await call("GET", "/api/service/v1/fail/wordy");
    expect(expectErrorBody(wordy, 400, "invalid_address").message).toHaveLength(1_001);
    const unreachable = await call("GET", "/api/service/v1/fail/unreachable");
    expectErrorBody(unreachable, 502, "chain_unavailable");
    expect(unreachable.headers["retry-after"]).toBe("3");
    expect(unreachable.body).not.toContain("10.0.0.7");
  });

  it.each([["undeclared"], ["wrong-type"], ["empty"]])(
    "checks answers against their schema while that is configured: %s",
    async (how) => {
      expectErrorBody(await call("GET", `/api/service/v1/fail/${how}`), 500, "internal_error");
    },
  );
});

describe("on the bare socket", () => {
  async function exchange(bytes: string): Promise<string> {
    if (!floor.app.server.listening) await floor.app.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect((floor.app.server.address() as AddressInfo).port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text) => {
      received += text;
    });
    socket.on("error", () => undefined);
    socket.write(bytes);
    await once(socket, "close");
    return received;
  }

  it("what is not HTTP gets the error body", async () => {
    const answer = await exchange("hello there\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ code: "invalid_request" });
  });

  it("headers beyond 16 KiB get it too", async () => {
    const answer = await exchange(`GET /healthz HTTP/1.1\r\nhost: a\r\nx-long: ${"x".repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ code: "headers_too_large" });
  });
});

describe("CORS", () => {
  const asked = { origin: "https://app.example", "access-control-request-method": "POST" };

  it("lets the listed origins ask beforehand and read the answer", async () => {
    const preflight = await floor.app.inject({ method: "OPTIONS", url: "/api/service/v1/things/a", headers: asked });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-methods": "DELETE, GET, HEAD, POST",
      "access-control-allow-headers": expect.stringContaining("x-service-environment"),
    });
    const answer = await call("GET", "/api/service/v1/things/a", undefined, { origin: "https://app.example" });
    expect(answer.headers).toMatchObject({ "access-control-allow-origin": "https://app.example", vary: "origin" });
    const refused = await call("GET", "/api/service/v1/fail/refused", undefined, { origin: "https://app.example" });
    expect(refused.headers["access-control-allow-origin"]).toBe("https://app.example");
  });

  it("says nothing to others", async () => {
    const headers = { ...asked, origin: "https://evil.example" };
    const preflight = await floor.app.inject({ method: "OPTIONS", url: "/api/service/v1/things/a", headers });
    expectErrorBody(preflight, 405, "method_not_allowed");
    expect(preflight.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("health", () => {
  it("is reported without a key", async () => {
    const answer = await floor.app.inject({ url: "/healthz" });
    expect(answer.json()).toEqual({ status: "ok", version: "0.0.0-test" });
  });
});

describe("a server without a sandbox, without CORS, and not ready", () => {
  const other = useFloor(() => ({
    endpoints,
    environments: ["devnet"],
    http: {
      readiness: async () => ({
        ready: false,
        checks: { database: { ok: true }, devnet: { ok: false, message: "devnet does not answer." } },
      }),
    },
  }));

  it("knows no sandbox paths", async () => {
    const headers = { authorization: `Bearer ${other.key}` };
    for (const path of ["thing", "rpc"]) {
      const answer = await other.app.inject({ method: "POST", url: `/api/service/v1/sandbox/${path}`, headers });
      expectErrorBody(answer, 404, "route_not_found");
    }
  });

  it("sends no CORS headers", async () => {
    const headers = { origin: "https://app.example" };
    const answer = await other.app.inject({ url: "/healthz", headers });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("distinguishes what needs an operator from what should remove it from the routing", async () => {
    const checks = { database: { ok: true }, devnet: { ok: true, poor: true }, mainnet: { ok: true } };
    const poor = await openFloor({ http: { readiness: async () => ({ ready: true, checks }) } });
    try {
      const answer = await poor.app.inject({ url: "/readyz" });
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: "degraded", checks }]);
    } finally {
      await poor.close();
    }
  });

  it("says what it waits for, with 503", async () => {
    const answer = await other.app.inject({ url: "/readyz" });
    expect(expectErrorBody(answer, 503, "service_unavailable").details).toEqual([
      {
        field: "devnet",
        code: "service_unavailable",
        message: "devnet does not answer.",
        documentation: "/docs/errors#service_unavailable",
      },
    ]);
  });
});

const common = {
  summary: "A thing",
  tag: "Things",
  errors: ["unsupported_currency", "invalid_address", "chain_unavailable"],
} as const;

const createThing = endpoint(
  {
    ...common,
    operation: "createThing",
    method: "POST",
    path: "/api/service/v1/things/{name}",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ name: Type.String({ maxLength: 60 }) }),
    body: Type.Object({
      title: Type.String({ minLength: 2 }),
      memo: Type.Optional(Type.String()),
      admin: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      policies: Type.Optional(
        Type.Object({
          signers: Type.Array(Type.Object({ address: Type.String(), role: Type.Optional(Type.String()) })),
          threshold: Type.Integer({ minimum: 1, maximum: 10 }),
        }),
      ),
      signed: Type.Optional(Type.Object({ signature: Type.String() }, { additionalProperties: false })),
    }),
    response: { status: 201, envelope: true, schema: Type.Object({ name: Type.String(), body: Type.Unknown() }) },
  },
  async (_needs: FloorNeeds, { params, body }) => ({ data: { name: params.name, body } }),
);

const customThing = endpoint(
  {
    ...common,
    operation: "customThing",
    method: "POST",
    path: "/api/service/v1/things:custom",
    scope: "accounts:write",
    environment: "required",
    response: { status: 200, envelope: true, schema: Type.Object({ environment: Type.String() }) },
  },
  async (_needs: FloorNeeds, { network }) => ({ data: { environment: network.name } }),
);

const getThing = endpoint(
  {
    ...common,
    operation: "getThing",
    method: "GET",
    path: "/api/service/v1/things/{name}",
    scope: "accounts:read",
    environment: "optional",
    params: Type.Object({ name: Type.String() }),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
      raw: Type.Optional(Type.Boolean()),
      status: Type.Optional(Type.Array(Type.Union([Type.Literal("Active"), Type.Literal("Approved")]))),
    }),
    response: {
      status: 200,
      envelope: false,
      schema: Type.Object({ name: Type.String(), query: Type.Unknown(), environment: Type.String() }),
    },
  },
  async (_needs: FloorNeeds, { params, query, network }) => ({
    data: { name: params.name, query: { ...query }, environment: network.name },
    headers: { "x-next-cursor": "next" },
  }),
);

const deleteThing = endpoint(
  {
    ...common,
    operation: "deleteThing",
    method: "DELETE",
    path: "/api/service/v1/things/{name}",
    scope: "accounts:write",
    environment: "none",
    params: Type.Object({ name: Type.String() }),
    body: Type.Object({ reason: Type.String() }),
    response: { status: 200, envelope: true, schema: Type.Object({ reason: Type.String() }) },
  },
  async (_needs: FloorNeeds, { body }) => ({ data: { reason: body.reason } }),
);

const failures: Record<string, () => unknown> = {
  refused: () => {
    throw new TrellisError("unsupported_currency", {
      field: "currency",
      message: "The currency doge is not known.",
      suggestion: "Known here: sol.",
      facts: { lamports: 5n },
    });
  },
  broken: () => {
    throw Object.assign(new Error("connection to db.internal refused"), { statusCode: 418 - 1 + 100 });
  },
  wordy: () => {
    throw new TrellisError("invalid_address", { message: `${"1".repeat(250_000)} is not an address.` });
  },
  unreachable: () => {
    throw new TrellisError("chain_unavailable", { retryAfterSeconds: 2.1, cause: new Error("ECONNREFUSED 10.0.0.7") });
  },
  undeclared: () => ({ ok: true, surplus: 1 }),
  "wrong-type": () => ({ ok: "yes" }),
  empty: () => null,
};

const fail = endpoint(
  {
    ...common,
    operation: "fail",
    method: "GET",
    path: "/api/service/v1/fail/{how}",
    scope: "accounts:read",
    environment: "optional",
    params: Type.Object({ how: Type.String() }),
    response: { status: 200, envelope: true, schema: Type.Object({ ok: Type.Boolean() }) },
  },
  async (_needs: FloorNeeds, { params }) => ({ data: failures[params.how]?.() as { ok: boolean } }),
);

const sandboxOnly = endpoint(
  {
    ...common,
    operation: "sandboxThing",
    method: "POST",
    path: "/api/service/v1/sandbox/thing",
    scope: "sandbox:use",
    environment: "sandbox",
    response: { status: 200, envelope: true, schema: Type.Object({ environment: Type.String() }) },
  },
  async (_needs: FloorNeeds, { network }) => ({ data: { environment: network.name } }),
);

const endpoints = [createThing, customThing, getThing, deleteThing, fail, sandboxOnly];

const documentation = "/docs/errors#invalid_request";

type Method = "GET" | "POST" | "DELETE" | "PUT" | "OPTIONS" | "HEAD";

function call(method: Method, url: string, payload?: object | string, headers: Record<string, string> = {}) {
  return floor.app.inject({
    method,
    url,
    ...(payload === undefined ? {} : { payload }),
    headers: {
      authorization: `Bearer ${floor.key}`,
      ...(payload === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
  });
}

function expectErrorBody(
  answer: { statusCode: number; headers: object; json(): unknown },
  status: number,
  code: string,
) {
  const body = answer.json() as Record<string, unknown>;
  expect(body).toEqual({
    message: expect.stringMatching(/./),
    code,
    details: expect.any(Array),
    timestamp: "2026-03-01T12:00:00.000Z",
    request_id: expect.stringMatching(/./),
  });
  const [first] = body.details as Record<string, unknown>[];
  expect(first).toMatchObject({ message: body.message, code: expect.any(String) });
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "x-request-id": body.request_id,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  expect(answer.statusCode).toBe(status);
  return body as { message: string; details: Record<string, unknown>[] };
}
