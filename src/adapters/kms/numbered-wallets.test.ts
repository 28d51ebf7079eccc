import { createHash, type KeyObject } from "node:crypto";
import type { Address, SignatureBytes } from "@solana/kit";
import { generateEd25519KeyPair, verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { Custodian, Stamp, Wallet } from "@trellis/kernel/ports/custodian.js";
import { addressBytes, addressOfBytes } from "@trellis/program-client";
import canonicalize from "canonicalize";
import { beforeEach, expect, it } from "vitest";
import { createSoftPasskey, type SoftPasskey } from "../../../test/support/authenticator.js";
import { payloadOf, pointOf, transactionOf } from "../../../test/support/custody-payloads.js";
import { page, toPayload } from "../../../test/support/passkeys.js";
import { createP256Key, stampKmsA } from "../../../test/support/test-network.js";
import { useDatabase } from "../../../test/support/use-database.js";
import { createRecipient } from "../../../test/support/wallet-exports.js";
import { replaceableSecrets, sealedColumns } from "../../modules.js";
import { checkKeys } from "../check-keys.js";
import { replaceSecrets, retireSecrets } from "../replace-secrets.js";
import { systemRandom } from "../system.js";
import { createBuiltInCustodian } from "./built-in-custodian.js";
import { checkWallets } from "./check-wallets.js";
import { walletContext } from "./wallet-keys.js";
import { addRoot } from "./wallet-roots.js";

const database = useDatabase();
const keyring = createKeyring({ masterKeys: [{ id: "m", key: new Uint8Array(32).fill(6) }], activeId: "m" });
const now = Date.UTC(2026, 0, 15, 12);
const nonce = "ab".repeat(32);
const parties = { origins: [page.origin] };
let owners = 0;
let ownerId: string;
let custodian: Custodian;
let first: Wallet;
let second: Wallet;

const open = () => createBuiltInCustodian({ provider: "kms_a", db: database.db, keyring, random: systemRandom });
const ask = (of: string, number?: number) => ({
  ownerId: of,
  environment: "sandbox" as const,
  now,
  ...(number !== undefined && { number }),
});
const row = (id: string) => database.db.updateTable("kms_wallet").where("id", "=", id);

beforeEach(async () => {
  owners += 1;
  ownerId = `owner-${owners}`;
  custodian = open();
  second = await custodian.ensureWallet(ask(ownerId, 2));
  first = await custodian.ensureWallet(ask(ownerId));
});

async function register(walletId: string): Promise<{ id: string; key: KeyObject }> {
  const key = createP256Key();
  const asked = { walletId, publicKey: pointOf(key), now, expiresAt: now + 3_600_000 };
  return { key, ...(await custodian.registerAuthorizationKey(asked)) };
}

const byKey = (walletId: string, payload: string, { id, key }: { id: string; key: KeyObject }) => ({
  walletId,
  payload,
  authority: { kind: "session" as const, authorizationKeyId: id },
  stamp: { form: "kms_a" as const, signature: stampKmsA(payload, key) },
  now,
  realNow: now,
});

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

function byPasskey(walletId: string, payload: string, passkeyId: string, passkey: SoftPasskey) {
  const document = JSON.parse(Buffer.from(payload, "base64").toString("utf8"));
  const challenge = createHash("sha256")
    .update(canonicalize(document) ?? "")
    .digest();
  const { authenticatorData, clientDataJson, signature } = passkey.assert({ ...page, challenge });
  const said = { authenticatorData: text(authenticatorData), clientDataJson: text(clientDataJson) };
  const stamp: Stamp = {
    form: "passkey",
    credentialId: text(passkey.credentialId),
    ...said,
    signature: text(signature),
  };
  return {
    walletId,
    payload,
    stamp,
    authority: { kind: "passkey" as const, passkeyId, ...parties },
    now,
    realNow: now,
  };
}

/** Adds a passkey by a document that names one of the wallets. */
async function addPasskey(wallet: Wallet, by: { id: string; key: KeyObject }) {
  const passkey = createSoftPasskey();
  const begun = await custodian.beginPasskey({ walletId: wallet.id, rpId: page.rpId, now });
  const made = passkey.register({ ...page, challenge: begun.challenge });
  const payload = toPayload({
    version: 1,
    method: "addPasskey",
    environment: "sandbox",
    wallet: wallet.address,
    params: { credential_id: text(passkey.credentialId), public_key: Buffer.from(passkey.point).toString("hex") },
    nonce: text(begun.challenge),
  });
  const registration = {
    authenticatorData: Buffer.from(made.authenticatorData, "base64url"),
    clientDataJson: Buffer.from(made.clientDataJSON, "base64url"),
  };
  const asked = { ...byKey(wallet.id, payload, by), ceremonyId: begun.ceremonyId, registration, ...parties };
  return { passkey, ...(await custodian.addPasskey(asked)) };
}

const isSigned = (wallet: { readonly address: Address }, signature: SignatureBytes) =>
  verifyEd25519(addressBytes(wallet.address), transactionOf(wallet.address).messageBytes, signature);

it("gives an owner the same wallet of a number ever after, and another one of each number", async () => {
  const other = `${ownerId}-at-once`;
  const made = await Promise.all([2, 2, 1, 2].map((number) => open().ensureWallet(ask(other, number))));
  expect(new Set(made.map(({ address }) => address)).size).toBe(2);
  expect(await open().ensureWallet({ ...ask(other, 2), now: now + 1 })).toEqual(made[0]);
  const third = await custodian.ensureWallet(ask(ownerId, 3));
  expect(new Set([first, second, third].map(({ address }) => address)).size).toBe(3);
  const rows = database.db.selectFrom("wallet").selectAll().where("owner_id", "=", ownerId);
  expect(await rows.orderBy("number").execute()).toMatchObject([
    { address: first.address, number: 1, commanded_by: null },
    { address: second.address, number: 2, commanded_by: first.id },
    { address: third.address, number: 3, commanded_by: first.id },
  ]);
  for (const number of [0, -1, 1.5, Number.NaN])
    await expect(custodian.ensureWallet(ask(ownerId, number))).rejects.toThrow();
});

it("makes a wallet of a number again whose row was lost", async () => {
  await database.db.deleteFrom("wallet").where("owner_id", "=", ownerId).execute();
  await database.db.deleteFrom("kms_wallet").where("id", "=", second.id).execute();
  await database.db.deleteFrom("kms_wallet").where("id", "=", first.id).execute();
  expect(await open().ensureWallet(ask(ownerId, 2))).toEqual(second);
  expect(await open().ensureWallet(ask(ownerId))).toEqual(first);
});

it("derives a further wallet from the newest root, and keeps the first where it was", async () => {
  const needs = { db: database.db, keyring, random: systemRandom, now: () => Date.now() };
  const generation = await addRoot(needs, "kms_a");
  const third = await open().ensureWallet(ask(ownerId, 3));
  const stored = database.db.selectFrom("kms_wallet").select("generation").where("id", "=", third.id);
  expect(await stored.executeTakeFirst()).toEqual({ generation });
  expect((await checkWallets(needs)).flatMap(({ broken }) => broken)).toEqual([]);
  await expect(custodian.proveWallet({ walletId: third.id, nonce })).resolves.toBeDefined();
});

it("has a further wallet obey the keys of the first, whichever of the two they were registered for, and revoked once", async () => {
  for (const { id } of [first, second]) {
    const key = await register(id);
    for (const wallet of [first, second]) {
      const asked = byKey(wallet.id, payloadOf(wallet.address, now), key);
      expect(isSigned(wallet, await custodian.sign(asked))).toBe(true);
      await expect(custodian.checkAuthority(asked)).resolves.toBeUndefined();
    }
    // What was signed for one of them is not for the other.
    const misplaced = byKey(second.id, payloadOf(first.address, now), key);
    await expect(custodian.sign(misplaced)).rejects.toMatchObject({ reason: "invalid_payload" });
    await custodian.revokeAuthorizationKey({ id: key.id, now });
    const late = byKey(second.id, payloadOf(second.address, now), key);
    await expect(custodian.sign(late)).rejects.toMatchObject({ reason: "authorization_expired" });
  }
  const stranger = await register((await custodian.ensureWallet(ask("stranger"))).id);
  const asked = byKey(second.id, payloadOf(second.address, now), stranger);
  await expect(custodian.sign(asked)).rejects.toMatchObject({ reason: "invalid_signature" });
  await expect(register("nobody")).rejects.toMatchObject({ reason: "wallet_not_found" });
});

it("has a further wallet obey the passkeys of the first, and lists, grants and removes them by either", async () => {
  const session = await register(first.id);
  const one = await addPasskey(first, session);
  const two = await addPasskey(second, session);
  for (const { id: walletId } of [first, second]) {
    expect((await custodian.listPasskeys({ walletId })).map(({ id }) => id).toSorted()).toEqual(
      [one.id, two.id].toSorted(),
    );
  }
  for (const wallet of [first, second]) {
    for (const { id, passkey } of [one, two]) {
      const payload = payloadOf(wallet.address, now, { nonce: `${wallet.id}-${id}` });
      const signature = await custodian.sign(byPasskey(wallet.id, payload, id, passkey));
      expect(isSigned(wallet, signature)).toBe(true);
    }
  }
  const signIn = toPayload({ version: 1, method: "signIn", environment: "sandbox", nonce: "n", params: {} });
  const key = createP256Key();
  const grant = byPasskey(first.id, signIn, one.id, one.passkey);
  const registration = { walletId: second.id, publicKey: pointOf(key), now, expiresAt: now + 60_000, grant };
  const granted = await custodian.registerAuthorizationKey(registration).catch((error: unknown) => error);
  expect(granted).toMatchObject({ id: expect.any(String) });
  const removal = toPayload({
    version: 1,
    method: "removePasskey",
    environment: "sandbox",
    wallet: second.address,
    params: { credential_id: one.credentialId, passkey_id: one.id },
    expires_at: new Date(now + 600_000).toISOString(),
  });
  await custodian.removePasskey({ ...byPasskey(second.id, removal, two.id, two.passkey), passkeyId: one.id });
  expect((await custodian.listPasskeys({ walletId: first.id })).map(({ id }) => id)).toEqual([two.id]);
});

it("hands out the key of the wallet that is named, and to a passkey alone where the first wallet has one", async () => {
  const session = await register(first.id);
  const recipient = createRecipient();
  const documentOf = (wallet: Wallet, more: string) =>
    toPayload({
      version: 1,
      method: "exportWallet",
      environment: "sandbox",
      wallet: wallet.address,
      params: { recipient_public_key: recipient.spki },
      nonce: `an order ${more}`,
      expires_at: new Date(now + 60_000).toISOString(),
    });
  const terms = { delaySeconds: 0, replaces: false };
  const begun = await custodian.beginWalletExport({ ...byKey(second.id, documentOf(second, "1"), session), ...terms });
  await custodian.beginWalletExport({ ...byKey(first.id, documentOf(first, "1"), session), ...terms });
  const sealed = await custodian.exportWallet({ walletId: second.id, exportId: begun.id, now });
  const [encapsulated_key, ciphertext] = [sealed.encapsulatedKey, sealed.ciphertext].map((bytes) =>
    Buffer.from(bytes).toString("base64"),
  );
  const opened = recipient.open(second.address, {
    encapsulated_key: encapsulated_key ?? "",
    ciphertext: ciphertext ?? "",
  });
  expect(Buffer.from(opened.subarray(32))).toEqual(Buffer.from(addressBytes(second.address)));
  const misplaced = custodian.exportWallet({ walletId: first.id, exportId: begun.id, now });
  await expect(misplaced).rejects.toMatchObject({ reason: "export_not_found" });
  await addPasskey(first, session);
  const asked = { ...byKey(second.id, documentOf(second, "2"), session), ...terms };
  await expect(custodian.beginWalletExport(asked)).rejects.toMatchObject({ reason: "passkey_signature_required" });
});

it("refuses a wallet that others have written to obey what is another's", async () => {
  const thief = await custodian.ensureWallet(ask(`${ownerId}-thief`));
  const thiefs = await custodian.ensureWallet(ask(`${ownerId}-thief`, 2));
  const key = await register(thief.id);
  const steal = () => custodian.sign(byKey(second.id, payloadOf(second.address, now), key));
  const bound = database.db.selectFrom("kms_wallet").select("binding").where("id", "=", thiefs.id);
  const { binding } = await bound.executeTakeFirstOrThrow();
  await row(thiefs.id).set({ number: 9 }).execute();
  for (const changed of [
    { commanded_by: thief.id },
    { commanded_by: thief.id, binding },
    { commanded_by: thief.id, owner_id: thief.ownerId, binding },
    { number: 3 },
    { binding: new Uint8Array(32) },
  ]) {
    const { id, provider, owner_id, environment, number, commanded_by, binding: own } = await stored(second.id);
    await row(second.id).set(changed).execute();
    await expect(steal()).rejects.toMatchObject({ reason: "wallet_not_found" });
    await expect(register(second.id)).rejects.toMatchObject({ reason: "wallet_not_found" });
    for (const call of [
      () => custodian.proveWallet({ walletId: second.id, nonce }),
      () => custodian.listPasskeys({ walletId: second.id }),
      () => custodian.beginPasskey({ walletId: second.id, rpId: page.rpId, now }),
      () => custodian.exportWallet({ walletId: second.id, exportId: "x", now }),
    ])
      await expect(call()).rejects.toMatchObject({ reason: "wallet_not_found" });
    if (!("number" in changed) && !("owner_id" in changed))
      await expect(custodian.ensureWallet(ask(ownerId, 2))).rejects.toMatchObject({ reason: "wallet_not_found" });
    await row(id).set({ provider, owner_id, environment, number, commanded_by, binding: own }).execute();
  }
  await expect(row(second.id).set({ binding: null }).execute()).rejects.toThrow("kms_wallet_number_check");
  await expect(custodian.proveWallet({ walletId: second.id, nonce })).resolves.toBeDefined();
});

const stored = (id: string) =>
  database.db.selectFrom("kms_wallet").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

it("has no use of the key of a further wallet that a row calls its owner's first, be it derived or sealed", async () => {
  const thief = `${ownerId}-thief`;
  const { seed, publicKey } = generateEd25519KeyPair();
  const address = addressOfBytes(publicKey);
  const secret = keyring.wrap(seed, walletContext(first.id, 2));
  const asFirst = { owner_id: thief, number: 1, commanded_by: null, binding: null };
  await row(second.id).set(asFirst).execute();
  const taken = await custodian.ensureWallet(ask(thief));
  expect(taken.id).toBe(second.id);
  const key = await register(taken.id);
  const asked = byKey(taken.id, payloadOf(second.address, now), key);
  expect(isSigned(second, await custodian.sign(asked))).toBe(false);
  // A sealed key is bound to what the row is as well.
  await row(first.id).set({ address, secret, generation: null }).execute();
  await expect(custodian.proveWallet({ walletId: first.id, nonce })).rejects.toThrow();
});

it("signs with a further wallet whose key is sealed in its row", async () => {
  const { seed, publicKey } = generateEd25519KeyPair();
  const address = addressOfBytes(publicKey);
  const secret = keyring.wrap(seed, walletContext(second.id, 2));
  await row(second.id).set({ address, secret, generation: null }).execute();
  const signature = await custodian.sign(byKey(second.id, payloadOf(address, now), await register(first.id)));
  expect(isSigned({ address }, signature)).toBe(true);
});

it("binds further wallets again under a new secret, and reports those that others wrote", async () => {
  await database.db.deleteFrom("kms_wallet_export").execute();
  for (const table of ["kms_passkey", "kms_ceremony", "kms_authorization_key", "wallet"] as const)
    await database.db.deleteFrom(table).execute();
  await database.db.deleteFrom("kms_wallet").where("commanded_by", "is not", null).execute();
  const forged = await custodian.ensureWallet(ask(ownerId, 2));
  const good = await custodian.ensureWallet(ask(ownerId, 3));
  await row(forged.id).set({ number: 4 }).execute();
  const needs = { db: database.db, keyring, random: systemRandom, now: () => Date.now(), pause: async () => {} };
  await database.db.insertInto("meta").values({ key: "derivation_check", value: "x" }).execute();
  const purpose = "kms/wallet";
  const replaced = await replaceSecrets(
    needs,
    replaceableSecrets.filter((each) => each.purpose === purpose),
  );
  expect(replaced).toMatchObject([{ purpose, broken: 1 }]);
  const { brokenBindings } = await checkKeys(needs, sealedColumns, replaceableSecrets);
  expect(brokenBindings).toEqual(new Map([[purpose, 1]]));
  await expect(custodian.proveWallet({ walletId: good.id, nonce })).resolves.toBeDefined();
  expect(await retireSecrets(needs, replaceableSecrets)).toEqual([]);
});

it("gives no wallet of the newest root the number of one that came with its tenant, and has a sealed key", async () => {
  const { db } = database;
  const needs = { db, keyring, random: systemRandom };
  const other = createBuiltInCustodian({ ...needs, provider: "kms_b" });
  await other.ensureWallet(ask(ownerId));
  const carried = await other.ensureWallet(ask(ownerId, 2));
  const secret = keyring.wrap(new Uint8Array(32).fill(9), walletContext(carried.id, 2));
  await row(carried.id).set({ generation: null, secret }).execute();
  await db.updateTable("wallet_root").set({ used_from: 0n }).where("provider", "=", "kms_b").execute();
  expect(await addRoot({ ...needs, now: () => now }, "kms_b")).toBe(2);
  const newest = await other.ensureNewestWallet?.({ ownerId, environment: "sandbox", now });
  expect(newest).toMatchObject({ number: 3 });
  expect(await other.ensureNewestWallet?.({ ownerId, environment: "sandbox", now })).toEqual(newest);
});
