import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../src/adapters/db/open-database.js";
import { openTestDatabase } from "../../../test/support/test-database.js";
import { address, cursor, int4, int8, isAfter, isBefore, listAnswer, pageOf, textOf, uuid } from "./page.js";

const id = "0b5f6c0e-6d1b-4b7e-9d6e-0a8a3f4d2c11";
const someAddress = "11111111111111111111111111111111";
const greatest = 9_223_372_036_854_775_807n;
const base64url = (text: string) => Buffer.from(text).toString("base64url");

const orders = cursor("o1", { createdAt: int8, id: uuid });
const runs = cursor("d1", { dueAt: int8 });
const deposits = cursor("d1", { createdAt: int8, id: uuid });
const tenants = cursor("n1", { id: textOf("[a-z0-9][a-z0-9_-]{0,62}") });
const limits = cursor("s1", { address });
const feed = cursor("e1", { order: textOf<"asc" | "desc">("asc|desc"), place: int8 });
const numbers = cursor("x1", { slot: int8, position: int4 });

describe("a cursor", () => {
  it.each([
    [orders, { createdAt: 0n, id }, `o1_0_${id}`],
    [orders, { createdAt: greatest, id }, `o1_9223372036854775807_${id}`],
    [runs, { dueAt: 1_800_000_000_000n }, "d1_1800000000000"],
    [deposits, { createdAt: 1n, id }, `d1_1_${id}`],
    [tenants, { id: "a_shop-of_9" }, "n1_a_shop-of_9"],
    [limits, { address: someAddress }, `s1_${someAddress}`],
    [feed, { order: "desc", place: 7n }, "e1_desc_7"],
    [numbers, { slot: 1n, position: 2_147_483_647 }, "x1_1_2147483647"],
  ])("%# is the text of its place in base64url, and is read back", (codec, place, text) => {
    const written = (codec.encode as (place: unknown) => string)(place);
    expect(written).toBe(base64url(text));
    expect(codec.decode(written)).toEqual(place);
  });

  it.each([
    ["nothing", orders, ""],
    ["no cursor", orders, "nonsense"],
    ["another alphabet", runs, "d1_1"],
    ["the cursor of another list", orders, base64url(`k1_1_${id}`)],
    ["a list of the same prefix with fewer parts", deposits, base64url("d1_1")],
    ["a list of the same prefix with more parts", runs, base64url(`d1_1_${id}`)],
    ["a list of the same prefix with another part", limits, base64url(`s1_1_${id}`)],
    ["padding", runs, `${base64url("d1_12")}=`],
    ["a space behind it", runs, `${base64url("d1_1")} `],
    ["bits that count for nothing", runs, `${base64url("d1_12").slice(0, -1)}J`],
    ["letters of plain base64", feed, Buffer.from("e1_asc_>>>???").toString("base64")],
    ["a line break behind the text", runs, base64url("d1_1\n")],
    ["a zero in front", runs, base64url("d1_01")],
    ["a sign", runs, base64url("d1_-1")],
    ["a fraction", runs, base64url("d1_1.5")],
    ["a power", runs, base64url("d1_1e3")],
    ["a number of another base", runs, base64url("d1_0x1")],
    ["no number", runs, base64url("d1_")],
    ["a number greater than an int8", runs, base64url("d1_9223372036854775808")],
    ["a number greater than an int4", numbers, base64url("x1_1_2147483648")],
    ["a number of many digits", runs, base64url(`d1_${"9".repeat(180)}`)],
    ["a text of many characters", runs, "A".repeat(1_000_000)],
    ["capital letters in an id", orders, base64url(`o1_1_${id.toUpperCase()}`)],
    ["an id with its dashes elsewhere", orders, base64url(`o1_1_${"-".repeat(36)}`)],
    ["an address that is none", limits, base64url(`s1_${"z".repeat(44)}`)],
    ["an order that is none", feed, base64url("e1_up_1")],
    ["letters outside ASCII", tenants, base64url("n1_\u0101")],
    ["the character zero", tenants, base64url("n1_a\u0000")],
    ["a part more", feed, base64url("e1_asc_1_1")],
  ])("is refused that has %s", (_, codec, text) => {
    expect(() => codec.decode(text)).toThrow(expect.objectContaining({ code: "invalid_cursor" }));
  });
});

describe("a page", () => {
  const cursorOf = (row: number) => `after ${row}`;

  it("leads on where there is a row more than was asked for", () => {
    expect(pageOf([1, 2, 3], 2, cursorOf)).toEqual({ rows: [1, 2], cursor: "after 2" });
    expect(pageOf([1, 2], 2, cursorOf)).toEqual({ rows: [1, 2], cursor: undefined });
    expect(pageOf([], 2, cursorOf)).toEqual({ rows: [], cursor: undefined });
    expect(pageOf([1], 0, cursorOf)).toEqual({ rows: [], cursor: undefined });
  });

  it("is answered with its cursor in the header and in the metadata", () => {
    expect(listAnswer([1], undefined)).toEqual({ data: [1] });
    expect(listAnswer([1], "c")).toEqual({
      data: [1],
      headers: { "x-next-cursor": "c" },
      metadata: { next_cursor: "c" },
    });
  });
});

describe("the condition on whole tuples", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    const tenant = (created: bigint, name: string) => ({ id: name, name, created_at: created });
    const rows = [tenant(1n, "b"), tenant(2n, "a"), tenant(2n, "b"), tenant(3n, "a")];
    await database.db
      .insertInto("tenant")
      .values(rows.map((row) => ({ ...row, id: `${row.name}${row.created_at}` })))
      .execute();
  });
  afterAll(() => database?.close());

  it("is true of what stands before a place, or behind it, and of the place neither", async () => {
    const place = { created_at: 2n, id: "b2" };
    const found = async (condition: ReturnType<typeof isBefore>) =>
      (
        await database.db
          .selectFrom("tenant")
          .select("id")
          .where(condition)
          .orderBy("created_at")
          .orderBy("id")
          .execute()
      ).map((row) => row.id);
    expect(await found(isBefore(place))).toEqual(["b1", "a2"]);
    expect(await found(isAfter(place))).toEqual(["a3"]);
    expect(await found(isBefore({ "tenant.created_at": greatest, "tenant.id": "" }))).toHaveLength(4);
  });
});
