import type { Network } from "@trellis/kernel/ports/network.js";
import { addressOfKey } from "@trellis/sdk";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { grantLimit, type PreparedLimit, submitAs, type WireLimit } from "../../test/spending-limits/support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type OwnAccount, openOwnAccount } from "../../test/support/self-paid.js";
import { breakConnection, type CallParts, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { passesOf } from "../scheduler/passes.js";
import { deleteSpendingLimit } from "./delete-spending-limit.js";
import { markOlderAccounts, refreshLimits } from "./follow-limits.js";
import { getSpendingLimit } from "./get-spending-limit.js";
import { listAllSpendingLimits } from "./list-all-spending-limits.js";

const test = useTestNetwork();
const spender = publicKeyOf("a signer of limits of several accounts");
let ada: OwnAccount;
let grace: OwnAccount;
let ofAda: { sol: string; usdc: string; spender: string };
let ofGrace: { usdc: string; spender: string };
beforeAll(async () => {
  [ada, grace] = [await openOwnAccount(test), await openOwnAccount(test)];
  const ofSpender = { spending_limit_signers: [spender], mint: "usdc" };
  ofAda = {
    sol: await grantLimit(test, ada),
    usdc: await grantLimit(test, ada, { mint: "usdc" }),
    spender: await grantLimit(test, ada, ofSpender),
  };
  ofGrace = {
    usdc: await grantLimit(test, grace, { mint: "usdc" }),
    spender: await grantLimit(test, grace, ofSpender),
  };
});

describe("200", () => {
  it("lists the limits of all accounts by address, each as it is read alone", async () => {
    const { items } = await list();
    expect(items.map(({ address }) => address)).toEqual([...Object.values(ofAda), ...Object.values(ofGrace)].sort());
    const read = items.map(({ address: spending_limit_address, main_account_address: address }) =>
      test.call(getSpendingLimit, { params: { address, spending_limit_address } }),
    );
    expect(items).toEqual(await Promise.all(read));
  });

  it("lists those of an account, a mint and a signer, and of any two and all three", async () => {
    const usdc = test.network.currencies.find(({ symbol }) => symbol === "usdc")?.mint;
    const account = ada.address;
    expect(await addressesIn({ account })).toEqual(Object.values(ofAda).sort());
    for (const mint of ["usdc", "USDC", usdc]) {
      expect(await addressesIn({ mint })).toEqual([ofAda.usdc, ofAda.spender, ...Object.values(ofGrace)].sort());
    }
    expect(await addressesIn({ mint: "SOL" })).toEqual([ofAda.sol]);
    expect(await addressesIn({ signer: spender })).toEqual([ofAda.spender, ofGrace.spender].sort());
    expect(await addressesIn({ account, mint: "usdc" })).toEqual([ofAda.usdc, ofAda.spender].sort());
    expect(await addressesIn({ account, signer: spender })).toEqual([ofAda.spender]);
    expect(await addressesIn({ mint: "usdc", signer: spender })).toEqual([ofAda.spender, ofGrace.spender].sort());
    expect(await addressesIn({ mint: "sol", signer: spender })).toEqual([]);
    expect(await addressesIn({ account, mint: "sol", signer: spender })).toEqual([]);
    for (const none of [{ mint: "" }, { signer: "" }, { mint: "nothing" }, { signer: "x" }, { limit: 0 }]) {
      expect(await addressesIn(none)).toEqual([]);
    }
  });

  it("goes through them page by page", async () => {
    for (const query of [{}, { mint: "usdc" }, { signer: spender }, { account: ada.address }]) {
      const whole = await addressesIn(query);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ ...query, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
        expect(page.items).toHaveLength(1);
        seen.push(...page.items.map(({ address }) => address));
        cursor = page.cursor;
      } while (cursor !== undefined && seen.length < 9);
      expect(seen).toEqual(whole);
    }
  });
});

describe("what other clients do", () => {
  it("is listed once the chain's history shows it", async () => {
    const account = await openOwnAccount(test);
    await runPasses();
    const limit = await grantLimit(test, account);
    const gone = await grantLimit(test, account, { mint: "usdc" });
    await removeLimit(account, gone);
    const settings = account.settings;
    // As if another client had done it: nothing here has seen it.
    await forget(settings);
    expect(await addressesIn({ signer: limit })).toEqual([]);
    expect(await addressesIn()).not.toContain(limit);
    await runPasses();
    expect(await addressesIn()).toContain(limit);
    expect(await listedOf(settings)).toEqual([limit]);
    const due = sql`select from spending_limit_watch where environment = 'sandbox' and settings_address = ${settings} and due_at is null`;
    expect((await due.execute(test.needs.db)).rows).toHaveLength(1);
  });

  it("leaves out what was removed, before its account is read again", async () => {
    const account = await openOwnAccount(test);
    const limits = [await grantLimit(test, account), await grantLimit(test, account)].sort();
    const [first = "", second = ""] = limits;
    const settings = account.settings;
    const rows = await sql<object>`select * from spending_limit_listing where limit_address = ${first}`.execute(
      test.needs.db,
    );
    await removeLimit(account, first);
    expect(await listedOf(settings)).toEqual([second]);
    await test.needs.db
      .insertInto("spending_limit_listing")
      .values(rows.rows as never)
      .execute();
    const page = await list({ signer: addressOfKey(account.key) });
    expect(page.items.map(({ address }) => address)).toEqual([second]);
    // A page that holds nothing is not the last one.
    const short = await list({ signer: addressOfKey(account.key), limit: 1 });
    expect([short.items, typeof short.cursor]).toEqual([[], "string"]);
  });

  it("stays as it was read last, whatever an older reading says", async () => {
    const account = await openOwnAccount(test);
    const limit = await grantLimit(test, account);
    const settings = account.settings;
    await sql`update spending_limit_watch set read_slot = 9000000000000 where settings_address = ${settings}`.execute(
      test.needs.db,
    );
    await removeLimit(account, limit);
    expect(await listedOf(settings)).toEqual([limit]);
    await sql`update spending_limit_watch set read_slot = 0 where settings_address = ${settings}`.execute(
      test.needs.db,
    );
    await refreshLimits(test.needs, test.network, settings, 0n);
    expect(await listedOf(settings)).toEqual([]);
  });

  it("is read again where a change was seen while it was read, unless the reading is later than that", async () => {
    const account = await openOwnAccount(test);
    const limit = await grantLimit(test, account);
    const { settings } = account;
    const { db } = test.needs;
    await sql`update spending_limit_watch set due_at = 0 where settings_address = ${settings}`.execute(db);
    const readWhileSeen = async (changedAt: bigint): Promise<unknown> => {
      const { sandbox } = test.network;
      if (sandbox === undefined) throw new Error("the chain is the sandbox's");
      const handleRpc = async (payload: unknown) => {
        await sql`update spending_limit_watch set due_at = 0, least_slot = ${changedAt}::int8
          where settings_address = ${settings}`.execute(db);
        return sandbox.handleRpc(payload);
      };
      const marked = Object.assign(Object.create(sandbox) as typeof sandbox, { handleRpc });
      const network = breakConnection({ ...test.network, sandbox: marked }, () => false);
      await refreshLimits(test.needs, network, settings, 0n);
      const { rows } = await sql<{ due_at: bigint | null }>`select due_at from spending_limit_watch
        where settings_address = ${settings}`.execute(db);
      return rows[0]?.due_at;
    };
    expect(await readWhileSeen(9_000_000_000_000n)).toBe(0n);
    await sql`update spending_limit_watch set least_slot = 0 where settings_address = ${settings}`.execute(db);
    expect(await readWhileSeen(1n)).toBeNull();
    expect(await listedOf(settings)).toEqual([limit]);
  });

  it("of before there were such lists is read after an upgrade", async () => {
    const account = await openOwnAccount(test);
    const limit = await grantLimit(test, account);
    const untouched = await openOwnAccount(test);
    await runPasses();
    const { db } = test.needs;
    for (const { settings } of [account, untouched]) {
      await forget(settings);
      // Those of other types were all made here.
      await db.updateTable("account").set({ type: "signers" }).where("settings_address", "=", settings).execute();
    }
    await sql`insert into meta (key, value) values ('limits_marked', '') on conflict (key) do nothing`.execute(db);
    await markOlderAccounts(test.needs);
    const marked = sql<{
      settings_address: string;
    }>`select settings_address from spending_limit_watch where due_at = 0`;
    const settings = (await marked.execute(db)).rows.map(({ settings_address }) => settings_address);
    expect(settings).toContain(account.settings);
    expect(settings).not.toContain(untouched.settings);
    expect((await sql`select from meta where key = 'limits_marked'`.execute(db)).rows).toEqual([]);
    await runPasses();
    expect(await addressesIn()).toContain(limit);
  });
});

describe("isolation", () => {
  it("has nothing of another tenant, and nothing of another environment", async () => {
    const caller = await test.addTenant("one with limits of its own");
    const account = await openOwnAccount(test, test.network, caller);
    const limit = await grantLimit(test, account, { spending_limit_signers: [spender] });
    expect(await addressesIn({}, { caller })).toEqual([limit]);
    expect(await addressesIn({ signer: spender }, { caller })).toEqual([limit]);
    expect(await addressesIn({ signer: spender })).not.toContain(limit);
    const devnet: Network = { ...test.network, name: "devnet" };
    for (const query of [{}, { signer: spender }, { mint: "sol" }]) {
      expect(await addressesIn(query, { network: devnet })).toEqual([]);
    }
  });
});

describe("400", () => {
  it.each(["abc", "", Buffer.from("s1_nonsense").toString("base64url")])("for the cursor %j", async (cursor) => {
    for (const query of [{}, { account: ada.address }]) {
      expect(await errorOf(list({ ...query, cursor }))).toMatchObject({ code: "invalid_cursor", status: 400 });
    }
  });
});

describe("404", () => {
  it("for an account that is another tenant's, or nobody's", async () => {
    const caller = await test.addTenant("a stranger to all limits");
    for (const account of [ada.address, spender, "x"]) {
      expect(await errorOf(list({ account }, { caller }))).toMatchObject({ code: "account_not_found", status: 404 });
    }
  });
});

describe("502", () => {
  it("while the chain cannot be reached", async () => {
    const network = breakConnection(test.network, () => true);
    expect(await errorOf(list({}, { network }))).toMatchObject({ code: "chain_unavailable", status: 502 });
  });
});

const list = (query: object = {}, parts: CallParts = {}) =>
  test.page<WireLimit>(listAllSpendingLimits, { query, ...parts });

const addressesIn = async (query: object = {}, parts: CallParts = {}): Promise<string[]> =>
  (await list(query, parts)).items.map(({ address }) => address);

/** What the service does in the background, in the order in which one finds work for the next. One tick does a little of it. */
async function runPasses(): Promise<void> {
  const passes = passesOf(test.needs, test.network);
  for (let tick = 0; tick < 12; tick += 1) {
    await test.network.sandbox?.advanceClock(1);
    for (const name of ["follow_proposals", "follow_histories", "follow_limits"]) {
      const pass = passes.find((each) => each.name === name);
      if (pass === undefined) throw new Error(`there is no pass ${name}`);
      await pass.run();
    }
  }
}

async function removeLimit(account: OwnAccount, limit: string): Promise<void> {
  const params = { address: account.address, spending_limit_address: limit };
  await submitAs(test, account, await test.call<PreparedLimit>(deleteSpendingLimit, { params, body: {} }));
}

async function forget(settings: string): Promise<void> {
  await sql`delete from spending_limit_listing where settings_address = ${settings}`.execute(test.needs.db);
  await sql`delete from spending_limit_watch where settings_address = ${settings}`.execute(test.needs.db);
}

async function listedOf(settings: string): Promise<string[]> {
  const { rows } = await sql<{ limit_address: string }>`select limit_address from spending_limit_listing
    where settings_address = ${settings} and signer_address = '' order by 1`.execute(test.needs.db);
  return rows.map(({ limit_address }) => limit_address);
}
