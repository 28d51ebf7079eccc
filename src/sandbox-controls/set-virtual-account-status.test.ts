import { randomUUID } from "node:crypto";
import type { Static } from "typebox";
import { beforeAll, describe, expect, it } from "vitest";
import { away, bent, notSimulated, openApproved, withoutRails } from "../../test/rails/transfers-support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import { listDeposits } from "../rails/list-deposits.js";
import { listVirtualAccounts } from "../rails/list-virtual-accounts.js";
import { requestVirtualAccount } from "../rails/request-virtual-account.js";
import type { VirtualAccount } from "../rails/virtual-account.js";
import { setVirtualAccountStatus } from "./set-virtual-account-status.js";
import { simulateDeposit } from "./simulate-deposit.js";

const test = useTestNetwork();
let address: string;
let account: View;
beforeAll(setUp);

describe("200", () => {
  it("deactivates an account, however often, and activates it again", async () => {
    const bankDetails = { source_deposit_instructions: account.source_deposit_instructions };
    for (const _ of [1, 2]) {
      expect(await set("deactivated")).toMatchObject({ id: account.id, status: "deactivated", ...bankDetails });
    }
    expect(await list()).toMatchObject([{ id: account.id, status: "deactivated" }]);
    for (const _ of [1, 2]) expect(await set("activated")).toMatchObject({ id: account.id, status: "activated" });
    expect(await list()).toMatchObject([{ id: account.id, status: "activated" }]);
  });

  it("sends back what was on its way, and takes money again once it is activated", async () => {
    const pay = (amount: string) =>
      test.call<{ id: string; state: string }>(simulateDeposit, {
        params: { virtual_account_id: account.id },
        body: { amount },
      });
    const under = await pay("10.02");
    expect(under.state).toBe("in_review");
    await set("deactivated");
    await test.network.sandbox?.advanceClock(3_600);
    await set("deactivated");
    expect(await stateOf(under.id)).toBe("refunded");
    await set("activated");
    expect((await pay("10.00")).state).toBe("processed");
  });

  it("is one decision for several at once", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => set("deactivated")));
    expect(answers.map(({ status }) => status)).toEqual(Array(3).fill("deactivated"));
    await set("activated");
  });
});

describe("400", () => {
  it("where there are no rails, or nothing simulates them", async () => {
    const unavailable = { code: "rail_not_available", status: 400 };
    for (const needs of [withoutRails, notSimulated(test)]) {
      expect(await errorOf(set("deactivated", { needs }))).toMatchObject(unavailable);
    }
    expect(await list()).toMatchObject([{ status: "activated" }]);
  });
});

describe("404", () => {
  it("for an account that is another tenant's, or nobody's", async () => {
    const notFound = { code: "virtual_account_not_found", status: 404 };
    const caller = await test.addTenant("stranger");
    expect(await errorOf(set("deactivated", { caller }))).toMatchObject(notFound);
    for (const virtual_account_id of [randomUUID(), "x"]) {
      expect(await errorOf(set("deactivated", { params: { virtual_account_id } }))).toMatchObject(notFound);
    }
    expect(await list()).toMatchObject([{ status: "activated" }]);
  });
});

describe("502", () => {
  it("while the partner does not say what became of it, which the next call reads", async () => {
    const needs = bent(test, () => ({ readVirtualAccount: away }));
    const error = await errorOf(set("deactivated", { needs }));
    expect(error).toMatchObject({ code: "partner_unavailable", status: 502 });
    expect(await set("deactivated")).toMatchObject({ status: "deactivated" });
    await set("activated");
  });
});

type View = Static<typeof VirtualAccount>;

async function setUp(): Promise<void> {
  address = (await openApproved(test, "holder@example.org")).verified.address;
  account = await test.call<View>(requestVirtualAccount, { params: { address }, body: { currency: "usd" } });
}

const set = (status: string, parts: CallParts = {}) =>
  test.call<View>(setVirtualAccountStatus, {
    params: { virtual_account_id: account.id },
    body: { status },
    ...parts,
  });

const list = () => test.call<View[]>(listVirtualAccounts, { params: { address } });

async function stateOf(id: string): Promise<string | undefined> {
  const params = { address, virtual_account_id: account.id };
  const deposits = await test.call<{ id: string; state: string }[]>(listDeposits, { params });
  return deposits.find((deposit) => deposit.id === id)?.state;
}
