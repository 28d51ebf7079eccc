/** A certificate that an Ed25519 key makes for itself (RFC 5280, RFC 8410): what TLS asks for where the key is what is pinned. */
import { Buffer } from "node:buffer";
import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";

const integer = 0x02;
const bitString = 0x03;
const octetString = 0x04;
const boolean = 0x01;
const utf8 = 0x0c;
const utcTime = 0x17;
const generalizedTime = 0x18;
const sequence = 0x30;
const set = 0x31;

const ed25519 = Buffer.from("06032b6570", "hex");
const commonName = Buffer.from("0603550403", "hex");
const basicConstraints = Buffer.from("0603551d13", "hex");

/**
 * PEM of a self-signed certificate, the same for the same key and name always: it has no end that is defined (RFC 5280, 4.1.2.5), and
 * certifies nobody else. `name` is for people who read it, 64 letters at most.
 */
export function selfSignedCertificate(privateKey: KeyObject, name: string): string {
  if (privateKey.asymmetricKeyType !== "ed25519") throw new TypeError("the key object is not an Ed25519 key");
  if (!/^[\x20-\x7e]{1,64}$/.test(name)) throw new RangeError("a certificate's name has 1 to 64 printable characters");
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const algorithm = der(sequence, ed25519);
  const who = der(sequence, der(set, der(sequence, commonName, der(utf8, Buffer.from(name)))));
  const validity = der(sequence, der(utcTime, text("000101000000Z")), der(generalizedTime, text("99991231235959Z")));
  const noAuthority = der(sequence, basicConstraints, der(boolean, Buffer.of(0xff)), der(octetString, der(sequence)));
  const certified = der(
    sequence,
    der(0xa0, der(integer, Buffer.of(2))),
    // Positive whatever the hash is.
    der(integer, Buffer.of(1), createHash("sha256").update(spki).digest().subarray(0, 15)),
    algorithm,
    who,
    validity,
    who,
    spki,
    der(0xa3, der(sequence, noAuthority)),
  );
  const certificate = der(
    sequence,
    certified,
    algorithm,
    der(bitString, Buffer.of(0), sign(null, certified, privateKey)),
  );
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

const text = (ascii: string): Buffer => Buffer.from(ascii, "latin1");

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}
