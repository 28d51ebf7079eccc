import { randomUUID } from "node:crypto";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { may, newKey } from "../../test/proposals/support.js";
import { grantLimit, type PreparedLimit, submitAs } from "../../test/spending-limits/support.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type OwnAccount, openOwnAccount } from "../../test/support/self-paid.js";
import { breakConnection, type CallParts, errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { createCustomAccount } from "../accounts/create-custom-account.js";
import { createProposal } from "../proposals/create-proposal.js";
import { submitTransactions } from "../transactions/submit-transactions.js";
import { createSpendingLimit } from "./create-spending-limit.js";
import { deleteSpendingLimit } from "./delete-spending-limit.js";
import { listSpendingLimits } from "./list-spending-limits.js";

const test = useTestNetwork();
let account: OwnAccount;
beforeAll(setUp);

describe("200", () => {
  it("prepares the removal of one limit, which happens when that is submitted", async () => {
    const [kept, limit] = [await grantLimit(test, account), await grantLimit(test, account)];
    const prepared = await remove(limit);
    expect(prepared).toMatchObject({
      transaction_signers: [addressOfKey(account.key)],
      kms_payloads: [],
      summary: [{ type: "settings_change", actions: [{ type: "remove_spending_limit", spending_limit: limit }] }],
    });
    expect(await limits()).toEqual([kept, limit].sort());
    await submitAs(test, account, prepared);
    expect(await limits()).toEqual([kept]);
    expect(await errorOf(remove(limit))).toMatchObject({ code: "spending_limit_not_found", status: 404 });
  });

  it("gives the rent back to the service, which paid it", async () => {
    const limit = await grantLimit(test, account);
    const rent = await balanceOf(limit);
    const prepared = await remove(limit);
    const before = await balanceOf(test.network.feePayer.address);
    await submitAs(test, account, prepared);
    const gained = (await balanceOf(test.network.feePayer.address)) - before;
    expect(gained).toBe(rent - BigInt(prepared.fee.lamports));
    expect(await balanceOf(limit)).toBe(0n);
  });

  it("removes once, however many removals were prepared at once", async () => {
    const limit = await grantLimit(test, account);
    const [one, other] = await Promise.all([remove(limit), remove(limit)]);
    await submitAs(test, account, one);
    expect(await errorOf(submitAs(test, account, other))).toMatchObject({ code: "transaction_failed" });
    expect(await limits()).not.toContain(limit);
  });

  it("is signed by the admin alone where there is one", async () => {
    const { admin, address, limit } = await openWithAdmin();
    const prepared = await remove(limit, { params: paramsOf(address, limit), query: { admin: true } });
    expect(prepared.transaction_signers).toEqual([addressOfKey(admin)]);
    await submitSigned(address, prepared, [admin]);
    expect(await limits(address)).toEqual([]);
  });
});

describe("400", () => {
  it("where the admin is needed, or there is none", async () => {
    const { address, limit } = await openWithAdmin();
    const withoutAdmin = remove(limit, { params: paramsOf(address, limit) });
    expect(await errorOf(withoutAdmin)).toMatchObject({ code: "admin_required", status: 400 });
    const own = await grantLimit(test, account);
    const asAdmin = remove(own, { query: { admin: true } });
    expect(await errorOf(asAdmin)).toMatchObject({ code: "account_has_no_admin", status: 400 });
  });

  it("for a payer that cannot sign, is the service's own, or has nothing to pay with", async () => {
    const limit = await grantLimit(test, account);
    const paidBy = (payer_address: string) =>
      errorOf(remove(limit, { body: { fee_config: { self_managed_fees: true }, payer_address } }));
    expect(await paidBy(account.address)).toMatchObject({ code: "unsupported_fee_config", status: 400 });
    expect(await paidBy(test.network.feePayer.address)).toMatchObject({ code: "forbidden_account", status: 400 });
    expect(await paidBy(addressOfKey(newKey()))).toMatchObject({ code: "transaction_failed", status: 400 });
    expect(await limits()).toContain(limit);
  });
});

describe("403", () => {
  it("for a signer who is none of the account's", async () => {
    const limit = await grantLimit(test, account);
    const refused = remove(limit, { body: { transaction_signers: [stranger] } });
    expect(await errorOf(refused)).toMatchObject({ code: "insufficient_permissions", status: 403 });
  });
});

describe("404", () => {
  it("for what is no limit, or another account's", async () => {
    const elsewhere = await grantLimit(test, await openOwnAccount(test));
    for (const address of [elsewhere, account.settings, stranger, "nonsense"]) {
      expect(await errorOf(remove(address))).toMatchObject({ code: "spending_limit_not_found", status: 404 });
    }
  });

  it("for another tenant's account", async () => {
    const limit = await grantLimit(test, account);
    const caller = await test.addTenant("stranger");
    expect(await errorOf(remove(limit, { caller }))).toMatchObject({ code: "account_not_found", status: 404 });
  });
});

describe("409", () => {
  it("where the signers cannot act at once: the refusal names the action to propose", async () => {
    const [one, other] = [newKey(), newKey()];
    const { address, limit } = await openWith({ signers: [may(one), may(other)], threshold: 2 }, [one, other]);
    const body = { transaction_signers: [addressOfKey(one)] };
    const error = await errorOf(remove(limit, { params: paramsOf(address, limit), body }));
    expect(error).toMatchObject({ code: "proposal_required", status: 409 });
    const actions = [{ type: "RemoveSpendingLimit", spendingLimit: limit }];
    expect(error.details).toMatchObject([{ proposal: { type: "settings", actions } }]);
    const proposal = { signer: addressOfKey(one), type: "settings", actions };
    expect(await test.call(createProposal, { params: { address }, body: proposal })).toMatchObject({
      summary: [{ actions: [{ type: "remove_spending_limit", spending_limit: limit }] }],
    });
  });
});

describe("502", () => {
  it("while the chain cannot be reached", async () => {
    const limit = await grantLimit(test, account);
    const network = breakConnection(test.network, () => true);
    expect(await errorOf(remove(limit, { network }))).toMatchObject({ code: "chain_unavailable", status: 502 });
  });
});

async function setUp(): Promise<void> {
  account = await openOwnAccount(test);
}

const stranger = publicKeyOf("nobody who signs for the account");

/** An account of this policy, with a limit that these keys gave. */
async function openWith(policies: object, keys: readonly SignerKey[], query: object = {}) {
  const { address } = await test.call<{ address: string }>(createCustomAccount, {
    body: { policies },
    operationId: randomUUID(),
  });
  const terms = { amount: "1", mint: "sol", period: "day", spending_limit_signers: [stranger] };
  const prepared = await test.call<PreparedLimit>(createSpendingLimit, { params: { address }, query, body: terms });
  await submitSigned(address, prepared, keys);
  return { address, limit: prepared.spending_limit_address };
}

async function openWithAdmin() {
  const admin = newKey();
  const policies = { signers: [may(newKey())], threshold: 1, admin_address: addressOfKey(admin) };
  return { admin, ...(await openWith(policies, [admin], { admin: true })) };
}

const submitSigned = (address: string, prepared: PreparedLimit, keys: readonly SignerKey[]) =>
  test.call(submitTransactions, {
    params: { address },
    body: { transaction: signTransaction(prepared.transaction, keys), kms_payloads: [] },
  });

const paramsOf = (address: string, limit: string) => ({ address, spending_limit_address: limit });

const remove = (limit: string, parts: CallParts = {}) =>
  test.call<PreparedLimit>(deleteSpendingLimit, { params: paramsOf(account.address, limit), body: {}, ...parts });

const limits = async (address: string = account.address) =>
  (await test.call<{ address: string }[]>(listSpendingLimits, { params: { address } })).map((limit) => limit.address);

const balanceOf = async (address: string) => (await test.network.rpc.getBalance(address as never).send()).value;
