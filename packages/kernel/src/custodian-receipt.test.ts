import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { ed25519PublicKeyOf } from "./crypto/ed25519.js";
import { type CustodianReceipt, signReceipt, verifyReceipt } from "./custodian-receipt.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const receipt: CustodianReceipt = {
  wallet: "w",
  address: "a",
  passkeys: [{ credential_id: "c", public_key: "04" }],
  policy: { kind: "guarded", rp: { id: "localhost", origins: ["http://localhost:3000"] } },
};

it("a receipt says what the custodian has signed, and nothing that was changed or that others signed", () => {
  const signed = signReceipt(privateKey, receipt);
  expect(verifyReceipt(publicKey, signed)).toEqual(receipt);
  expect(verifyReceipt(ed25519PublicKeyOf(publicKey), signed)).toEqual(receipt);
  expect(verifyReceipt(publicKey, { ...signed, document: signed.document.replace('"c"', '"d"') })).toBeUndefined();
  expect(verifyReceipt(publicKey, { ...signed, signature: "" })).toBeUndefined();
  const other = signed.signature.startsWith("A") ? "B" : "A";
  expect(verifyReceipt(publicKey, { ...signed, signature: `${other}${signed.signature.slice(1)}` })).toBeUndefined();
  expect(verifyReceipt(generateKeyPairSync("ed25519").publicKey, signed)).toBeUndefined();
});
