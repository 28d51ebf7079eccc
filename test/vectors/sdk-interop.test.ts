/** The client library and the service's own cryptography are written independently; here they meet. */
import { Buffer } from "node:buffer";
import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
} from "node:crypto";
import { address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { canonicalJson } from "@trellis/kernel/crypto/canonical-json.js";
import { sealTo } from "@trellis/kernel/crypto/hpke.js";
import {
  generateAuthorizationKey,
  isSameP256Point,
  parseClientEncryptionKey,
  parseP256Point,
  verifyP256Sha256Der,
} from "@trellis/kernel/crypto/p256.js";
import {
  type AuthorizationKey,
  assertTransferMatches,
  decodePayload,
  decodeTransaction,
  deriveSmartAccountAddress,
  generateEncryptionKeyPair,
  InvalidKeyError,
  openAuthorizationKey,
  openSession,
  signKeyChange,
  signKmsAPayload,
  signKmsBPayload,
  signPayload,
} from "@trellis/sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openHpke } from "../../packages/sdk/src/hpke-open.js";
import { buildSyncInstruction, buildTransaction } from "./build-sync-transaction.js";
import { rfc9180A51 as vector } from "./rfc-9180-a5-1.js";
import { smartAccountVector } from "./smart-account.js";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

describe("the client's key pair", () => {
  it("is one the service accepts and the platform imports", () => {
    for (let round = 0; round < 20; round++) {
      const pair = generateEncryptionKeyPair();
      const parsed = parseClientEncryptionKey(pair.publicKeySpkiBase64);
      expect(parsed.ok).toBe(true);
      const key = createPrivateKey({ key: Buffer.from(pair.privateKeyPkcs8), format: "der", type: "pkcs8" });
      expect(createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64")).toBe(
        pair.publicKeySpkiBase64,
      );
    }
  });

  it("is another one every time", () => {
    expect(generateEncryptionKeyPair().publicKeySpkiBase64).not.toBe(generateEncryptionKeyPair().publicKeySpkiBase64);
  });
});

describe("RFC 9180 appendix A.5.1", () => {
  it("the client opens the published ciphertext", async () => {
    const opened = await openHpke(hex(vector.skRm), {
      encapsulatedKey: hex(vector.pkEm),
      ciphertext: hex(vector.ciphertext),
      info: hex(vector.info),
      aad: hex(vector.aad),
    });
    expect(Buffer.from(opened).toString("hex")).toBe(vector.plaintext);
  });
});

describe("the authorization key", () => {
  it("sealed by the service is opened by the client, for many keys", async () => {
    for (let round = 0; round < 25; round++) {
      const client = generateEncryptionKeyPair();
      const { publicKey, privateKeyPkcs8 } = generateAuthorizationKey();
      const prefix = round % 2 === 0 ? "" : "wallet-auth:";
      const sealed = sealFor(client.publicKeySpkiBase64, prefix + base64(privateKeyPkcs8));
      const opened = await openAuthorizationKey(sealed, client.privateKeyPkcs8);
      expect(isSameP256Point(opened.publicKey, publicKey)).toBe(true);
      expect(Buffer.from(opened.privateKey).equals(privateKeyPkcs8.subarray(36, 68))).toBe(true);
    }
  });

  it("is opened with a private key that the platform made", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const spki = publicKey.export({ format: "der", type: "spki" }).toString("base64");
    const { privateKeyPkcs8 } = generateAuthorizationKey();
    const pkcs8 = privateKey.export({ format: "der", type: "pkcs8" });
    const opened = await openAuthorizationKey(sealFor(spki, base64(privateKeyPkcs8)), pkcs8);
    expect(Buffer.from(opened.privateKey).equals(privateKeyPkcs8.subarray(36, 68))).toBe(true);
  });

  it("is not opened with another key pair, after a change, or when it is no key", async () => {
    const client = generateEncryptionKeyPair();
    const other = generateEncryptionKeyPair();
    const sealed = sealFor(client.publicKeySpkiBase64, base64(generateAuthorizationKey().privateKeyPkcs8));
    await expect(openAuthorizationKey(sealed, other.privateKeyPkcs8)).rejects.toThrow(InvalidKeyError);
    const altered = Buffer.from(sealed.ciphertext, "base64");
    altered[0] = (altered[0] ?? 0) ^ 1;
    const changed = { ...sealed, ciphertext: base64(altered) };
    await expect(openAuthorizationKey(changed, client.privateKeyPkcs8)).rejects.toThrow(InvalidKeyError);
    const offCurve = { ...sealed, encapsulated_key: base64(randomBytes(65)) };
    await expect(openAuthorizationKey(offCurve, client.privateKeyPkcs8)).rejects.toThrow(InvalidKeyError);
    for (const text of [
      "",
      "not base64!",
      base64(randomBytes(20)),
      base64(Buffer.concat([hex("0420"), Buffer.alloc(32)])),
    ]) {
      const rubbish = sealFor(client.publicKeySpkiBase64, text);
      await expect(openAuthorizationKey(rubbish, client.privateKeyPkcs8)).rejects.toThrow(InvalidKeyError);
    }
  });

  it("a private key document without a key is refused as the client's", async () => {
    const client = generateEncryptionKeyPair();
    const sealed = sealFor(client.publicKeySpkiBase64, base64(generateAuthorizationKey().privateKeyPkcs8));
    await expect(openAuthorizationKey(sealed, new Uint8Array(138))).rejects.toThrow(InvalidKeyError);
  });
});

describe("openSession", () => {
  const wallets = [{ id: "w-1", address: "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8" }];
  const custodySession = (encrypted_authorization_key: { encapsulated_key: string; ciphertext: string }) => ({
    user_id: "u-1",
    refresh_token: "r-1",
    session: { encrypted_authorization_key, expires_at: 1_767_690_060_000, wallets },
  });

  it("opens the session of the provider, with what it commands and until when", async () => {
    const client = generateEncryptionKeyPair();
    const { publicKey, privateKeyPkcs8 } = generateAuthorizationKey();
    const sealed = sealFor(client.publicKeySpkiBase64, base64(privateKeyPkcs8));
    for (const authentication of [
      { provider: "kms_a", session: { KmsA: custodySession(sealed) } },
      { provider: "kms_b", session: { KmsB: custodySession(sealed) } },
    ] as const) {
      const session = await openSession(authentication, client);
      expect(session).toMatchObject({ provider: authentication.provider, wallets, expiresAtMs: 1_767_690_060_000 });
      expect(session.authentication).toBe(authentication);
      expect(isSameP256Point(session.authorizationKey.publicKey, publicKey)).toBe(true);
    }
  });

  it("refuses an answer without a session of the provider, and one for another key pair", async () => {
    const client = generateEncryptionKeyPair();
    const sealed = sealFor(client.publicKeySpkiBase64, base64(generateAuthorizationKey().privateKeyPkcs8));
    const session = { KmsA: custodySession(sealed) };
    await expect(openSession(undefined, client)).rejects.toThrow(InvalidKeyError);
    await expect(openSession({ provider: "kms_b", session }, client)).rejects.toThrow(InvalidKeyError);
    await expect(openSession({ provider: "kms_a", session }, generateEncryptionKeyPair())).rejects.toThrow(
      InvalidKeyError,
    );
  });
});

describe("a platform that has crypto.getRandomValues and nothing else of WebCrypto", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("makes keys, opens, inspects and signs", async () => {
    const getRandomValues = crypto.getRandomValues.bind(crypto);
    vi.stubGlobal("crypto", { getRandomValues });
    expect(crypto.subtle).toBeUndefined();
    const key = await openedKey();
    expect(signKmsAPayload(base64(Buffer.from("{}")), key).signature).not.toBe("");
    const vault = deriveSmartAccountAddress(address(smartAccountVector.settings));
    expect(vault).toBe(smartAccountVector.vault0);
    const feePayer = address("8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR");
    const member = address("CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8");
    const to = address("GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq");
    const transfer = getTransferSolInstruction({ source: createNoopSigner(vault), destination: to, amount: 5n });
    const call = buildSyncInstruction({
      settings: address(smartAccountVector.settings),
      members: [member],
      instructions: [transfer],
    });
    const decoded = decodeTransaction(buildTransaction(feePayer, [call]));
    expect(() => assertTransferMatches(decoded, { from: vault, to, mint: null, amount: 5n })).not.toThrow();
  });
});

describe("signed payloads", () => {
  const document = {
    version: 1,
    params: { transaction: "AQID", encoding: "base64" },
    method: "signTransaction",
    list: [3, { z: "€", a: null }, 1],
  };
  const payload = base64(Buffer.from(JSON.stringify(document, undefined, 2)));

  it("kms_a: the service verifies the signature over its own canonical JSON", async () => {
    for (let round = 0; round < 10; round++) {
      const key = await openedKey();
      const { signature } = signKmsAPayload(payload, key);
      const message = Buffer.from(canonicalJson(document));
      const der = Buffer.from(signature, "base64");
      expect(der.toString("base64")).toBe(signature);
      expect(verifyP256Sha256Der(serverKeyOf(key), message, der)).toBe(true);
      expect(verifyP256Sha256Der(serverKeyOf(key), Buffer.from(JSON.stringify(document)), der)).toBe(false);
      expect(isLowS(der)).toBe(true);
    }
  });

  it("kms_b: the service verifies the signature over document and time together", async () => {
    const key = await openedKey();
    const signed = signKmsBPayload(payload, key, 1_767_690_060_123);
    expect(signed.timestamp_ms).toBe("1767690060123");
    expect(isSameP256Point(hex(signed.public_key), key.publicKey)).toBe(true);
    const verifies = (timestamp: string) =>
      verifyP256Sha256Der(
        serverKeyOf(key),
        Buffer.from(canonicalJson({ payload: document, timestamp_ms: timestamp })),
        hex(signed.signature),
      );
    expect(verifies("1767690060123")).toBe(true);
    expect(verifies("1767690060124")).toBe(false);
    expect(signed.signature).toMatch(/^[0-9a-f]+$/);
  });

  it("signPayload takes the form of the provider and refuses providers without custody", async () => {
    const key = await openedKey();
    const entry = (provider: "kms_a" | "kms_b" | "external") => ({ address: "x", payload, provider });
    expect(signPayload(entry("kms_a"), key)).toEqual({
      provider: "kms_a",
      kms_signed_payload: signKmsAPayload(payload, key),
    });
    expect(signPayload(entry("kms_b"), key, 5)).toEqual({
      provider: "kms_b",
      kms_signed_payload: signKmsBPayload(payload, key, 5),
    });
    expect(() => signPayload(entry("external"), key)).toThrow(TypeError);
    expect(decodePayload(payload)).toEqual(document);
  });

  it("a change of the encryption key is signed over both the key and the token", async () => {
    const key = await openedKey();
    const signature = Buffer.from(signKeyChange("new key", "token", key), "base64");
    const verifies = (refresh_token: string) =>
      verifyP256Sha256Der(
        serverKeyOf(key),
        Buffer.from(canonicalJson({ refresh_token, encryption_public_key: "new key" })),
        signature,
      );
    expect(verifies("token")).toBe(true);
    expect(verifies("other token")).toBe(false);
  });

  it("signs as node:crypto does: each verifies the other's signature", async () => {
    const key = await openedKey();
    const pair = createECDH("prime256v1");
    pair.setPrivateKey(key.privateKey);
    const serverKey = serverKeyOf(key);
    expect(Buffer.from(serverKey.point).equals(pair.getPublicKey())).toBe(true);
    const message = Buffer.from(canonicalJson(document));
    const signature = Buffer.from(signKmsAPayload(payload, key).signature, "base64");
    expect(verify("sha256", message, serverKey.key, signature)).toBe(true);
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
    expect(verifyP256Sha256Der(serverKey, message, sign("sha256", message, other.privateKey))).toBe(false);
  });
});

const halfOrder = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n;

/** Reads S from a DER signature: the second of two integers. */
function isLowS(der: Buffer): boolean {
  const rLength = der[3] ?? 0;
  const sLength = der[5 + rLength] ?? 0;
  const s = der.subarray(6 + rLength, 6 + rLength + sLength).toString("hex");
  return BigInt(`0x${s}`) <= halfOrder;
}

const hex = (text: string) => Buffer.from(text, "hex");

function sealFor(publicKeySpkiBase64: string, plaintext: string) {
  const parsed = parseClientEncryptionKey(publicKeySpkiBase64);
  if (!parsed.ok) throw new Error(`the service refuses the client's key: ${parsed.fault}`);
  const sealed = sealTo(parsed.publicKey.point, Buffer.from(plaintext));
  return { encapsulated_key: base64(sealed.encapsulatedKey), ciphertext: base64(sealed.ciphertext) };
}

function serverKeyOf(key: AuthorizationKey) {
  const parsed = parseP256Point(key.publicKey);
  if (parsed === undefined) throw new Error("the opened key has no point");
  return parsed;
}

async function openedKey(): Promise<AuthorizationKey> {
  const client = generateEncryptionKeyPair();
  const { privateKeyPkcs8 } = generateAuthorizationKey();
  return openAuthorizationKey(sealFor(client.publicKeySpkiBase64, base64(privateKeyPkcs8)), client.privateKeyPkcs8);
}
