import { describe, expect, it } from "vitest";
import { addSoftPasskey, begin } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf, type HeldAccount, publicKeyOf } from "../../test/support/test-network.js";
import { createCustomAccount } from "../accounts/create-custom-account.js";
import { listPasskeys } from "./list-passkeys.js";

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
    const [named, primary] = [await begin(test, address, { body: { signer: backup } }), await begin(test, address)];
    expect(named.signer).toBe(backup);
    // A device keeps one passkey for each user id: that of the other wallet stays.
    const userOf = ({ public_key }: { readonly public_key: object }) =>
      (public_key as { user: { id: string } }).user.id;
    expect(userOf(named)).not.toBe(userOf(primary));
  });
});

describe("403", () => {
  it("is the answer to a page whose user names the wallet of another member, whose passkeys it does not see either", async () => {
    const all = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];
    const [ada, ben] = [await test.openHolder("page-1@example.org"), await test.openHolder("page-2@example.org")];
    const signers = [ada, ben].map(({ email }) => ({ type: "email", email, permissions: all }));
    const policies = { signers, threshold: 1 };
    const shared = await test.call<{ address: string; policies: { signers: { address: string }[] } }>(
      createCustomAccount,
      { body: { policies } },
    );
    const [hers, his] = [ada, ben].map((each) => walletIn(shared.policies.signers, each));
    const session = {
      kind: "user" as const,
      id: "s",
      chainId: "c",
      userId: ada.verified.grid_user_id,
      expiresAt: Number.MAX_SAFE_INTEGER,
    };
    const caller = { ...test.caller, isPublishable: true, session };
    expect(await begin(test, shared.address, { caller })).toMatchObject({ signer: hers });
    const named = await errorOf(begin(test, shared.address, { caller, body: { signer: his } }));
    expect(named.code).toBe("insufficient_permissions");
    await addSoftPasskey(test, ben);
    expect(await test.call(listPasskeys, { params: { address: shared.address }, caller })).toEqual([]);
    expect(await test.call(listPasskeys, { params: { address: shared.address } })).toHaveLength(1);
  });

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

/** Which of an account's signers is a wallet of this person's. */
const walletIn = (signers: readonly { readonly address: string }[], { verified }: HeldAccount) =>
  signers.find(({ address }) => verified.policies.signers.some((own) => own.address === address))?.address;
