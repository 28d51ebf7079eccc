import { generateHpkeRecipient, sealTo } from "@trellis/kernel/crypto/hpke.js";
import { spkiOfP256Point } from "@trellis/kernel/crypto/p256.js";
import { limits } from "@trellis/kernel/limits.js";
import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { newKey } from "../../test/proposals/support.js";
import { addSoftPasskey, byPasskey, bySession } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { documentIn } from "../../test/support/wallet-exports.js";
import { arrive, type BegunImport, importsOf } from "../../test/support/wallet-imports.js";
import { planGuardedAccount } from "../accounts/creation-plan.js";
import { getAccount } from "../accounts/get-account.js";
import { importAccount } from "../accounts/import-account.js";
import { findOpenWork } from "../operator/archive/read-tables.js";
import { readOutbox } from "../people/sandbox-outbox.js";
import { removeOutdated } from "../scheduler/retention.js";
import { resumeImports } from "./send-notices.js";

const test = useTestNetwork();
let people = 0;

describe("200", () => {
  it("makes the key a wallet of its owner's, mails the owner, reports it and logs it", async () => {
    const { holder, key, imports } = await arrived();
    const begun = await imports.begin();
    expect(begun).toMatchObject({ signer: addressOfKey(key), provider: "kms_a", passkey_required: false });
    const imported = await imports.take(begun);
    const { grid_user_id } = holder.verified;
    expect(imported).toMatchObject({
      id: begun.import_id,
      grid_user_id,
      wallet: { address: addressOfKey(key), provider: "kms_a" },
    });
    const account = await read(holder.address);
    expect(account.policies.signers).toMatchObject([
      { address: addressOfKey(key), provider: "kms_a", role: "primary" },
    ]);
    expect(account.exported_signers).toEqual([addressOfKey(key)]);
    const [mail] = await mails(holder.email);
    expect(mail?.subject).toBe("A key of your account was imported");
    expect(mail?.text).toContain("Whoever had the key before still has it");
    expect(await eventsOf(begun.import_id)).toEqual(["wallet_import.completed"]);
    expect(await entriesOf(addressOfKey(key))).toEqual(["wallet.imported"]);
  });

  it("is the answer to the same request again, which changes nothing, also where the key is sealed anew", async () => {
    const { key, imports } = await arrived();
    const begun = await imports.begin();
    const body = await imports.bodyOf(begun);
    const first = await imports.complete(body);
    await test.network.sandbox?.advanceClock(60);
    expect(await imports.complete(body)).toEqual(first);
    expect(await imports.take(begun)).toEqual(first);
    expect(await eventsOf(begun.import_id)).toHaveLength(1);
    expect(await walletsHeld(addressOfKey(key))).toBe(1);
  });

  it("lets one of several at once take the key", async () => {
    const { key, imports } = await arrived();
    const begun = await imports.begin();
    const body = await imports.bodyOf(begun);
    const all = await Promise.all([1, 2, 3].map(() => imports.complete(body)));
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await walletsHeld(addressOfKey(key))).toBe(1);
    expect(await eventsOf(begun.import_id)).toHaveLength(1);
  });

  it("takes a passkey's signature where one commands the owner's wallet", async () => {
    const email = "keyed@example.org";
    // A passkey is added for an account that the wallet signs for.
    const { passkey } = await addSoftPasskey(test, await test.openHolder(email));
    const imports = importsOf(test, await arrive(test, email));
    const begun = await imports.begin();
    expect(begun.passkey_required).toBe(true);
    expect((await errorOf(imports.take(begun))).code).toBe("passkey_signature_required");
    await imports.take(begun, { authorization: byPasskey(passkey, begun.payload) });
    expect(await walletsHeld(begun.signer)).toBe(1);
  });

  it("keeps nothing by which the request opens later, and no key in clear", async () => {
    const { key, imports } = await arrived();
    const begun = await imports.begin();
    await imports.take(begun);
    const kept = await importRow(begun);
    expect(kept).toMatchObject({ sealed: null, imported_wallet_id: expect.any(String) });
    const rows = await test.needs.db.selectFrom("kms_wallet").selectAll().execute();
    const seed = Buffer.from(key as Uint8Array).subarray(0, 32);
    for (const { secret } of rows) expect(Buffer.from(secret ?? []).includes(seed)).toBe(false);
    expect(JSON.stringify(test.logLines)).not.toContain(seed.toString("base64"));
  });
});

describe("400", () => {
  it("is the answer where what was sealed is not the key of the signer, and the import stays open", async () => {
    const { key, imports } = await arrived();
    const begun = await imports.begin();
    const other = newKey();
    const point = Buffer.from(begun.recipient_public_key, "base64").subarray(-65);
    const info = Buffer.from(`trellis/wallet-import/1/${begun.import_id}/${begun.signer}`);
    const seal = (plaintext: Uint8Array, to: Uint8Array = point, bound: Uint8Array = info) => {
      const { encapsulatedKey, ciphertext } = sealTo(to, plaintext, { info: bound });
      const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
      return { encapsulated_key: base64(encapsulatedKey), ciphertext: base64(ciphertext) };
    };
    const seed = (key as Uint8Array).slice(0, 32);
    for (const sealed_key of [
      seal((other as Uint8Array).slice(0, 32)),
      seal(seed.slice(1)),
      seal(new Uint8Array()),
      seal(seed, generateHpkeRecipient().point),
      seal(seed, point, Buffer.from(`trellis/wallet-import/1/${begun.import_id}/${addressOfKey(other)}`)),
      { encapsulated_key: "AAAA", ciphertext: "AAAA" },
      { encapsulated_key: "%", ciphertext: "" },
    ])
      expect((await errorOf(imports.take(begun, { sealed_key }))).code).toBe("invalid_wallet_key");
    expect(await walletsHeld(begun.signer)).toBe(0);
    await imports.take(begun);
  });

  it("is the answer where something else was signed, or by somebody else", async () => {
    const { holder, imports } = await arrived();
    const begun = await imports.begin();
    const document = documentIn(begun.payload) as { params: object };
    const stranger = await arrived();
    for (const authorization of [
      bySession(stranger.holder, document),
      bySession(holder, { ...document, method: "exportWallet" }),
      bySession(holder, { ...document, nonce: "another" }),
      bySession(holder, {
        ...document,
        params: { ...document.params, recipient_public_key: spkiOfP256Point(generateHpkeRecipient().point) },
      }),
      bySession(holder, documentIn((await imports.begin()).payload)),
    ])
      expect((await errorOf(imports.take(begun, { authorization }))).code).toBe("invalid_signature");
    expect(await walletsHeld(begun.signer)).toBe(0);
  });

  it("is the answer once the import is over, whatever was sealed in time", async () => {
    const { imports } = await arrived();
    const begun = await imports.begin();
    const body = await imports.bodyOf(begun);
    await test.network.sandbox?.advanceClock(limits.walletImportMs / 1000);
    expect((await errorOf(imports.complete(body))).code).toBe("payload_expired");
    expect(await walletsHeld(begun.signer)).toBe(0);
  });

  it("is the answer where a row of the custodian was changed", async () => {
    const { holder, imports } = await arrived();
    const begun = await imports.begin();
    const body = await imports.bodyOf(begun);
    const { db } = test.needs;
    const later = BigInt(Date.parse(begun.expires_at) + 1);
    await db.updateTable("kms_wallet_import").set({ expires_at: later }).where("id", "=", begun.import_id).execute();
    expect((await errorOf(imports.complete(body))).code).toBe("invalid_signature");
    await db.updateTable("wallet_import").set({ expires_at: later }).where("id", "=", begun.import_id).execute();
    const expires_at = new Date(Number(later)).toISOString();
    const authorization = bySession(holder, { ...documentIn(begun.payload), expires_at });
    await expect(imports.complete({ ...body, authorization })).rejects.toThrow("envelope");
    expect(await walletsHeld(begun.signer)).toBe(0);
  });
});

describe("403", () => {
  it("is the answer where the key recovers a guarded account, or is to, whosever it is", async () => {
    const { db } = test.needs;
    const { key, imports } = await arrived();
    const signer_address = addressOfKey(key);
    const begun = await imports.begin();
    const plan = JSON.stringify(
      planGuardedAccount({
        guardian: "kms_c",
        relyingParty: { id: "example.org", origins: [] },
        recovery: signer_address,
      }),
    );
    const refuse = async () => {
      for (const call of [() => imports.begin(), () => imports.take(begun)])
        expect((await errorOf(call())).code).toBe("insufficient_permissions");
    };
    const tenant = await test.addTenant("recovering");
    const of = { tenant_id: tenant.tenantId, environment: "sandbox", created_at: 0n } as const;
    await db.updateTable("tenant").set({ recovery_address: signer_address }).where("id", "=", of.tenant_id).execute();
    await refuse();
    await db.updateTable("tenant").set({ recovery_address: null }).where("id", "=", of.tenant_id).execute();
    const other = await test.openHolder("guarded@example.org");
    const named = { environment: "sandbox", account_address: other.address } as const;
    await db
      .updateTable("account_creation")
      .set({ plan, state: "pending", account_address: null })
      .where("account_address", "=", other.address)
      .execute();
    await refuse();
    await db.updateTable("account_creation").set({ state: "failed" }).where("plan", "=", plan).execute();
    const recovery = { ...named, signer_address, role: "backup", provider: "external", wallet_id: null } as const;
    await db
      .insertInto("account_signer")
      .values({ ...recovery, position: 9 })
      .execute();
    const guardian = db
      .selectFrom("account_signer")
      .select("wallet_id")
      .where("account_address", "=", other.address)
      .where("position", "=", 1);
    await db.updateTable("wallet").set({ is_guarded: true }).where("id", "in", guardian).execute();
    await refuse();
    await db.updateTable("wallet").set({ is_guarded: false }).execute();
    await imports.take(begun);
  });
});

describe("404", () => {
  it("is the answer to another account's import, to one that is not there, and to another tenant", async () => {
    const [one, other] = [await arrived(), await arrived()];
    const begun = await one.imports.begin();
    const body = await one.imports.bodyOf(begun);
    expect((await errorOf(other.imports.complete(body))).code).toBe("wallet_import_not_found");
    const caller = await test.addTenant(`imports-${people}`);
    expect((await errorOf(one.imports.complete(body, { caller }))).code).toBe("account_not_found");
    await test.needs.db.deleteFrom("kms_wallet_import").where("id", "=", begun.import_id).execute();
    expect((await errorOf(one.imports.complete(body))).code).toBe("wallet_import_not_found");
  });
});

describe("409", () => {
  it("is the answer to a second import of a key, by whomever", async () => {
    const { key, imports } = await arrived();
    const other = await arrived([key]);
    const [second, begun] = [await imports.begin(), await other.imports.begin()];
    await imports.all();
    expect((await errorOf(imports.take(second))).code).toBe("wallet_key_held");
    expect((await errorOf(imports.begin())).code).toBe("wallet_key_held");
    expect((await errorOf(other.imports.take(begun))).code).toBe("wallet_key_held");
    expect(await walletsHeld(addressOfKey(key))).toBe(1);
    // Every account of the tenant that it signs for says who holds it.
    expect((await read(other.holder.address)).policies.signers).toMatchObject([{ provider: "kms_a", role: "primary" }]);
  });

  it("is the answer to a thief's import of a key that a custodian holds", async () => {
    const { imports, key } = await arrived();
    const begun = await imports.begin();
    const { db } = test.needs;
    const [held] = await db.selectFrom("wallet").selectAll().limit(1).execute();
    // As if a custodian of another process held it.
    const row = { ...held, id: "elsewhere", owner_id: "somebody", address: addressOfKey(key) };
    await db
      .insertInto("wallet")
      .values(row as never)
      .execute();
    expect((await errorOf(imports.take(begun))).code).toBe("wallet_key_held");
  });
});

describe("429", () => {
  it("is the answer to one more than may be open, which ends none of the others", async () => {
    const { imports } = await arrived();
    const begun = await imports.begin();
    for (let open = 1; open < limits.walletImportsOpen; open += 1) await imports.begin();
    const refused = await Promise.all([1, 2].map(() => errorOf(imports.begin())));
    expect(refused).toMatchObject([{ code: "rate_limit_exceeded" }, { code: "rate_limit_exceeded" }]);
    await imports.take(begun);
  });

  it("is over with their time", async () => {
    const { imports } = await arrived();
    for (let open = 0; open < limits.walletImportsOpen; open += 1) await imports.begin();
    await test.network.sandbox?.advanceClock(limits.walletImportMs / 1000);
    await imports.all();
  });
});

describe("A crash", () => {
  it("between the custodian and the service is made good by the same request", async () => {
    const { holder, imports } = await arrived();
    const begun = await imports.begin();
    const body = await imports.bodyOf(begun);
    const first = await imports.complete(body);
    await forgetOutcome(begun, holder.address);
    expect(await imports.complete(body)).toEqual(first);
    expect((await read(holder.address)).policies.signers).toMatchObject([{ provider: "kms_a" }]);
    expect(await eventsOf(begun.import_id)).toHaveLength(1);
  });

  it("and by the pass, where the request is never repeated: the owner is mailed", async () => {
    const { holder, imports } = await arrived();
    const begun = await imports.begin();
    const open = await imports.begin();
    await imports.take(begun);
    await forgetOutcome(begun, holder.address);
    await resumeImports(test.needs, test.network);
    await resumeImports(test.needs, test.network);
    expect((await read(holder.address)).policies.signers).toMatchObject([{ provider: "kms_a" }]);
    expect(await eventsOf(begun.import_id)).toHaveLength(1);
    expect(await eventsOf(open.import_id)).toEqual([]);
    expect((await mails(holder.email)).filter(({ subject }) => subject.includes("imported"))).toHaveLength(2);
  });

  it("that cannot be made good holds up no other, and no mail", async () => {
    const bad = await arrived();
    const good = await arrived();
    const [first, second] = [await bad.imports.begin(), await good.imports.begin()];
    await bad.imports.take(first);
    await good.imports.take(second);
    await forgetOutcome(first, bad.holder.address);
    await forgetOutcome(second, good.holder.address);
    // No date says when it was.
    const [{ imported_wallet_id: id }] = (await test.needs.db
      .selectFrom("kms_wallet_import")
      .select("imported_wallet_id")
      .where("id", "=", first.import_id)
      .execute()) as [{ imported_wallet_id: string }];
    await test.needs.db
      .updateTable("wallet")
      .set({ imported_at: 9n * 10n ** 15n })
      .where("id", "=", id)
      .execute();
    await expect(resumeImports(test.needs, test.network)).rejects.toThrow("Invalid time value");
    expect(await eventsOf(second.import_id)).toHaveLength(1);
    expect((await mails(good.holder.email)).filter(({ subject }) => subject.includes("imported"))).toHaveLength(2);
    await test.needs.db.deleteFrom("wallet_import").where("id", "=", first.import_id).execute();
  });
});

describe("What a custodian took and the service has not noted", () => {
  it("holds up a tenant's move and is spared, until a pass notes it: for a frozen tenant, too", async () => {
    const { db } = test.needs;
    const { holder, imports } = await arrived();
    const begun = await imports.begin();
    await imports.take(begun);
    const chosen = { tenantId: "tenant-1", environments: ["sandbox"] };
    const openWork = () => db.transaction().execute((trx) => findOpenWork(trx, chosen, 0));
    await db.updateTable("wallet_import").set({ is_noticed: false }).where("id", "=", begun.import_id).execute();
    expect((await openWork()).join()).not.toContain("imports of keys");
    await forgetOutcome(begun, holder.address);
    expect((await openWork()).join()).toContain("1 imports of keys");
    await test.network.sandbox?.advanceClock(3 * 86_400);
    await removeOutdated(test.needs, [test.network]);
    const freeze = (frozen_at: bigint | null) =>
      db.updateTable("tenant").set({ frozen_at }).where("id", "=", "tenant-1").execute();
    await freeze(1n);
    await resumeImports(test.needs, test.network);
    expect((await openWork()).join()).not.toContain("imports of keys");
    await freeze(null);
    expect((await read(holder.address)).policies.signers).toMatchObject([{ provider: "kms_a" }]);
    expect(await eventsOf(begun.import_id)).toHaveLength(1);
  });

  it("is made good by an import of the account where nothing says of it any more", async () => {
    const { db } = test.needs;
    const { holder, imports } = await arrived();
    const begun = await imports.begin();
    await imports.take(begun);
    await forgetOutcome(begun, holder.address);
    await db.deleteFrom("wallet_import").where("id", "=", begun.import_id).execute();
    const { settings_address } = await db
      .selectFrom("account")
      .select("settings_address")
      .where("address", "=", holder.address)
      .executeTakeFirstOrThrow();
    const again = await test.call(importAccount, { body: { settings_address } });
    expect(again).toMatchObject({ policies: { signers: [{ provider: "kms_a", role: "primary" }] } });
  });
});

async function arrived(keys?: Parameters<typeof arrive>[2]) {
  people += 1;
  const arrival = await arrive(test, `arriving-${people}@example.org`, keys);
  return { ...arrival, imports: importsOf(test, arrival) };
}

/** As if the process had died behind the custodian's answer. */
async function forgetOutcome(begun: BegunImport, account: string): Promise<void> {
  const { db } = test.needs;
  await db.deleteFrom("event").where("object_id", "=", begun.import_id).execute();
  await db
    .updateTable("wallet_import")
    .set({ state: "open", imported_at: null, is_noticed: false })
    .where("id", "=", begun.import_id)
    .execute();
  await db
    .updateTable("account_signer")
    .set({ provider: "external", wallet_id: null })
    .where("account_address", "=", account)
    .where("signer_address", "=", begun.signer)
    .execute();
}

interface ReadAccount {
  readonly policies: { readonly signers: readonly { readonly address: string; readonly provider: string }[] };
  readonly exported_signers?: readonly string[];
}
const read = (address: string) => test.call<ReadAccount>(getAccount, { params: { address } });

const mails = (email: string) => test.call<{ subject: string; text: string }[]>(readOutbox, { query: { email } });

const importRow = ({ import_id }: BegunImport) =>
  test.needs.db.selectFrom("kms_wallet_import").selectAll().where("id", "=", import_id).executeTakeFirst();

async function walletsHeld(address: string): Promise<number> {
  return (await test.needs.db.selectFrom("kms_wallet").select("id").where("address", "=", address).execute()).length;
}

async function eventsOf(objectId: string): Promise<string[]> {
  const found = test.needs.db.selectFrom("event").select("type").where("object_id", "=", objectId);
  return (await found.execute()).map(({ type }) => type);
}

async function entriesOf(address: string): Promise<string[]> {
  const found = test.needs.db.selectFrom("audit_entry").select("kind").where("body", "like", `%"address"%${address}%`);
  return (await found.execute()).map(({ kind }) => kind);
}
