import { describe, expect, it } from "vitest";
import type { Asked, SoftPasskey } from "../../test/support/authenticator.js";
import { createSoftPasskey } from "../../test/support/authenticator.js";
import { addSoftPasskey, byPasskey, requirement, secondFactor, toPayload } from "../../test/support/passkeys.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { countLiveKeys, createClientKey, errorOf, sessionOf, type Verified } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { verifyAccount } from "../accounts/verify-account.js";
import { startLegacyAuthentication } from "../legacy/start-legacy-authentication.js";
import { verifyLegacyAuthentication } from "../legacy/verify-legacy-authentication.js";
import { setPasskeyRequirement } from "../passkeys/set-passkey-requirement.js";
import { startAuthentication } from "./start-authentication.js";
import { verifyAuthentication } from "./verify-authentication.js";

const test = useTestNetwork();

describe("a user who signs in with a passkey beside the code", () => {
  it("gets no session for the code alone, but which passkeys may sign what; the code stays good for both", async () => {
    const { holder, wire, passkey } = await required();
    const before = await countLiveKeys(test, sessionOf(holder.verified));
    const { otp_id, body, prepare } = await code(holder.email);
    const refusal = await errorOf(test.call(verifyAuthentication, { body }));
    expect(refusal).toMatchObject({ code: "passkey_required", status: 401 });
    const [detail] = refusal.details;
    expect(detail).toEqual({
      code: "passkey_required",
      message: expect.any(String),
      otp_id,
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      passkeys: [{ credential_id: wire.credential_id, rp_id: "localhost" }],
    });
    const challenge = Buffer.from(String(detail?.challenge), "base64url");
    const asked = { challenge };
    expect(await countLiveKeys(test, sessionOf(holder.verified))).toBe(before);
    const verified = await test.call<Verified>(verifyAuthentication, prepare(passkey, { asked }));
    expect(verified).toMatchObject({ address: holder.address });
    expect(await countLiveKeys(test, sessionOf(holder.verified))).toBe(before + 1);
    expect((await errorOf(test.call(verifyAuthentication, prepare(passkey)))).code).toBe("invalid_otp");
  });

  it("opens one session for several requests at once", async () => {
    const { holder, passkey } = await required();
    const before = await countLiveKeys(test, sessionOf(holder.verified));
    const { prepare } = await code(holder.email);
    const request = prepare(passkey, { asked: { counter: 3 } });
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => test.call(verifyAuthentication, request)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await countLiveKeys(test, sessionOf(holder.verified))).toBe(before + 1);
  });

  it("has used a try with each wrong assertion, and no more than the code has", async () => {
    const { holder, passkey } = await required();
    const stranger = await required();
    const { body, prepare } = await code(holder.email);
    const other = await createClientKey();
    const wrong = [
      prepare(stranger.passkey),
      prepare(passkey, { signed: secondFactor(other.spki, body.kms_provider_config.otp_id) }),
      prepare(passkey, { asked: { clientData: { crossOrigin: true } } }),
    ];
    for (const request of wrong) {
      expect(await errorOf(test.call(verifyAuthentication, request))).toMatchObject({
        code: "invalid_passkey",
        isOutcome: true,
      });
    }
    expect((await errorOf(test.call(verifyAuthentication, prepare(passkey)))).code).toBe("otp_attempts_exceeded");
  });

  it("learns nothing of passkeys from a wrong code, nor is it asked which account before the passkey has signed", async () => {
    const { holder, passkey } = await required();
    const { body, prepare } = await code(holder.email);
    const wrong = { body: { ...body, otp_code: body.otp_code === "000000" ? "000001" : "000000" } };
    expect((await errorOf(test.call(verifyAuthentication, wrong))).code).toBe("invalid_otp");
    const elsewhere = { smart_account_address: "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2" };
    const asked = { body: { ...body, ...elsewhere } };
    expect((await errorOf(test.call(verifyAuthentication, asked))).code).toBe("passkey_required");
    const signed = prepare(passkey);
    const named = { body: { ...signed.body, ...elsewhere } };
    expect((await errorOf(test.call(verifyAuthentication, named))).code).toBe("account_not_found");
    expect(await test.call(verifyAuthentication, signed)).toMatchObject({ address: holder.address });
  });

  it("needs it at every custodian, and one passkey does for all", async () => {
    const { holder, passkey } = await required();
    const { body, prepare } = await code(holder.email, { provider: "kms_b" });
    expect((await errorOf(test.call(verifyAuthentication, { body }))).code).toBe("passkey_required");
    const verified = await test.call<Verified>(verifyAuthentication, prepare(passkey));
    expect(verified.authentication).toMatchObject([{ provider: "kms_b" }]);
  });

  it("is refused by an authenticator that has counted less than before, which its custodian judges", async () => {
    const { holder, passkey } = await required();
    const first = await code(holder.email);
    await test.call(verifyAuthentication, first.prepare(passkey, { asked: { counter: 9 } }));
    const second = await code(holder.email, { provider: "kms_b" });
    const request = second.prepare(passkey, { asked: { counter: 9 } });
    expect((await errorOf(test.call(verifyAuthentication, request))).code).toBe("invalid_passkey");
  });

  it("is not signed in by v0, and the code stays good", async () => {
    const { holder, passkey } = await required();
    test.needs.realClock.advance(7_200_000);
    const started = await test.call<{ otp_id: string; mpc_primary_id: string }>(startLegacyAuthentication, {
      body: { email: holder.email },
    });
    const { spki } = await createClientKey();
    const otp_code = await test.latestCode(holder.email);
    const legacy = { ...started, otp_code, auth_public_key: spki };
    expect((await errorOf(test.call(verifyLegacyAuthentication, { body: legacy }))).code).toBe("passkey_required");
    const { kms_signed_payload: assertion } = byPasskey(passkey, toPayload(secondFactor(spki, started.otp_id)));
    const body = { email: holder.email, otp_code, assertion, kms_provider_config: { encryption_public_key: spki } };
    expect(await test.call(verifyAuthentication, { body })).toMatchObject({ address: holder.address });
  });
});

describe("an account that is created with a passkey required", () => {
  it("signs in by a code until it has a passkey, and no more by a code alone then", async () => {
    const holder = await test.openHolder("from-the-first@example.org", { passkeyRequired: true });
    const first = await code(holder.email);
    expect(await test.call(verifyAuthentication, { body: first.body })).toMatchObject({ address: holder.address });
    const { passkey } = await addSoftPasskey(test, holder);
    const { body, prepare } = await code(holder.email);
    expect((await errorOf(test.call(verifyAuthentication, { body }))).code).toBe("passkey_required");
    expect(await test.call(verifyAuthentication, prepare(passkey))).toMatchObject({ address: holder.address });
  });

  it("answers no session to the code that made it, resumed after a passkey was required", async () => {
    const email = "resumed-late@example.org";
    await test.call(createAccount, { body: { type: "email", email, passkey_required: true } });
    const { spki } = await createClientKey();
    const otp_code = await test.latestCode(email);
    const request = { body: { email, otp_code, kms_provider_config: { encryption_public_key: spki } } };
    const verified = await test.call<Verified>(verifyAccount, request);
    // As if the process had died before the session was opened.
    await test.needs.db
      .updateTable("account_creation")
      .set({ answered_at: null })
      .where("account_address", "=", verified.address)
      .execute();
    await test.needs.db
      .updateTable("app_user")
      .set({ passkey_sign_in: "required" })
      .where("email", "=", email)
      .execute();
    const before = await countLiveKeys(test, sessionOf(verified));
    expect((await errorOf(test.call(verifyAccount, request))).code).toBe("passkey_required");
    expect(await countLiveKeys(test, sessionOf(verified))).toBe(before);
  });
});

describe("a user who requires nothing", () => {
  it("may send an assertion all the same, which has to be right then", async () => {
    const holder = await test.openHolder("sends-it-anyway@example.org");
    const { passkey } = await addSoftPasskey(test, holder);
    const { prepare } = await code(holder.email);
    const wrong = prepare(createSoftPasskey());
    expect((await errorOf(test.call(verifyAuthentication, wrong))).code).toBe("invalid_passkey");
    expect(await test.call(verifyAuthentication, prepare(passkey))).toMatchObject({ address: holder.address });
  });
});

let people = 0;
async function required() {
  people += 1;
  const holder = await test.openHolder(`second-factor-${people}@example.org`);
  const made = await addSoftPasskey(test, holder);
  const { request } = await requirement(test, holder.address, made.begun, made.passkey, true);
  await test.call(setPasskeyRequirement, request);
  return { holder, ...made };
}

/** A code that was just sent, and the request that it is good for. Mail limits count real time. */
async function code(email: string, more: object = {}) {
  test.needs.realClock.advance(7_200_000);
  const { otp_id } = await test.call<{ otp_id: string }>(startAuthentication, { body: { email } });
  const { spki } = await createClientKey();
  const body = {
    email,
    otp_code: await test.latestCode(email),
    kms_provider_config: { encryption_public_key: spki, otp_id },
    ...more,
  };
  const prepare = (
    passkey: SoftPasskey,
    { signed = secondFactor(spki, otp_id), asked = {} }: { signed?: object; asked?: Partial<Asked> } = {},
  ) => ({ body: { ...body, assertion: byPasskey(passkey, toPayload(signed), asked).kms_signed_payload } });
  return { otp_id, body, prepare };
}
