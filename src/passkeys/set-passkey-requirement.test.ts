import { describe, expect, it } from "vitest";
import { createSoftPasskey } from "../../test/support/authenticator.js";
import {
  addition,
  addSoftPasskey,
  begin,
  byPasskey,
  bySession,
  page,
  removing,
  requirement,
  toPayload,
} from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { errorOf } from "../../test/support/test-network.js";
import { getAccount } from "../accounts/get-account.js";
import { addPasskey } from "./add-passkey.js";
import { listPasskeys } from "./list-passkeys.js";
import { removePasskey } from "./remove-passkey.js";
import { setPasskeyRequirement } from "./set-passkey-requirement.js";

const test = useTestNetwork();

describe("200", () => {
  it("requires a passkey and lifts that again by a passkey's signature; the same again is the same", async () => {
    const { holder, set } = await added();
    const on = await set(true);
    const data = { grid_user_id: holder.verified.grid_user_id, required: true };
    expect(await test.call(setPasskeyRequirement, on)).toEqual(data);
    expect(await test.call(setPasskeyRequirement, on)).toEqual(data);
    expect(await isRequired(holder.address)).toBe(true);
    expect(await test.call(setPasskeyRequirement, await set(false))).toMatchObject({ required: false });
    expect(await isRequired(holder.address)).toBe(false);
  });

  it("is lifted with the last passkey, by the signature of that one", async () => {
    const { holder, passkey, wire, begun, set } = await added();
    await test.call(setPasskeyRequirement, await set(true));
    const body = removing(test, begun, wire, (document) => byPasskey(passkey, toPayload(document)));
    await test.call(removePasskey, { params: { address: holder.address, passkey_id: wire.id }, body });
    expect(await isRequired(holder.address)).toBe(false);
  });
});

describe("400", () => {
  it("is the answer to a session's key, of which passkeys are not added nor removed either once they are required", async () => {
    const { holder, wire, begun, passkey } = await added();
    const { document, request } = await requirement(test, holder.address, begun, passkey, true);
    const bySessionAlone = { ...request, body: { ...request.body, authorization: bySession(holder, document) } };
    expect((await errorOf(test.call(setPasskeyRequirement, bySessionAlone))).code).toBe("wrong_signing_key");
    await test.call(setPasskeyRequirement, request);

    const params = { address: holder.address, passkey_id: wire.id };
    const remove = test.call(removePasskey, {
      params,
      body: removing(test, begun, wire, (document) => bySession(holder, document)),
    });
    expect((await errorOf(remove)).code).toBe("wrong_signing_key");
    expect((await errorOf(addSoftPasskey(test, holder))).code).toBe("wrong_signing_key");
    expect(await test.call<object[]>(listPasskeys, { params: { address: holder.address } })).toHaveLength(1);
  });

  it("lets a passkey add another one once it is required", async () => {
    const { holder, passkey, set } = await added();
    await test.call(setPasskeyRequirement, await set(true));
    const second = createSoftPasskey();
    const begun = await begin(test, holder.address);
    const challenge = Buffer.from(begun.public_key.challenge, "base64url");
    const { clientDataJSON, authenticatorData } = second.register({ ...page, challenge });
    const body = {
      ceremony_id: begun.ceremony_id,
      name: "Laptop",
      credential: { response: { clientDataJSON, authenticatorData } },
      authorization: byPasskey(passkey, toPayload(addition(begun, second))),
    };
    expect(await test.call(addPasskey, { params: { address: holder.address }, body })).toMatchObject({
      name: "Laptop",
    });
  });

  it("is the answer to a document that says the opposite, and to a passkey of another user", async () => {
    const { holder, begun, passkey, set } = await added();
    const other = await added();
    const on = await set(true);
    const opposite = { ...on, body: { ...on.body, required: false } };
    expect((await errorOf(test.call(setPasskeyRequirement, opposite))).code).toBe("invalid_signature");
    const { request } = await requirement(test, holder.address, begun, other.passkey, true);
    expect((await errorOf(test.call(setPasskeyRequirement, request))).code).toBe("invalid_signature");
    const foreign = await requirement(test, other.holder.address, begun, passkey, true);
    expect((await errorOf(test.call(setPasskeyRequirement, foreign.request))).code).toBe("invalid_signature");
    expect(await isRequired(holder.address)).toBe(false);
  });
});

describe("401", () => {
  it("is the answer to a nonce that was used for something else, has expired or is made up", async () => {
    const { holder, set } = await added();
    const on = await set(true);
    await test.call(setPasskeyRequirement, on);
    await test.call(setPasskeyRequirement, await set(false));
    expect((await errorOf(test.call(setPasskeyRequirement, on))).code).toBe("invalid_passkey");
    const madeUp = { ...on, body: { ...on.body, nonce: "AAAA" } };
    expect((await errorOf(test.call(setPasskeyRequirement, madeUp))).code).toBe("invalid_passkey");
    const late = await set(true);
    await test.network.sandbox?.advanceClock(301);
    expect((await errorOf(test.call(setPasskeyRequirement, late))).code).toBe("invalid_passkey");
    expect(await isRequired(holder.address)).toBe(false);
  });
});

describe("of several at once", () => {
  it("a removal of the last passkey and a requirement leave nobody who needs a passkey and has none", async () => {
    const { holder, passkey, wire, begun, set } = await added();
    const body = removing(test, begun, wire, (document) => byPasskey(passkey, toPayload(document)));
    const on = await set(true);
    await Promise.allSettled([
      test.call(removePasskey, { params: { address: holder.address, passkey_id: wire.id }, body }),
      test.call(setPasskeyRequirement, on),
    ]);
    expect(await test.call<object[]>(listPasskeys, { params: { address: holder.address } })).toHaveLength(0);
    expect(await isRequired(holder.address)).toBe(false);
  });
});

let people = 0;
async function added() {
  people += 1;
  const holder = await test.openHolder(`requires-${people}@example.org`);
  const made = await addSoftPasskey(test, holder);
  const set = async (required: boolean) =>
    (await requirement(test, holder.address, made.begun, made.passkey, required)).request;
  return { holder, ...made, set };
}

async function isRequired(address: string) {
  const account = await test.call<{ passkey_required?: true }>(getAccount, { params: { address } });
  return account.passkey_required ?? false;
}
