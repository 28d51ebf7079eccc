import { type Contract, type Endpoint, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import Type from "typebox";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/config.js";
import { endpoints } from "../../src/endpoints.js";
import { dialects } from "../../src/http/dialects/dialects.js";
import {
  branchesOf,
  declaredProperties,
  elementSchemas,
  type JsonSchema,
  jsonSchemaOf,
} from "../../src/http/json-schema.js";
import { type FloorNeeds, openFloor, useFloor } from "./http-fixture.js";

const floor = useFloor(() => ({ endpoints: tests, environments: ["sandbox", "devnet"], http }));
const neutral = useFloor(() => ({ endpoints: tests }));

describe("another dialect", () => {
  it("is heard as the neutral names, and answered in its own", async () => {
    const { status, body } = await post(theirs, said);
    expect(status).toBe(201);
    expect(JSON.parse(body.data.heard)).toEqual(meant);
    expect(body.data.holders).toEqual(said.holders);
    expect(body.metadata.next_cursor).toBe("kms_a");
  });

  it("renames fields that a schema names, and nothing by its value", async () => {
    const note = { provider: "privy", Privy: ["turnkey"], kms_a: "kms_a" };
    const holders = [{ provider: "turnkey", memo: "kms_a", note, unknown: { provider: "privy" } }];
    const { body } = await post(theirs, { holders });
    expect(JSON.parse(body.data.heard).holders).toEqual([{ ...holders[0], provider: "kms_b" }]);
    expect(body.data.holders).toEqual(holders);
  });

  it.each(Object.entries({ privy: "kms_a", turnkey: "kms_b", dynamic: "kms_c" }))(
    "says %s for %s",
    async (word, name) => {
      const { body } = await post(theirs, { holders: [{ provider: word }] });
      expect(JSON.parse(body.data.heard).holders[0].provider).toBe(name);
      expect(body.data.holders[0].provider).toBe(word);
    },
  );

  it("leaves the neutral names alone: they work beside it, also inside it", async () => {
    const beside = await post(ours, meant);
    expect(beside.body.data.holders).toEqual(meant.holders);
    const inside = await post(theirs, meant);
    expect(JSON.parse(inside.body.data.heard)).toEqual(meant);
    expect(inside.body.data.holders).toEqual(said.holders);
    expect((await post(ours, said)).body).toMatchObject({ code: "invalid_request" });
  });

  it("takes the neutral name where both are said", async () => {
    const session = { KmsA: { kms_a_access_token: "ours" }, Privy: { privy_access_token: "theirs" } };
    const { body } = await post(theirs, { holders: [{ provider: "privy", session }] });
    expect(JSON.parse(body.data.heard).holders[0].session.KmsA).toEqual({ kms_a_access_token: "ours" });
  });

  it("knows both paths, with their colons however they are written, and no others", async () => {
    expect((await post("/api/grid/v1/echo%3Aall?privy=1", said)).status).toBe(201);
    expect((await post("/api/v0/grid/echo", said)).body.data.holders).toEqual(said.holders);
    expect((await post("/api/gridlock/v1/echo:all", said)).body.code).toBe("route_not_found");
    expect((await post(theirs, said, {}, neutral)).body.code).toBe("route_not_found");
  });

  it("has every operation of the interface under its own paths, and says what is wrong with a key there", async () => {
    const whole = await openFloor({
      endpoints: endpoints as unknown as readonly Endpoint<FloorNeeds>[],
      http: { dialect: dialects.get("grid") },
    });
    const [prefixes] = [...dialects.values()].map(({ paths }) => Object.entries(paths));
    const asked: string[] = [];
    for (const { contract } of endpoints) {
      const { method, path, operation } = contract;
      const [theirs, ours] = prefixes?.find(([, neutral]) => path.startsWith(neutral)) ?? [];
      // One that takes no key says nothing of keys.
      if (theirs === undefined || ours === undefined || contract.scope === null) continue;
      const url = path.replace(ours, theirs).replaceAll(/\{\w+\}/g, "x");
      const answer = await whole.app.inject({ method, url });
      expect([operation, answer.statusCode, answer.json().code]).toEqual([operation, 401, "api_key_required"]);
      asked.push(operation);
    }
    const others = endpoints.map(({ contract }) => contract.operation).filter((name) => !asked.includes(name));
    const keyless = endpoints.filter(({ contract }) => contract.scope === null);
    expect(others).toEqual(keyless.map(({ contract }) => contract.operation));
    await whole.close();
  });

  it("names a provider only where the dialect has another name for it", () => {
    // A value under another field would be said in neutral names, and heard in no other.
    const { values } = dialects.get("grid") ?? {};
    const found = new Set<string>();
    const refresh = (schema: JsonSchema, name: string) => {
      const { enum: some = [], const: only } = schema as { enum?: unknown[]; const?: unknown };
      if ([...some, only].some((value) => typeof value === "string" && value.startsWith("kms_"))) found.add(name);
      for (const [inner, property] of declaredProperties(branchesOf([schema]))) {
        for (const each of branchesOf(property.schemas)) refresh(each, inner);
      }
      for (const element of elementSchemas(branchesOf([schema]))) refresh(element, name);
    };
    for (const { contract } of endpoints) {
      const { body, query, params, response }: Contract = contract;
      for (const part of [body, query, params, response.schema]) if (part) refresh(jsonSchemaOf(part), "");
      // Only bodies and answers are put into other words.
      for (const part of [query, params]) if (part) expect(JSON.stringify(part)).not.toMatch(/kms_|provider/);
    }
    expect([...found].sort()).toEqual(Object.keys(values ?? {}).sort());
  });

  it("names the environment by its own header, on both paths", async () => {
    for (const url of [theirs, ours]) {
      const refused = await post(url, meant, { "x-grid-environment": "devnet" });
      expect(refused.body.code).toBe("insufficient_scope");
      expect((await post(url, meant, { "x-grid-environment": "mars" })).body.code).toBe("invalid_environment");
    }
    const both = { "x-grid-environment": "devnet", "x-service-environment": "sandbox" };
    expect((await post(theirs, said, both)).body.code).toBe("invalid_request");
    for (const url of [theirs, ours]) {
      const { message } = (await post(url, meant, both)).body;
      expect(message).toContain("x-grid-environment is there under its other name");
      expect(message.match(/x-[a-z]+-environment/g)).toHaveLength(1);
    }
    const same = { "x-grid-environment": "sandbox", "x-service-environment": "sandbox" };
    expect((await post(theirs, said, same)).status).toBe(201);
  });

  it("explains what is wrong in the words of who asks", async () => {
    const wrong = { holders: [{ provider: "kms_d", session: { Privy: { privy_access_token: 1 } } }] };
    const { body, status } = await post(theirs, wrong);
    expect(status).toBe(400);
    expect(body.details.map(({ field }: { field: string }) => field)).toContain(
      "holders.0.session.Privy.privy_access_token",
    );
    expect(JSON.stringify(body)).toContain('\\"privy\\", \\"turnkey\\", \\"dynamic\\"');
    expect(body.details[0].message).toBe(body.message);
    const refused = await post(theirs, { holders: [] });
    expect(refused.body).toMatchObject({
      code: "provider_not_available",
      message: "Without a privy_access_token privy cannot be asked; see POST /api/grid/v1/auth.",
      details: [{ field: "session.Privy" }],
    });
    expect((await post(ours, { holders: [] })).body.details[0].field).toBe("session.KmsA");
    expect((await post(theirs, "{")).body.code).toBe("malformed_json");
  });

  it("is one operation with the neutral names under one key, and each gets it in its own words", async () => {
    const key = { "x-idempotency-key": "one" };
    const first = await post(theirs, said, key);
    const again = await post(ours, meant, key);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.body.data).toEqual({ ...first.body.data, holders: meant.holders });
    const third = await post(theirs, JSON.stringify(said, null, 2), key);
    expect(third.body).toEqual(first.body);
    expect((await post(theirs, { holders: [{ provider: "turnkey" }] }, key)).body.code).toBe("idempotency_key_reused");
    // Another memo is another request, although it is a word that has a neutral name.
    const other = { holders: [{ ...meant.holders[0], memo: "kms_a" }] };
    expect((await post(theirs, other, key)).body.code).toBe("idempotency_key_reused");
  });

  it("replays a final refusal in the words of who asks", async () => {
    const key = { "x-idempotency-key": "refused" };
    const first = await post(ours, { holders: [] }, key);
    const again = await post(theirs, { holders: [] }, key);
    expect(first.body.details[0].field).toBe("session.KmsA");
    expect(again.body.details[0].field).toBe("session.Privy");
  });

  it("lets every header of an answer pass, and lets browsers send its own", async () => {
    const { headers } = await post(theirs, said, { "x-request-id": "given", origin: "https://app.example" });
    expect(headers).toMatchObject({ "x-request-id": "given", "x-next-cursor": "kms_a", "ratelimit-limit": "1000" });
    expect(headers["access-control-expose-headers"]).toContain("x-next-cursor");
    const preflight = await floor.app.inject({
      method: "OPTIONS",
      url: theirs,
      headers: { origin: "https://app.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers["access-control-allow-headers"]).toContain("x-grid-environment");
    expect(preflight.headers["access-control-allow-methods"]).toBe("POST");
  });

  it("is not in the documents", async () => {
    const { body } = await floor.app.inject({ url: "/openapi.json" });
    expect(body).not.toMatch(/privy|turnkey|x-grid-environment|api\/grid/i);
  });

  it("is refused at the start when it is unknown", () => {
    expect(() => parseConfig({ TRELLIS_DIALECT: "klingon" })).toThrow("TRELLIS_DIALECT must be one of grid");
    expect(parseConfig({ TRELLIS_DIALECT: "grid" }).dialect?.name).toBe("grid");
    expect(parseConfig({}).dialect).toBeUndefined();
  });

  it("has a neutral name for nothing that a contract already says otherwise", () => {
    const words = new Set([...dialects.values()].flatMap(({ fields }) => Object.keys(fields)));
    const properties = JSON.stringify(endpoints.map(({ contract }) => contract)).matchAll(/"(\w+)":\{"type"/g);
    expect([...properties].map(([, name]) => name).filter((name) => words.has(name ?? ""))).toEqual([]);
  });
});

const provider = Type.Enum(["kms_a", "kms_b", "kms_c"]);
const Held = Type.Object({
  provider,
  memo: Type.Optional(Type.String()),
  note: Type.Optional(Type.Unknown()),
  session: Type.Optional(
    Type.Object({
      KmsA: Type.Optional(Type.Object({ kms_a_access_token: Type.String() })),
      KmsB: Type.Optional(Type.Object({ kms_a_access_token: Type.String() })),
    }),
  ),
});

const contractOf = (operation: string, path: string) =>
  ({
    operation,
    summary: operation,
    tag: "Tests",
    method: "POST",
    path,
    scope: "accounts:write",
    environment: "optional",
    body: Type.Object({ holders: Type.Array(Held), at_least: Type.Optional(Type.Integer({ minimum: 1 })) }),
    response: {
      status: 201,
      envelope: true,
      schema: Type.Object({ holders: Type.Array(Held), heard: Type.String(), run: Type.Integer() }),
    },
    errors: ["provider_not_available"],
  }) as const;

/** Answers what it heard, both as it is and as a text. */
const echo = endpoint(contractOf("echo", "/api/service/v1/echo:all"), async (_needs: FloorNeeds, { body }) => {
  if (body.holders.length === 0) {
    throw new TrellisError("provider_not_available", {
      field: "session.KmsA",
      message: "Without a kms_a_access_token kms_a cannot be asked; see POST /api/service/v1/auth.",
    });
  }
  runs += 1;
  return {
    data: { holders: body.holders, heard: JSON.stringify(body), run: runs },
    headers: { "x-next-cursor": "kms_a" },
    metadata: { next_cursor: "kms_a" },
  };
});
const legacy = endpoint(contractOf("echoLegacy", "/api/v0/service/echo"), async (_needs: FloorNeeds, { body }) => ({
  data: { holders: body.holders, heard: "", run: 0 },
}));

const tests: readonly Endpoint<FloorNeeds>[] = [echo, legacy];
const [theirs, ours] = ["/api/grid/v1/echo:all", "/api/service/v1/echo:all"];
const said = { holders: [{ provider: "privy", memo: "privy", session: { Privy: { privy_access_token: "privy" } } }] };
const meant = { holders: [{ provider: "kms_a", memo: "privy", session: { KmsA: { kms_a_access_token: "privy" } } }] };

async function post(url: string, body: unknown, headers: Record<string, string> = {}, on = floor) {
  const answer = await on.app.inject({
    method: "POST",
    url,
    headers: { authorization: `Bearer ${on.key}`, "content-type": "application/json", ...headers },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

let runs = 0;
const http = {
  dialect: dialects.get("grid"),
  corsOrigins: ["https://app.example"],
  rateLimits: { perKeyPerMinute: 1000, failedAuthenticationsPerAddressPerMinute: 0 },
  // The answers repeat fields that no schema names.
  checkResponses: false,
};
