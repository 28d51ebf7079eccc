import { brotliCompressSync } from "node:zlib";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { buildOpenApi } from "../../packages/docs-site/openapi/build-openapi.js";
import { exampleOf } from "../../packages/docs-site/openapi/examples.js";
import { operationLinks } from "../../packages/docs-site/openapi/links.js";
import { endpoints } from "../../src/endpoints.js";
import { jsonSchemaOf } from "../../src/http/json-schema.js";
import { eventCatalogue } from "../../src/modules.js";

const document = buildOpenApi(endpoints, { version: "1.2.3", events: eventCatalogue });
const text = JSON.stringify(document);

type Json = Readonly<Record<string, unknown>>;

describe("the document of every endpoint", () => {
  it("names every object and every list of words once: none of any size that stands inline is the same as another", () => {
    const seen = new Map<string, string>();
    const repeated: string[] = [];
    for (const { path, object } of objectsIn(document)) {
      const { properties, anyOf, oneOf, enum: words } = object;
      const size = Object.keys(isObject(properties) ? properties : {}).length;
      const isList = (list: unknown, more: number) => Array.isArray(list) && list.length > more;
      const isLarge =
        size > (path.at(-2) === "properties" && path[0] === "components" ? 0 : 2) ||
        isList(anyOf, 3) ||
        isList(oneOf, 3) ||
        isList(words, 5);
      const isNamed = path.length === 3 && path[0] === "components";
      if (!isLarge || path.at(-1) === "properties") continue;
      const spelled = JSON.stringify(bare(object));
      const former = seen.get(spelled);
      if (former !== undefined && !isNamed) repeated.push(`${former} = ${path.join("/")}`);
      seen.set(spelled, path.join("/"));
    }
    expect(repeated).toEqual([]);
  });

  it("has no names that a generator would have to number: none like another but for capitals, none that ends in a digit", () => {
    const names = Object.keys(document.components.schemas ?? {});
    const plainNames = names.map(plain);
    expect(names.filter((name, i) => plainNames.indexOf(plain(name)) !== i || /[0-9]$/.test(name))).toEqual(["Sha256"]);
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
    expect(text.length).toBeLessThan(870_000);
    // 13,000 of them are its sentences alone, each once: it cannot be much smaller without saying less.
    expect(brotliCompressSync(text).length).toBeLessThan(63_000);
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
    const tables = new Set<unknown>(
      endpoints.flatMap(({ contract }) => (contract.response.csv === undefined ? [] : [contract.operation])),
    );
    const bodies = Object.values(document.paths).flatMap((methods) => Object.values(methods) as Json[]);
    for (const { operationId, requestBody, responses } of bodies) {
      const contents = [
        requestBody,
        ...Object.entries(responses as Json).flatMap(([status, one]) => (status < "204" ? [one] : [])),
      ];
      for (const part of contents.filter(isObject)) {
        const described = { schema: expect.anything(), example: expect.anything() };
        const hasCsv = part !== requestBody && tables.has(operationId);
        expect([operationId, part.content]).toEqual([
          operationId,
          { "application/json": described, ...(hasCsv ? { "text/csv": described } : {}) },
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

/** A schema without its words for people, and in one order: what it says, however it says it. */
function bare(value: unknown, isNameMap = false): unknown {
  if (Array.isArray(value)) return value.map((one) => bare(one));
  if (!isObject(value)) return value;
  const reported = Object.entries(value).filter(
    ([key]) => isNameMap || !["description", "example", "examples"].includes(key),
  );
  return Object.fromEntries(
    reported.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, bare(one, key === "properties")]),
  );
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
