import { beforeAll, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { setKyc } from "../sandbox-controls/set-kyc.js";
import { getKyc } from "./get-kyc.js";
import type { KycLink, KycRecord } from "./kyc-record.js";
import { listAllVerifications } from "./list-all-verifications.js";
import { startKyc } from "./start-kyc.js";

const test = useTestNetwork();
let ada: string;
let grace: string;
/** From the oldest to the newest: approved, rejected, the first's person for another account, and one of that account that waits. */
let ids: string[];
beforeAll(async () => {
  ada = (await test.openHolder("ada@example.org")).verified.address;
  grace = (await test.openHolder("grace@example.org")).verified.address;
  ids = [];
  for (const [address, email] of [
    [ada, "ada@example.org"],
    [ada, "bob@example.org"],
    [grace, "ada@example.org"],
    [grace, "carl@example.org"],
  ] as const)
    ids.push(await start(address, email));
  const decided = ["approved", "rejected", "approved", "under_review"];
  for (const [i, id] of ids.entries()) await test.call(setKyc, { params: { id }, body: { status: decided[i] } });
});

describe("200", () => {
  it("lists those of all accounts, newest first, each as it is read alone, without the person", async () => {
    const { items } = await list();
    expect(items.map(({ id }) => id)).toEqual([...ids].reverse());
    const owners = [grace, grace, ada, ada];
    const params = items.map(({ id }, i) => ({ kyc_id: id, address: owners[i] }));
    expect(items).toEqual(await Promise.all(params.map((each) => test.call(getKyc, { params: each as never }))));
    expect(JSON.stringify(items)).not.toMatch(/example\.org|Lovelace/);
    expect(items[2]).toMatchObject({ status: "rejected", rejection_reasons: [{ code: expect.any(String) }] });
  });

  it("lists those of a status, of several, of an account, of a person, and of all together", async () => {
    const [approved, rejected, again, waiting] = ids;
    expect(await idsIn({ status: ["rejected"] })).toEqual([rejected]);
    expect(await idsIn({ status: ["approved", "under_review", "approved"] })).toEqual([waiting, again, approved]);
    expect(await idsIn({ account: ada })).toEqual([rejected, approved]);
    expect(await idsIn({ account: ada, status: ["rejected"] })).toEqual([rejected]);
    expect(await idsIn({ email: "ada@example.org" })).toEqual([again, approved]);
    expect(await idsIn({ email: "ADA@example.org", status: ["approved"] })).toEqual([again, approved]);
    expect(await idsIn({ email: "ada@example.org", status: ["rejected"] })).toEqual([]);
    expect(await idsIn({ email: "ada@example.org", account: ada })).toEqual([approved]);
    expect(await idsIn({ email: "ada@example.org", account: ada, status: ["rejected"] })).toEqual([]);
    expect(await idsIn({ email: "nobody@example.org" })).toEqual([]);
    expect(await idsIn({ limit: 0 })).toEqual([]);
  });

  it("goes through all of them page by page, whatever is added meanwhile", async () => {
    const caller = await test.addTenant("one that checks many");
    for (let n = 0; n < 12; n += 1) await insert(n, caller.tenantId);
    const whole = await idsIn({}, { caller });
    expect(whole).toHaveLength(12);
    const seen: string[] = [];
    let cursor: string | undefined;
    let added = 100;
    do {
      const page = await list({ limit: 3, ...(cursor === undefined ? {} : { cursor }) }, { caller });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.cursor;
      added += 1;
      await insert(added, caller.tenantId);
    } while (cursor !== undefined);
    expect(seen).toEqual(whole);
    expect((await idsIn({}, { caller })).length).toBe(16);
  });

  it("has nothing of another tenant, and nothing of another environment", async () => {
    const caller = await test.addTenant("one that checks others");
    const here = await insert(201, caller.tenantId);
    const there = await insert(202, caller.tenantId, "devnet");
    const network = { ...test.network, name: "devnet" as const };
    expect(await idsIn({}, { caller })).toEqual([here]);
    expect(await idsIn({}, { caller, network })).toEqual([there]);
    expect(await idsIn({}, { network })).toEqual([]);
    expect(await idsIn({ email: "ada@example.org" }, { caller })).toEqual([]);
    expect(await idsIn()).toEqual([...ids].reverse());
  });
});

describe("400", () => {
  it("refuses a cursor that was not handed out, and what is no e-mail address", async () => {
    for (const query of [{ cursor: "x" }, { cursor: "", account: ada }]) {
      expect(await errorOf(list(query))).toMatchObject({ status: 400, code: "invalid_cursor" });
    }
    expect(await errorOf(list({ email: "ada" }))).toMatchObject({ status: 400, code: "invalid_email" });
  });
});

describe("404", () => {
  it("is the answer for another tenant's account", async () => {
    const caller = await test.addTenant("a stranger to all verifications");
    expect(await errorOf(list({ account: ada }, { caller }))).toMatchObject({ status: 404, code: "account_not_found" });
  });
});

async function start(address: string, email: string): Promise<string> {
  await test.network.sandbox?.advanceClock(1);
  const body = { type: "individual", email, full_name: "Ada Lovelace" };
  return (await test.call<KycLink>(startKyc, { params: { address }, body })).id;
}

const list = (query: object = {}, parts: CallParts = {}) =>
  test.page<KycRecord>(listAllVerifications, { query, ...parts });

const idsIn = async (query: object = {}, parts: CallParts = {}) => (await list(query, parts)).items.map(({ id }) => id);

/** Writes one down that the partner has not reported; returns its id. Three in a row are of the same instant. */
async function insert(n: number, tenant: string, environment = "sandbox"): Promise<string> {
  const id = `00000000-0000-4000-8000-${String(n * 7919).padStart(12, "0")}`;
  const at = BigInt(test.network.clock.now() + Math.floor(n / 3));
  await test.needs.db
    .insertInto("rail_verification")
    .values({
      id,
      tenant_id: tenant,
      environment,
      account_address: publicKeyOf(`account of ${tenant}`),
      partner: "sandbox",
      operation_key: id,
      operation_begun_at: at,
      type: "individual",
      email_key: new Uint8Array([n, environment.length]),
      person: new Uint8Array(1),
      wanted: ["base"],
      status: n % 2 === 0 ? "approved" : "incomplete",
      terms: "pending",
      endorsements: "{}",
      active_since: at,
      created_at: at,
      updated_at: at,
    } as never)
    .execute();
  return id;
}
