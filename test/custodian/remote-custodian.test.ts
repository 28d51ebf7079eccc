import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Address } from "@solana/kit";
import { signEd25519, verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import type { Custodian, Wallet } from "@trellis/kernel/ports/custodian.js";
import { addressBytes } from "@trellis/program-client";
import { afterAll, describe, expect, it } from "vitest";
import { type KeyFolder, readKeyFolder } from "../../src/adapters/kms/key-folder.js";
import { createRemoteCustodian } from "../../src/adapters/kms/remote-custodian.js";
import { answerToSign, frame } from "../../src/custody/protocol/frame.js";
import { recordWallets } from "../../src/custody/wallet-directory.js";
import { allowStamped, startTestCustodian } from "../support/custodian.js";
import { payloadOf, pointOf, transactionOf } from "../support/custody-payloads.js";
import { createP256Key, stampKmsB } from "../support/test-network.js";
import { use } from "../support/use.js";
import { useDatabase } from "../support/use-database.js";

describe("a remote custodian", () => {
  it("signs what an authorization key of the wallet has stamped, with a wallet that the service has no key of", async () => {
    const { wallet, request } = await scene();
    const signature = await honest().sign(request);
    const { messageBytes } = transactionOf(wallet.address);
    expect(verifyEd25519(addressBytes(wallet.address), messageBytes, signature)).toBe(true);
    const { id, address } = wallet;
    expect(await database.db.selectFrom("kms_wallet").select("id").where("id", "=", id).execute()).toEqual([]);
    const [row] = await database.db.selectFrom("wallet").selectAll().where("id", "=", id).execute();
    expect(row).toMatchObject({ address, provider: "kms_b" });
  });

  it("refuses for good what the custodian refuses", async () => {
    const { request } = await scene();
    const late = { ...request, now: now + 60_000 };
    await expect(honest().sign(late)).rejects.toMatchObject({ name: "CustodyRefusal", reason: "payload_expired" });
    const unknown = { ...request, walletId: "none" };
    await expect(honest().sign(unknown)).rejects.toMatchObject({ name: "CustodyRefusal", reason: "wallet_not_found" });
  });

  it("is unavailable where it is not there, slow, or a minute off", async () => {
    const { request } = await scene();
    const silent = await liar(() => undefined);
    for (const [made, reason] of [
      [remote({ url: "https://127.0.0.1:1" }), "provider_error"],
      [remote({ url: silent, timeoutMs: 300 }), "timeout"],
      [remote({ now: () => Date.now() + 61_000 }), "provider_error"],
      [remote({ now: () => Date.now() - 61_000 }), "provider_error"],
    ] as const) {
      await expect(made.sign(request)).rejects.toMatchObject({ name: "CustodianUnavailable", reason });
    }
  });

  it("is unavailable where it answers a signature of another key, over another message, or none", async () => {
    const { wallet, request } = await scene();
    const { messageBytes } = transactionOf(wallet.address);
    const other = generateKeyPairSync("ed25519").privateKey;
    const good = Buffer.from(await honest().sign(request)).toString("base64url");
    const flipped = `${good.startsWith("A") ? "B" : "A"}${good.slice(1)}`;
    for (const signature of [signatureBy(other, messageBytes), flipped, ""]) {
      const url = await liar(() => ({ status: 200, body: { signature } }));
      await expect(remote({ url }).sign(request)).rejects.toMatchObject(unbelieved);
    }
    const payload = payloadOf(wallet.address, now, {
      params: { transaction: transactionOf(wallet.address, 2n).base64, encoding: "base64" },
    });
    const url = await liar(() => ({ status: 200, body: { signature: good } }));
    await expect(remote({ url }).sign({ ...request, payload })).rejects.toMatchObject(unbelieved);
    await expect(remote({ url }).sign(request)).resolves.toBeDefined();
  });

  it("is unavailable where its answer is not signed, signed by another key, for another request, or nonsense", async () => {
    const { request } = await scene();
    const signature = Buffer.from(await honest().sign(request)).toString("base64url");
    const other = generateKeyPairSync("ed25519").privateKey;
    const lies: readonly Lie[] = [
      { status: 200, body: { signature }, unsigned: true },
      { status: 200, body: { signature }, signer: other },
      { status: 200, body: { signature }, nonce: "another" },
      { status: 200, body: { signature }, signedStatus: 422 },
      { status: 201, body: { signature } },
      { status: 302, body: { signature } },
      { status: 200, body: {} },
      { status: 200, body: "nonsense" },
      { status: 422, body: { error: { code: "refused", message: "", reason: "whatever" } } },
      { status: 500, body: { error: { code: "refused", message: "", reason: "policy" } } },
      { status: 422, body: { error: { code: "refused", message: "", reason: "policy" } }, unsigned: true },
      { status: 200, body: { signature: "x".repeat(frame.answerBytesMax) } },
    ];
    for (const lie of lies) {
      const made = remote({ url: await liar(() => lie) });
      await expect(made.sign(request)).rejects.toMatchObject(unbelieved);
    }
  });

  it("makes no wallet that it cannot prove, or that is another owner's", async () => {
    const asked = { ownerId: "liar's", environment: "sandbox" as const, now };
    const { wallet } = await scene();
    const known = await custodian.clientWith().ask("getWallet", { wallet_id: wallet.id }, undefined);
    const proof = await honest().proveWallet({ walletId: wallet.id, nonce: "0".repeat(64) });
    const text = { message: proof.message, signature: Buffer.from(proof.signature).toString("base64url") };
    for (const body of [
      { ...known, proof: text },
      { wallet: { ...known.wallet, owner: "liar's" }, proof: text },
    ]) {
      const url = await liar(() => ({ status: 200, body }));
      await expect(remote({ url }).ensureWallet(asked)).rejects.toMatchObject(unbelieved);
    }
    const url = await liar(() => ({ status: 200, body: text }));
    const proven = remote({ url }).proveWallet({ walletId: wallet.id, nonce: "1".repeat(64) });
    await expect(proven).rejects.toMatchObject(unbelieved);
  });

  it("gives an owner the wallet that is known, whatever it says later", async () => {
    const { wallet, ownerId } = await scene();
    const url = await liar(() => ({ status: 200, body: {} }));
    const again = await remote({ url }).ensureWallet({ ownerId, environment: "sandbox", now: now + 1 });
    expect(again).toEqual(wallet);
  });
});

const custodian = use(() => startTestCustodian({ policy: allowStamped }));
const database = useDatabase();
const now = Date.UTC(2026, 0, 15, 12);
const unbelieved = { name: "CustodianUnavailable", reason: "provider_error" };

const remote = (more: Parameters<typeof custodian.clientWith>[0] = {}): Custodian =>
  recordWallets(
    database.db,
    createRemoteCustodian({
      provider: "kms_b",
      client: custodian.clientWith(more),
      keys: custodian.keys,
      db: database.db,
      isGuardian: false,
    }),
  );
const honest = () => remote();

let owners = 0;
/** A wallet with an authorization key, and a request that it signs. */
async function scene() {
  owners += 1;
  const ownerId = `owner-${owners}`;
  const wallet: Wallet = await honest().ensureWallet({ ownerId, environment: "sandbox", now });
  const key = createP256Key();
  const { id } = await honest().registerAuthorizationKey({
    walletId: wallet.id,
    publicKey: pointOf(key),
    now,
    expiresAt: now + 3_600_000,
  });
  const payload = payloadOf(wallet.address as Address, now);
  const { public_key, signature, timestamp_ms } = stampKmsB(payload, key, Date.now());
  const stamp = { form: "kms_b" as const, publicKey: public_key, signature, timestampMs: timestamp_ms };
  const authority = { kind: "session" as const, authorizationKeyId: id };
  return { ownerId, wallet, request: { walletId: wallet.id, payload, stamp, authority, now, realNow: now } };
}

const signatureBy = (key: KeyObject, message: Uint8Array) =>
  Buffer.from(signEd25519(key, message)).toString("base64url");

interface Lie {
  readonly status: number;
  readonly body: unknown;
  readonly unsigned?: boolean;
  readonly signer?: KeyObject;
  readonly nonce?: string;
  readonly signedStatus?: number;
}

const liars: Server[] = [];
afterAll(() => {
  for (const each of liars) {
    each.closeAllConnections();
    each.close();
  }
});

/** A process with the custodian's own key that answers what it likes; undefined: never. */
async function liar(lie: () => Lie | undefined): Promise<string> {
  const keys: KeyFolder = await readKeyFolder(custodian.folders.custodian);
  const server = createServer(
    { key: keys.key, cert: keys.certificate, ca: keys.peerCertificate, requestCert: true, minVersion: "TLSv1.3" },
    (request, response) => {
      const given = lie();
      request.resume();
      if (given === undefined) return;
      const { status, body: content, signer = keys.identity, signedStatus = status, unsigned } = given;
      const nonce = given.nonce ?? String(request.headers[frame.nonceHeader]);
      const body = Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
      const signature = signatureBy(signer, answerToSign({ status: signedStatus, nonce, body }));
      response.writeHead(status, unsigned ? {} : { [frame.signatureHeader]: signature });
      response.end(body);
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  liars.push(server);
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
