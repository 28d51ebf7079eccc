import { createTrellisClient } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { useFloor } from "../../test/contract/http-fixture.js";
import { createTenant } from "./create-tenant.js";
import { listTenants } from "./list-tenants.js";
import { disableTenant } from "./switch-tenant.js";

const floor = useFloor(() => ({ endpoints: [createTenant, listTenants, disableTenant] }));
let operator: string;
beforeAll(async () => {
  operator = (await floor.makeKey({ scopes: ["admin:tenants"] })).value;
  for (const id of ["b-1", "b_1", "b1", "b", "a9"]) await ask("POST", "/tenants", { id, name: `Shop ${id}` });
});

describe("200", () => {
  it("lists each tenant once, page after page, by the bytes of its id", async () => {
    const client = createTrellisClient({ baseUrl: await floor.app.listen(), apiKey: operator, environment: "sandbox" });
    const listed: string[] = [];
    for await (const { id } of client.tenants.list({ limit: 2 })) listed.push(id);
    expect(listed).toEqual(["a9", "b", "b-1", "b1", "b_1", "default"]);
  });

  it("has a cursor exactly where another page follows", async () => {
    const first = await ask("GET", "/tenants?limit=5");
    const last = await ask("GET", `/tenants?limit=1&cursor=${first.headers["x-next-cursor"]}`);
    expect([first, last].map((page) => idsOf(page).length)).toEqual([5, 1]);
    expect(idsOf(last)).toEqual(["default"]);
    expect(last.headers).not.toHaveProperty("x-next-cursor");
  });

  it("shows what a tenant is, also where it is disabled", async () => {
    const created_at = new Date(floor.clock.at).toISOString();
    floor.clock.at += 60_000;
    await ask("POST", "/tenants/b1/disable");
    const tenants: unknown[] = (await ask("GET", "/tenants")).json().data;
    expect(tenants).toContainEqual({ id: "a9", name: "Shop a9", status: "enabled", protection: "plain", created_at });
    expect(tenants).toContainEqual({
      id: "b1",
      name: "Shop b1",
      status: "disabled",
      protection: "plain",
      created_at,
      disabled_at: new Date(floor.clock.at).toISOString(),
    });
  });
});

describe("400", () => {
  it.each(["nonsense", encode("n1_B"), encode("n1_")])("for the cursor %s", async (cursor) => {
    expect(errorIn(await ask("GET", `/tenants?cursor=${cursor}`))).toEqual([400, "invalid_cursor"]);
  });

  it.each([0, 101, "many"])("for a page of %s", async (limit) => {
    expect(errorIn(await ask("GET", `/tenants?limit=${limit}`))).toEqual([400, "invalid_request"]);
  });
});

describe("403", () => {
  it("for a key with every scope of a tenant's own", async () => {
    expect(errorIn(await ask("GET", "/tenants", undefined, floor.key))).toEqual([403, "insufficient_scope"]);
  });
});

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

type Answered = Awaited<ReturnType<typeof ask>>;

function ask(method: "GET" | "POST", path: string, body?: object, key: string = operator) {
  return floor.app.inject({
    method,
    url: `/api/service/v1${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { payload: body }),
  });
}

const idsOf = (answered: Answered) => (answered.json().data as { id: string }[]).map(({ id }) => id);

const errorIn = (answered: Answered) => [answered.statusCode, answered.json().code];
