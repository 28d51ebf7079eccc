import { Buffer } from "node:buffer";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { describe, expect, it } from "vitest";
import { rfc8032Vectors } from "../../../../test/vectors/rfc-8032.js";
import {
  createEd25519KeyCache,
  ed25519PublicKeyOf,
  generateEd25519KeyPair,
  importEd25519PublicKey,
  importEd25519Seed,
  signEd25519,
  verifyEd25519,
} from "./ed25519.js";

describe("RFC 8032 section 7.1", () => {
  it.each(rfc8032Vectors)("$name", ({ seed, publicKey, message, signature }) => {
    expect(Buffer.from(ed25519PublicKeyOf(hex(seed))).toString("hex")).toBe(publicKey);
    expect(Buffer.from(signEd25519(hex(seed), hex(message))).toString("hex")).toBe(signature);
    expect(verifyEd25519(hex(publicKey), hex(message), hex(signature))).toBe(true);
    expect(verifyEd25519(hex(publicKey), Buffer.concat([hex(message), Buffer.from([0])]), hex(signature))).toBe(false);
  });
});

describe("against the independent implementation", () => {
  it("makes the same keys and signatures", () => {
    for (let round = 0; round < 20; round++) {
      const { seed, publicKey } = generateEd25519KeyPair();
      const message = randomBytes(round * 60);
      expect(Buffer.from(publicKey).equals(ed25519.getPublicKey(seed))).toBe(true);
      const signature = signEd25519(importEd25519Seed(seed), message);
      expect(Buffer.from(signature).equals(ed25519.sign(message, seed))).toBe(true);
      expect(verifyEd25519(importEd25519PublicKey(publicKey), message, signature)).toBe(true);
    }
  });
});

describe("strictness", () => {
  const { seed, publicKey } = generateEd25519KeyPair();
  const message = Buffer.from("message");
  const signature = signEd25519(seed, message);

  it("a signature or key of another length verifies nothing and does not throw", () => {
    expect(verifyEd25519(publicKey, message, signature)).toBe(true);
    expect(verifyEd25519(publicKey, message, signature.subarray(0, 63))).toBe(false);
    expect(verifyEd25519(publicKey, message, Buffer.concat([signature, Buffer.from([0])]))).toBe(false);
    expect(verifyEd25519(publicKey.subarray(0, 31), message, signature)).toBe(false);
  });

  it("refuses the malleated signature with S + L", () => {
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString("hex")}`) + order;
    const malleated = Buffer.concat([
      signature.subarray(0, 32),
      Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse(),
    ]);
    expect(verifyEd25519(publicKey, message, malleated)).toBe(false);
  });

  it("seeds and keys of another length, and keys of another kind, are the caller's bug", () => {
    expect(() => importEd25519Seed(new Uint8Array(31))).toThrow(RangeError);
    expect(() => importEd25519Seed(new Uint8Array(64))).toThrow(RangeError);
    expect(() => importEd25519PublicKey(new Uint8Array(33))).toThrow(RangeError);
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
    expect(() => signEd25519(other.privateKey, message)).toThrow(TypeError);
    expect(() => verifyEd25519(other.publicKey, message, signature)).toThrow(TypeError);
  });

  it("takes its randomness from the given source", () => {
    const pair = generateEd25519KeyPair((size) => new Uint8Array(size).fill(9));
    expect(pair.seed).toEqual(new Uint8Array(32).fill(9));
    expect(pair.publicKey).toEqual(Uint8Array.from(ed25519.getPublicKey(pair.seed)));
  });
});

describe("createEd25519KeyCache", () => {
  it("gives the same key object again, and never one key for another", () => {
    const cache = createEd25519KeyCache(10);
    const first = generateEd25519KeyPair();
    const second = generateEd25519KeyPair();
    const key = cache.privateKey(first.seed);
    expect(cache.privateKey(Uint8Array.from(first.seed))).toBe(key);
    expect(Buffer.from(ed25519PublicKeyOf(cache.privateKey(second.seed))).equals(second.publicKey)).toBe(true);
    expect(cache.publicKey(first.publicKey).type).toBe("public");
    expect(cache.publicKey(first.publicKey)).toBe(cache.publicKey(first.publicKey));
  });

  it("needs room for at least one key", () => {
    for (const size of [0, -1, 1.5, Number.NaN]) expect(() => createEd25519KeyCache(size)).toThrow(RangeError);
  });

  it("drops the key used longest ago once it is full, and all of them on clear", () => {
    const cache = createEd25519KeyCache(2);
    const seeds = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
    const [one, two, three] = seeds;
    if (one === undefined || two === undefined || three === undefined) throw new Error("three seeds are needed");
    const keyOne = cache.privateKey(one);
    const keyTwo = cache.privateKey(two);
    cache.privateKey(one);
    cache.privateKey(three);
    expect(cache.privateKey(one)).toBe(keyOne);
    expect(cache.privateKey(two)).not.toBe(keyTwo);
    cache.clear();
    expect(cache.privateKey(one)).not.toBe(keyOne);
  });
});

const hex = (text: string) => Buffer.from(text, "hex");
