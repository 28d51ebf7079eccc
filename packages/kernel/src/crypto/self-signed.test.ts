import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { selfSignedCertificate } from "./self-signed.js";

describe("a self-signed certificate", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const certificate = new X509Certificate(selfSignedCertificate(privateKey, "a custodian"));

  it("is one of its key, signed by it, without an end, and of no authority", () => {
    expect(certificate.publicKey.equals(publicKey)).toBe(true);
    expect(certificate.verify(publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.subject).toBe("CN=a custodian");
    expect(certificate.issuer).toBe("CN=a custodian");
    expect(new Date(certificate.validFrom).getUTCFullYear()).toBe(2000);
    expect(new Date(certificate.validTo).getUTCFullYear()).toBe(9999);
  });

  it("is the same for the same key and name, and another for another", () => {
    expect(selfSignedCertificate(privateKey, "a custodian")).toBe(certificate.toString());
    expect(selfSignedCertificate(privateKey, "b")).not.toBe(certificate.toString());
    const other = new X509Certificate(selfSignedCertificate(generateKeyPairSync("ed25519").privateKey, "a custodian"));
    expect(other.serialNumber).not.toBe(certificate.serialNumber);
    expect(certificate.verify(other.publicKey)).toBe(false);
  });

  it("is made of Ed25519 keys, under names that can be written", () => {
    const { privateKey: other } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    expect(() => selfSignedCertificate(other, "a")).toThrow(TypeError);
    for (const name of ["", "a\nb", "ä", "x".repeat(65)]) {
      expect(() => selfSignedCertificate(privateKey, name)).toThrow(RangeError);
    }
  });
});
