import { Buffer } from "node:buffer";
import { createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createKeyring, EnvelopeError } from "./envelope.js";

const keyOne = { id: "2026-01", key: new Uint8Array(32).fill(1) };
const keyTwo = { id: "2026-02", key: new Uint8Array(32).fill(2) };
const keyring = createKeyring({ masterKeys: [keyOne], activeId: keyOne.id });

describe("wrap and unwrap", () => {
  it("gives back what was wrapped, for every length", () => {
    for (let size = 0; size < 100; size++) {
      const plaintext = randomBytes(size * 13);
      const envelope = keyring.wrap(plaintext, `wallet/${size}`);
      expect(Buffer.from(keyring.unwrap(envelope, `wallet/${size}`)).equals(plaintext)).toBe(true);
    }
  });

  it("never writes the same envelope twice and never shows the plaintext", () => {
    const plaintext = Buffer.from("a secret that is long enough to be searched for");
    const first = Buffer.from(keyring.wrap(plaintext, "wallet/1"));
    const second = Buffer.from(keyring.wrap(plaintext, "wallet/1"));
    expect(first.equals(second)).toBe(false);
    expect(first.includes(plaintext)).toBe(false);
  });

  it("does not open in another row", () => {
    const envelope = keyring.wrap(Buffer.from("secret"), "wallet/1");
    expect(faultOf(() => keyring.unwrap(envelope, "wallet/2"))).toBe("authentication_failed");
    expect(faultOf(() => keyring.unwrap(envelope, ""))).toBe("authentication_failed");
  });

  it("does not open under another master key of the same name, or without the key", () => {
    const envelope = keyring.wrap(Buffer.from("secret"), "wallet/1");
    const impostor = createKeyring({ masterKeys: [{ id: keyOne.id, key: keyTwo.key }], activeId: keyOne.id });
    expect(faultOf(() => impostor.unwrap(envelope, "wallet/1"))).toBe("authentication_failed");
    const stranger = createKeyring({ masterKeys: [keyTwo], activeId: keyTwo.id });
    expect(faultOf(() => stranger.unwrap(envelope, "wallet/1"))).toBe("unknown_master_key");
  });

  it("does not open after any single byte is changed, or at any shorter length", () => {
    const envelope = keyring.wrap(Buffer.from("secret"), "wallet/1");
    for (let at = 0; at < envelope.length; at++) {
      const altered = Uint8Array.from(envelope);
      altered[at] = (altered[at] ?? 0) ^ 0x01;
      expect(faultOf(() => keyring.unwrap(altered, "wallet/1"))).not.toBe("opened");
      expect(faultOf(() => keyring.unwrap(envelope.subarray(0, at), "wallet/1"))).not.toBe("opened");
    }
    expect(faultOf(() => keyring.unwrap(Buffer.concat([envelope, Buffer.from([0])]), "wallet/1"))).toBe(
      "authentication_failed",
    );
  });

  it("does not open when the value of another envelope of the same row is put in", () => {
    const first = keyring.wrap(Buffer.from("secret one"), "wallet/1");
    const second = keyring.wrap(Buffer.from("secret two"), "wallet/1");
    const split = 2 + keyOne.id.length + 60;
    const mixed = Buffer.concat([first.subarray(0, split), second.subarray(split)]);
    expect(faultOf(() => keyring.unwrap(mixed, "wallet/1"))).toBe("authentication_failed");
  });

  it("names malformed and future envelopes as such", () => {
    expect(faultOf(() => keyring.unwrap(new Uint8Array(0), "x"))).toBe("malformed");
    expect(faultOf(() => keyring.unwrap(new Uint8Array([1, 0]), "x"))).toBe("malformed");
    expect(faultOf(() => keyring.unwrap(new Uint8Array([2, 7]), "x"))).toBe("unsupported_version");
  });

  it("is the layout that is documented: AES-256-GCM under HKDF of the master key", () => {
    const envelope = keyring.wrap(Buffer.from("secret"), "wallet/1");
    const header = 2 + keyOne.id.length;
    const open = (key: Uint8Array, from: number, to: number, aad: Uint8Array) => {
      const decipher = createDecipheriv("aes-256-gcm", key, envelope.subarray(from, from + 12));
      decipher.setAAD(aad).setAuthTag(envelope.subarray(to - 16, to));
      return Buffer.concat([decipher.update(envelope.subarray(from + 12, to - 16)), decipher.final()]);
    };
    const wrappingKey = new Uint8Array(hkdfSync("sha256", keyOne.key, "", "trellis/master-key/wrapping", 32));
    const outerAad = Buffer.concat([
      Buffer.from("trellis/envelope/1/key\n"),
      envelope.subarray(0, header),
      Buffer.from("wallet/1"),
    ]);
    const dataKey = open(wrappingKey, header, header + 60, outerAad);
    const value = open(dataKey, header + 60, envelope.length, Buffer.from("trellis/envelope/1/value\nwallet/1"));
    expect(value.toString()).toBe("secret");
  });
});

describe("rotation", () => {
  const rotated = createKeyring({ masterKeys: [keyOne, keyTwo], activeId: keyTwo.id });

  it("old envelopes still open, new ones name the new key", () => {
    const old = keyring.wrap(Buffer.from("secret"), "wallet/1");
    expect(Buffer.from(rotated.unwrap(old, "wallet/1")).toString()).toBe("secret");
    expect(rotated.masterKeyIdOf(old)).toBe(keyOne.id);
    expect(rotated.masterKeyIdOf(rotated.wrap(Buffer.from("x"), "wallet/1"))).toBe(keyTwo.id);
  });

  it("a re-wrapped envelope opens without the old key, and only in its row", () => {
    const old = keyring.wrap(Buffer.from("secret"), "wallet/1");
    const moved = rotated.rewrap(old, "wallet/1");
    const onlyNew = createKeyring({ masterKeys: [keyTwo], activeId: keyTwo.id });
    expect(Buffer.from(onlyNew.unwrap(moved, "wallet/1")).toString()).toBe("secret");
    expect(faultOf(() => onlyNew.unwrap(moved, "wallet/2"))).toBe("authentication_failed");
    expect(faultOf(() => rotated.rewrap(old, "wallet/2"))).toBe("authentication_failed");
  });

  it("derived secrets do not change when the active key does", () => {
    expect(rotated.deriveSecret("one-time-code")).toEqual(keyring.deriveSecret("one-time-code"));
    const anchored = createKeyring({
      masterKeys: [keyTwo, keyOne],
      activeId: keyTwo.id,
      derivationId: keyOne.id,
    });
    expect(anchored.deriveSecret("one-time-code")).toEqual(keyring.deriveSecret("one-time-code"));
  });
});

describe("deriveSecret", () => {
  it("is HKDF-SHA256 of the master key with the label, 32 bytes, another for every label and key", () => {
    const secret = keyring.deriveSecret("api-key");
    expect(secret).toEqual(new Uint8Array(hkdfSync("sha256", keyOne.key, "", "trellis/master-key/secret/api-key", 32)));
    expect(secret).toHaveLength(32);
    expect(keyring.deriveSecret("api-keys")).not.toEqual(secret);
    const other = createKeyring({ masterKeys: [keyTwo], activeId: keyTwo.id });
    expect(other.deriveSecret("api-key")).not.toEqual(secret);
  });
});

describe("createKeyring refuses", () => {
  it.each([
    ["a short key", { masterKeys: [{ id: "a", key: new Uint8Array(31) }], activeId: "a" }],
    ["an empty id", { masterKeys: [{ id: "", key: new Uint8Array(32) }], activeId: "" }],
    ["an id with a blank", { masterKeys: [{ id: "a b", key: new Uint8Array(32) }], activeId: "a b" }],
    ["the same id twice", { masterKeys: [keyOne, { ...keyTwo, id: keyOne.id }], activeId: keyOne.id }],
    ["an active key that is not there", { masterKeys: [keyOne], activeId: keyTwo.id }],
    ["a derivation key that is not there", { masterKeys: [keyOne], activeId: keyOne.id, derivationId: "x" }],
    ["no key at all", { masterKeys: [], activeId: "a" }],
  ])("%s", (_name, options) => {
    expect(() => createKeyring(options)).toThrow(RangeError);
  });
});

function faultOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof EnvelopeError) return error.fault;
    throw error;
  }
  return "opened";
}
