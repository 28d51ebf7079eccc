import type { Static } from "typebox";
import { describe, expect, it } from "vitest";
import { approve, away, bent } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, publicKeyOf } from "../../test/support/test-network.js";
import { listVirtualAccounts } from "../rails/list-virtual-accounts.js";
import { requestVirtualAccount } from "../rails/request-virtual-account.js";
import type { VirtualAccount } from "../rails/virtual-account.js";
import { setVirtualAccountStatus } from "../sandbox-controls/set-virtual-account-status.js";
import { listLegacyVirtualAccounts, requestLegacyVirtualAccount } from "./legacy-virtual-accounts.js";

const test = useTestNetwork();

describe("201", () => {
  it("opens what the present interface shows, in the currency asked for", async () => {
    const address = await openVerified();
    const euros = await request(address, { currency: "eur" });
    expect(euros).toMatchObject({
      status: "activated",
      destination: { address, currency: "eurc", payment_rail: "solana" },
      source_deposit_instructions: { currency: "eur", iban: expect.stringMatching(/^DE00/) },
    });
    const present = await test.call<View[]>(listVirtualAccounts, { params: { address } });
    expect(present.map(olderForm)).toEqual([euros]);
  });

  it("opens one for each idempotency key and currency, however many ask at once", async () => {
    const address = await openVerified();
    const once = () => request(address, { currency: "usd" }, { operationId: `operation of ${address}` });
    const first = await once();
    expect(await once()).toEqual(first);
    expect(await list(address)).toEqual([first]);
  });
});

describe("200", () => {
  it("lists a bare array, empty before the first, that is filtered by currency, coin and status", async () => {
    const address = await openVerified();
    expect(await list(address)).toEqual([]);
    const dollars = olderForm(await requestPresent(address));
    await test.network.sandbox?.advanceClock(1);
    const euros = await request(address, { currency: "eur" });
    expect(await list(address)).toEqual([dollars, euros]);
    expect(await list(address, { source_currency: "EUR" })).toEqual([euros]);
    expect(await list(address, { destination_currency: "usdc" })).toEqual([dollars]);
    expect(await list(address, { status: "deactivated" })).toEqual([]);
    const params = { virtual_account_id: dollars.id };
    await test.call(setVirtualAccountStatus, { params, body: { status: "deactivated" } });
    expect(await list(address, { status: "deactivated" })).toMatchObject([{ id: dollars.id, status: "deactivated" }]);
  });
});

describe("400", () => {
  it("refuses a currency that there is not, another user, and every request where there is no partner", async () => {
    const address = await openVerified();
    const refusals: [body: object, code: string, more?: CallParts][] = [
      [{ currency: "chf" }, "unsupported_currency"],
      [{ currency: "usd", grid_user_id: "somebody else" }, "invalid_request"],
      [{ currency: "usd" }, "rail_not_available", { needs: { rails: new Map() } }],
    ];
    for (const [body, code, more] of refusals) {
      await expect(request(address, body, more)).rejects.toMatchObject({ status: 400, code });
    }
    expect(await list(address)).toEqual([]);
  });
});

describe("403", () => {
  it("names what of the holder's verification is missing", async () => {
    const address = await openAccount();
    const refused = request(address, { currency: "usd" });
    await expect(refused).rejects.toMatchObject({
      status: 403,
      code: "kyc_required",
      details: [{ missing: "kyc" }, { missing: "tos" }],
    });
  });
});

describe("404", () => {
  it("is the answer for another tenant's account, and for one that there is not", async () => {
    const address = await openVerified();
    const caller = await test.addTenant("other");
    const notFound = { status: 404, code: "account_not_found" };
    await expect(request(address, { currency: "usd" }, { caller })).rejects.toMatchObject(notFound);
    await expect(list(address, {}, { caller })).rejects.toMatchObject(notFound);
    const nowhere = publicKeyOf("no account");
    await expect(request(nowhere, { currency: "usd" })).rejects.toMatchObject(notFound);
    await expect(list(nowhere)).rejects.toMatchObject(notFound);
  });
});

describe("409", () => {
  it("is the answer where there is one of this currency already: of three at once, one is opened", async () => {
    const address = await openVerified();
    const settled = await Promise.allSettled([1, 2, 3].map(() => request(address, { currency: "usd" })));
    const [made, ...more] = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(more).toEqual([]);
    await expect(request(address, { currency: "usd" })).rejects.toMatchObject({
      status: 409,
      code: "virtual_account_exists",
      details: [{ virtual_account_id: made?.id, status: "activated" }],
    });
  });
});

describe("502", () => {
  it("is the answer where the partner does not answer; a repetition opens the same one", async () => {
    const address = await openVerified();
    const parts = { operationId: "operation of a partner that is away" };
    const needs = bent(test, () => ({ openVirtualAccount: away }));
    const refused = request(address, { currency: "usd" }, { ...parts, needs });
    await expect(refused).rejects.toMatchObject({ status: 502, code: "partner_unavailable" });
    expect(await list(address)).toEqual([]);
    const made = await request(address, { currency: "usd" }, parts);
    expect(await list(address)).toEqual([made]);
  });
});

type View = Static<typeof VirtualAccount>;

/** Without what v0 does not know. */
const olderForm = ({ account, grid_user_id, currency, payment_rails, last_4, ...older }: View) => older;

const requestPresent = (address: string) =>
  test.call<View>(requestVirtualAccount, { params: { address }, body: { currency: "usd" } });

const request = (smart_account_address: string, body: object, more: CallParts = {}) =>
  test.call<View>(requestLegacyVirtualAccount, { params: { smart_account_address }, body, ...more });

const list = (smart_account_address: string, query: object = {}, more: CallParts = {}) =>
  test.call<View[]>(listLegacyVirtualAccounts, { params: { smart_account_address }, query, ...more });

let accounts = 0;
async function openAccount(): Promise<string> {
  accounts += 1;
  return (await test.openHolder(`holder-${accounts}@example.org`)).verified.address;
}

/** An account whose holder the partner has approved. */
async function openVerified(): Promise<string> {
  const address = await openAccount();
  await approve(test, address, `holder-${accounts}@example.org`, ["base", "sepa"]);
  return address;
}
