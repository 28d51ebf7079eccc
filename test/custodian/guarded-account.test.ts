import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createAccount } from "../../src/accounts/create-account.js";
import { getAccount } from "../../src/accounts/get-account.js";
import { verifyAccount } from "../../src/accounts/verify-account.js";
import { createRemoteCustodian } from "../../src/adapters/kms/remote-custodian.js";
import { recordWallets } from "../../src/custody/wallet-directory.js";
import { addPasskey } from "../../src/passkeys/add-passkey.js";
import { cancelGuardianChange } from "../../src/passkeys/cancel-guardian-change.js";
import { listPasskeys } from "../../src/passkeys/list-passkeys.js";
import { removePasskey } from "../../src/passkeys/remove-passkey.js";
import { renamePasskey } from "../../src/passkeys/rename-passkey.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { removeOutdated } from "../../src/scheduler/retention.js";
import { beginPasskeySignIn } from "../../src/sign-in/begin-passkey-sign-in.js";
import { signInWithPasskey } from "../../src/sign-in/sign-in-with-passkey.js";
import { startAuthentication } from "../../src/sign-in/start-authentication.js";
import { findAccountDefaults, setAccountDefaults } from "../../src/tenants/account-defaults.js";
import { createTenant } from "../../src/tenants/create-tenant.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { createSoftPasskey, type SoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import {
  addition,
  begin,
  byPasskey,
  bySessionKey,
  page,
  removing,
  toPayload,
  type WirePasskey,
} from "../support/passkeys.js";
import { use, useTestNetwork } from "../support/scene.js";
import {
  type CallParts,
  createClientKey,
  errorOf,
  importAuthorizationKey,
  publicKeyOf,
  sessionOf,
  type Verified,
} from "../support/test-network.js";

const test = useTestNetwork();
const custodian = use(async () => {
  const started = await startTestCustodian({ variables: { TRELLIS_CUSTODIAN_NAME: "kms_c" } });
  const { db } = test.needs;
  const parts = { client: started.clientWith(), keys: started.keys, db, isGuardian: true };
  test.needs.custodians.set("kms_c", recordWallets(db, createRemoteCustodian({ provider: "kms_c", ...parts })));
  return started;
});
const recovery = publicKeyOf("kept in a drawer");

describe("a guarded account", () => {
  it("is two of three on the chain: the service's custodian, the guardian, and a key that only votes", async () => {
    const { address, verified } = await openGuarded();
    expect(verified.policies).toMatchObject({
      threshold: 2,
      admin_address: null,
      signers: [
        { provider: "kms_a", permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] },
        { provider: "kms_c", permissions: ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] },
        { provider: "external", permissions: ["CAN_VOTE"], address: recovery },
      ],
    });
    expect(await test.call(getAccount, { params: { address } })).toMatchObject({ protection: "guarded" });
    const plain = await test.openHolder(`${randomUUID()}@example.org`);
    const { address: other } = plain;
    expect(await test.call(getAccount, { params: { address: other } })).toMatchObject({ protection: "plain" });
  });

  it("pays with a session and a passkey, and with neither alone", async () => {
    const holder = await openGuarded();
    const { passkey } = await enrol(holder);
    const prepared = await payment(holder.address);
    expect(prepared.kms_payloads.map(({ provider }) => provider)).toEqual(["kms_a", "kms_c"]);
    const [a, c] = prepared.kms_payloads.map(({ payload }) => payload);
    const bySession = bySessionKey(holder.authorizationKey, decoded(a));
    const byPhone = byPasskey(passkey, c ?? "", {}, "kms_c");
    for (const one of [[bySession], [byPhone], [bySession, { ...bySession, provider: "kms_c" }]]) {
      const refused = await errorOf(submit(holder.address, prepared, one));
      expect(["missing_signature", "invalid_signature"]).toContain(refused.code);
    }
    await submit(holder.address, prepared, [bySession, byPhone]);
  });

  it("takes its first passkey once, and every further one by a passkey: no session and no API key adds one", async () => {
    const holder = await openGuarded();
    const { passkey, signer } = await enrol(holder);
    expect((await errorOf(enrol(holder))).code).toBe("insufficient_permissions");
    const other = await test.openHolder(`${randomUUID()}@example.org`);
    const byOther = enrol(await openGuarded(), (document) => bySessionKey(other.authorizationKey, document));
    expect((await errorOf(byOther)).code).toBe("invalid_signature");
    const byService = await errorOf(
      enrol(holder, (document) => ({
        ...bySessionKey(holder.authorizationKey, document),
        provider: "kms_c",
      })),
    );
    expect(byService.code).toBe("invalid_signature");
    await enrol(holder, (document) => byPasskey(passkey, toPayload(document), {}, "kms_c"));
    expect(await test.call(listPasskeys, { params: { address: holder.address } })).toHaveLength(2);
    expect(signer).toBe(holder.verified.policies.signers[1]?.address);
  });

  it("keeps its last passkey", async () => {
    const holder = await openGuarded();
    const { passkey, wire, signer } = await enrol(holder);
    const body = removing(test, { signer }, wire, (document) => byPasskey(passkey, toPayload(document), {}, "kms_c"));
    const remove = { params: { address: holder.address, passkey_id: wire.id }, body };
    expect((await errorOf(test.call(removePasskey, remove))).code).toBe("last_passkey");
    await enrol(holder, (document) => byPasskey(passkey, toPayload(document), {}, "kms_c"));
    expect(await test.call(removePasskey, remove)).toMatchObject({ status: "removed" });
  });

  it("opens no session at the guardian, and none by its passkey alone: that would be enough for both signatures", async () => {
    const holder = await openGuarded();
    const { passkey } = await enrol(holder);
    const asked = { email: holder.email, provider: "kms_c" };
    expect((await errorOf(test.call(startAuthentication, { body: asked }))).code).toBe("provider_not_available");
    const { nonce } = await test.call<{ nonce: string }>(beginPasskeySignIn);
    const clientKey = await createClientKey();
    const document = {
      version: 1,
      method: "signIn",
      environment: "sandbox",
      params: { encryption_public_key: clientKey.spki },
      nonce,
    };
    const signIn = test.call(signInWithPasskey, {
      body: {
        nonce,
        assertion: byPasskey(passkey, toPayload(document)).kms_signed_payload,
        kms_provider_config: { encryption_public_key: clientKey.spki },
      },
    });
    expect((await errorOf(signIn)).code).toBe("invalid_passkey");
  });

  describe("whose service was put back to before its passkeys", () => {
    const putBack = async (...ids: readonly string[]) => {
      for (const id of ids) await test.needs.db.deleteFrom("passkey").where("id", "=", id).execute();
    };
    /** Removed here; its guardian has it as before. */
    const revive = (id: string) =>
      test.needs.db.updateTable("passkey").set({ removed_at: 1n }).where("id", "=", id).execute();
    const rowOf = (id: string) =>
      test.needs.db.selectFrom("passkey").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const walletOf = ({ wallet_id: walletId }: { readonly wallet_id: string }) => ({ walletId });
    const rowsOf = async (signer: string) =>
      (await test.needs.db.selectFrom("passkey").select("id").where("signer_address", "=", signer).execute()).map(
        ({ id }) => id,
      );
    const listed = (address: string) => test.call<WirePasskey[]>(listPasskeys, { params: { address } });
    const pay = async (holder: Guarded, passkey: SoftPasskey) => {
      const prepared = await payment(holder.address);
      const [a, c] = prepared.kms_payloads.map(({ payload }) => payload);
      const by = [bySessionKey(holder.authorizationKey, decoded(a)), byPasskey(passkey, c ?? "", {}, "kms_c")];
      return submit(holder.address, prepared, by);
    };
    const rename = (holder: Guarded, { id }: WirePasskey) =>
      test.call(renamePasskey, { params: { address: holder.address, passkey_id: id }, body: { name: "Found" } });
    const remove = ({ address }: Guarded, signer: string, wire: WirePasskey, passkey: SoftPasskey) =>
      test.call(removePasskey, {
        params: { address, passkey_id: wire.id },
        body: removing(test, { signer }, wire, (document) => byPasskey(passkey, toPayload(document), {}, "kms_c")),
      });
    /** One of two that the guardian has is known here. */
    const two = async () => {
      const holder = await openGuarded();
      const one = await enrol(holder);
      const other = await enrol(holder, (document) => byPasskey(one.passkey, toPayload(document), {}, "kms_c"));
      return { holder, one, other, signer: one.signer };
    };

    it("lists what the guardian has, stores none of it, and pays with it", async () => {
      const { holder, one, other, signer } = await two();
      await putBack(one.wire.id, other.wire.id);
      const shown = await listed(holder.address);
      expect(shown.map(({ id }) => id).sort()).toEqual([one.wire.id, other.wire.id].sort());
      expect(shown).toMatchObject([{ name: "Unnamed passkey", signer }, { name: "Unnamed passkey" }]);
      await pay(holder, one.passkey);
      await pay(holder, other.passkey);
      expect(await rowsOf(signer)).toEqual([]);
      expect((await errorOf(rename(holder, one.wire))).code).toBe("passkey_not_found");
    });

    it("takes no passkey that the guardian does not have, nor one of another wallet's", async () => {
      const { holder, one, other } = await two();
      await putBack(one.wire.id, other.wire.id);
      expect((await errorOf(pay(holder, createSoftPasskey()))).code).toBe("invalid_signature");
      const elsewhere = await openGuarded();
      const stranger = await enrol(elsewhere);
      await putBack(stranger.wire.id);
      expect((await errorOf(pay(holder, stranger.passkey))).code).toBe("invalid_signature");
      expect((await errorOf(pay(elsewhere, one.passkey))).code).toBe("invalid_signature");
    });

    it("does not take one that was removed here, though the guardian was put back, too", async () => {
      const { holder, one, other } = await two();
      await revive(other.wire.id);
      expect((await errorOf(pay(holder, other.passkey))).code).toBe("invalid_signature");
      expect((await errorOf(remove(holder, one.signer, one.wire, other.passkey))).code).toBe("invalid_signature");
    });

    it("removes one again that the guardian, put back, has again, and lists it until then", async () => {
      const { holder, one, other, signer } = await two();
      await revive(other.wire.id);
      expect((await listed(holder.address)).map(({ id }) => id).sort()).toEqual([one.wire.id, other.wire.id].sort());
      expect((await errorOf(remove(holder, signer, other.wire, other.passkey))).code).toBe("invalid_signature");
      expect(await remove(holder, signer, other.wire, one.passkey)).toMatchObject({ status: "removed" });
      expect((await listed(holder.address)).map(({ id }) => id)).toEqual([one.wire.id]);
      expect((await test.needs.custodians.get("kms_c")?.listPasskeys(walletOf(await rowOf(one.wire.id))))?.length).toBe(
        1,
      );
      // It is gone there, too: nothing has to be signed.
      expect(await remove(holder, signer, other.wire, createSoftPasskey())).toMatchObject({ status: "removed" });
    });

    it("never takes one that was removed here as unknown, however long ago that was", async () => {
      const { holder, one, other, signer } = await two();
      await revive(other.wire.id);
      const late = { now: () => test.network.clock.now() + 400 * 86_400_000 };
      await removeOutdated({ db: test.needs.db, realClock: late }, [{ name: test.network.name, clock: late }]);
      expect((await rowOf(other.wire.id)).removed_at).toBe(1n);
      expect((await errorOf(remove(holder, signer, one.wire, other.passkey))).code).toBe("invalid_signature");
      expect(await remove(holder, signer, other.wire, one.passkey)).toMatchObject({ status: "removed" });
    });

    it("lets none enrol another for who has no session, and for no user whose passkeys sign beside the code", async () => {
      const { holder, one, other, signer } = await two();
      await putBack(one.wire.id, other.wire.id);
      const byOne = (document: object) => byPasskey(one.passkey, toPayload(document), {}, "kms_c");
      expect((await errorOf(enrol(holder, byOne))).code).toBe("invalid_signature");
      expect(await rowsOf(signer)).toEqual([]);
      const { user_id } = await test.needs.db
        .selectFrom("wallet")
        .innerJoin("app_user", "app_user.id", "wallet.owner_id")
        .select("app_user.id as user_id")
        .where("wallet.address", "=", signer)
        .executeTakeFirstOrThrow();
      const setSignIn = (passkey_sign_in: "required" | "optional") =>
        test.needs.db.updateTable("app_user").set({ passkey_sign_in }).where("id", "=", user_id).execute();
      const session = { kind: "user", id: randomUUID(), chainId: randomUUID(), userId: user_id };
      const asUser = { caller: { ...test.caller, isPublishable: true, session } } as CallParts;
      await setSignIn("required");
      expect((await errorOf(enrol(holder, byOne, asUser))).code).toBe("invalid_signature");
      expect((await errorOf(remove(holder, signer, other.wire, one.passkey))).code).toBe("invalid_signature");
      await setSignIn("optional");
      const added = await enrol(holder, byOne, asUser);
      expect(await rowsOf(signer)).toEqual([added.wire.id]);
    });

    it("takes their word against a change that waits, as for the guardian's policy", async () => {
      const { holder, one, other, signer } = await two();
      await putBack(one.wire.id, other.wire.id);
      const change_id = "ab".repeat(32);
      const signed = { nonce: "n", expires_at: new Date(test.network.clock.now() + 600_000).toISOString() };
      const about = { version: 1, method: "cancelSettingsChange", environment: "sandbox", wallet: signer };
      const cancel = (passkey: SoftPasskey) => {
        const document = toPayload({ ...about, params: { change_id }, ...signed });
        const body = { ...signed, authorization: byPasskey(passkey, document, {}, "kms_c") };
        return errorOf(test.call(cancelGuardianChange, { params: { address: holder.address, change_id }, body }));
      };
      expect((await cancel(createSoftPasskey())).code).toBe("invalid_signature");
      expect((await cancel(one.passkey)).code).toBe("guardian_change_not_found");
    });

    it("removes them, but for the last", async () => {
      const { holder, one, other, signer } = await two();
      await putBack(one.wire.id, other.wire.id);
      expect(await remove(holder, signer, other.wire, one.passkey)).toMatchObject({ status: "removed" });
      expect((await listed(holder.address)).map(({ id }) => id)).toEqual([one.wire.id]);
      expect((await errorOf(remove(holder, signer, one.wire, one.passkey))).code).toBe("last_passkey");
      // So that it signs nothing where the guardian is put back.
      expect((await rowOf(other.wire.id)).removed_at).not.toBeNull();
      const logged = test.needs.db
        .selectFrom("audit_entry")
        .select("kind")
        .where("subject", "=", `passkey/${other.wire.id}`);
      expect((await logged.execute()).map(({ kind }) => kind)).toEqual(["passkey.added", "passkey.removed"]);
    });

    it("removes the only one that the service knows, as long as the guardian has another", async () => {
      const { holder, one, other, signer } = await two();
      await putBack(other.wire.id);
      expect(await remove(holder, signer, one.wire, other.passkey)).toMatchObject({ status: "removed" });
    });
  });

  it("keeps one of two passkeys that are removed at once", async () => {
    const holder = await openGuarded();
    const one = await enrol(holder);
    const other = await enrol(holder, (document) => byPasskey(one.passkey, toPayload(document), {}, "kms_c"));
    const removals = [one, other].map(({ passkey, wire, signer }) =>
      test.call(removePasskey, {
        params: { address: holder.address, passkey_id: wire.id },
        body: removing(test, { signer }, wire, (document) => byPasskey(passkey, toPayload(document), {}, "kms_c")),
      }),
    );
    const ends = await Promise.allSettled(removals);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await test.call(listPasskeys, { params: { address: holder.address } })).toHaveLength(1);
  });

  it("is refused where there is no guardian, or no key to recover it by", async () => {
    const body = { type: "email", email: `${randomUUID()}@example.org`, protection: "guarded" };
    const field = await errorOf(test.call(createAccount, { body }));
    expect(field).toMatchObject({ code: "invalid_request", details: [{ field: "recovery" }] });
    const { verified } = await test.openHolder(`${randomUUID()}@example.org`);
    const held = verified.policies.signers[1]?.address;
    const kept = await errorOf(test.call(createAccount, { body: { ...body, recovery: { address: held } } }));
    expect(kept).toMatchObject({ code: "invalid_request", details: [{ field: "recovery.address" }] });
    const custodians = new Map([...test.needs.custodians].filter(([name]) => name !== "kms_c"));
    const needs = { custodians };
    const none = await errorOf(test.call(createAccount, { body: { ...body, recovery: { address: recovery } }, needs }));
    expect(none.code).toBe("guardian_not_configured");
  });

  it("is what a request gets that says nothing, where its tenant's accounts are guarded", async () => {
    const { db } = test.needs;
    const set = (defaults: Parameters<typeof setAccountDefaults>[2]) => setAccountDefaults(db, "tenant-1", defaults);
    const body = () => ({ type: "email", email: `${randomUUID()}@example.org` });
    await set({ protection: "guarded", recoveryAddress: null });
    try {
      const refused = await errorOf(test.call(createAccount, { body: body() }));
      expect(refused).toMatchObject({ code: "invalid_request", details: [{ field: "recovery" }] });
      expect(JSON.stringify(refused.details)).toContain("guarded unless the request says otherwise");
      const named = { ...body(), recovery: { address: recovery } };
      expect(await test.call(createAccount, { body: named })).toMatchObject({ protection: "guarded" });
      const plain = { ...body(), protection: "plain" };
      expect(await test.call(createAccount, { body: plain })).toMatchObject({ protection: "plain" });
      await set({ recoveryAddress: recovery });
      expect(await test.call(createAccount, { body: body() })).toMatchObject({ protection: "guarded" });
      expect(await test.call(createAccount, { body: { ...plain, ...body() } })).toMatchObject({ protection: "plain" });
      const custodians = new Map([...test.needs.custodians].filter(([name]) => name !== "kms_c"));
      const none = await errorOf(test.call(createAccount, { body: body(), needs: { custodians } }));
      expect(none.code).toBe("guardian_not_configured");
    } finally {
      await set({ protection: "plain", recoveryAddress: null });
    }
  });

  it("is the default of a tenant made over HTTP where the service says so, and of no other", async () => {
    const { db } = test.needs;
    for (const protection of ["guarded", undefined] as const) {
      const id = `t-${randomUUID()}`;
      const needs: object = protection === undefined ? {} : { newTenantProtection: protection };
      await test.call(createTenant, { body: { id }, needs });
      expect((await findAccountDefaults(db, id)).protection).toBe(protection ?? "plain");
    }
  });

  it("is not made with a recovery key that a custodian holds since it was asked for, and can be asked for anew", async () => {
    const [email, key] = [`${randomUUID()}@example.org`, publicKeyOf("imported meanwhile")];
    const verify = async () => {
      const clientKey = await createClientKey();
      const kms_provider_config = { encryption_public_key: clientKey.spki };
      return test.call<Verified>(verifyAccount, {
        body: { email, otp_code: await test.latestCode(email), kms_provider_config },
      });
    };
    await ask(email, key);
    await holdKey(key);
    expect((await errorOf(verify())).code).toBe("account_creation_failed");
    await ask(email);
    expect((await verify()).policies).toMatchObject({ threshold: 2 });
  });

  it("waits while the guardian is down, and what was begun is brought to its end", async () => {
    const email = `${randomUUID()}@example.org`;
    await ask(email);
    const clientKey = await createClientKey();
    const request = {
      body: {
        email,
        otp_code: await test.latestCode(email),
        kms_provider_config: { encryption_public_key: clientKey.spki },
      },
    };
    await custodian.stop();
    expect((await errorOf(test.call(verifyAccount, request))).code).toBe("provider_unavailable");
    await custodian.start();
    const parts = { client: custodian.clientWith(), keys: custodian.keys, db: test.needs.db, isGuardian: true };
    const restarted = createRemoteCustodian({ provider: "kms_c", ...parts });
    test.needs.custodians.set("kms_c", recordWallets(test.needs.db, restarted));
    expect(await test.call(verifyAccount, request)).toMatchObject({ policies: { threshold: 2 } });
  });
});

const ask = (email: string, address = recovery) => {
  test.needs.realClock.advance(60_000);
  return test.call(createAccount, { body: { type: "email", email, protection: "guarded", recovery: { address } } });
};

/** As if a custodian had taken the key. */
async function holdKey(address: string): Promise<void> {
  const { db } = test.needs;
  const held = await db.selectFrom("wallet").selectAll().where("is_guarded", "=", false).executeTakeFirstOrThrow();
  await db
    .insertInto("wallet")
    .values({ ...held, id: randomUUID(), owner_id: randomUUID(), address })
    .execute();
}

async function openGuarded() {
  // Read, so that it is started.
  expect(custodian.url).toMatch(/^https:/);
  const email = `${randomUUID()}@example.org`;
  expect(await ask(email)).toMatchObject({ protection: "guarded", status: "pending_verification" });
  const clientKey = await createClientKey();
  const verified = await test.call<Verified>(verifyAccount, {
    body: {
      email,
      otp_code: await test.latestCode(email),
      kms_provider_config: { encryption_public_key: clientKey.spki },
    },
  });
  await test.airdrop(verified.address, "sol", "1000000000");
  const opened = await clientKey.open(sessionOf(verified).session.encrypted_authorization_key);
  return { email, address: verified.address, verified, authorizationKey: importAuthorizationKey(opened) };
}

type Guarded = Awaited<ReturnType<typeof openGuarded>>;

/** Adds a passkey to the guardian's wallet, by the session that the creation opened unless something else signs. */
async function enrol(
  { address, authorizationKey }: Guarded,
  authorize = (document: object): object => bySessionKey(authorizationKey, document),
  parts: CallParts = {},
) {
  const begun = await begin(test, address);
  const passkey: SoftPasskey = createSoftPasskey();
  const challenge = Buffer.from(begun.public_key.challenge, "base64url");
  const { clientDataJSON, authenticatorData } = passkey.register({ ...page, challenge });
  const wire = await test.call<WirePasskey>(addPasskey, {
    params: { address },
    body: {
      ceremony_id: begun.ceremony_id,
      name: "Phone",
      credential: { response: { clientDataJSON, authenticatorData } },
      authorization: authorize(addition(begun, passkey)),
    },
    ...parts,
  });
  return { passkey, wire, signer: begun.signer };
}

interface Prepared {
  readonly transaction: string;
  readonly kms_payloads: readonly { readonly provider: string; readonly payload: string }[];
}

const payment = (address: string) =>
  test.call<Prepared>(preparePayment, {
    params: { address },
    body: {
      amount: "5000000",
      source: { account: address, currency: "sol" },
      destination: { address: publicKeyOf("a shop"), currency: "sol" },
    },
  });

const submit = (address: string, { transaction }: Prepared, kms_payloads: readonly object[]) =>
  test.call(submitTransactions, { params: { address }, body: { transaction, kms_payloads } });

const decoded = (payload = "") => JSON.parse(Buffer.from(payload, "base64").toString("utf8")) as object;
