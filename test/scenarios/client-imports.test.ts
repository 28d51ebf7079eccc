import { base58 } from "@scure/base";
import { generateHpkeRecipient, openSealed } from "@trellis/kernel/crypto/hpke.js";
import { spkiOfP256Point } from "@trellis/kernel/crypto/p256.js";
import { addressOfKey, InvalidKeyError, sealKeyForImport } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { newKey } from "../proposals/support.js";
import { addOwnSigner } from "../support/own-signers.js";
import { useTestService } from "../support/scene.js";

const trellis = useTestService();
const seed = (newKey() as Uint8Array).slice(0, 32);
const signer = addressOfKey(seed);
const pair = Uint8Array.from([...seed, ...base58.decode(signer)]);

describe("sealKeyForImport", () => {
  it("seals the seed of a key to its recipient, in whichever form it is written", async () => {
    for (const form of [
      pair,
      seed,
      [...pair],
      [...seed],
      JSON.stringify([...pair]),
      ` ${JSON.stringify([...seed])}\n`,
      base58.encode(pair),
      base58.encode(seed),
    ]) {
      const { privateKey, point } = generateHpkeRecipient();
      const begun = { import_id: "an-import", signer, recipient_public_key: spkiOfP256Point(point) };
      const sealed = await sealKeyForImport(form, begun);
      const [encapsulatedKey, ciphertext] = [sealed.encapsulated_key, sealed.ciphertext].map((text) =>
        Buffer.from(text, "base64"),
      );
      const info = Buffer.from(`trellis/wallet-import/1/an-import/${signer}`);
      const message = { encapsulatedKey: encapsulatedKey ?? seed, ciphertext: ciphertext ?? seed };
      expect([...(openSealed(privateKey, message, { info }) ?? [])]).toEqual([...seed]);
    }
    // What was given stays as it was.
    expect(addressOfKey(pair)).toBe(signer);
  });

  it("refuses what is no key, a key whose halves do not fit, and another signer's, and names no secret", async () => {
    const begun = {
      import_id: "an-import",
      signer,
      recipient_public_key: spkiOfP256Point(generateHpkeRecipient().point),
    };
    const broken = pair.map((byte, at) => (at === 40 ? byte ^ 1 : byte));
    const text = base58.encode(pair);
    for (const key of [
      broken,
      pair.slice(1),
      [300],
      [...seed, 0.5],
      [],
      "",
      "[1,2",
      "0OIl",
      `${text}x`,
      "{}",
      newKey() as Uint8Array,
    ]) {
      const refused = sealKeyForImport(key, begun).then(
        () => "sealed",
        (error: unknown) => error,
      );
      const error = await refused;
      expect(error).toBeInstanceOf(InvalidKeyError);
      expect(String(error)).not.toContain(text.slice(0, 8));
    }
    const noRecipient = { ...begun, recipient_public_key: "AAAA" };
    await expect(sealKeyForImport(seed, noRecipient)).rejects.toBeInstanceOf(InvalidKeyError);
  });
});

describe("the client library", () => {
  it("imports a key, after which a new session commands it", async () => {
    const { address: account, session } = await trellis.openHolder();
    const key = await addOwnSigner(trellis.service.db, account);
    const { client } = trellis;
    const begun = await client.walletImports.begin({ account, signer: addressOfKey(key) });
    const sealedKey = await sealKeyForImport(key as Uint8Array, begun);
    const { wallet } = await client.walletImports.complete({ account, begun, sealedKey, session });
    expect(wallet).toMatchObject({ address: addressOfKey(key), provider: "kms_a" });
  });
});
