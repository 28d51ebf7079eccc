import { TrellisError } from "@trellis/kernel/errors.js";
import Fastify from "fastify";
import Type, { type TSchema } from "typebox";
import { describe, expect, it } from "vitest";
import { jsonSchemaOf, withoutIds } from "./json-schema.js";
import { type BrokenRule, validationError } from "./validation-error.js";

const form = Type.Union([
  Type.Object({ type: Type.Literal("email"), email: Type.String() }),
  Type.Object({ type: Type.Literal("signers"), signers: Type.Array(Type.String()), threshold: Type.Integer() }),
]);

describe("a body that fits none of several forms", () => {
  it("gets the faults of the form it aims at", async () => {
    expect(await detailsOf(form, { type: "signers", signers: ["a", 1] })).toEqual([
      { field: "threshold", code: "field_required", message: "threshold is required." },
      { field: "signers.1", code: "field_wrong_type", message: "signers.1 must be a string." },
    ]);
    expect(await detailsOf(form, { type: "email" })).toEqual([
      { field: "email", code: "field_required", message: "email is required." },
    ]);
  });

  it("gets the allowed words where the form itself is unknown", async () => {
    const message = 'type must be one of "email", "signers".';
    for (const wrong of [{ type: "phone", email: "a" }, { type: "Email" }]) {
      expect(await detailsOf(form, wrong)).toEqual([{ field: "type", code: "field_not_allowed", message }]);
    }
  });

  it("gets the faults of the form it aims at, however many forms its inner parts could have and have not", async () => {
    const action = Type.Union([
      Type.Object({ type: Type.Literal("add"), signer: Type.String() }),
      Type.Object({ type: Type.Literal("limit"), amount: Type.String() }),
      Type.Object({ add: Type.Object({ signer: Type.String() }) }),
      Type.Object({ limit: Type.Object({ amount: Type.String() }) }),
    ]);
    const proposal = Type.Union([
      Type.Object({ type: Type.Literal("custom"), transaction: Type.String() }),
      Type.Object({ type: Type.Literal("settings"), actions: Type.Array(action) }),
    ]);
    const message = 'actions.0.type must be one of "add", "limit".';
    expect(await detailsOf(proposal, { type: "settings", actions: [{ type: "join" }] })).toEqual([
      { field: "actions.0.type", code: "field_not_allowed", message },
    ]);
    expect(await detailsOf(proposal, { type: "settings", actions: [{ type: "limit" }] })).toEqual([
      { field: "actions.0.amount", code: "field_required", message: "actions.0.amount is required." },
    ]);
  });

  it("gets the types where none fits", async () => {
    const amount = Type.Object({ amount: Type.Union([Type.String(), Type.Integer()]) });
    expect(await detailsOf(amount, { amount: true })).toEqual([
      { field: "amount", code: "field_wrong_type", message: "amount must be a string or a whole number." },
    ]);
  });

  it("gets the words of a union of constants, in a list too", async () => {
    const words = Type.Object({ permissions: Type.Array(Type.Union([Type.Literal("A"), Type.Literal("B")])) });
    expect(await detailsOf(words, { permissions: ["A", "C", 5, "B"] })).toEqual([
      { field: "permissions.1", code: "field_not_allowed", message: 'permissions.1 must be one of "A", "B".' },
      { field: "permissions.2", code: "field_not_allowed", message: 'permissions.2 must be one of "A", "B".' },
    ]);
  });

  it("keeps the elements of a list apart", async () => {
    const list = Type.Object({ items: Type.Array(form) });
    const items = [...Array.from({ length: 11 }, () => ({ type: "email", email: "a" })), { type: "email" }];
    items[1] = { type: "email" } as never;
    expect(await detailsOf(list, { items })).toEqual([
      { field: "items.1.email", code: "field_required", message: "items.1.email is required." },
      { field: "items.11.email", code: "field_required", message: "items.11.email is required." },
    ]);
  });
});

describe("rules", () => {
  const schema = Type.Object({
    short: Type.String({ maxLength: 3 }),
    long: Type.String({ minLength: 3 }),
    few: Type.Array(Type.String(), { maxItems: 1, uniqueItems: true }),
    some: Type.Array(Type.String(), { minItems: 1 }),
    low: Type.Integer({ minimum: 2 }),
    high: Type.Number({ maximum: 3 }),
    date: Type.String({ format: "date-time" }),
    hex: Type.String({ pattern: "^[0-9a-f]+$" }),
  });

  it("are each described in words, without the value", async () => {
    const body = {
      short: "hush",
      long: "hu",
      few: ["hush", "hush"],
      some: [],
      low: 1,
      high: 3.5,
      date: "hush",
      hex: "hush",
    };
    const details = (await detailsOf(schema, body)) as { field: string; message: string }[];
    expect(Object.fromEntries(details.map(({ field, message }) => [field, message]))).toEqual({
      short: "short must have at most 3 characters.",
      long: "long must have at least 3 characters.",
      few: "few must have at most 1 entry.",
      some: "some must have at least 1 entry.",
      low: "low must be at least 2.",
      high: "high must be at most 3.",
      date: "date must be a well-formed date-time.",
      hex: "hex must match ^[0-9a-f]+$.",
    });
    expect(JSON.stringify(details)).not.toContain("hush");
  });
});

/** The details a body gets under a schema, by the validator the server uses. */
async function detailsOf(schema: TSchema, body: unknown): Promise<readonly object[]> {
  const app = Fastify({
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true } },
    schemaErrorFormatter: (rules, part) => validationError(rules as BrokenRule[], part),
  });
  let caught: unknown;
  app.setErrorHandler((error, _request, reply) => {
    caught = error;
    return reply.code(400).send({});
  });
  app.post("/", { schema: { body: withoutIds(jsonSchemaOf(schema)) } }, async () => ({}));
  await app.inject({
    method: "POST",
    url: "/",
    payload: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  await app.close();
  if (!(caught instanceof TrellisError)) throw new Error("the body passed");
  return caught.details;
}
