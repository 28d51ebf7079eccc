import { createSign, generateKeyPairSync } from "node:crypto";
import {
  generateEd25519KeyPair,
  importEd25519PublicKey,
  signEd25519,
  verifyEd25519,
} from "@trellis/kernel/crypto/ed25519.js";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import { sealTo } from "@trellis/kernel/crypto/hpke.js";
import { generateAuthorizationKey, verifyP256Sha256Der } from "@trellis/kernel/crypto/p256.js";

/** How often a second the operations can be done that nothing can spare: what the service's figures are held against. */
export interface CryptoFloors {
  /** Of create + verify: two wallet keys wrapped, one authorization key sealed, one mail wrapped, one chain signature. */
  readonly createAndVerify: number;
  /** Of prepare + submit: the holder's signature checked by the service and by the custodian, two chain signatures, one key unwrapped. */
  readonly prepareAndSubmit: number;
  /** Of the creation of an account of given keys: one chain signature. */
  readonly createFromKeys: number;
  /** Of a payment that two outside keys sign: their signatures checked, one chain signature. */
  readonly submitOfTwoKeys: number;
}

/** Measures both on one thread, for about half a second each. */
export function measureCryptoFloors(): CryptoFloors {
  const keyring = createKeyring({ masterKeys: [{ id: "bench", key: new Uint8Array(32).fill(9) }], activeId: "bench" });
  const client = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const chainKey = generateEd25519KeyPair();
  const message = new Uint8Array(500).fill(3);
  const wrapped = keyring.wrap(chainKey.seed, "wallet");
  const authorization = generateAuthorizationKey();
  const holder = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = holder.publicKey;
  const stamp = createSign("sha256").update(message).sign(holder.privateKey);
  const createAndVerify = rate(() => {
    for (let i = 0; i < 2; i += 1) keyring.wrap(generateEd25519KeyPair().seed, "wallet");
    sealTo(client.publicKey, generateAuthorizationKey().privateKeyPkcs8);
    keyring.wrap(message, "mail");
    signEd25519(chainKey.seed, message);
  });
  const prepareAndSubmit = rate(() => {
    for (let i = 0; i < 2; i += 1) verifyP256Sha256Der(key, message, stamp);
    signEd25519(keyring.unwrap(wrapped, "wallet"), message);
    signEd25519(chainKey.seed, message);
  });
  const outside = importEd25519PublicKey(chainKey.publicKey);
  const outsideSignature = signEd25519(chainKey.seed, message);
  const createFromKeys = rate(() => {
    signEd25519(chainKey.seed, message);
  });
  const submitOfTwoKeys = rate(() => {
    for (let i = 0; i < 2; i += 1) verifyEd25519(outside, message, outsideSignature);
    signEd25519(chainKey.seed, message);
  });
  if (authorization.privateKeyPkcs8.length === 0) throw new Error("no key");
  return { createAndVerify, prepareAndSubmit, createFromKeys, submitOfTwoKeys };
}

function rate(work: () => void): number {
  for (let i = 0; i < 50; i += 1) work();
  const started = performance.now();
  let done = 0;
  while (performance.now() - started < 500) {
    work();
    done += 1;
  }
  return done / ((performance.now() - started) / 1_000);
}
