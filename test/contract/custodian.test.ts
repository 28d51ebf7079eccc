import { createPublicKey, type KeyObject } from "node:crypto";
import {
  type Address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { ed25519PublicKeyOf, verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import type { Custodian, CustodianName, Stamp, Wallet } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import { addressBytes, addressOfBytes } from "@trellis/program-client";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createBuiltInCustodian } from "../../src/adapters/kms/built-in-custodian.js";
import { createRemoteCustodian } from "../../src/adapters/kms/remote-custodian.js";
import { ensureFirstRoot } from "../../src/adapters/kms/wallet-keys.js";
import { systemRandom } from "../../src/adapters/system.js";
import { builtInNames } from "../../src/custody/custodians.js";
import { type ExportDocument, encodePayload, type PayloadDocument } from "../../src/custody/payload.js";
import { recordWallets } from "../../src/custody/wallet-directory.js";
import { countVerifications } from "../support/count-verifications.js";
import { allowStamped, startTestCustodian } from "../support/custodian.js";
import { openTestDatabase } from "../support/test-database.js";
import { createP256Key, hashOf, stampKmsA, stampKmsB } from "../support/test-network.js";
import { use } from "../support/use.js";
import { createRecipient } from "../support/wallet-exports.js";

/** What every custodian promises. `isHere`: it is part of this process, and its keys are in the database of the tests. */
const custodians: { name: CustodianName; isHere: boolean; open(db: Db): Custodian }[] = [
  ...builtInNames.map((provider) => ({
    name: provider,
    isHere: true,
    open: (db: Db) => createBuiltInCustodian({ provider, db, keyring, random: systemRandom }),
  })),
  {
    name: "kms_a",
    isHere: false,
    open: (db: Db) =>
      recordWallets(
        db,
        createRemoteCustodian({
          provider: "kms_a",
          db,
          client: remote.clientWith(),
          keys: remote.keys,
          isGuardian: false,
        }),
      ),
  },
];
const remote = use(() => startTestCustodian({ variables: { TRELLIS_CUSTODIAN_NAME: "kms_a" }, policy: allowStamped }));
const keyring = createKeyring({ masterKeys: [{ id: "m", key: new Uint8Array(32).fill(3) }], activeId: "m" });

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
  // As the service does at its start: before there are wallets.
  for (const { name: provider, isHere } of custodians)
    if (isHere) await ensureFirstRoot({ provider, db, keyring, random: systemRandom, now: Date.now });
});
afterAll(() => close());

for (const { name, isHere, open } of custodians)
  describe(isHere ? name : `${name}, a process of its own`, () => {
    let custodian: Custodian;
    let wallet: Wallet;
    let key: KeyObject;
    let registered: { readonly id: string };
    let owners = 0;

    const pointOf = (privateKey: KeyObject) =>
      new Uint8Array(createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-65));
    const stamp = (payload: string, privateKey = key, form = name): Stamp => {
      if (form === "kms_a") return { form, signature: stampKmsA(payload, privateKey) };
      const { public_key, signature, timestamp_ms } = stampKmsB(payload, privateKey, now);
      const named = { form, publicKey: public_key, signature, timestampMs: timestamp_ms };
      return named;
    };
    const newOwner = () => {
      owners += 1;
      return `${name}-${isHere ? "owner" : "remote"}-${owners}`;
    };
    type Signing = Parameters<Custodian["sign"]>[0];
    const sign = (payload: string, more: Partial<Signing> = {}) =>
      custodian.sign({
        walletId: wallet.id,
        authority: bySession(registered.id),
        payload,
        stamp: stamp(payload),
        now,
        realNow: now,
        ...more,
      });
    const register = (walletId: string, privateKey: KeyObject) =>
      custodian.registerAuthorizationKey({
        walletId,
        publicKey: pointOf(privateKey),
        now,
        expiresAt: now + 3_600_000,
      });

    beforeEach(async () => {
      custodian = open(db);
      wallet = await custodian.ensureWallet({ ownerId: newOwner(), environment: "sandbox", now });
      key = createP256Key();
      registered = await register(wallet.id, key);
    });

    it("proves that it can sign with a wallet, by a text that is nothing else and in which only the nonce is the asker's", async () => {
      const nonce = "0f".repeat(32);
      const { message, signature } = await custodian.proveWallet({ walletId: wallet.id, nonce });
      expect(verifyEd25519(addressBytes(wallet.address), Buffer.from(message), signature)).toBe(true);
      expect(message.split("\n")).toEqual(
        expect.arrayContaining([`Wallet: ${wallet.address}`, "Environment: sandbox", `Nonce: ${nonce}`]),
      );
      expect(
        readTransaction(Buffer.concat([Buffer.from([1]), Buffer.alloc(64), Buffer.from(message)])),
      ).toBeUndefined();
      for (const bad of ["", "0F".repeat(32), `${nonce}\n`, nonce.slice(1)]) {
        await expect(custodian.proveWallet({ walletId: wallet.id, nonce: bad })).rejects.toMatchObject({
          reason: "invalid_payload",
        });
      }
      await expect(custodian.proveWallet({ walletId: "nobody", nonce })).rejects.toMatchObject({
        reason: "wallet_not_found",
      });
    });

    it("gives an owner the same wallet ever after, also when asked at once and by another process", async () => {
      const ownerId = newOwner();
      const ask = { ownerId, environment: "sandbox", now } as const;
      const wallets = await Promise.all([
        custodian.ensureWallet(ask),
        custodian.ensureWallet(ask),
        open(db).ensureWallet({ ...ask, now: now + 5 }),
      ]);
      expect(new Set(wallets.map(({ address }) => address)).size).toBe(1);
      expect(await open(db).ensureWallet({ ...ask, now: now + 9 })).toEqual(wallets[0]);
      expect(wallets[0]).toMatchObject({ provider: name, ownerId });
    });

    it("gives every owner a wallet of their own", async () => {
      const other = await custodian.ensureWallet({ ownerId: newOwner(), environment: "sandbox", now });
      expect(other.address).not.toBe(wallet.address);
    });

    it("signs the message in a payload that a live authorization key has stamped", async () => {
      const signature = await sign(payloadFor(wallet));
      const { messageBytes } = transactionFor(wallet.address);
      expect(verifyEd25519(addressBytes(wallet.address), messageBytes, signature)).toBe(true);
    });

    it.runIf(isHere)("verifies one signature, by the key that is named, however many keys the wallet has", async () => {
      for (let i = 0; i < 30; i += 1) await register(wallet.id, createP256Key());
      const payload = payloadFor(wallet);
      const { verifications } = await countVerifications(() => sign(payload));
      expect(verifications).toBe(1);
      const other = await register(wallet.id, createP256Key());
      const refused = await countVerifications(() =>
        expect(sign(payload, { authority: bySession(other.id) })).rejects.toMatchObject({
          reason: "invalid_signature",
        }),
      );
      expect(refused.verifications).toBeLessThanOrEqual(1);
      await expect(sign(payload, { authority: bySession("no-such-key") })).rejects.toMatchObject({
        reason: "invalid_signature",
      });
    });

    it("refuses a key from the moment it is revoked, and says so", async () => {
      await custodian.revokeAuthorizationKey({ id: registered.id, now });
      await custodian.revokeAuthorizationKey({ id: registered.id, now: now + 1 });
      await expect(sign(payloadFor(wallet))).rejects.toMatchObject({
        name: "CustodyRefusal",
        reason: "authorization_expired",
      });
    });

    it("refuses a key from the moment it expires, and says so", async () => {
      const at = now + 3_600_000;
      const payload = payloadFor(wallet, { expires_at: new Date(at + 60_000).toISOString() });
      await expect(sign(payload, { now: at - 1 })).resolves.toBeDefined();
      await expect(sign(payload, { now: at })).rejects.toMatchObject({ reason: "authorization_expired" });
    });

    it("refuses the stamp of a key that commands another wallet of its own", async () => {
      const other = await custodian.ensureWallet({ ownerId: newOwner(), environment: "sandbox", now });
      const otherKey = createP256Key();
      const { id: authorizationKeyId } = await register(other.id, otherKey);
      const payload = payloadFor(wallet);
      for (const named of [{}, { authorizationKeyId }]) {
        await expect(sign(payload, { stamp: stamp(payload, otherKey), ...named })).rejects.toMatchObject({
          reason: "invalid_signature",
        });
      }
    });

    it("refuses a stamp over another payload", async () => {
      const stamped = stamp(payloadFor(wallet, { nonce: "other" }));
      await expect(sign(payloadFor(wallet), { stamp: stamped })).rejects.toMatchObject({ reason: "invalid_signature" });
    });

    it("refuses the other custodian's form of a stamp", async () => {
      const payload = payloadFor(wallet);
      const form = name === "kms_a" ? "kms_b" : "kms_a";
      await expect(sign(payload, { stamp: stamp(payload, key, form) })).rejects.toMatchObject({
        reason: "invalid_signature",
      });
    });

    it("refuses a payload that was issued for another wallet, also with a good stamp", async () => {
      const other = await custodian.ensureWallet({ ownerId: newOwner(), environment: "sandbox", now });
      const payload = payloadFor(other, {
        params: { transaction: transactionFor(wallet.address).base64, encoding: "base64" },
      });
      await expect(sign(payload)).rejects.toMatchObject({ reason: "invalid_payload" });
    });

    it("refuses a payload of another environment", async () => {
      await expect(sign(payloadFor(wallet, { environment: "mainnet" }))).rejects.toMatchObject({
        reason: "invalid_payload",
      });
    });

    it("refuses a transaction that does not ask for the wallet's signature, be the wallet named in it or not", async () => {
      const stranger = getAddressDecoder().decode(hashOf("stranger"));
      for (const { base64 } of [transactionFor(stranger), transactionFor(stranger, wallet.address)]) {
        const payload = payloadFor(wallet, { params: { transaction: base64, encoding: "base64" } });
        await expect(sign(payload)).rejects.toMatchObject({ reason: "invalid_payload" });
      }
    });

    it("refuses a payload that holds no transaction, or is none itself", async () => {
      for (const transaction of ["AAAA", "not base64", "AA"]) {
        const payload = payloadFor(wallet, { params: { transaction, encoding: "base64" } });
        await expect(sign(payload)).rejects.toMatchObject({ reason: "invalid_payload" });
      }
      const noPayload = Buffer.from('{"method":"exportKey"}').toString("base64");
      await expect(sign(noPayload)).rejects.toMatchObject({ reason: "invalid_payload" });
    });

    it("refuses a payload from the moment it expires", async () => {
      const payload = payloadFor(wallet);
      await expect(sign(payload, { now: now + 59_999 })).resolves.toBeDefined();
      await expect(sign(payload, { now: now + 60_000 })).rejects.toMatchObject({ reason: "payload_expired" });
    });

    it("knows no wallet of the other custodian, and none that never was", async () => {
      const otherName = name === "kms_a" ? "kms_b" : "kms_a";
      const other = createBuiltInCustodian({ provider: otherName, db, keyring, random: systemRandom });
      const otherWallet = await other.ensureWallet({ ownerId: newOwner(), environment: "sandbox", now });
      for (const walletId of [otherWallet.id, "no-such-wallet"]) {
        await expect(sign(payloadFor(wallet), { walletId })).rejects.toMatchObject({ reason: "wallet_not_found" });
      }
    });

    it.runIf(isHere)(
      "hands a wallet's key out to the recipient that was signed, by its own clock, and refuses everything else",
      async () => {
        const clock = { now: () => time };
        let time = now;
        const own = createBuiltInCustodian({ provider: name, db, keyring, random: systemRandom, clock });
        const held = await own.ensureWallet({ ownerId: newOwner(), environment: "mainnet", now });
        const { id: authorizationKeyId } = await register(held.id, key);
        const recipient = createRecipient();
        const payload = exportOf(held, recipient.spki, now);
        // What the caller says the time is does not shorten anything.
        const order = (signed: string, more: object = {}) =>
          own.beginWalletExport({
            walletId: held.id,
            authority: bySession(authorizationKeyId),
            payload: signed,
            stamp: stamp(signed),
            now,
            realNow: now,
            delaySeconds: 0,
            replaces: false,
            ...more,
          });
        const begun = await order(payload);
        expect(await order(payload)).toEqual(begun);
        expect(begun.notBefore - now).toBe(86_400_000);
        const hand = (at: number) => own.exportWallet({ walletId: held.id, exportId: begun.id, now: at });
        await expect(hand(begun.notBefore)).rejects.toMatchObject({ reason: "export_waiting" });
        time = begun.notBefore;
        const { encapsulatedKey, ciphertext } = await hand(now);
        const [encapsulated_key, sealed] = [encapsulatedKey, ciphertext].map((bytes) =>
          Buffer.from(bytes).toString("base64"),
        );
        const opened = recipient.open(held.address, {
          encapsulated_key: encapsulated_key ?? "",
          ciphertext: sealed ?? "",
        });
        expect(Buffer.from(opened.subarray(32))).toEqual(Buffer.from(addressBytes(held.address)));
        time = begun.expiresAt;
        await expect(hand(now)).rejects.toMatchObject({ reason: "export_over" });
        const refused: readonly [string, string][] = [
          [exportOf(wallet, recipient.spki, time), "invalid_payload"],
          [exportOf(held, "AAAA", time), "invalid_payload"],
          [
            exportOf(held, recipient.spki, time, { nonce: "1", expires_at: new Date(time).toISOString() }),
            "payload_expired",
          ],
          [exportOf(held, recipient.spki, time + 1, { nonce: "2" }), "invalid_payload"],
          [exportOf(held, createRecipient().spki, now), "invalid_payload"],
          [payloadFor(held), "invalid_payload"],
        ];
        for (const [signed, reason] of refused) await expect(order(signed)).rejects.toMatchObject({ reason });
        const unsigned = exportOf(held, recipient.spki, time, { nonce: "3" });
        await expect(order(unsigned, { stamp: stamp(payload) })).rejects.toMatchObject({ reason: "invalid_signature" });
        // No export signs a transaction, and no transaction exports a key.
        const signing = { walletId: held.id, authority: bySession(authorizationKeyId) };
        await expect(sign(unsigned, signing)).rejects.toMatchObject({ reason: "invalid_payload" });
      },
    );

    it.runIf(!isHere)("keeps its keys: the service has none of them exported, and brings it none", async () => {
      const payload = exportOf(wallet, createRecipient().spki, now);
      const authority = bySession(await register(wallet.id, key).then(({ id }) => id));
      const signed = { walletId: wallet.id, authority, payload, stamp: stamp(payload), now, realNow: now };
      for (const asked of [
        custodian.beginWalletExport({ ...signed, delaySeconds: 0, replaces: false }),
        custodian.cancelWalletExport({ ...signed, exportId: "export" }),
        custodian.exportWallet({ walletId: wallet.id, exportId: "export", now }),
      ]) {
        await expect(asked).rejects.toMatchObject({ reason: "export_not_offered" });
      }
      const sealedKey = { encapsulatedKey: new Uint8Array(65), ciphertext: new Uint8Array(48) };
      for (const asked of [
        custodian.beginWalletImport({ walletId: wallet.id, address: wallet.address, now }),
        custodian.importWallet({ ...signed, importId: "import", sealedKey }),
      ]) {
        await expect(asked).rejects.toMatchObject({ reason: "import_not_offered" });
      }
    });

    it.runIf(isHere)("stores no secret in clear, and no root that opens in another row", async () => {
      const ofThese = db.selectFrom("kms_wallet").selectAll().where("provider", "=", name);
      // Those of the mainnet were made by a custodian to which it is long ago.
      const rows = await ofThese.where("environment", "=", "sandbox").execute();
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter(({ secret, generation }) => secret !== null || generation !== 1)).toEqual([]);
      const roots = await db.selectFrom("wallet_root").selectAll().where("provider", "=", name).execute();
      expect(roots).toHaveLength(1);
      for (const { generation, sealed } of roots) {
        const root = sealed ?? new Uint8Array(0);
        const opened = Buffer.from(keyring.unwrap(root, `wallet_root/${name}/${generation}`));
        expect(() => keyring.unwrap(root, `wallet_root/${name}/2`)).toThrow();
        expect(Buffer.from(root).includes(opened)).toBe(false);
      }
    });

    it.runIf(isHere)("makes an owner's wallet again whose row was lost", async () => {
      const ask = { ownerId: newOwner(), environment: "sandbox", now } as const;
      const lost = await custodian.ensureWallet(ask);
      await db.deleteFrom("wallet").where("id", "=", lost.id).execute();
      await db.deleteFrom("kms_wallet").where("id", "=", lost.id).execute();
      const later = { ...ask, now: now + 1 };
      expect(await open(db).ensureWallet(later)).toEqual({ ...lost, createdAt: now + 1 });
      const elsewhere = open(db).ensureWallet({ ...ask, ownerId: newOwner(), environment: "devnet" });
      expect((await elsewhere).address).not.toBe(lost.address);
    });

    it.runIf(isHere)("derives no key of another wallet for a row that names its owner or its address", async () => {
      const other = await custodian.ensureWallet({ ownerId: newOwner(), environment: "sandbox", now });
      await db.deleteFrom("wallet").where("id", "=", wallet.id).execute();
      await db.deleteFrom("kms_wallet").where("id", "=", other.id).execute();
      await db
        .updateTable("kms_wallet")
        .set({ owner_id: other.ownerId, address: other.address })
        .where("id", "=", wallet.id)
        .execute();
      const signature = await sign(payloadFor({ ...wallet, address: other.address }));
      const read = readTransaction(Buffer.from(transactionFor(other.address).base64, "base64"));
      const message = Uint8Array.from(read?.transaction.messageBytes ?? []);
      expect(verifyEd25519(addressBytes(wallet.address), message, signature)).toBe(true);
      expect(verifyEd25519(addressBytes(other.address), message, signature)).toBe(false);
    });

    it.runIf(isHere)(
      "signs with wallets whose keys the former release sealed, and seals those of its first hour beside it",
      async () => {
        const fresh = await openTestDatabase();
        try {
          const seed = new Uint8Array(32).fill(7);
          const address = addressOfBytes(ed25519PublicKeyOf(seed));
          const row = { id: "old", provider: name, owner_id: "ada", environment: "sandbox", address, created_at: 0n };
          const secret = keyring.wrap(seed, "kms_wallet/old");
          await fresh.db
            .insertInto("kms_wallet")
            .values({ ...row, secret })
            .execute();
          let realNow = 1_000_000;
          const clock = { now: () => realNow };
          const own = createBuiltInCustodian({ provider: name, db: fresh.db, keyring, random: systemRandom, clock });
          const nonce = "ab".repeat(32);
          const { message, signature } = await own.proveWallet({ walletId: "old", nonce });
          expect(verifyEd25519(addressBytes(address), Buffer.from(message), signature)).toBe(true);
          const generationOf = async (ownerId: string) => {
            const { id } = await own.ensureWallet({ ownerId, environment: "sandbox", now });
            const made = fresh.db.selectFrom("kms_wallet").select(["secret", "generation"]).where("id", "=", id);
            const { secret: sealed, generation } = await made.executeTakeFirstOrThrow();
            return sealed === null ? generation : "sealed";
          };
          expect(await generationOf("ada")).toBe("sealed");
          expect(await generationOf("bob")).toBe("sealed");
          realNow += 3_600_000;
          expect(await generationOf("eve")).toBe(1);
        } finally {
          await fresh.close();
        }
      },
    );

    it.runIf(isHere)("makes no other root where the wallets of one that is lost are left", async () => {
      const fresh = await openTestDatabase();
      try {
        const open = () => createBuiltInCustodian({ provider: name, db: fresh.db, keyring, random: systemRandom });
        const made = await open().ensureWallet({ ownerId: "ada", environment: "sandbox", now });
        await fresh.db.deleteFrom("wallet_root").execute();
        const proof = open().proveWallet({ walletId: made.id, nonce: "ab".repeat(32) });
        await expect(proof).rejects.toThrow("has no root of the generation 1");
        await open().ensureWallet({ ownerId: "bob", environment: "sandbox", now });
        expect(await fresh.db.selectFrom("wallet_root").selectAll().execute()).toEqual([]);
      } finally {
        await fresh.close();
      }
    });

    it.runIf(isHere)("obeys no authorization key that was written into the database or changed there", async () => {
      const intruder = createP256Key();
      const rows = db.updateTable("kms_authorization_key").where("id", "=", registered.id);
      await rows.set({ public_key: pointOf(intruder) }).execute();
      const payload = payloadFor(wallet);
      await expect(sign(payload, { stamp: stamp(payload, intruder) })).rejects.toMatchObject({
        reason: "invalid_signature",
      });
      await rows.set({ public_key: pointOf(key), expires_at: BigInt(now + 7_200_000) }).execute();
      await expect(sign(payload)).rejects.toMatchObject({ reason: "invalid_signature" });
      await rows.set({ expires_at: BigInt(now + 3_600_000) }).execute();
      await expect(sign(payload)).resolves.toBeDefined();
    });

    if (name === "kms_b")
      it("holds a kms_b timestamp against real time, not the environment's", async () => {
        const payload = payloadFor(wallet);
        await expect(sign(payload, { realNow: now + 300_000 })).resolves.toBeDefined();
        await expect(sign(payload, { realNow: now + 300_001 })).rejects.toMatchObject({ reason: "invalid_signature" });
      });
  });

const now = Date.UTC(2026, 0, 15, 12);
const payer = getAddressDecoder().decode(hashOf("payer"));

function transactionFor(signer: Address, destination = payer): { base64: string; messageBytes: Uint8Array } {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(payer, m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash(getAddressDecoder().decode(hashOf("block"))), lastValidBlockHeight: 1n },
        m,
      ),
    (m) =>
      appendTransactionMessageInstruction(
        getTransferSolInstruction({ source: createNoopSigner(signer), destination, amount: 1n }),
        m,
      ),
  );
  const transaction = compileTransaction(message);
  return {
    base64: getBase64EncodedWireTransaction(transaction),
    messageBytes: Uint8Array.from(transaction.messageBytes),
  };
}

function payloadFor(wallet: Wallet, more: Partial<PayloadDocument> = {}): string {
  return encodePayload({
    version: 1,
    method: "signTransaction",
    environment: "sandbox",
    account: payer,
    wallet: wallet.address,
    params: { transaction: transactionFor(wallet.address).base64, encoding: "base64" },
    nonce: "n",
    expires_at: new Date(now + 60_000).toISOString(),
    ...more,
  });
}

const bySession = (authorizationKeyId: string) => ({ kind: "session" as const, authorizationKeyId });

/** What a wallet's owner signs to have its key: good for as long as that may be. */
function exportOf(wallet: Wallet, recipient: string, at: number, more: Partial<ExportDocument> = {}): string {
  return encodePayload({
    version: 1,
    method: "exportWallet",
    environment: "mainnet",
    wallet: wallet.address,
    params: { recipient_public_key: recipient },
    nonce: "an order",
    expires_at: new Date(at + 900_000).toISOString(),
    ...more,
  });
}
