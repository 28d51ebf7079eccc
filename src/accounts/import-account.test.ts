import { randomUUID } from "node:crypto";
import { limits } from "@trellis/kernel/limits.js";
import { CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { addressOfKey, type SignerKey } from "@trellis/sdk";
import { isChainSignature } from "@trellis/solana/strict-signature.js";
import { describe, expect, it } from "vitest";
import { newKey } from "../../test/proposals/support.js";
import { importsOf, signedBy } from "../../test/support/imported-accounts.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, type CallParts } from "../../test/support/test-network.js";
import { getAccount } from "./get-account.js";
import { importAccount } from "./import-account.js";

const test = useTestNetwork();
const imports = importsOf(test);
const { create, forget, openElsewhere } = imports;
const signed = signedBy;

describe("200", () => {
  it("shows every caller what the chain has, and serves nobody before a signer has proven itself", async () => {
    const [key, account] = await openElsewhere();
    for (const caller of [test.caller, await addTenant()]) {
      const found = await importing({ settings_address: account.settings_address }, { caller });
      expect(found).toMatchObject({ ...account, status: "unproven", wallets: [] });
      expect(found.policies.signers).toMatchObject([{ address: addressOfKey(key), provider: "external" }]);
      expect(found).not.toHaveProperty("grid_user_id");
      expect(found.challenge?.message).toContain(`For: ${caller.tenantId}`);
      await expect(read(account.address, { caller })).rejects.toMatchObject({ code: "account_not_found" });
    }
  });

  it("serves the account of a signer's proof from then on, and is the same again", async () => {
    const [key, account] = await openElsewhere();
    const body = { settings_address: account.settings_address, memo: "mine", proof: await proofOf(key, account) };
    const all = await Promise.all([importing(body), importing(body), importing(body)]);
    expect(all[0]).toMatchObject({ ...account, status: "active", grid_user_id: expect.any(String) });
    expect(all[0]).not.toHaveProperty("challenge");
    expect([all[1], all[2], await importing(body)]).toEqual([all[0], all[0], all[0]]);
    expect((await importing({ address: account.settings_address })).grid_user_id).toBe(all[0]?.grid_user_id);
    expect(await read(account.address)).toMatchObject({ type: "custom", memo: "mine", status: "active" });
  });

  it("takes a wallet that it holds for the tenant's user as the proof", async () => {
    const { verified } = await test.openHolder("moved@example.org");
    const { settings_address } = await read(verified.address);
    await forget(verified.address);
    const other = await importing({ settings_address }, { caller: await addTenant() });
    expect(other.status).toBe("unproven");
    const mine = await importing({ settings_address });
    expect(mine.status).toBe("active");
    expect(mine.policies.signers.map(({ provider, role }) => [provider, role])).toEqual([
      ["kms_a", "primary"],
      ["kms_b", "backup"],
    ]);
  });

  it("makes the wallets of an e-mail address once, each of which proves that it can sign", async () => {
    const [, { settings_address }] = await openElsewhere();
    const body = { settings_address, email: "grace@example.org", wallet_nonce: "ab".repeat(32) };
    const { status, wallets } = await importing(body);
    expect([status, wallets.map(({ provider }) => provider)]).toEqual(["unproven", ["kms_a", "kms_b"]]);
    for (const { address, proof } of wallets) {
      expect(proof?.message).toContain(body.wallet_nonce);
      const [text, signature] = [Buffer.from(proof?.message ?? ""), Buffer.from(proof?.signature ?? "", "base64")];
      expect(isChainSignature(address as never, text, signature)).toBe(true);
    }
    const { wallet_nonce: _, ...again } = body;
    expect((await importing(again)).wallets).toEqual(wallets.map(({ address, provider }) => ({ address, provider })));
  });
});

describe("400", () => {
  it("refuses a proof of another signer, for something else, out of date, or not signed", async () => {
    const [key, account] = await openElsewhere();
    const [, another] = await openElsewhere([key]);
    const good = await proofOf(key, account);
    const stranger = newKey();
    const wrong = [
      signed(stranger, good.message),
      { ...signed(stranger, good.message), signer_address: addressOfKey(key) },
      await proofOf(key, another),
      await proofOf(key, account, await addTenant()),
      signed(key, good.message.replace(/Valid until: .*/, "Valid until: 2099-01-01T00:00:00.000Z")),
      signed(key, ""),
      { ...good, signature: "" },
      { ...good, message: `${good.message}\n` },
    ];
    const refused = { status: 400, code: "invalid_import_proof" };
    const { settings_address } = account;
    for (const proof of wrong) {
      await expect(importing({ settings_address, proof }), proof.message).rejects.toMatchObject(refused);
    }
    await expect(read(account.address)).rejects.toMatchObject({ code: "account_not_found" });
    test.needs.realClock.advance(limits.importProofMs);
    await expect(importing({ settings_address, proof: good })).rejects.toMatchObject(refused);
  });

  it("refuses what is no address, no e-mail address, and nothing at all", async () => {
    const [, { settings_address }] = await openElsewhere();
    await expect(importing({})).rejects.toMatchObject({ status: 400, code: "invalid_request" });
    for (const body of [{ address: "nobody" }, { settings_address: "nobody" }]) {
      await expect(importing(body)).rejects.toMatchObject({ status: 400, code: "invalid_address" });
    }
    const refused = importing({ settings_address, email: "nobody" });
    await expect(refused).rejects.toMatchObject({ status: 400, code: "invalid_email" });
  });

  it("refuses an account that a key of the service belongs to", async () => {
    const [key, { settings_address }] = await openElsewhere();
    const network = { ...test.network, serviceAddresses: new Set([addressOfKey(key)]) };
    const refused = importing({ settings_address }, { network });
    await expect(refused).rejects.toMatchObject({ status: 400, code: "forbidden_account" });
  });
});

describe("404", () => {
  it("is the answer for what the chain does not show as one smart account", async () => {
    const [[, account], [, another]] = [await openElsewhere(), await openElsewhere()];
    const missing = [
      // It never sent anything, so that nothing leads from it to its settings.
      { address: account.address },
      { address: addressOfKey(newKey()) },
      { settings_address: account.address },
      { settings_address: account.settings_address, address: another.address },
    ];
    for (const body of missing) {
      await expect(importing(body)).rejects.toMatchObject({ status: 404, code: "account_not_found" });
    }
  });
});

describe("409", () => {
  it("tells a caller that another tenant has the account only once it has proven itself", async () => {
    const [key, account] = await openElsewhere();
    const { settings_address } = account;
    const caller = await addTenant();
    const mine = await proofOf(key, account);
    const theirs = await proofOf(key, account, caller);
    expect((await importing({ settings_address, proof: theirs }, { caller })).status).toBe("active");
    const elsewhere = { status: 409, code: "account_served_elsewhere" };
    await expect(importing({ settings_address, proof: mine })).rejects.toMatchObject(elsewhere);
    // Its new wallets could do nothing with the account here.
    const withWallets = importing({ settings_address, email: "new@example.org", wallet_nonce: "cd".repeat(32) });
    await expect(withWallets).rejects.toMatchObject(elsewhere);
    expect((await importing({ settings_address })).status).toBe("unproven");
    await expect(read(account.address)).rejects.toMatchObject({ code: "account_not_found" });
  });

  it("is the answer while the account may be the outcome of a creation that is under way here", async () => {
    const key = newKey();
    const account = await create([key]);
    const { db } = test.needs;
    await forget(account.address);
    await db
      .updateTable("account_creation")
      .set({ state: "pending" })
      .where("plan", "like", `%${addressOfKey(key)}%`)
      .execute();
    const refused = importing({ settings_address: account.settings_address, proof: await proofOf(key, account) });
    await expect(refused).rejects.toMatchObject({ status: 409, code: "submission_in_progress" });
  });
});

describe("502", () => {
  it("is the answer where a custodian makes no wallet", async () => {
    const [, { settings_address }] = await openElsewhere();
    const kmsA = test.needs.custodians.get("kms_a");
    if (kmsA === undefined) throw new Error("a custodian is missing");
    const ensureWallet = () => Promise.reject(new CustodianUnavailable("timeout", "no answer"));
    const custodians = new Map([["kms_a" as const, { ...kmsA, ensureWallet }]]);
    const refused = importing({ settings_address, email: "ada@example.org" }, { needs: { custodians } });
    await expect(refused).rejects.toMatchObject({ status: 502, code: "provider_unavailable" });
  });

  it("is the answer where no node answers", async () => {
    const [, { settings_address }] = await openElsewhere();
    const refused = importing({ settings_address }, { network: breakConnection(test.network, () => true) });
    await expect(refused).rejects.toMatchObject({ code: "chain_unavailable" });
  });
});

interface Opened {
  readonly address: string;
  readonly settings_address: string;
}

interface Imported extends Opened {
  readonly status: string;
  readonly policies: { readonly signers: readonly { address: string; provider: string; role: string }[] };
  readonly wallets: readonly { address: string; provider: string; proof?: { message: string; signature: string } }[];
  readonly grid_user_id?: string;
  readonly challenge?: { readonly message: string };
}

const addTenant = () => test.addTenant(`other-${randomUUID()}`);

const importing = (body: object, more: CallParts = {}) => test.call<Imported>(importAccount, { body, ...more });

const read = (address: string, more: CallParts = {}) => test.call<Opened>(getAccount, { params: { address }, ...more });

async function proofOf(key: SignerKey, account: Opened, caller = test.caller) {
  return imports.proofOf(key, account, { caller });
}
