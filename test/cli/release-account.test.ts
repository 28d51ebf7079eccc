import { addressOfKey } from "@trellis/sdk";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { getAccount } from "../../src/accounts/get-account.js";
import { runProgram } from "../../src/cli/commands/program.js";
import { describeRelease } from "../../src/cli/release-account.js";
import { releaseForOperator } from "../../src/operator/release-account.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { newKey } from "../proposals/support.js";
import { importsOf } from "../support/imported-accounts.js";
import { useTestNetwork } from "../support/scene.js";
import { errorOf, publicKeyOf } from "../support/test-network.js";

const test = useTestNetwork();
const { create, openImported, importAs } = importsOf(test);
const release = (address: string, environment?: string) =>
  releaseForOperator(test.needs.db, { address, environment }, test.network.clock.now());

describe("trellis account release", () => {
  it("releases an account that a tenant has captured, so that its own one can import it", async () => {
    const [key, account] = await openImported();
    const tenant = test.caller.tenantId;
    expect(await release(account.address, "mainnet")).toEqual({ outcome: "unknown" });
    const released = await release(account.address);
    expect(released).toEqual({ outcome: "released", environment: "sandbox", tenant });
    expect(describeRelease(account.address, released)).toEqual([
      `The account ${account.address} (sandbox) is released by ${tenant}.`,
    ]);
    expect(await release(account.address)).toEqual({ outcome: "unknown" });
    const { rows } = await sql<{ body: string }>`select body from audit_entry
      where kind = 'account.released' and subject = ${`account/${account.address}`}`.execute(test.needs.db);
    expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([{ tenant, actor: "operator" }]);
    expect(rows[0]?.body).not.toContain("signer");
    const caller = await test.addTenant("its-own-tenant");
    await importAs(key, account, { caller });
    expect(await test.call(getAccount, { params: { address: account.address }, caller })).toMatchObject({
      status: "active",
    });
  });

  it("names what has to end first, and changes nothing", async () => {
    const [key, account] = await openImported();
    await test.airdrop(account.address, "sol", "5000000000");
    const { address } = account;
    const shop = publicKeyOf("a shop");
    const { id } = await test.call<{ id: string }>(preparePayment, {
      params: { address },
      body: {
        amount: "100000000",
        source: { account: address, currency: "sol", transaction_signers: [addressOfKey(key)] },
        destination: { address: shop, currency: "sol" },
      },
    });
    const released = await release(address);
    expect(released).toEqual({ outcome: "in_use", obstacles: [{ type: "payment_intent", id }] });
    expect(describeRelease(address, released).join(" ")).toContain(`payment_intent  ${id}`);
    expect(await test.call(getAccount, { params: { address } })).toMatchObject({ status: "active" });
  });

  it("releases no account that was created here, and one that a former process has imported", async () => {
    const made = await create([newKey()]);
    expect(await release(made.address)).toEqual({ outcome: "created_here" });
    const [, account] = await openImported();
    await test.needs.db
      .updateTable("account")
      .set({ imported_at: null })
      .where("address", "=", account.address)
      .execute();
    expect(await release(account.address)).toMatchObject({ outcome: "released" });
    expect(await errorOf(test.call(getAccount, { params: { address: account.address } }))).toMatchObject({
      code: "account_not_found",
    });
  });

  it("wants an address", async () => {
    const needs = { environment: {}, inKeyOffice: () => Promise.reject(new Error("no key is asked for")) };
    expect(await runProgram(needs, ["account", "release"])).toBe(2);
    expect(await runProgram(needs, ["account", "release", "--help"])).toBe(0);
  });
});
