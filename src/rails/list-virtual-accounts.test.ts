import type { Static } from "typebox";
import { beforeAll, describe, expect, it } from "vitest";
import { away, bent, openApproved } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import { setVirtualAccountStatus } from "../sandbox-controls/set-virtual-account-status.js";
import { listVirtualAccounts } from "./list-virtual-accounts.js";
import { requestVirtualAccount } from "./request-virtual-account.js";
import type { VirtualAccount } from "./virtual-account.js";

const test = useTestNetwork();
let address: string;
let dollars: View;
let euros: View;
beforeAll(setUp);

describe("200", () => {
  it("lists the account's own with their bank details, the oldest first", async () => {
    expect(await list()).toEqual([dollars, euros]);
    expect(dollars.source_deposit_instructions).toMatchObject({
      currency: "usd",
      bank_account_number: expect.stringMatching(/^\d+$/),
    });
    expect(euros.source_deposit_instructions).toMatchObject({ currency: "eur" });
  });

  it("lists those of a bank's currency, or of a coin", async () => {
    expect(await list({ source_currency: "EUR" })).toEqual([euros]);
    expect(await list({ destination_currency: "usdc" })).toEqual([dollars]);
    expect(await list({ source_currency: "usd", destination_currency: "EURC" })).toEqual([]);
  });

  it("lists those of a status", async () => {
    const params = { virtual_account_id: dollars.id };
    await test.call(setVirtualAccountStatus, { params, body: { status: "deactivated" } });
    expect(await list({ status: "deactivated" })).toMatchObject([{ id: dollars.id, status: "deactivated" }]);
    expect(await list({ status: "activated" })).toEqual([euros]);
    await test.call(setVirtualAccountStatus, { params, body: { status: "activated" } });
    expect((await list({ status: "activated" })).map(({ id }) => id)).toEqual([dollars.id, euros.id]);
  });

  it("has none whose opening the partner has not answered yet", async () => {
    const other = (await openApproved(test, "unanswered@example.org")).verified.address;
    const needs = bent(test, () => ({ openVirtualAccount: away }));
    const params = { address: other };
    const asked = { params, body: { currency: "usd" }, operationId: "unanswered" };
    const opening = test.call(requestVirtualAccount, { ...asked, needs });
    expect((await errorOf(opening)).code).toBe("partner_unavailable");
    expect(await list({}, { params })).toEqual([]);
    const opened = await test.call<View>(requestVirtualAccount, asked);
    expect(await list({}, { params })).toEqual([opened]);
  });

  it("has none for an account that has none", async () => {
    const other = (await test.openHolder("none@example.org")).verified.address;
    expect(await list({}, { params: { address: other } })).toEqual([]);
  });
});

describe("404", () => {
  it("for an account that is another tenant's, nobody's, or of another environment", async () => {
    const notFound = { code: "account_not_found", status: 404 };
    expect(await errorOf(list({}, { caller: await test.addTenant("stranger") }))).toMatchObject(notFound);
    const params = { address: test.network.feePayer.address };
    expect(await errorOf(list({}, { params }))).toMatchObject(notFound);
    expect(await errorOf(list({}, { network: { ...test.network, name: "devnet" } }))).toMatchObject(notFound);
  });
});

type View = Static<typeof VirtualAccount>;

async function setUp(): Promise<void> {
  address = (await openApproved(test, "holder@example.org")).verified.address;
  dollars = await request("usd");
  await test.network.sandbox?.advanceClock(1);
  euros = await request("eur");
}

const request = (currency: string) =>
  test.call<View>(requestVirtualAccount, { params: { address }, body: { currency } });

const list = (query: object = {}, parts: CallParts = {}) =>
  test.call<View[]>(listVirtualAccounts, { params: { address }, query, ...parts });
