import type { Static } from "typebox";
import { beforeAll, describe, expect, it } from "vitest";
import { away, bent, openApproved } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import { setVirtualAccountStatus } from "../sandbox-controls/set-virtual-account-status.js";
import { listAllVirtualAccounts } from "./list-all-virtual-accounts.js";
import { listVirtualAccounts } from "./list-virtual-accounts.js";
import { requestVirtualAccount } from "./request-virtual-account.js";
import type { VirtualAccount } from "./virtual-account.js";

const test = useTestNetwork();
let ada: string;
let grace: string;
/** From the oldest to the newest: dollars and euros of one account, dollars of another. */
let opened: View[];
beforeAll(async () => {
  ada = (await openApproved(test, "ada@example.org")).verified.address;
  grace = (await openApproved(test, "grace@example.org")).verified.address;
  opened = [await open(ada, "usd"), await open(ada, "eur"), await open(grace, "usd")];
});

describe("200", () => {
  it("lists those of all accounts, newest first, each as its account lists it", async () => {
    const { items } = await list();
    expect(items).toEqual([...opened].reverse());
    const ofAda = await test.call<View[]>(listVirtualAccounts, { params: { address: ada } });
    expect(items.slice(1).reverse()).toEqual(ofAda);
  });

  it("lists those of an account, a user, a currency, a status, and of all together", async () => {
    const [dollars, euros, others] = opened.map(({ id }) => id);
    const user = opened[2]?.grid_user_id ?? "";
    expect(await idsIn({ account: ada })).toEqual([euros, dollars]);
    expect(await idsIn({ grid_user_id: user })).toEqual([others]);
    expect(await idsIn({ grid_user_id: user, account: ada })).toEqual([]);
    expect(await idsIn({ source_currency: "USD" })).toEqual([others, dollars]);
    expect(await idsIn({ source_currency: "shells" })).toEqual([]);
    const params = { virtual_account_id: dollars };
    await test.call(setVirtualAccountStatus, { params: params as never, body: { status: "deactivated" } });
    expect(await idsIn({ status: ["deactivated"] })).toEqual([dollars]);
    expect(await idsIn({ status: ["activated"] })).toEqual([others, euros]);
    expect(await idsIn({ status: ["activated", "deactivated"] })).toEqual([others, euros, dollars]);
    expect(await idsIn({ account: ada, source_currency: "usd", status: ["activated"] })).toEqual([]);
    expect(await idsIn({ limit: 0 })).toEqual([]);
  });

  it("goes through all of them page by page", async () => {
    for (const query of [{}, { account: ada }]) {
      const whole = await idsIn(query);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ ...query, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(whole);
      expect(seen.length).toBeGreaterThan(1);
    }
  });

  it("has none whose opening the partner has not answered yet", async () => {
    const { address } = (await openApproved(test, "unanswered@example.org")).verified;
    const needs = bent(test, () => ({ openVirtualAccount: away }));
    const asked = test.call(requestVirtualAccount, { params: { address }, body: { currency: "usd" }, needs });
    expect((await errorOf(asked)).code).toBe("partner_unavailable");
    expect(await idsIn({ account: address })).toEqual([]);
    expect((await idsIn()).length).toBe(3);
  });

  it("has nothing of another tenant, and nothing of another environment", async () => {
    const caller = await test.addTenant("one without virtual accounts");
    expect(await idsIn({}, { caller })).toEqual([]);
    expect(await idsIn({ grid_user_id: opened[0]?.grid_user_id }, { caller })).toEqual([]);
    expect(await idsIn({}, { network: { ...test.network, name: "devnet" } })).toEqual([]);
  });
});

describe("400", () => {
  it("refuses what is no user's id", async () => {
    for (const grid_user_id of ["", "ada"]) {
      expect(await errorOf(list({ grid_user_id }))).toMatchObject({ status: 400, code: "invalid_request" });
    }
  });

  it("refuses a cursor that was not handed out", async () => {
    for (const query of [{ cursor: "x" }, { cursor: "", account: ada }]) {
      expect(await errorOf(list(query))).toMatchObject({ status: 400, code: "invalid_cursor" });
    }
  });
});

describe("404", () => {
  it("is the answer for another tenant's account", async () => {
    const caller = await test.addTenant("a stranger to all virtual accounts");
    expect(await errorOf(list({ account: ada }, { caller }))).toMatchObject({ status: 404, code: "account_not_found" });
  });
});

type View = Static<typeof VirtualAccount>;

async function open(address: string, currency: string): Promise<View> {
  await test.network.sandbox?.advanceClock(1);
  return test.call<View>(requestVirtualAccount, { params: { address }, body: { currency } });
}

const list = (query: object = {}, parts: CallParts = {}) =>
  test.page<View>(listAllVirtualAccounts, { query, ...parts });

const idsIn = async (query: object = {}, parts: CallParts = {}) => (await list(query, parts)).items.map(({ id }) => id);
