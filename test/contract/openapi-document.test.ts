import { brotliCompressSync } from "node:zlib";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/endpoints.js";
import { jsonSchemaOf } from "../../src/http/json-schema.js";
import { buildOpenApi } from "../../src/http/openapi.js";
import { exampleOf } from "../../src/http/openapi-examples.js";
import { operationLinks } from "../../src/http/openapi-links.js";
import { eventCatalogue } from "../../src/rooms/webhooks/event-catalogue.js";

const document = buildOpenApi(endpoints, { version: "1.2.3", events: eventCatalogue });
const text = JSON.stringify(document);

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every object in a document, with the path of names that leads to it. Examples are values, no part of it. */
function* objectsIn(
  value: unknown,
  path: readonly string[] = [],
): Generator<{ path: readonly string[]; object: Json }> {
  if (Array.isArray(value)) for (const [i, one] of value.entries()) yield* objectsIn(one, [...path, String(i)]);
  if (!isObject(value)) return;
  yield { path, object: value };
  const isNameMap = path.at(-1) === "properties";
  for (const [key, inner] of Object.entries(value)) {
    if (isNameMap || (key !== "example" && key !== "examples")) yield* objectsIn(inner, [...path, key]);
  }
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

describe("the document of every endpoint", () => {
  it("names every object once: no two schemas of any size that stand inline are the same", () => {
    const seen = new Map<string, string>();
    const repeated: string[] = [];
    for (const { path, object } of objectsIn(document)) {
      const isSchema = isObject(object.properties) || Array.isArray(object.anyOf) || Array.isArray(object.oneOf);
      const spelled = JSON.stringify(object);
      if (!isSchema || path.at(-1) === "properties" || spelled.length < 120) continue;
      const former = seen.get(spelled);
      if (former !== undefined) repeated.push(`${former} = ${path.join("/")}`);
      seen.set(spelled, path.join("/"));
    }
    expect(repeated).toEqual([]);
  });

  it("has only patterns that the expressions of Go and Python take as well, and that can stand between backquotes", () => {
    const patterns = [...objectsIn(document)].flatMap(({ object: { pattern } }) =>
      typeof pattern === "string" ? [pattern] : [],
    );
    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((pattern) => /`|\\[u0-9pPk]|\(\?/.test(pattern))).toEqual([]);
  });

  it("uses every component it has, and has every one it uses", () => {
    const used = new Set(
      [...objectsIn(document)].flatMap(({ object: { $ref } }) => (typeof $ref === "string" ? [$ref] : [])),
    );
    const { securitySchemes: _keys, ...kinds } = document.components;
    const there = Object.entries(kinds).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...used].sort()).toEqual(there.sort());
  });

  it("has a component for every noun", () => {
    expect(Object.keys(document.components.schemas ?? {})).toEqual(
      expect.arrayContaining([
        ...[
          "Account",
          "Policies",
          "Signer",
          "Authentication",
          "Session",
          "KmsPayload",
          "PreparedTransaction",
          "SummaryEntry",
        ],
        ...[
          "Proposal",
          "ProposalDetails",
          "SpendingLimit",
          "StandingOrder",
          "PaymentIntent",
          "VirtualAccount",
          "Deposit",
        ],
        ...["ExternalAccount", "KycLink", "KycRecord", "Event", "WebhookEndpoint", "Transfer", "Transaction", "Error"],
      ]),
    );
  });

  it("is small", () => {
    expect(text.length).toBeLessThan(700_000);
    // Room for what is to come: it was 30,500 when this was written.
    expect(brotliCompressSync(text).length).toBeLessThan(36_000);
  });

  it("keeps the recommended rules of an independent linter without a warning", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
  });

  it("spells every field of a schema in one way, so that no generator makes one name of two", () => {
    const clashes = [...objectsIn(document)].flatMap(({ path, object: { properties } }) => {
      const names = isObject(properties) ? Object.keys(properties) : [];
      const twice = names.filter((name, i) => names.findIndex((other) => plain(other) === plain(name)) !== i);
      return twice.map((name) => `${path.join("/")}: ${name}`);
    });
    expect(clashes).toEqual([]);
    const enums = [...objectsIn(document)].flatMap(({ path, object }) => {
      const values = Array.isArray(object.enum) ? object.enum.map((value) => plain(String(value))) : [];
      return new Set(values).size < values.length ? [path.join("/")] : [];
    });
    expect(enums).toEqual([]);
  });

  it("calls no schema by the name of what makes another one, as clients in Go have it: NewSigner makes a Signer", () => {
    const names = Object.keys(document.components.schemas ?? {});
    expect(names.filter((name) => names.includes(name.replace(/^New/, "")) && name.startsWith("New"))).toEqual([]);
  });

  it("says of every number that it needs 64 bits, unless it is bounded to less", () => {
    const narrow = [...objectsIn(document.components.schemas)].filter(
      ({ object: { type, format, maximum } }) =>
        (type === "integer" && format !== "int64" && !(Number(maximum) < 2 ** 31)) ||
        (type === "number" && format !== "double"),
    );
    expect(narrow.map(({ path }) => path.join("/"))).toEqual([]);
  });

  it("gives every body and every answer an example that is one", () => {
    for (const { contract } of endpoints) {
      for (const schema of [contract.body, contract.response.schema]) {
        if (schema === undefined) continue;
        const example = exampleOf(jsonSchemaOf(schema));
        const [first] = Compile(schema).Errors(example);
        expect([contract.operation, first?.instancePath, first?.message]).toEqual([
          contract.operation,
          undefined,
          undefined,
        ]);
      }
    }
    const bodies = Object.values(document.paths).flatMap((methods) => Object.values(methods) as Json[]);
    for (const { operationId, requestBody, responses } of bodies) {
      const contents = [
        requestBody,
        ...Object.entries(responses as Json).flatMap(([status, one]) => (status < "204" ? [one] : [])),
      ];
      for (const part of contents.filter(isObject)) {
        expect([operationId, part.content]).toEqual([
          operationId,
          { "application/json": { schema: expect.anything(), example: expect.anything() } },
        ]);
      }
    }
  });

  it("leads from operation to operation, along links whose ends there are", () => {
    const known = new Set(endpoints.map(({ contract }) => contract.operation as string));
    for (const [from, links] of Object.entries(operationLinks)) {
      expect(known).toContain(from);
      for (const link of Object.values(links)) expect(known).toContain(link.operation);
    }
    const create = document.paths["/api/service/v1/accounts"]?.post as {
      responses: Record<string, { links?: object }>;
    };
    expect(create.responses["201"]?.links).toHaveProperty("verify.operationId", "verifyAccount");
  });
});
