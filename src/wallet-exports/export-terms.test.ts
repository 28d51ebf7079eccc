import { limits } from "@trellis/kernel/limits.js";
import { generateEncryptionKeyPair, openExportedKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { orderExport } from "../../test/support/ordered-exports.js";
import { refusalOf, useSignedInPeople } from "../../test/support/signed-in-people.js";
import { delayIn } from "./wallet-export-store.js";

const { trellis, pageOf, signIn } = useSignedInPeople();

describe("200", () => {
  it("is read as it was set, and begins with three days", async () => {
    const { walletExports } = trellis.client;
    expect(await walletExports.terms()).toEqual({ delay_seconds: 259_200 });
    expect(await walletExports.setTerms({ delay_seconds: 0 })).toEqual({ delay_seconds: 0 });
    expect(await walletExports.terms()).toEqual({ delay_seconds: 0 });
  });

  it("lets a key leave at once where a sandbox waits for nothing: the client library opens it", async () => {
    const person = await signIn();
    const { ordered, keyPair } = await orderExport(trellis.client, person);
    const read = await trellis.client.walletExports.get(person.account, ordered.id);
    const key = await openExportedKey(read, keyPair.privateKeyPkcs8);
    expect(key).toHaveLength(64);
    const other = generateEncryptionKeyPair();
    await expect(openExportedKey(read, other.privateKeyPkcs8)).rejects.toMatchObject({ name: "InvalidKeyError" });
  });

  it("lets a page export the key of the user who is signed in, and nobody else's", async () => {
    const [ada, eve] = [await signIn(), await signIn()];
    const { publicKeySpkiBase64: recipientPublicKey } = generateEncryptionKeyPair();
    const begun = await pageOf(ada).walletExports.begin({ account: ada.account, recipientPublicKey });
    const code = (await trellis.client.sandbox.outbox(begun.email))[0]?.otp_code ?? "";
    const order = { account: ada.account, begun, code, recipientPublicKey, session: ada.session };
    expect(await refusalOf(pageOf(eve).walletExports.order(order))).toBe("account_not_found");
    expect(await pageOf(ada).walletExports.order(order)).toMatchObject({ signer: begun.signer });
  });

  it("is a day at least outside of the sandbox, also by the custodian's own rule", () => {
    expect(delayIn("sandbox", 0)).toBe(0);
    expect(delayIn("mainnet", 0)).toBe(limits.walletExportDelayMinSeconds);
    expect(delayIn("devnet", 90_000)).toBe(90_000);
  });
});

describe("400", () => {
  it.each([-1, 1.5, limits.walletExportDelayMaxSeconds + 1])("for %j, which changes nothing", async (delay) => {
    const { walletExports } = trellis.client;
    const before = await walletExports.terms();
    expect(await refusalOf(walletExports.setTerms({ delay_seconds: delay }))).toBe("invalid_request");
    expect(await walletExports.terms()).toEqual(before);
  });
});

describe("403", () => {
  it("for a publishable key, whoever is signed in", async () => {
    const { walletExports } = pageOf(await signIn());
    expect(await refusalOf(walletExports.setTerms({ delay_seconds: 0 }))).toBe("secret_key_required");
  });
});
