import { createPublicKey, type KeyObject } from "node:crypto";

/** Every public key of a text of PEM, so that an old and a new one can stand in one file. Throws on what is no RSA key. */
export function parseRsaPublicKeys(pem: string): readonly KeyObject[] {
  const blocks = pem.match(/-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g) ?? [];
  if (blocks.length === 0) throw new Error("there is no public key in it");
  const keys = blocks.map((block) => {
    try {
      return createPublicKey(block);
    } catch {
      throw new Error("it holds a public key that cannot be read");
    }
  });
  if (keys.some((key) => key.asymmetricKeyType !== "rsa")) throw new Error("it holds a key that is not RSA");
  return keys;
}
