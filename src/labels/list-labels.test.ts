import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import { listAccountLabels, listLabels } from "./list-labels.js";
import { putAccountLabel, putLabel } from "./put-label.js";

const test = useTestNetwork();

interface Wire {
  readonly address: string;
  readonly account: string | null;
  readonly name: string;
}

const addressOf = () => makeKey().address;
const list = (query: object, more: CallParts = {}) => test.page<Wire>(listLabels, { query, ...more });

/** A tenant with three labels, an account of it with two, and what both have a label for. */
async function openBooks() {
  const caller = await test.addTenant(`labels-${randomUUID()}`);
  const { address: account } = await test.openHolder(`${randomUUID()}@example.org`);
  await test.needs.db
    .updateTable("account")
    .set({ tenant_id: caller.tenantId })
    .where("address", "=", account)
    .execute();
  const [common, tenants, second, own, none] = [addressOf(), addressOf(), addressOf(), addressOf(), addressOf()];
  for (const [label_address, name] of [
    [common, "Landlord"],
    [tenants, "Tax office"],
    [second, "Power company"],
  ] as const) {
    await test.call(putLabel, { params: { label_address }, body: { name }, caller });
    await test.network.sandbox?.advanceClock(1);
  }
  for (const [label_address, name] of [
    [common, "Aunt Ada"],
    [own, "Grandma"],
  ] as const) {
    await test.call(putAccountLabel, { params: { address: account, label_address }, body: { name }, caller });
    await test.network.sandbox?.advanceClock(1);
  }
  return { caller, account, common, tenants, second, own, none };
}

describe("200", () => {
  it("is the tenant's labels without those of accounts, newest first and page by page, and an account's own", async () => {
    const { caller, account } = await openBooks();
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 1, ...(cursor === undefined ? {} : { cursor }) }, { caller });
      names.push(...page.items.map(({ name }) => name));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(names).toEqual(["Power company", "Tax office", "Landlord"]);
    const own = { params: { address: account }, caller };
    for (const { items } of [await list({ account }, { caller }), await test.page<Wire>(listAccountLabels, own)]) {
      expect(items.map(({ name }) => name)).toEqual(["Grandma", "Aunt Ada"]);
      expect(items.every((label) => label.account === account)).toBe(true);
    }
    expect((await list({ limit: 0 }, { caller })).items).toEqual([]);
  });

  it("is for given addresses what is to be shown, in their order: an account's label before the tenant's", async () => {
    const { caller, account, common, tenants, own, none } = await openBooks();
    const address = [own, none, tenants, common, own];
    const ofTenant = await list({ address }, { caller });
    expect(ofTenant.items).toMatchObject([
      { address: tenants, account: null, name: "Tax office" },
      { address: common, account: null, name: "Landlord" },
    ]);
    const shown = [
      { address: own, account, name: "Grandma" },
      { address: tenants, account: null, name: "Tax office" },
      { address: common, account, name: "Aunt Ada" },
    ];
    expect((await list({ address, account }, { caller })).items).toMatchObject(shown);
    const asked = { params: { address: account }, query: { address }, caller };
    expect(await test.call(listAccountLabels, asked)).toMatchObject(shown);
  });

  it("has nothing of another tenant, nor of another account", async () => {
    const { common, own } = await openBooks();
    const other = await openBooks();
    const address = [common, own];
    expect((await list({ address, account: other.account }, { caller: other.caller })).items).toEqual([]);
    expect((await list({}, { caller: other.caller })).items).toHaveLength(3);
  });
});

describe("400", () => {
  it("for what is no address, for pages of an answer that has none, and for a cursor of another list", async () => {
    const address = [addressOf()];
    expect((await errorOf(list({ address: ["x"] }))).code).toBe("invalid_address");
    expect((await errorOf(list({ address, limit: 5 }))).code).toBe("invalid_request");
    expect((await errorOf(list({ address, cursor: "x" }))).code).toBe("invalid_request");
    expect((await errorOf(list({ cursor: "x" }))).code).toBe("invalid_cursor");
  });
});

describe("404", () => {
  it("for an account of another tenant, and for none", async () => {
    const { account } = await openBooks();
    for (const wanted of [account, addressOf(), "\u0000"]) {
      expect((await errorOf(list({ account: wanted }))).code).toBe("account_not_found");
      const own = test.page(listAccountLabels, { params: { address: wanted } });
      expect((await errorOf(own)).code).toBe("account_not_found");
    }
  });
});
