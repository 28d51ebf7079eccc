import { randomUUID } from "node:crypto";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { may, newKey } from "../../test/proposals/support.js";
import { importsOf } from "../../test/support/imported-accounts.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, type CallParts, errorOf } from "../../test/support/test-network.js";
import { createAccount } from "./create-account.js";
import { createCustomAccount } from "./create-custom-account.js";
import { getAccount } from "./get-account.js";
import { listAccounts } from "./list-accounts.js";

const test = useTestNetwork();
const { importAs, openElsewhere, openImported, release, releaseProofOf } = importsOf(test);

interface Listed {
  readonly address: string;
  readonly created_at: string;
  readonly policies: object | null;
}

const pageOf = (query: object = {}, more: CallParts = {}) => test.page<Listed>(listAccounts, { query, ...more });
const addressesOf = async (query: object = {}, more: CallParts = {}) =>
  (await pageOf(query, more)).items.map(({ address }) => address);
const newTenant = () => test.addTenant(`tenant-${randomUUID()}`);
const create = async (caller: Caller, more: object = {}): Promise<string> => {
  const body = { type: "signers", signers: [addressOfKey(newKey())], threshold: 1, ...more };
  return (await test.call<Listed>(createAccount, { body, caller })).address;
};
/** Every page of a list, so many accounts at a time; `between` is run behind each. */
async function walk(caller: Caller, query: { limit: number }, between: () => Promise<unknown> = async () => undefined) {
  const seen: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const page = await pageOf({ ...query, ...(cursor === "" ? {} : { cursor }) }, { caller });
    seen.push(...page.items.map(({ address }) => address));
    cursor = page.cursor;
    await between();
  }
  return seen;
}

describe("the list", () => {
  it("shows each account as GET shows it, newest first", async () => {
    const { verified } = await test.openHolder("list-ada@example.org");
    test.needs.realClock.advance(1_000);
    const custom = await test.call<Listed>(createCustomAccount, {
      body: { policies: { signers: [may(newKey())], threshold: 1 }, memo: "Treasury" },
    });
    const { items } = await pageOf({ limit: 2 });
    expect(items.map(({ address }) => address)).toEqual([custom.address, verified.address]);
    for (const item of items) {
      expect(item).toEqual(await test.call(getAccount, { params: { address: item.address } }));
    }
  });

  it("goes on behind a page, with accounts of one instant, and ends", async () => {
    const caller = await newTenant();
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push(await create(caller));
    const whole = await addressesOf({}, { caller });
    expect(whole.toSorted()).toEqual(made.toSorted());
    for (const limit of [1, 2, 5]) expect(await walk(caller, { limit })).toEqual(whole);
    expect(await pageOf({ limit: 0 }, { caller })).toEqual({ items: [], cursor: undefined });
  });

  it("shows each account once that was there, while others are made", async () => {
    const caller = await newTenant();
    const made = [];
    for (let n = 0; n < 4; n += 1) {
      made.push(await create(caller));
      test.needs.realClock.advance(1_000);
    }
    const seen = await walk(caller, { limit: 1 }, () => create(caller));
    expect(seen).toEqual(made.toReversed());
    expect(await addressesOf({}, { caller })).toHaveLength(8);
  });

  it("shows no account of another tenant, and none of another environment", async () => {
    const { verified, email } = await test.openHolder("list-grace@example.org");
    const caller = await newTenant();
    const devnet = { network: { ...test.network, name: "devnet" as const } };
    const [signer] = verified.policies.signers.map(({ address }) => address);
    for (const query of [{}, { email }, { address: verified.address }, { signer }, { type: "email" }]) {
      expect(await addressesOf(query, { caller })).toEqual([]);
      expect(await addressesOf(query, devnet)).toEqual([]);
      expect(await addressesOf(query)).toContain(verified.address);
    }
  });

  it("has no pending account, an imported one, and no released one", async () => {
    const email = "list-pending@example.org";
    await test.call(createAccount, { body: { type: "email", email } });
    expect(await addressesOf({ email })).toEqual([]);
    const [key, account] = await openImported();
    const signer = addressOfKey(key);
    expect(await addressesOf({ signer })).toEqual([account.address]);
    await release(account, { proof: await releaseProofOf(key, account) });
    expect(await addressesOf({ signer })).toEqual([]);
    expect(await addressesOf({ address: account.address })).toEqual([]);
    const caller = await newTenant();
    await importAs(key, account, { caller });
    expect(await addressesOf({ signer }, { caller })).toEqual([account.address]);
    expect(await addressesOf({ signer })).toEqual([]);
  });

  it("is answered without policies while the chain does not answer", async () => {
    const caller = await newTenant();
    const address = await create(caller);
    const network = breakConnection(test.network, () => true);
    const { items } = await pageOf({}, { caller, network });
    expect(items).toEqual([expect.objectContaining({ address, policies: null, protection: null })]);
  });
});

describe("filters", () => {
  it("find accounts by the address of their user, however it is written", async () => {
    const { verified } = await test.openHolder("list-edith@example.org");
    for (const email of ["list-edith@example.org", "List-Edith@EXAMPLE.org"]) {
      expect(await addressesOf({ email })).toEqual([verified.address]);
      expect(await addressesOf({ email, type: "email", status: "active" })).toEqual([verified.address]);
      expect(await addressesOf({ email, type: "custom" })).toEqual([]);
    }
    expect(await addressesOf({ email: "list-nobody@example.org" })).toEqual([]);
    expect(await errorOf(pageOf({ email: "nobody" }))).toMatchObject({ code: "invalid_email" });
  });

  it("find accounts by a memo as it is, and by nothing like it", async () => {
    const caller = await newTenant();
    const long = "\u{1f4b6}".repeat(250);
    const made = [];
    for (const memo of ["Shop", "Shop", "shop", "Shop ", long, ""]) made.push(await create(caller, { memo }));
    const [first, second, , , longest, empty] = made;
    expect((await addressesOf({ memo: "Shop" }, { caller })).toSorted()).toEqual([first, second].toSorted());
    expect(await addressesOf({ memo: "Shop", type: "signers", limit: 1 }, { caller })).toHaveLength(1);
    expect(await addressesOf({ memo: "Shop", type: "email" }, { caller })).toEqual([]);
    expect(await addressesOf({ memo: long }, { caller })).toEqual([longest]);
    expect(await addressesOf({ memo: "" }, { caller })).toEqual([empty]);
    expect(await addressesOf({ memo: "Sho" }, { caller })).toEqual([]);
    expect(await errorOf(pageOf({ memo: "\ud800" }))).toMatchObject({ code: "invalid_request" });
  });

  it("find accounts by a signer, page by page, with those that were imported", async () => {
    const [caller, other] = [await newTenant(), await newTenant()];
    const key = newKey();
    const signer = addressOfKey(key);
    const signers = [signer];
    await create(other, { signers });
    const made = [];
    for (let n = 0; n < 3; n += 1) {
      made.unshift(await create(caller, { signers }));
      test.needs.realClock.advance(1_000);
    }
    const [, account] = await openElsewhere([key]);
    await importAs(key, account, { caller });
    made.unshift(account.address);
    expect(await addressesOf({ signer }, { caller })).toEqual(made);
    const query = { limit: 1, signer };
    expect(await walk(caller, query)).toEqual(made);
    expect(await addressesOf({ signer, type: "custom" }, { caller })).toEqual([account.address]);
    expect(await addressesOf({ signer: addressOfKey(newKey()) }, { caller })).toEqual([]);
    expect(await errorOf(pageOf({ signer: "nobody" }))).toMatchObject({ code: "invalid_address" });
  });

  it("narrow an account that is named by its address, and refuse each other without", async () => {
    const { verified, email } = await test.openHolder("list-hopper@example.org");
    const { address } = verified;
    const signer = verified.policies.signers[0]?.address;
    const memo = "Shop";
    expect(await addressesOf({ address, email, signer, type: "email" })).toEqual([address]);
    for (const more of [
      { memo },
      { type: "custom" },
      { signer: addressOfKey(newKey()) },
      { email: "list-no@example.org" },
    ]) {
      expect(await addressesOf({ address, ...more })).toEqual([]);
    }
    for (const both of [
      { email, memo },
      { email, signer },
      { memo, signer },
    ]) {
      expect(await errorOf(pageOf(both))).toMatchObject({ status: 400, code: "invalid_request" });
    }
  });
});
