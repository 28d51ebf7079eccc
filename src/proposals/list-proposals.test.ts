import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import {
  dataOf,
  may,
  newKey,
  type Opened,
  pays,
  refusalOf,
  useProposals,
  type View,
} from "../../test/proposals/support.js";
import { asOtherTenant } from "../../test/support/other-tenant.js";

const { trellis, at } = useProposals();
const sol = 1_000_000_000n;
const payee = makeKey().address;

describe("200", () => {
  it("is an empty list before the first proposal", async () => {
    const account = await at.open({ signers: [may(newKey())], threshold: 1 });
    expect(await listed(account)).toEqual([]);
  });

  it("shows the newest first, page by page, each once", async () => {
    const [, account] = await openWithFive();
    const pages: number[][] = [];
    for (let query: string | undefined = "?limit=2"; query !== undefined; ) {
      const { body, headers } = await at.list(account, query);
      const { data, metadata } = body as { data: View[]; metadata: { next_cursor?: string } };
      pages.push(data.map(({ transactionIndex }) => transactionIndex));
      expect(headers.get("x-next-cursor")).toBe(metadata.next_cursor ?? null);
      query = metadata.next_cursor === undefined ? undefined : `?limit=2&cursor=${metadata.next_cursor}`;
    }
    expect(pages).toEqual([[5, 4], [3, 2], [1]]);
    expect(await listed(account, "?limit=0")).toEqual([]);
  });

  it("shows those of the statuses that are named, and either status on demand", async () => {
    const [a, account] = await openWithFive();
    const indexesOf = async (query: string) => (await listed(account, query)).map((one) => one.transactionIndex);
    expect(await indexesOf("?status=Approved")).toEqual([5, 3, 1]);
    expect(await indexesOf("?status=Active&status=Approved")).toEqual([5, 4, 3, 2, 1]);
    expect(await indexesOf("?status=Executed")).toEqual([]);
    const [newest] = await listed(account, "?limit=1&showOnChainStatus=true");
    expect(newest).toMatchObject({ status: "approved", approved: [addressOfKey(a)], transactionIndex: 5 });
  });

  it("shows at once what a vote has changed", async () => {
    const [a, account] = await openWithFive();
    const second = (await listed(account)).find(({ transactionIndex }) => transactionIndex === 2);
    expect(second).toMatchObject({ status: "Active", approved: [] });
    await at.cast(account, second?.proposalAddress ?? "", "approve", [a]);
    const after = (await listed(account)).find(({ transactionIndex }) => transactionIndex === 2);
    expect(after).toMatchObject({ status: "Approved", approved: [addressOfKey(a)] });
  });
});

describe("400", () => {
  it("refuses cursors that were not handed out, unknown statuses, and pages out of bounds", async () => {
    const account = await at.open({ signers: [may(newKey())], threshold: 1 });
    for (const cursor of ["x", Buffer.from("p1_x").toString("base64url")]) {
      expect(refusalOf(await at.list(account, `?cursor=${cursor}`))).toEqual([400, "invalid_cursor"]);
    }
    for (const wrong of ["?limit=101", "?limit=-1", "?status=Open"]) {
      expect(refusalOf(await at.list(account, wrong))).toEqual([400, "invalid_request"]);
    }
  });
});

describe("404", () => {
  it("is the answer for an account that there is not, and to another tenant", async () => {
    const [, account] = await openWithFive();
    for (const address of [payee, "nobody"]) {
      const answered = await trellis.request("GET", `/api/service/v1/accounts/${address}/proposals`);
      expect(refusalOf(answered)).toEqual([404, "account_not_found"]);
    }
    const theirs = await at.request("GET", account, "/proposals", undefined, await asOtherTenant(trellis));
    expect(refusalOf(theirs)).toEqual([404, "account_not_found"]);
  });
});

const listed = async (account: Opened, query = "") => dataOf<View[]>(await at.list(account, query));

/** An account with five payments to be voted on, of which every other one is approved. */
async function openWithFive() {
  const a = newKey();
  const account = await at.open({ signers: [may(a)], threshold: 1 }, sol);
  for (let i = 0; i < 5; i += 1) {
    await at.propose(account, a, { ...pays(payee, 1_000_000n + BigInt(i)), approve: i % 2 === 0 });
  }
  return [a, account] as const;
}
