import { Buffer } from "node:buffer";
import { createECDH, createPublicKey, generateKeyPairSync, randomBytes, webcrypto } from "node:crypto";
import { Chacha20Poly1305 } from "@hpke/chacha20poly1305";
import { CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from "@hpke/core";
import { describe, expect, it } from "vitest";
import { rfc9180A51 as vector } from "../../../../test/vectors/rfc-9180-a5-1.js";
import {
  deriveKeySchedule,
  generateHpkeRecipient,
  hpkePointOf,
  openSealed,
  sealTo,
  sealWithEphemeralKey,
} from "./hpke.js";

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Chacha20Poly1305(),
});

describe("RFC 9180 appendix A.5.1", () => {
  it("the key schedule gives the published shared secret, key and nonce", () => {
    const recipient = createECDH("prime256v1");
    recipient.setPrivateKey(hex(vector.skRm));
    const dh = recipient.computeSecret(hex(vector.pkEm));
    const schedule = deriveKeySchedule(dh, hex(vector.pkEm), hex(vector.pkRm), hex(vector.info));
    expect(Buffer.from(schedule.sharedSecret).toString("hex")).toBe(vector.sharedSecret);
    expect(Buffer.from(schedule.key).toString("hex")).toBe(vector.key);
    expect(Buffer.from(schedule.baseNonce).toString("hex")).toBe(vector.baseNonce);
  });

  it("sealing with the published ephemeral key gives the published ciphertext", () => {
    const options = { info: hex(vector.info), aad: hex(vector.aad) };
    const sealed = sealWithEphemeralKey(hex(vector.pkRm), hex(vector.plaintext), hex(vector.skEm), options);
    expect(Buffer.from(sealed.encapsulatedKey).toString("hex")).toBe(vector.pkEm);
    expect(Buffer.from(sealed.ciphertext).toString("hex")).toBe(vector.ciphertext);
  });

  it("the independent implementation opens the published ciphertext, so the vector itself is sound", async () => {
    const recipientKey = await suite.kem.importKey("raw", arrayBuffer(hex(vector.skRm)), false);
    const opened = await suite.open(
      { recipientKey, enc: arrayBuffer(hex(vector.pkEm)), info: arrayBuffer(hex(vector.info)) },
      arrayBuffer(hex(vector.ciphertext)),
      arrayBuffer(hex(vector.aad)),
    );
    expect(Buffer.from(opened).toString("hex")).toBe(vector.plaintext);
  });
});

describe("opening", () => {
  it("gives the published plaintext, and the published point of the published private key", () => {
    const sealed = { encapsulatedKey: hex(vector.pkEm), ciphertext: hex(vector.ciphertext) };
    const opened = openSealed(hex(vector.skRm), sealed, { info: hex(vector.info), aad: hex(vector.aad) });
    expect(Buffer.from(opened ?? []).toString("hex")).toBe(vector.plaintext);
    expect(Buffer.from(hpkePointOf(hex(vector.skRm))).toString("hex")).toBe(vector.pkRm);
  });

  it("gives back what was sealed, and nothing to another key, in another context, or of other bytes", () => {
    const { privateKey, point } = generateHpkeRecipient();
    expect(privateKey).toHaveLength(32);
    const plaintext = randomBytes(32);
    const info = Buffer.from("an import");
    const sealed = sealTo(point, plaintext, { info });
    expect(Buffer.from(openSealed(privateKey, sealed, { info }) ?? [])).toEqual(plaintext);
    expect(openSealed(generateHpkeRecipient().privateKey, sealed, { info })).toBeUndefined();
    expect(openSealed(privateKey, sealed)).toBeUndefined();
    expect(openSealed(privateKey, sealed, { info, aad: info })).toBeUndefined();
    const altered = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
    const { encapsulatedKey, ciphertext } = sealed;
    for (const other of [
      { encapsulatedKey, ciphertext: altered(ciphertext, 0) },
      { encapsulatedKey, ciphertext: altered(ciphertext, ciphertext.length - 1) },
      { encapsulatedKey, ciphertext: ciphertext.subarray(0, 15) },
      { encapsulatedKey, ciphertext: new Uint8Array() },
      { encapsulatedKey: altered(encapsulatedKey, 40), ciphertext },
      { encapsulatedKey: new Uint8Array(65), ciphertext },
      { encapsulatedKey: encapsulatedKey.subarray(1), ciphertext },
    ])
      expect(openSealed(privateKey, other, { info })).toBeUndefined();
  });
});

describe("against the independent implementation", () => {
  it("opens what is sealed here, for messages of many lengths, with and without info and aad", async () => {
    for (let size = 0; size < 40; size++) {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const recipientKey = await webcrypto.subtle.importKey(
        "pkcs8",
        privateKey.export({ format: "der", type: "pkcs8" }),
        { name: "ECDH", namedCurve: "P-256" },
        // Not extractable, the library guesses the sign of the public point and fails for every second key.
        true,
        ["deriveBits"],
      );
      const plaintext = randomBytes(size * 7);
      const options = size % 2 === 0 ? {} : { info: randomBytes(size), aad: randomBytes(size * 2) };
      const sealed = sealTo(publicKey, plaintext, options);
      expect(sealed.encapsulatedKey).toHaveLength(65);
      const context =
        options.info === undefined
          ? { recipientKey, enc: arrayBuffer(sealed.encapsulatedKey) }
          : { recipientKey, enc: arrayBuffer(sealed.encapsulatedKey), info: arrayBuffer(options.info) };
      const aad = options.aad === undefined ? undefined : arrayBuffer(options.aad);
      const opened = await suite.open(context, arrayBuffer(sealed.ciphertext), aad);
      expect(Buffer.from(opened).equals(plaintext)).toBe(true);
    }
  });

  it("produces the same bytes for the same ephemeral key", async () => {
    for (let round = 0; round < 10; round++) {
      const ephemeral = createECDH("prime256v1");
      ephemeral.generateKeys();
      const ephemeralPrivateKey = Buffer.alloc(32);
      ephemeral.getPrivateKey().copy(ephemeralPrivateKey, 32 - ephemeral.getPrivateKey().length);
      const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const plaintext = randomBytes(200);
      const recipientPublicKey = await webcrypto.subtle.importKey(
        "spki",
        publicKey.export({ format: "der", type: "spki" }),
        { name: "ECDH", namedCurve: "P-256" },
        true,
        [],
      );
      const ekm = {
        privateKey: await suite.kem.importKey("raw", arrayBuffer(ephemeralPrivateKey), false),
        publicKey: await suite.kem.importKey("raw", arrayBuffer(ephemeral.getPublicKey()), true),
      };
      const theirs = await suite.seal({ recipientPublicKey, ekm }, arrayBuffer(plaintext));
      const ours = sealWithEphemeralKey(publicKey, plaintext, ephemeralPrivateKey);
      expect(Buffer.from(theirs.ct).equals(ours.ciphertext)).toBe(true);
      expect(Buffer.from(theirs.enc).equals(ours.encapsulatedKey)).toBe(true);
    }
  });
});

describe("sealTo", () => {
  it("treats a key object, its uncompressed and its compressed point as the same recipient", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const point = publicKey.export({ format: "der", type: "spki" }).subarray(26);
    const compressed = Buffer.concat([Buffer.from([0x02 + ((point[64] ?? 0) & 1)]), point.subarray(1, 33)]);
    const ephemeral = Buffer.alloc(32, 7);
    const plaintext = Buffer.from("secret");
    const expected = sealWithEphemeralKey(publicKey, plaintext, ephemeral);
    expect(sealWithEphemeralKey(point, plaintext, ephemeral)).toEqual(expected);
    expect(sealWithEphemeralKey(compressed, plaintext, ephemeral)).toEqual(expected);
    const imported = createPublicKey({
      key: Buffer.concat([hex("3039301306072a8648ce3d020106082a8648ce3d030107032200"), compressed]),
      format: "der",
      type: "spki",
    });
    expect(sealWithEphemeralKey(imported, plaintext, ephemeral)).toEqual(expected);
  });

  it("uses a new ephemeral key every time", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const first = sealTo(publicKey, Buffer.from("same"));
    const second = sealTo(publicKey, Buffer.from("same"));
    expect(Buffer.from(first.encapsulatedKey).equals(second.encapsulatedKey)).toBe(false);
    expect(Buffer.from(first.ciphertext).equals(second.ciphertext)).toBe(false);
  });

  it("refuses a point off the curve, a private key and a key of another curve", () => {
    const offCurve = hex(vector.pkRm);
    offCurve[64] = (offCurve[64] ?? 0) ^ 1;
    expect(() => sealTo(offCurve, Buffer.from("x"))).toThrow(TypeError);
    expect(() => sealTo(new Uint8Array(65), Buffer.from("x"))).toThrow(TypeError);
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    expect(() => sealTo(publicKey, Buffer.from("x"))).toThrow(TypeError);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    expect(() => sealTo(privateKey, Buffer.from("x"))).toThrow(TypeError);
  });
});

const hex = (text: string) => Buffer.from(text, "hex");

const arrayBuffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;
