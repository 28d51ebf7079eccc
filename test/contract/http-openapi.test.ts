import { createConfig, lintFromString } from "@redocly/openapi-core";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { errorCatalogue, wireCode } from "@trellis/kernel/errors.js";
import type { SandboxControls } from "@trellis/kernel/ports/network.js";
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildOpenApi } from "../../packages/docs-site/openapi/build-openapi.js";
import { type Floor, type FloorNeeds, openFloor } from "./http-fixture.js";

describe("the document", () => {
  it("passes the recommended rules of an independent linter without an error", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
  });

  it("is the same for the same contracts, and leaves them as they are", () => {
    const again = buildOpenApi(endpoints, { version: "1.2.3", serverUrl: "https://trellis.example" });
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
    expect(createThing.contract.body).toHaveProperty("properties.price.$id", "Money");
  });

  it("puts named schemas among the components, and refers to them", () => {
    expect(document.components.schemas?.Money).toMatchObject({ type: "object" });
    expect(document.components.schemas?.Money).not.toHaveProperty("$id");
    const created = operation("/api/service/v1/things/{name}", "post").responses["201"];
    expect(created?.content["application/json"]?.schema).toEqual({ $ref: "#/components/schemas/Money" });
    const listed = operation("/api/service/v1/things", "get").responses["200"];
    expect(listed?.content["application/json"]?.schema).toEqual({ $ref: "#/components/schemas/MoneyListAnswer" });
    expect(document.components.schemas?.MoneyListAnswer).toMatchObject({
      required: ["data", "metadata"],
      properties: { data: { type: "array", items: { $ref: "#/components/schemas/Money" } } },
    });
  });

  it("refuses two schemas of one name, two operations of one name, and an undescribed path parameter", () => {
    const other = { ...createThing.contract, operation: "other", path: "/other" };
    const clash = {
      ...other,
      params: undefined,
      response: { ...other.response, schema: Type.String({ $id: "Money" }) },
    };
    const { params: _dropped, ...bare } = createThing.contract;
    const build = (contract: object) =>
      buildOpenApi([createThing, { contract: contract as typeof createThing.contract }], { version: "1" });
    expect(() => build(clash)).toThrow("two different schemas are called Money");
    expect(() => build({ ...other, operation: "createThing" })).toThrow("two operations are called createThing");
    expect(() => build({ ...bare, operation: "other", path: "/x/{name}" })).toThrow("path parameter name");
    expect(() => build({ ...createThing.contract, operation: "other" })).toThrow("two operations answer POST");
  });

  it("says which headers count where", () => {
    const refs = (path: string, method: string) => operation(path, method).parameters.flatMap(({ $ref }) => $ref ?? []);
    expect(refs("/api/service/v1/things", "get")).toEqual([
      "#/components/parameters/environmentRequired",
      "#/components/parameters/requestId",
    ]);
    expect(refs("/api/service/v1/things/{name}", "post")).toEqual([
      "#/components/parameters/environment",
      "#/components/parameters/idempotencyKey",
      "#/components/parameters/requestId",
    ]);
    const made = operation("/api/service/v1/things/{name}", "post");
    expect(made.security).toEqual([{ apiKey: [] }, { member: [], csrfToken: [] }]);
    expect(made).toMatchObject({
      "x-required-scope": "accounts:write",
      description: "Makes one. Scope: `accounts:write`.",
    });
    expect(operation("/healthz", "get").security).toEqual([]);
  });

  it("lists every code an operation can answer, under its status, as the wire shows it", () => {
    const shared = document.components.responses as Operation["responses"];
    const named = operation("/api/service/v1/things/{name}", "post").responses as Record<string, { $ref?: string }>;
    const responses = Object.fromEntries(
      Object.entries(named).map(([status, response]) => [
        status,
        (response.$ref === undefined
          ? response
          : shared[response.$ref.slice("#/components/responses/".length)]) as Operation["responses"][string],
      ]),
    );
    const codes = (status: number) =>
      [...(responses[String(status)]?.description ?? "").matchAll(/`(\w+)`/g)].map(([, code]) => code);
    expect(codes(400)).toContain("insufficient_balance");
    expect(codes(401)).toEqual([
      "api_key_required",
      "invalid_api_key",
      "api_key_disabled",
      "api_key_expired",
      "sign_in_required",
    ]);
    expect(codes(404)).toEqual(["account_not_found"]);
    expect(codes(429)).toEqual(["otp_attempts_exceeded", "rate_limit_exceeded"]);
    for (const [status, { description }] of Object.entries(responses)) {
      for (const [, code] of description.matchAll(/`(\w+)`/g)) {
        const entries = Object.entries(errorCatalogue).filter(([name]) => wireCode(name as "internal_error") === code);
        expect(entries.map(([, [known]]) => String(known))).toContain(status);
      }
    }
  });
});

/** `METHOD /path/{parameter}` of every route, read off Fastify's own picture of its routes. */
function routesIn(picture: string): string[] {
  const routes: string[] = [];
  const prefixes: string[] = [];
  for (const line of picture.split("\n")) {
    const [, indent = "", label = "", methods] = /^((?:[│ ] {3})*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    const path = (depth === 0 ? "" : (prefixes[depth - 1] ?? "")) + label;
    prefixes[depth] = path;
    for (const method of methods?.split(", ") ?? []) {
      routes.push(`${method} ${path.replaceAll(/\/:(\w+)/g, "/{$1}")}`);
    }
  }
  return routes;
}

describe("the server", () => {
  let floor: Floor;
  beforeAll(async () => {
    const sockets = { attach: () => undefined, accept: () => false, close: () => undefined };
    const sandbox: Pick<SandboxControls, "answerRpc" | "sockets"> = { answerRpc: async () => undefined, sockets };
    floor = await openFloor({ endpoints, sandbox: sandbox as SandboxControls, pages: true });
  });
  afterAll(() => floor.close());

  it("serves the document, which describes every route but the page's own and what HTTP itself asks for", async () => {
    const served = await floor.app.inject({ url: "/openapi.json" });
    expect(served.json().info.version).toBe("0.0.0-test");
    const described = Object.entries(served.json().paths as object).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = routesIn(floor.app.printRoutes({ commonPrefix: false }));
    expect(routes).toContain("POST /api/service/v1/things/{name}");
    const own = routes.filter(
      (route) =>
        !/^(HEAD|OPTIONS) | \/(docs.*|packages.*|llms(-full)?\.txt|robots\.txt|mcp|favicon\.(svg|ico))?$/.test(route),
    );
    // OpenAPI has no words for a WebSocket; its path is described as the one of JSON-RPC.
    const spoken = own.filter((route) => route !== "GET /api/service/v1/sandbox/rpc");
    expect(spoken.sort()).toEqual(described.sort());
  });

  it("serves a page that loads nothing from anywhere else", async () => {
    const page = await floor.app.inject({ url: "/docs/" });
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-type"]).toContain("text/html");
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*/);
    const sources = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = ""]) => source);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) {
      expect(source).not.toMatch(/^(https?:)?\/\//);
      const part = await floor.app.inject({ url: new URL(source, "http://localhost/docs/").pathname });
      expect(part.statusCode).toBe(200);
    }
  });

  it("answers without what was not built", async () => {
    const bare = await openFloor({ endpoints, http: { site: undefined } });
    try {
      for (const url of ["/openapi.json", "/docs/", "/"]) {
        expect([url, (await bare.app.inject({ url })).statusCode]).toEqual([url, 404]);
      }
    } finally {
      await bare.close();
    }
  });
});

const Money = Type.Object({ amount: Type.String({ examples: ["1000"] }) }, { $id: "Money" });

const listThings = endpoint(
  {
    operation: "listThings",
    summary: "List things",
    tag: "Things",
    method: "GET",
    path: "/api/service/v1/things",
    scope: "accounts:read",
    environment: "required",
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: "A page's size." })),
      cursor: Type.Optional(Type.String()),
      status: Type.Optional(Type.Array(Type.Union([Type.Literal("a"), Type.Literal("b")]))),
    }),
    response: { status: 200, envelope: true, schema: Type.Array(Money) },
    errors: [],
  },
  async (_needs: FloorNeeds) => ({ data: [{ amount: "1" }] }),
);
const createThing = endpoint(
  {
    operation: "createThing",
    summary: "Create a thing",
    description: "Makes one.",
    tag: "Things",
    method: "POST",
    path: "/api/service/v1/things/{name}",
    scope: "accounts:write",
    environment: "optional",
    params: Type.Object({ name: Type.String({ description: "What it is called." }) }),
    body: Type.Object({ price: Money, fee: Type.Optional(Type.Union([Money, Type.Null()])) }),
    response: { status: 201, envelope: false, schema: Money },
    errors: ["insufficient_balance", "account_not_found", "otp_address_blocked"],
  },
  async (_needs: FloorNeeds, { body }) => ({ data: body.price }),
);
const endpoints = [listThings, createThing];
const document = buildOpenApi(endpoints, { version: "1.2.3", serverUrl: "https://trellis.example" });

type Operation = {
  parameters: { $ref?: string; name?: string; in?: string; required?: boolean }[];
  responses: Record<string, { description: string; content: Record<string, { schema: Record<string, unknown> }> }>;
  security: object[];
};

const operation = (path: string, method: string) => document.paths[path]?.[method] as Operation;
