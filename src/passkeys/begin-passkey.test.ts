import { describe, expect, it } from "vitest";
import { addSoftPasskey, begin } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf, publicKeyOf } from "../../test/support/test-network.js";
import { createCustomAccount } from "../accounts/create-custom-account.js";

const test = useTestNetwork();

describe("200", () => {
  it("asks for an ES256 passkey of a verified user, for the account's primary wallet, by a new challenge each time", async () => {
    const holder = await test.openHolder("begins@example.org");
    const { address, policies } = holder.verified;
    const { wire } = await addSoftPasskey(test, holder);
    const [one, other] = [await begin(test, address), await begin(test, address)];
    expect(one.public_key).toMatchObject({
      rp: { id: "localhost" },
      user: { name: "begins@example.org" },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      authenticatorSelection: { userVerification: "required" },
      excludeCredentials: [{ type: "public-key", id: wire.credential_id }],
    });
    expect(Buffer.from(one.public_key.challenge, "base64url")).toHaveLength(32);
    expect(one.public_key.challenge).not.toBe(other.public_key.challenge);
    expect(one.signer).toBe(policies.signers.find(({ role }) => role === "primary")?.address);
  });

  it("takes the wallet that is named, also that of the other custodian", async () => {
    const { address, policies } = (await test.openHolder("names-a-wallet@example.org")).verified;
    const backup = policies.signers.find(({ provider }) => provider === "kms_b")?.address ?? "";
    expect(await begin(test, address, { body: { signer: backup } })).toMatchObject({ signer: backup });
  });
});

describe("403", () => {
  it("is the answer where no custodian holds the key that is named, or any", async () => {
    const { address } = (await test.openHolder("names-a-stranger@example.org")).verified;
    const signer = publicKeyOf("stranger");
    expect((await errorOf(begin(test, address, { body: { signer } }))).code).toBe("insufficient_permissions");
    const all = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
    const own = { signers: [{ address: publicKeyOf("own"), permissions: all }], threshold: 1 };
    const custom = await test.call<{ address: string }>(createCustomAccount, { body: { policies: own } });
    expect((await errorOf(begin(test, custom.address))).code).toBe("insufficient_permissions");
  });
});
