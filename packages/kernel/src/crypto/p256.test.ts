import { Buffer } from "node:buffer";
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { p256 } from "@noble/curves/nist.js";
import { describe, expect, it } from "vitest";
import { rfc6979P256 as vector } from "../../../../test/vectors/rfc-6979-p256.js";
import {
  generateAuthorizationKey,
  isSameP256Point,
  parseClientEncryptionKey,
  parseP256Point,
  toUncompressedP256Point,
  verifyP256Sha256Der,
} from "./p256.js";

const hex = (text: string) => Buffer.from(text, "hex");
const uncompressedPrefix = hex("3059301306072a8648ce3d020106082a8648ce3d030107034200");
const compressedPrefix = hex("3039301306072a8648ce3d020106082a8648ce3d030107032200");

describe("parseClientEncryptionKey", () => {
  it("reads the uncompressed and the compressed SPKI of the same key to the same point", () => {
    for (let round = 0; round < 20; round++) {
      const { publicKey } = p256.keygen();
      const uncompressed = p256.Point.fromBytes(publicKey).toBytes(false);
      for (const der of [
        Buffer.concat([uncompressedPrefix, uncompressed]),
        Buffer.concat([compressedPrefix, publicKey]),
      ]) {
        const parsed = parseClientEncryptionKey(der.toString("base64"));
        expect(parsed.ok && Buffer.from(parsed.publicKey.point).equals(uncompressed)).toBe(true);
        expect(parsed.ok && parsed.publicKey.key.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
      }
    }
  });

  it("reads what node:crypto exports", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const der = publicKey.export({ format: "der", type: "spki" });
    expect(der).toHaveLength(91);
    expect(parseClientEncryptionKey(der.toString("base64")).ok).toBe(true);
  });

  const good = Buffer.concat([uncompressedPrefix, hex(vector.publicKey)]);
  const offCurve = Buffer.from(good);
  offCurve[90] = (offCurve[90] ?? 0) ^ 1;
  // x = 1 has no point on P-256: 1 - 3 + b is not a square.
  const noSuchX = Buffer.concat([compressedPrefix, Buffer.from([2]), Buffer.alloc(31), Buffer.from([1])]);
  const hybrid = Buffer.from(good);
  hybrid[26] = 0x06 + ((hybrid[90] ?? 0) & 1);
  const spkiOf = (namedCurve: string) =>
    generateKeyPairSync("ec", { namedCurve }).publicKey.export({ format: "der", type: "spki" });
  const ed25519 = generateKeyPairSync("ed25519").publicKey.export({ format: "der", type: "spki" });

  it.each([
    ["an empty text", "", "not_base64"],
    ["base64url", good.toString("base64url"), "not_base64"],
    ["white space inside", ` ${good.toString("base64").slice(0, -1)}`, "not_base64"],
    ["hex", good.toString("hex"), "not_p256_spki"],
    ["a text far too long", "A".repeat(100_000), "not_p256_spki"],
    ["a raw point without SPKI", hex(vector.publicKey).toString("base64"), "not_p256_spki"],
    ["a byte missing", good.subarray(0, 90).toString("base64"), "not_p256_spki"],
    ["a byte too many", Buffer.concat([good, Buffer.from([0])]).toString("base64"), "not_p256_spki"],
    ["a hybrid point", hybrid.toString("base64"), "not_p256_spki"],
    ["secp256k1", spkiOf("secp256k1").toString("base64"), "not_p256_spki"],
    ["P-384", spkiOf("P-384").toString("base64"), "not_p256_spki"],
    ["Ed25519", ed25519.toString("base64"), "not_p256_spki"],
    ["a point off the curve", offCurve.toString("base64"), "not_on_curve"],
    ["an x without a point", noSuchX.toString("base64"), "not_on_curve"],
  ])("refuses %s", (_name, text, fault) => {
    expect(parseClientEncryptionKey(text)).toEqual({ ok: false, fault });
  });

  it("never throws, whatever the bytes", () => {
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.concat([
        round % 2 ? uncompressedPrefix : compressedPrefix,
        randomBytes(round % 2 ? 65 : 33),
      ]);
      bytes[26] = [2, 3, 4, 6][round % 4] ?? 0;
      const parsed = parseClientEncryptionKey(bytes.toString("base64"));
      const expected = p256.utils.isValidPublicKey(bytes.subarray(26));
      expect(parsed.ok).toBe(expected);
    }
  });

  it("refuses canonical-length base64 with dirty trailing bits", () => {
    const text = good.toString("base64");
    expect(text.endsWith("==")).toBe(true);
    const dirty = `${text.slice(0, -3)}${String.fromCharCode((text.codePointAt(text.length - 3) ?? 0) + 1)}==`;
    expect(Buffer.from(dirty, "base64").equals(good)).toBe(true);
    expect(parseClientEncryptionKey(dirty)).toEqual({ ok: false, fault: "not_base64" });
  });
});

describe("generateAuthorizationKey", () => {
  it("gives PKCS#8 in which the 32 bytes behind the first 04 20 are the private key of the public point", () => {
    for (let round = 0; round < 300; round++) {
      const { publicKey, privateKeyPkcs8 } = generateAuthorizationKey();
      const at = Buffer.from(privateKeyPkcs8).indexOf(hex("0420"));
      expect(at).toBe(34);
      const scalar = privateKeyPkcs8.subarray(at + 2, at + 34);
      expect(Buffer.from(publicKey).equals(p256.getPublicKey(scalar, false))).toBe(true);
    }
  });

  it("gives PKCS#8 that node:crypto imports and writes back unchanged", () => {
    const { publicKey, privateKeyPkcs8 } = generateAuthorizationKey();
    const key = createPrivateKey({ key: Buffer.from(privateKeyPkcs8), format: "der", type: "pkcs8" });
    expect(key.export({ format: "der", type: "pkcs8" }).equals(privateKeyPkcs8)).toBe(true);
    const signature = sign("sha256", Buffer.from("hello"), key);
    expect(verifyP256Sha256Der(parsedPoint(publicKey), Buffer.from("hello"), signature)).toBe(true);
  });
});

describe("verifyP256Sha256Der", () => {
  const publicKey = parsedPoint(hex(vector.publicKey));
  const derOf = (r: string, s: string) => p256.Signature.fromHex(r + s, "compact").toBytes("der");

  it.each(vector.signatures)("accepts the RFC 6979 signature of '$message'", ({ message, r, s }) => {
    expect(verifyP256Sha256Der(publicKey, Buffer.from(message), derOf(r, s))).toBe(true);
    expect(verifyP256Sha256Der(publicKey, Buffer.from(`${message}.`), derOf(r, s))).toBe(false);
  });

  it("agrees with the independent implementation on low-S and high-S signatures and on altered ones", () => {
    for (let round = 0; round < 20; round++) {
      const { secretKey, publicKey: compressed } = p256.keygen();
      const message = randomBytes(50);
      const key = parsedPoint(compressed);
      const compact = p256.sign(message, secretKey, { lowS: true });
      const low = p256.Signature.fromBytes(compact, "compact");
      const high = new p256.Signature(low.r, p256.Point.Fn.ORDER - low.s);
      expect(verifyP256Sha256Der(key, message, low.toBytes("der"))).toBe(true);
      expect(verifyP256Sha256Der(key, message, high.toBytes("der"))).toBe(true);
      const altered = Buffer.from(low.toBytes("der"));
      const last = altered.length - 1;
      altered[last] = (altered[last] ?? 0) ^ 1;
      expect(verifyP256Sha256Der(key, message, altered)).toBe(false);
    }
  });

  it("answers false to signatures that are not strict DER", () => {
    const [first] = vector.signatures;
    const der = Buffer.from(derOf(first.r, first.s));
    const message = Buffer.from(first.message);
    const compact = hex(first.r + first.s);
    const trailing = Buffer.concat([der, Buffer.from([0])]);
    for (const signature of [Buffer.alloc(0), compact, trailing, der.subarray(0, 40), Buffer.alloc(500, 0x30)]) {
      expect(verifyP256Sha256Der(publicKey, message, signature)).toBe(false);
    }
    expect(verifyP256Sha256Der(publicKey, message, der)).toBe(true);
  });
});

describe("keys of another curve", () => {
  it("are the caller's bug, not a wrong signature", () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    const signature = sign("sha256", Buffer.from("x"), privateKey);
    expect(() => verifyP256Sha256Der(publicKey, Buffer.from("x"), signature.subarray(0, 72))).toThrow(TypeError);
  });
});

describe("points", () => {
  it("compares compressed and uncompressed encodings as points", () => {
    const mine = p256.keygen().publicKey;
    const uncompressed = p256.Point.fromBytes(mine).toBytes(false);
    expect(isSameP256Point(mine, uncompressed)).toBe(true);
    expect(isSameP256Point(uncompressed, mine)).toBe(true);
    const negated = p256.Point.fromBytes(mine).negate().toBytes(true);
    expect(isSameP256Point(mine, negated)).toBe(false);
    expect(isSameP256Point(mine, p256.keygen().publicKey)).toBe(false);
  });

  it("are the caller's own, however often a key was imported", () => {
    const { publicKey } = generateAuthorizationKey();
    parseP256Point(publicKey)?.point.fill(0);
    expect(Buffer.compare(parseP256Point(publicKey)?.point ?? Buffer.alloc(0), publicKey)).toBe(0);
  });

  it("does not call rubbish equal to itself", () => {
    expect(isSameP256Point(new Uint8Array(65), new Uint8Array(65))).toBe(false);
    expect(isSameP256Point(new Uint8Array(0), new Uint8Array(0))).toBe(false);
    expect(parseP256Point(new Uint8Array(33))).toBeUndefined();
    const hybrid = hex(vector.publicKey);
    hybrid[0] = 0x06 + ((hybrid[64] ?? 0) & 1);
    expect(parseP256Point(hybrid)).toBeUndefined();
    expect(isSameP256Point(hybrid, hex(vector.publicKey))).toBe(false);
    expect(() => toUncompressedP256Point(new Uint8Array(33))).toThrow(TypeError);
  });
});

function parsedPoint(point: Uint8Array) {
  const parsed = parseP256Point(point);
  if (parsed === undefined) throw new Error("the test's point is not on the curve");
  return parsed;
}
