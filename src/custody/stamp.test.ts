import { createPublicKey, type KeyObject } from "node:crypto";
import type { KeyStamp } from "@trellis/kernel/ports/custodian.js";
import { describe, expect, it } from "vitest";
import { countVerifications } from "../../test/support/count-verifications.js";
import { createP256Key, signCanonical, stampKmsA, stampKmsB } from "../../test/support/test-network.js";
import { encodePayload, type PayloadDocument, parsePayload, payloadExpiryMs } from "./payload.js";
import { verifyStamp } from "./stamp.js";

const document: PayloadDocument = {
  version: 1,
  method: "signTransaction",
  environment: "sandbox",
  account: "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y",
  wallet: "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi",
  params: { transaction: "AQID", encoding: "base64" },
  nonce: "n-1",
  expires_at: "2026-01-15T12:01:00.000Z",
};
const payload = encodePayload(document);

describe("a payload", () => {
  it("reads as it was written", () => {
    expect(parsePayload(payload)).toEqual(document);
    expect(payloadExpiryMs(document)).toBe(Date.UTC(2026, 0, 15, 12, 1));
  });

  it.each<[string, unknown]>([
    ["another version", { ...document, version: 2 }],
    ["another method", { ...document, method: "signMessage" }],
    ["an unknown environment", { ...document, environment: "production" }],
    ["no wallet", { ...document, wallet: undefined }],
    ["an empty nonce", { ...document, nonce: "" }],
    ["a number for an instant", { ...document, expires_at: 1 }],
    ["an instant spelled otherwise", { ...document, expires_at: "2026-01-15T12:01:00Z" }],
    ["another encoding", { ...document, params: { transaction: "AQID", encoding: "base58" } }],
    ["no params", { ...document, params: null }],
    ["an array", [document]],
    ["a text", "signTransaction"],
  ])("with %s is refused", (_what, json) => {
    expect(parsePayload(Buffer.from(JSON.stringify(json)).toString("base64"))).toBeUndefined();
  });

  it.each([
    ["nothing", ""],
    ["text that is not base64", "{}"],
    ["base64 without its padding", payload.replace(/=+$/, "").slice(0, -1)],
    ["bytes that are not UTF-8", Buffer.from([0xff, 0xfe]).toString("base64")],
    ["half a document", Buffer.from('{"version":1').toString("base64")],
    ["nine thousand characters", "A".repeat(9_000)],
  ])("of %s is refused", (_what, text) => {
    expect(parsePayload(text)).toBeUndefined();
  });
});

describe("a verdict", () => {
  it("is about this document, this signature and this key, each time anew", () => {
    const other = createP256Key();
    const otherDocument = encodePayload({ ...document, nonce: "n-2" });
    const [stamp, again, foreign] = [stampA(key), stampA(key), stampA(other)];
    for (const good of [stamp, again]) expect(verdict(good).ok).toBe(true);
    expect(verdict(foreign).ok).toBe(false);
    expect(verdict(stamp, otherDocument).ok).toBe(false);
    expect(verifyStamp(payload, stamp, pointOf(other), { realNow }).ok).toBe(false);
    expect(verifyStamp(payload, foreign, pointOf(other), { realNow }).ok).toBe(true);
  });

  it("is computed anew by each custodian: none takes it from the service", async () => {
    const stamp = stampA(key);
    const { verifications } = await countVerifications(() => [verdict(stamp), verdict(stamp)]);
    expect(verifications).toBe(2);
  });

  it("takes no arithmetic where a kms_b stamp names another key", async () => {
    const stamp = stampB(key);
    const other = pointOf(createP256Key());
    const { verifications } = await countVerifications(() => verifyStamp(payload, stamp, other, { realNow }));
    expect(verifications).toBe(0);
    expect((await countVerifications(() => verdict(stamp))).verifications).toBe(1);
  });

  it("does not outlive the time of a kms_b stamp", () => {
    const stamp = stampB(key);
    expect(verdict(stamp).ok).toBe(true);
    const late = realNow + 5 * 60_000 + 1;
    expect(verifyStamp(payload, stamp, point, { realNow: late })).toEqual({
      ok: false,
      fault: "timestamp_out_of_range",
    });
  });
});

describe("a kms_a stamp", () => {
  it("verifies over the canonical document, however its members were ordered", () => {
    expect(verdict(stampA(key))).toEqual({ ok: true });
    const reordered = Object.fromEntries(Object.entries(document).reverse());
    const text = Buffer.from(JSON.stringify(reordered, null, 2)).toString("base64");
    expect(verdict(stampA(key), text)).toEqual({ ok: true });
  });

  it("does not verify over another document or under another key", () => {
    const other = encodePayload({ ...document, nonce: "n-2" });
    expect(verdict(stampA(key, other))).toEqual({ ok: false, fault: "signature_mismatch" });
    expect(verdict(stampA(createP256Key()))).toEqual({ ok: false, fault: "signature_mismatch" });
  });

  it("is refused where it is not base64", () => {
    const { signature } = stampA(key) as { signature: string };
    for (const broken of ["", "not base64", signature.replaceAll("=", ""), ` ${signature}`]) {
      if (broken === signature) continue;
      expect(verdict({ form: "kms_a", signature: broken })).toEqual({ ok: false, fault: "malformed_stamp" });
    }
  });

  it("is refused over something that is no payload", () => {
    expect(verdict(stampA(key), "????")).toEqual({ ok: false, fault: "malformed_payload" });
    const surrogate = Buffer.from('{"a":"\\ud800"}').toString("base64");
    expect(verdict(stampA(key), surrogate)).toEqual({ ok: false, fault: "malformed_payload" });
  });
});

describe("a kms_b stamp", () => {
  it("verifies with an uncompressed and with a compressed public key, in either case", () => {
    const stamp = stampB(key);
    expect(verdict(stamp)).toEqual({ ok: true });
    expect(verdict({ ...stamp, publicKey: stamp.publicKey.toUpperCase() })).toEqual({ ok: true });
    const prefix = (point[64] ?? 0) % 2 === 0 ? "02" : "03";
    const compressed = prefix + Buffer.from(point.subarray(1, 33)).toString("hex");
    expect(verdict({ ...stamp, publicKey: compressed })).toEqual({ ok: true });
  });

  it("is good for five minutes of real time, either way", () => {
    for (const away of [-300_000, 0, 300_000]) expect(verdict(stampB(key, realNow + away))).toEqual({ ok: true });
    for (const away of [-300_001, 300_001]) {
      expect(verdict(stampB(key, realNow + away))).toEqual({ ok: false, fault: "timestamp_out_of_range" });
    }
  });

  it("binds its timestamp", () => {
    const stamp = stampB(key);
    expect(verdict({ ...stamp, timestampMs: String(realNow + 1) })).toEqual({ ok: false, fault: "signature_mismatch" });
  });

  it("names the key it was made with", () => {
    expect(verdict(stampB(createP256Key()))).toEqual({ ok: false, fault: "other_public_key" });
    const forged = { ...stampB(createP256Key()), publicKey: Buffer.from(point).toString("hex") };
    expect(verdict(forged)).toEqual({ ok: false, fault: "signature_mismatch" });
  });

  it.each([
    ["publicKey", "zz"],
    ["publicKey", ""],
    ["publicKey", `04${"00".repeat(64)}`],
    ["signature", "zz"],
    ["signature", "abc"],
    ["timestampMs", "soon"],
    ["timestampMs", "1e3"],
    ["timestampMs", "-1"],
    ["timestampMs", "007"],
  ])("is refused with a malformed %s %s", (name, value) => {
    expect(verdict({ ...stampB(key), [name]: value } as KeyStamp)).toEqual({ ok: false, fault: "malformed_stamp" });
  });

  it("does not verify where the document alone was signed", () => {
    const signature = signCanonical(document, key).toString("hex");
    expect(verdict({ ...stampB(key), signature } as KeyStamp)).toEqual({ ok: false, fault: "signature_mismatch" });
  });
});

const realNow = Date.UTC(2026, 0, 15, 12);
const key = createP256Key();
const point = pointOf(key);

function pointOf(privateKey: KeyObject): Uint8Array {
  return createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-65);
}

function toStampB(wire: ReturnType<typeof stampKmsB>) {
  const { public_key: publicKey, signature, timestamp_ms: timestampMs } = wire;
  return { form: "kms_b", publicKey, signature, timestampMs } as const;
}

const stampA = (privateKey: KeyObject, text = payload): KeyStamp => ({
  form: "kms_a",
  signature: stampKmsA(text, privateKey),
});

const stampB = (privateKey: KeyObject, at = realNow) => toStampB(stampKmsB(payload, privateKey, at));

const verdict = <S extends KeyStamp>(stamp: S, text = payload) => verifyStamp(text, stamp, point, { realNow });
