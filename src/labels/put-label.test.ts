import { randomUUID } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import { sql } from "kysely";
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
  readonly note: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const addressOf = () => makeKey().address;
const put = (label_address: string, body: object, more: CallParts = {}) =>
  test.call<Wire>(putLabel, { params: { label_address }, body, ...more });
const putFor = (address: string, label_address: string, body: object, more: CallParts = {}) =>
  test.call<Wire>(putAccountLabel, { params: { address, label_address }, body, ...more });
const list = (caller = test.caller) => test.page<Wire>(listLabels, { caller }).then(({ items }) => items);
const newTenant = () => test.addTenant(`labels-${randomUUID()}`);
const newHolder = () => test.openHolder(`${randomUUID()}@example.org`);

const entriesOf = async (address: string) => {
  const { rows } = await sql<{ kind: string; tenant_id: string; environment: string; body: string }>`
    select kind, tenant_id, environment, body from audit_entry where subject = ${`label/${address}`} order by sequence`.execute(
    test.needs.db,
  );
  return rows.map(({ body, ...row }) => ({ ...row, ...(JSON.parse(body) as { actor: string; details: object }) }));
};

describe("200", () => {
  it("is the label, and another one in its place keeps the time it was made", async () => {
    const [caller, address] = [await newTenant(), addressOf()];
    const first = await put(address, { name: "Landlord", note: "Flat" }, { caller });
    expect(first).toMatchObject({ address, account: null, name: "Landlord", note: "Flat" });
    await test.network.sandbox?.advanceClock(10);
    const second = await put(address, { name: "Former landlord" }, { caller });
    expect(second).toMatchObject({ name: "Former landlord", note: null, created_at: first.created_at });
    expect(second.updated_at > first.updated_at).toBe(true);
    expect(await list(caller)).toEqual([second]);
  });

  it("is logged with who did it, what it was and what it is; the same again is neither logged nor a change", async () => {
    const [caller, address] = [await newTenant(), addressOf()];
    const first = await put(address, { name: "Landlord", note: "Flat" }, { caller });
    await test.network.sandbox?.advanceClock(10);
    expect(await put(address, { name: "Landlord", note: "Flat" }, { caller })).toEqual(first);
    await put(address, { name: "LANDLORD" }, { caller });
    const common = { tenant_id: caller.tenantId, environment: "sandbox", actor: `api_key/${caller.apiKeyId}` };
    expect(await entriesOf(address)).toMatchObject([
      { ...common, kind: "label.created", details: { address, name: "Landlord", note: "Flat" } },
      {
        ...common,
        kind: "label.changed",
        details: { address, name: "LANDLORD", before: { name: "Landlord", note: "Flat" } },
      },
    ]);
  });

  it("of an account is logged with the session of the page that did it", async () => {
    const { address: account, verified } = await newHolder();
    const address = addressOf();
    const session = { kind: "user" as const, id: "s", chainId: "chain-1", userId: verified.grid_user_id, expiresAt: 0 };
    const page = { ...test.caller, isPublishable: true, session };
    expect(await putFor(account, address, { name: "Landlord" }, { caller: page })).toMatchObject({ account });
    expect(await entriesOf(address)).toMatchObject([
      { actor: "session/chain-1", user: verified.grid_user_id, details: { account, name: "Landlord" } },
    ]);
  });

  it("is of one tenant, one environment and one account: the others may use the name, and see nothing", async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    const [holder, another] = [await newHolder(), await newHolder()];
    for (const caller of [one, other]) await put(addressOf(), { name: "Landlord" }, { caller });
    for (const { address } of [holder, another]) await putFor(address, addressOf(), { name: "Landlord" });
    for (const caller of [one, other]) expect(await list(caller)).toHaveLength(1);
    const network = { ...test.network, name: "devnet" as const };
    await put(addressOf(), { name: "Landlord" }, { caller: one, network });
    expect((await test.page(listLabels, { caller: one, network })).items).toHaveLength(1);
    expect(await list(one)).toHaveLength(1);
  });
});

describe("400", () => {
  it("for what is no address, and for names that deceive", async () => {
    for (const wrong of ["x", "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9yyy", "\u0000"]) {
      expect((await errorOf(put(wrong, { name: "Landlord" }))).code).toBe("invalid_address");
    }
    const { address } = await newHolder();
    expect((await errorOf(putFor(address, "x", { name: "Landlord" }))).code).toBe("invalid_address");
    for (const name of ["Land\u202elord", addressOf()]) {
      for (const refused of [put(addressOf(), { name }), putFor(address, addressOf(), { name })])
        expect((await errorOf(refused)).code).toBe("invalid_request");
    }
  });
});

describe("404", () => {
  it("for another tenant's account, and for what is none", async () => {
    const { address } = await newHolder();
    const caller = await newTenant();
    expect((await errorOf(putFor(address, addressOf(), { name: "x" }, { caller }))).code).toBe("account_not_found");
    for (const none of [addressOf(), "x", "\u0000"])
      expect((await errorOf(putFor(none, addressOf(), { name: "x" }))).code).toBe("account_not_found");
  });
});

describe("409", () => {
  it("for a name that looks like another label's, until that one is called otherwise", async () => {
    const [caller, one, other] = [await newTenant(), addressOf(), addressOf()];
    await put(one, { name: "Landlord" }, { caller });
    for (const name of ["Landlord", "LANDLORD", "Land-lord", "ⅼandlord", "Landl0rd"])
      expect((await errorOf(put(other, { name }, { caller }))).code).toBe("label_name_taken");
    // Its own name, written otherwise.
    await put(one, { name: "LANDLORD" }, { caller });
    await put(one, { name: "Former one" }, { caller });
    await put(other, { name: "Landlord" }, { caller });
    expect((await errorOf(put(one, { name: "landlord" }, { caller }))).code).toBe("label_name_taken");
  });

  it("for an account's label that is called as the tenant calls another address", async () => {
    const { address } = await newHolder();
    const [landlord, name] = [addressOf(), `Landlord ${randomUUID().slice(0, 8)}`];
    await put(landlord, { name });
    expect((await errorOf(putFor(address, addressOf(), { name: name.toUpperCase() }))).code).toBe("label_name_taken");
    expect(await putFor(address, landlord, { name })).toMatchObject({ address: landlord, account: address });
  });

  it("for one label too many; those that are there can be changed", async () => {
    const { address: account } = await newHolder();
    const tenant = await newTenant();
    for (const [book, most] of [
      [{ account, caller: test.caller }, limits.labelsOfAccountMax],
      [{ account: "", caller: tenant }, limits.labelsOfTenantMax],
    ] as const) {
      await fill(book.account, book.caller.tenantId, most - 1);
      const write = (address: string, name: string) =>
        book.account === ""
          ? put(address, { name }, { caller: tenant })
          : putFor(book.account, address, { name }, { caller: book.caller });
      const last = addressOf();
      await write(last, "The last one");
      expect((await errorOf(write(addressOf(), "One too many"))).code).toBe("label_limit");
      expect(await write(last, "Still the last one")).toMatchObject({ address: last });
    }
  });
});

describe("at once", () => {
  it("one of many addresses gets a name, and a book has no label more than it may", async () => {
    const { address: account } = await newHolder();
    const addresses = Array.from({ length: 12 }, addressOf);
    const named = await Promise.allSettled(addresses.map((each) => putFor(account, each, { name: "Landlord" })));
    expect(named.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await fill(account, test.caller.tenantId, limits.labelsOfAccountMax - 4);
    const more = await Promise.allSettled(addresses.map((each, i) => putFor(account, each, { name: `Number ${i}` })));
    // One of them had a label already, and four more had room.
    expect(more.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int4 as count from label where account_address = ${account}`.execute(test.needs.db);
    expect(rows).toEqual([{ count: limits.labelsOfAccountMax }]);
  });

  it("an account does not take the name that the tenant is giving", async () => {
    const { address: account } = await newHolder();
    for (let round = 0; round < 5; round += 1) {
      const name = `Payee ${randomUUID().slice(0, 8)}`;
      const [tenants, ours] = [addressOf(), addressOf()];
      await Promise.allSettled([put(tenants, { name }), putFor(account, ours, { name })]);
      // Whichever was first: what comes now meets the tenant's name.
      await put(tenants, { name });
      expect((await errorOf(putFor(account, addressOf(), { name }))).code).toBe("label_name_taken");
    }
  });

  it("two names for one address are two changes, of which the log has both", async () => {
    const [caller, address] = [await newTenant(), addressOf()];
    await Promise.all(["One", "Two", "Three"].map((name) => put(address, { name }, { caller })));
    const [left] = await list(caller);
    const entries = await entriesOf(address);
    expect(entries.map(({ kind }) => kind)).toEqual(["label.created", "label.changed", "label.changed"]);
    expect(entries.at(-1)?.details).toMatchObject({ name: left?.name });
    const names = entries.map(({ details }) => (details as Wire).name);
    const before = entries.map(({ details }) => (details as { before?: Wire }).before?.name);
    expect(before).toEqual([undefined, ...names.slice(0, -1)]);
  });
});

it("a frozen tenant's labels stay as they are, whatever was checked before", async () => {
  const [caller, address] = [await newTenant(), addressOf()];
  await put(address, { name: "Landlord" }, { caller });
  await sql`update tenant set frozen_at = 1 where id = ${caller.tenantId}`.execute(test.needs.db);
  expect((await errorOf(put(address, { name: "Other" }, { caller }))).code).toBe("tenant_frozen");
  expect(await list(caller)).toMatchObject([{ name: "Landlord" }]);
});

it("a page sees no note of the tenant's, and the account's own", async () => {
  const { address: account } = await newHolder();
  const [one, other] = [addressOf(), addressOf()];
  const of = (name: string) => ({ name: `${name} ${randomUUID().slice(0, 8)}`, note: "For us" });
  await put(one, of("One"));
  await putFor(account, other, of("Other"));
  const asked = { params: { address: account }, query: { address: [one, other] } };
  const seen = (caller = test.caller) => test.call<Wire[]>(listAccountLabels, { ...asked, caller });
  expect((await seen()).map(({ note }) => note)).toEqual(["For us", "For us"]);
  expect((await seen({ ...test.caller, isPublishable: true })).map(({ note }) => note)).toEqual([null, "For us"]);
});

/** Fills a book up to so many labels. */
async function fill(account: string, tenantId: string, count: number): Promise<void> {
  await sql`insert into label (environment, account_address, tenant_id, address, name, folded_name, created_at, updated_at)
    select 'sandbox', ${account}, ${tenantId}, 'filled-' || i, 'Filled ' || i, 'filled' || i, 0, 0
    from generate_series(1, ${count}::int4 - (select count(*)::int4 from label where account_address = ${account}
      and tenant_id = ${tenantId})) as i`.execute(test.needs.db);
}
