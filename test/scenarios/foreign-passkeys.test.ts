import { addressOfKey } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { createAccount } from "../../src/accounts/create-account.js";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { addAccountPasskey } from "../../src/passkey-signers/add-account-passkey.js";
import { removeAccountPasskey } from "../../src/passkey-signers/remove-account-passkey.js";
import { submitPasskeyCeremony } from "../../src/passkey-signers/submit-passkey-ceremony.js";
import { updateAccount } from "../../src/policy-changes/update-account.js";
import { createProposal } from "../../src/proposals/create-proposal.js";
import { setRelyingParty } from "../../src/tenants/relying-party.js";
import { may, newKey } from "../proposals/support.js";
import { createSoftPasskey } from "../support/authenticator.js";
import {
  addressOfPasskey,
  answerOf,
  beginCeremony,
  createPasskeySigner,
  createSessionKey,
  page,
  submission,
} from "../support/passkey-signers.js";
import { useTestNetwork } from "../support/scene.js";
import { type CallParts, errorOf } from "../support/test-network.js";

/** Passkeys of a host that this service has left: no page of its own asks them. */
const test = useTestNetwork();
const elsewhere = { publicUrl: () => "https://new.example" };
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
const confirmed = { confirm_foreign_passkeys: true };
type Endpoint = Parameters<typeof test.call>[0];

describe("a policy that depends on passkeys of another host", () => {
  it("is not that of a new account, unless the request says so", async () => {
    const [one, two] = [await createPasskeySigner(test), await createPasskeySigner(test)];
    const own = newKey();
    const plain = (signers: readonly string[], threshold: number) => ({ type: "signers", signers, threshold });
    const custom = (signers: readonly object[], threshold: number) => ({ policies: { signers, threshold } });
    const [a, b] = [one, two].map(({ address }) => ({ address, permissions: everything }));
    const votes = { address: addressOfKey(own), permissions: ["CAN_VOTE"] };
    for (const [endpoint, body] of [
      [createAccount, plain([one.address], 1)],
      [createAccount, plain([one.address, two.address, addressOfKey(own)], 2)],
      [createAccount, { type: "signers", ...custom([a ?? {}], 1) }],
      [createCustomAccount, custom([a ?? {}, may(own)], 2)],
      // Who stays can vote, and neither propose nor execute.
      [createCustomAccount, custom([a ?? {}, b ?? {}, votes], 1)],
    ] as const) {
      expect(await errorOf(at(endpoint, { body }))).toMatchObject(unconfirmed);
      expect(await at(endpoint, { body: { ...body, ...confirmed } })).toHaveProperty("address");
    }
    for (const [endpoint, body] of [
      [createAccount, plain([one.address, addressOfKey(own)], 1)],
      [createCustomAccount, custom([a ?? {}, b ?? {}, may(own), may(newKey())], 2)],
      [createCustomAccount, custom([a ?? {}, { type: "email", email: "ada@example.org", permissions: everything }], 1)],
    ] as const) {
      expect(await at(endpoint, { body })).toHaveProperty("address");
    }
  });

  it("is not one with an admin of another host, and is one that an admin with a key can change", async () => {
    const { address } = await createPasskeySigner(test);
    const [key, admin] = [newKey(), addressOfKey(newKey())];
    const passkey = { address, permissions: everything };
    const create = (policies: object, more: object = {}) =>
      at<{ address: string }>(createCustomAccount, { body: { policies: { threshold: 1, ...policies }, ...more } });
    const frozen = { signers: [may(key)], admin_address: address };
    expect(await errorOf(create(frozen))).toMatchObject(unconfirmed);
    expect((await errorOf(create(frozen))).message).toContain(`${address} (${page.rpId})`);
    expect(await create(frozen, confirmed)).toHaveProperty("address");
    const ruled = await create({ signers: [passkey], admin_address: admin });
    const params = { address: ruled.address };
    const change = { params, query: { admin: true } };
    const body = { transaction_signers: [admin], admin_address: address };
    expect(await errorOf(at(updateAccount, { ...change, body }))).toMatchObject(unconfirmed);
    await at(updateAccount, { ...change, body: { ...body, ...confirmed } });
    expect(await errorOf(at(updateAccount, { ...change, body: { ...body, admin_address: null } }))).toMatchObject(
      unconfirmed,
    );
  });

  it("is as well one that depends on a passkey that another tenant had made here", async () => {
    const { address } = await createPasskeySigner(test);
    const caller = await test.addTenant("successor");
    const create = (signers: readonly string[], more: object = {}) =>
      test.call(createAccount, { body: { type: "signers", signers, threshold: 1, ...more }, caller });
    const refused = await errorOf(create([address]));
    expect(refused).toMatchObject(unconfirmed);
    expect(refused.message).toContain(`${address} (of another application)`);
    expect(await create([address, addressOfKey(newKey())])).toHaveProperty("address");
    expect(await create([address], confirmed)).toHaveProperty("address");
    expect(
      await test.call(createAccount, { body: { type: "signers", signers: [address], threshold: 1 } }),
    ).toHaveProperty("address");
  });

  it("names them with their hosts", async () => {
    const { address } = await createPasskeySigner(test);
    const body = { type: "signers", signers: [address], threshold: 1 };
    expect((await errorOf(at(createAccount, { body }))).message).toContain(`${address} (${page.rpId})`);
  });

  it("is not what a change of an account leads to, unless the request says so", async () => {
    const own = newKey();
    const one = await createPasskeySigner(test);
    const other = await createPasskeySigner(test);
    const params = { address: await open([one.address, addressOfKey(own)]) };
    const [key, passkey] = [may(own), { address: one.address, permissions: everything }];
    const added = { passkey: { address: other.address }, transaction_signers: [addressOfKey(own)] };
    const remove = [{ type: "RemoveSigner", oldSigner: addressOfKey(own) }];
    for (const [endpoint, body] of [
      [updateAccount, { signers: [passkey] }],
      [updateAccount, { threshold: 2 }],
      [updateAccount, { signers: [passkey, { ...key, permissions: ["CAN_VOTE"] }] }],
      [createProposal, { type: "settings", signer: addressOfKey(own), actions: remove }],
    ] as const) {
      expect(await errorOf(at(endpoint, { params, body }))).toMatchObject(unconfirmed);
      await at(endpoint, { params, body: { ...body, ...confirmed } });
    }
    // Its own key still decides alone.
    await at(addAccountPasskey, { params, body: added });
    await at(updateAccount, { params, body: { time_lock: 5 } });
  });

  it("may be changed where the account has such a one already, and so are passkeys of the tenant's own host", async () => {
    const [one, other] = [await createPasskeySigner(test), await createPasskeySigner(test)];
    const params = { address: await open([one.address, other.address], 2) };
    const named = { transaction_signers: [one.session.address] };
    await at(updateAccount, { params, body: { threshold: 1, ...named } });
    const body = { type: "signers", signers: [one.address], threshold: 1 };
    const { db } = test.needs;
    await setRelyingParty(db, test.caller.tenantId, { id: page.rpId, name: "App", origins: [page.origin] });
    expect(await at(createAccount, { body })).toHaveProperty("address");
    await setRelyingParty(db, test.caller.tenantId, {
      id: "app.example",
      name: "App",
      origins: ["https://app.example"],
    });
    expect(await errorOf(at(createAccount, { body }))).toMatchObject(unconfirmed);
    expect(await test.call(createAccount, { body })).toHaveProperty("address");
  });

  it("is not what the removal of a passkey of this host leaves, unless the request says so", async () => {
    const [passkey, session] = [createSoftPasskey(), createSessionKey()];
    const begun = await beginCeremony(test, "create", session.address, { needs: elsewhere });
    const here = { rpId: "new.example", origin: "https://new.example" };
    await at(submitPasskeyCeremony, { body: submission(begun, answerOf(passkey, begun, here)) });
    const own = addressOfPasskey(passkey);
    const signers = [own, (await createPasskeySigner(test)).address];
    const { address } = await at<{ address: string }>(createAccount, {
      body: { type: "signers", signers, threshold: 1 },
    });
    const params = { address, passkey: own };
    const body = { transaction_signers: [session.address] };
    expect(await errorOf(at(removeAccountPasskey, { params, body }))).toMatchObject(unconfirmed);
    await at(removeAccountPasskey, { params, body: { ...body, ...confirmed } });
  });
});

const unconfirmed = {
  status: 400,
  code: "invalid_policies",
  details: [expect.objectContaining({ field: "confirm_foreign_passkeys" })],
};

const at = <T = unknown>(endpoint: Endpoint, parts: CallParts) =>
  test.call<T>(endpoint, { ...parts, needs: elsewhere });

async function open(signers: readonly string[], threshold = 1): Promise<string> {
  const body = { type: "signers", signers, threshold };
  const { address } = await test.call<{ address: string }>(createAccount, { body });
  await test.airdrop(address, "sol", "1000000000");
  return address;
}
