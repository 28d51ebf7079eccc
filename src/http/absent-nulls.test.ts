import Type, { type TSchema } from "typebox";
import { describe, expect, it } from "vitest";
import { compileNullRemoval } from "./absent-nulls.js";
import { jsonSchemaOf } from "./json-schema.js";

describe("null", () => {
  it("means absent in an optional field of any form of a union", () => {
    const union = Type.Union([
      Type.Object({ type: Type.Literal("a"), memo: Type.Optional(Type.String()) }),
      Type.Object({ type: Type.Literal("b"), note: Type.Optional(Type.Array(Type.String())) }),
    ]);
    expect(without(union, { type: "a", memo: null })).toEqual({ type: "a" });
    expect(without(union, { type: "b", note: null, other: null })).toEqual({ type: "b", other: null });
  });

  it("stays where any form takes it for a value", () => {
    const union = Type.Union([
      Type.Object({ admin: Type.Optional(Type.String()) }),
      Type.Object({ admin: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
    ]);
    expect(without(union, { admin: null })).toEqual({ admin: null });
    expect(without(Type.Object({ any: Type.Optional(Type.Unknown()) }), { any: null })).toEqual({ any: null });
    expect(without(Type.Object({ one: Type.Optional(Type.Unsafe({ enum: ["a", null] })) }), { one: null })).toEqual({
      one: null,
    });
  });

  it("stays in required fields, for validation to refuse", () => {
    expect(without(Type.Object({ title: Type.String() }), { title: null })).toEqual({ title: null });
  });

  it("means absent inside lists, records and intersections", () => {
    const inner = Type.Object({ memo: Type.Optional(Type.String()) });
    expect(without(Type.Array(inner), [{ memo: null }, { memo: "x" }, null])).toEqual([{}, { memo: "x" }, null]);
    expect(without(Type.Record(Type.String(), inner), { a: { memo: null } })).toEqual({ a: {} });
    const both = Type.Intersect([inner, Type.Object({ deep: Type.Optional(inner) })]);
    expect(without(both, { memo: null, deep: { memo: null } })).toEqual({ deep: {} });
  });

  it("costs nothing where it cannot be", () => {
    expect(
      compileNullRemoval(jsonSchemaOf(Type.Object({ a: Type.String(), b: Type.Array(Type.Integer()) }))),
    ).toBeUndefined();
  });

  it("does no harm to what is of another shape than the schema's", () => {
    const schema = Type.Object({ list: Type.Optional(Type.Array(Type.Object({ a: Type.Optional(Type.String()) }))) });
    for (const body of [
      undefined,
      null,
      "x",
      5,
      [],
      [null],
      { list: "x" },
      { list: { a: null } },
      { list: [5, null] },
    ]) {
      const before = structuredClone(body);
      expect(without(schema, body)).toEqual(before);
    }
  });
});

function without(schema: TSchema, body: unknown): unknown {
  compileNullRemoval(jsonSchemaOf(schema))?.(body);
  return body;
}
