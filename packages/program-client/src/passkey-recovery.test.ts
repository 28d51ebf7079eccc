import { ECDH, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { lowSignatureOf } from "./passkey-assertion.js";
import { recoverPasskeyKeys } from "./passkey-recovery.js";

describe("the keys that a signature can be of", () => {
  it("are two, of which one is the signer's, in whichever half the signature is", () => {
    for (let i = 0; i < 20; i++) {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
      const point = publicKey.export({ format: "der", type: "spki" }).subarray(-65);
      const key = ECDH.convertKey(point, "prime256v1", undefined, "hex", "compressed");
      const message = randomBytes(69);
      const plain = sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" });
      const low = lowSignatureOf(sign("sha256", message, privateKey)) ?? new Uint8Array();
      for (const signature of [plain, low]) {
        const found = recoverPasskeyKeys(message, signature).map((each) => Buffer.from(each).toString("hex"));
        expect(found).toHaveLength(2);
        expect(found).toContain(key);
      }
      const others = recoverPasskeyKeys(randomBytes(69), low).map((each) => Buffer.from(each).toString("hex"));
      expect(others).not.toContain(key);
    }
  });

  it("are none for bytes that are no signature", () => {
    const message = randomBytes(8);
    const one = Buffer.alloc(32, 0);
    one[31] = 1;
    for (const signature of [
      new Uint8Array(0),
      new Uint8Array(64),
      new Uint8Array(64).fill(255),
      Buffer.concat([one, new Uint8Array(32)]),
      Buffer.concat([new Uint8Array(32), one]),
      Buffer.concat([one, one, one]),
    ]) {
      expect(recoverPasskeyKeys(message, signature)).toEqual([]);
    }
  });

  it("are none where no point of the curve has that r", () => {
    const s = Buffer.alloc(32, 1);
    const counts = Array.from({ length: 40 }, (_, i) => {
      const r = Buffer.alloc(32, 0);
      r[31] = i + 1;
      return recoverPasskeyKeys(randomBytes(8), Buffer.concat([r, s])).length;
    });
    expect(new Set(counts)).toEqual(new Set([0, 2]));
  });
});
