import { beforeAll, describe, expect, it } from "vitest";
import { grantLimit } from "../../test/spending-limits/support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type OwnAccount, openOwnAccount } from "../../test/support/self-paid.js";
import { breakConnection, type CallParts, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { getSpendingLimit } from "./get-spending-limit.js";
import { listSpendingLimits } from "./list-spending-limits.js";

const test = useTestNetwork();
let account: OwnAccount;
let granted: string[];
beforeAll(setUp);

describe("200", () => {
  it("lists each limit once, page by page, in the order of addresses", async () => {
    const sizes: number[] = [];
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      sizes.push(page.items.length);
      listed.push(...page.items.map(({ address }) => address));
      cursor = page.cursor;
    } while (cursor !== undefined && sizes.length < 9);
    expect(sizes).toEqual([2, 2, 1]);
    expect(listed).toEqual([...granted].sort());
  });

  it("shows each as it is read alone", async () => {
    const { items } = await list();
    const read = await Promise.all(
      items.map(({ address }) =>
        test.call(getSpendingLimit, { params: { address: account.address, spending_limit_address: address } }),
      ),
    );
    expect(items).toEqual(read);
  });

  it("lists those of a currency, of its mint, and of a signer", async () => {
    const usdc = test.network.currencies.find(({ symbol }) => symbol === "usdc")?.mint;
    const [first, second, third, fourth, fifth] = granted;
    expect(await addressesIn({ mint: "usdc" })).toEqual([third, fifth].sort());
    expect(await addressesIn({ mint: usdc })).toEqual([third, fifth].sort());
    expect(await addressesIn({ mint: "SOL" })).toEqual([first, second, fourth].sort());
    expect(await addressesIn({ signer: spender })).toEqual([first, second, third].sort());
    expect(await addressesIn({ signer: spender, mint: "usdc" })).toEqual([third]);
    expect(await addressesIn({ mint: "nothing" })).toEqual([]);
    expect(await addressesIn({ signer: "nobody" })).toEqual([]);
  });

  it("has no limits of an account that has none, and none on a page for none", async () => {
    const { address } = await openOwnAccount(test);
    expect(await list({}, { params: { address } })).toEqual({ items: [], cursor: undefined });
    expect(await list({ limit: 0 })).toEqual({ items: [], cursor: undefined });
  });
});

describe("400", () => {
  it.each(["abc", "", Buffer.from("s1_nonsense").toString("base64url")])("for the cursor %j", async (cursor) => {
    expect(await errorOf(list({ cursor }))).toMatchObject({ code: "invalid_cursor", status: 400 });
  });
});

describe("404", () => {
  it("for an account that is another tenant's, or nobody's", async () => {
    const notFound = { code: "account_not_found", status: 404 };
    const caller = await test.addTenant("stranger");
    expect(await errorOf(list({}, { caller }))).toMatchObject(notFound);
    expect(await errorOf(list({}, { params: { address: spender } }))).toMatchObject(notFound);
  });
});

describe("502", () => {
  it("while the chain cannot be reached", async () => {
    const network = breakConnection(test.network, () => true);
    expect(await errorOf(list({}, { network }))).toMatchObject({ code: "chain_unavailable", status: 502 });
  });
});

async function setUp(): Promise<void> {
  account = await openOwnAccount(test);
  const ofSpender = { spending_limit_signers: [spender] };
  const terms = [ofSpender, ofSpender, { ...ofSpender, mint: "usdc" }, {}, { mint: "usdc" }];
  granted = [];
  for (const each of terms) granted.push(await grantLimit(test, account, each));
}

const spender = publicKeyOf("a signer of limits that are listed");

const list = (query: object = {}, parts: CallParts = {}) =>
  test.page<{ readonly address: string }>(listSpendingLimits, {
    params: { address: account.address },
    query,
    ...parts,
  });

const addressesIn = async (query: object) => (await list(query)).items.map(({ address }) => address);
