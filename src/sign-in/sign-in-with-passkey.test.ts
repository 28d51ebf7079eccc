import { describe, expect, it } from "vitest";
import { type Asked, createSoftPasskey, type SoftPasskey } from "../../test/support/authenticator.js";
import { addSoftPasskey, byPasskey, bySession, page, removing, toPayload } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { type CallParts, createClientKey, errorOf, sessionOf, type Verified } from "../../test/support/test-network.js";
import { removePasskey } from "../passkeys/remove-passkey.js";
import { beginPasskeySignIn } from "./begin-passkey-sign-in.js";
import { listSessions } from "./list-sessions.js";
import { signInWithPasskey } from "./sign-in-with-passkey.js";

const test = useTestNetwork();

describe("200", () => {
  it("opens a session of the passkey's wallet, sealed to the key that was signed, which signs as any other does", async () => {
    const { holder, passkey, wire } = await added();
    const clientKey = await createClientKey();
    const answer = await signIn(passkey, { clientKey });
    expect(answer).toMatchObject({ address: holder.address, email: holder.email });
    const session = sessionOf(answer);
    expect(session.session.wallets).toMatchObject([{ address: wire.signer }]);
    expect(await clientKey.open(session.session.encrypted_authorization_key)).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(await test.call<object[]>(listSessions, { params: { address: holder.address } })).toHaveLength(2);
  });
});

describe("401", () => {
  it("is the answer to a nonce that was used, however many use it at once", async () => {
    const { passkey } = await added();
    const request = await prepare(passkey);
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => test.call(signInWithPasskey, request)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await errorOf(test.call(signInWithPasskey, request))).code).toBe("invalid_passkey");
  });

  it("is the answer to a nonce that has expired, that is made up, and that is another tenant's", async () => {
    const { passkey } = await added();
    const late = await prepare(passkey);
    await test.network.sandbox?.advanceClock(301);
    const caller = await test.addTenant("signs-in-elsewhere");
    const foreign = await prepare(passkey, { nonceFor: { caller } });
    const madeUp = await prepare(passkey, { nonce: "AAAA" });
    for (const request of [late, foreign, madeUp]) {
      expect((await errorOf(test.call(signInWithPasskey, request))).code).toBe("invalid_passkey");
    }
  });

  it("is the answer to a passkey that is not known, was removed, or signed for another key, page or in a frame", async () => {
    const { holder, passkey, wire, begun } = await added();
    const other = await createClientKey();
    for (const request of [
      await prepare(createSoftPasskey()),
      await prepare(passkey, { signed: other.spki }),
      await prepare(passkey, { asked: { origin: "https://evil.example" } }),
      await prepare(passkey, { asked: { clientData: { crossOrigin: true } } }),
      await prepare(passkey, { asked: { flags: 0x01 } }),
    ]) {
      expect((await errorOf(test.call(signInWithPasskey, request))).code).toBe("invalid_passkey");
    }
    await test.call(removePasskey, {
      params: { address: holder.address, passkey_id: wire.id },
      body: removing(test, begun, wire, (document) => bySession(holder, document)),
    });
    expect((await errorOf(signIn(passkey))).code).toBe("invalid_passkey");
  });

  it("is the answer to an authenticator that has counted less than before, and leaves no key behind", async () => {
    const { passkey } = await added();
    await signIn(passkey, { asked: { counter: 5 } });
    const keys = () => test.needs.db.selectFrom("kms_authorization_key").select("id").execute();
    const before = (await keys()).length;
    expect((await errorOf(signIn(passkey, { asked: { counter: 5 } }))).code).toBe("invalid_passkey");
    expect(await keys()).toHaveLength(before);
  });
});

let people = 0;

async function added() {
  people += 1;
  const holder = await test.openHolder(`signs-in-by-passkey-${people}@example.org`);
  return { holder, ...(await addSoftPasskey(test, holder)) };
}

interface More {
  readonly clientKey?: { readonly spki: string };
  /** The key that is signed, where that is another one than is sent. */
  readonly signed?: string;
  readonly asked?: Partial<Asked>;
  readonly nonce?: string;
  readonly nonceFor?: CallParts;
}

async function prepare(passkey: SoftPasskey, more: More = {}) {
  const { nonce } = await test.call<{ nonce: string }>(beginPasskeySignIn, more.nonceFor);
  const { spki } = more.clientKey ?? (await createClientKey());
  const given = more.nonce ?? nonce;
  const document = {
    version: 1,
    method: "signIn",
    environment: "sandbox",
    params: { encryption_public_key: more.signed ?? spki },
    nonce: given,
  };
  const { kms_signed_payload } = byPasskey(passkey, toPayload(document), { ...page, ...more.asked });
  return {
    body: { nonce: given, assertion: kms_signed_payload, kms_provider_config: { encryption_public_key: spki } },
  };
}

const signIn = async (passkey: SoftPasskey, more: More = {}) =>
  test.call<Verified & { readonly email: string }>(signInWithPasskey, await prepare(passkey, more));
