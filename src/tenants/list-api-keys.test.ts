import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Floor, openFloor } from "../../test/contract/http-fixture.js";
import { type ApiKeyPlan, ensureTenant, revokeApiKey } from "./api-key-store.js";
import { listApiKeys } from "./list-api-keys.js";

let floor: Floor;
let asking: string;
beforeAll(async () => {
  floor = await openFloor({ endpoints: [listApiKeys] });
});
afterAll(() => floor?.close());
beforeEach(async () => {
  await floor.db.deleteFrom("api_key").execute();
  asking = (await floor.makeKey({ name: "asking", scopes: ["admin:keys"] })).value;
});

describe("200", () => {
  it("shows keys with all that is known of them but the keys themselves, the newest first", async () => {
    await make({ name: "first" });
    const expiresAt = floor.clock.at + 60_000;
    const { id, value } = await make({ name: "second", scopes: ["payments:write"], expiresAt });
    const listed = await list();
    expect(listed.map(({ name }) => name)).toEqual(["second", "first", "asking"]);
    expect(listed[0]).toEqual({
      id,
      name: "second",
      type: "secret",
      visible_prefix: expect.stringContaining(value.slice(0, "sk_test_1234".length)),
      scopes: ["payments:write"],
      environments: ["sandbox"],
      allowed_origins: [],
      allowed_addresses: [],
      status: "active",
      created_at: new Date(floor.clock.at).toISOString(),
      expires_at: new Date(expiresAt).toISOString(),
    });
    expect(JSON.stringify(listed)).not.toContain(value);
  });

  it("shows keys that are not in force any more, and why", async () => {
    await make({ name: "expires", expiresAt: floor.clock.at + 1 });
    const { id } = await make({ name: "revoked" });
    await revokeApiKey(floor.db, { id, now: floor.clock.at });
    floor.clock.at += 1;
    const statuses = (await list()).map(({ name, status }) => [name, status]);
    expect(statuses).toEqual([
      ["revoked", "revoked"],
      ["expires", "expired"],
      ["asking", "active"],
    ]);
  });

  it("gives each key once, page by page, also those of one instant", async () => {
    for (let n = 0; n < 4; n += 1) await floor.makeKey({ name: `same instant ${n}` });
    const whole = (await list()).map(({ id }) => id);
    const pages: string[][] = [];
    for (let cursor: unknown = ""; cursor !== undefined; ) {
      const page = await ask(`?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      pages.push((page.json().data as Shown[]).map(({ id }) => id));
      cursor = page.headers["x-next-cursor"];
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(whole);
  });

  it("leaves out keys of other tenants, and those that open an environment which the asking key does not", async () => {
    await ensureTenant(floor.db, { id: "other", name: "Other", now: floor.clock.at });
    await make({ name: "theirs", tenantId: "other" });
    await make({ name: "wider", environments: ["sandbox", "devnet"] });
    await make({ name: "elsewhere", environments: ["mainnet"] });
    expect((await list()).map(({ name }) => name)).toEqual(["asking"]);
  });
});

describe("400", () => {
  it("refuses cursors that were not handed out, and pages out of bounds", async () => {
    for (const cursor of ["nonsense", Buffer.from("k1_1_x").toString("base64url")]) {
      expect(await refusalOf(`?cursor=${cursor}`)).toEqual([400, "invalid_cursor"]);
    }
    for (const limit of ["0", "101"]) expect(await refusalOf(`?limit=${limit}`)).toEqual([400, "invalid_request"]);
  });
});

describe("403", () => {
  it("refuses a key without the scope admin:keys", async () => {
    asking = (await floor.makeKey({ scopes: ["accounts:read", "accounts:write"] })).value;
    expect(await refusalOf("")).toEqual([403, "insufficient_scope"]);
  });
});

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/** Each is a millisecond younger than the one before. */
const make = (plan: Partial<ApiKeyPlan>) => {
  floor.clock.at += 1;
  return floor.makeKey(plan);
};

const ask = (query: string) =>
  floor.app.inject({ url: `/api/service/v1/api-keys${query}`, headers: { authorization: `Bearer ${asking}` } });

const refusalOf = async (query: string) => {
  const answered = await ask(query);
  return [answered.statusCode, answered.json().code as string];
};

/** All of them; that the asking key was used is left out. */
const list = async () =>
  ((await ask("?limit=100")).json().data as (Shown & { last_used_at?: string })[]).map(
    ({ last_used_at: _, ...shown }) => shown,
  );
