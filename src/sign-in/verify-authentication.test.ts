import { describe, expect, it } from "vitest";
import { use, useTestNetwork } from "../../test/support/scene.js";
import { countLiveKeys, createClientKey, errorOf, sessionOf, type Verified } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { startAuthentication } from "./start-authentication.js";
import { verifyAuthentication } from "./verify-authentication.js";

const test = useTestNetwork();
const ada = use(() => test.openHolder("ada@example.org"));

describe("200", () => {
  it("answers bare with the account, its policies from the chain and one session", async () => {
    const { otp_id } = await start({ email: ada.email });
    const { key, body } = await verifyBody(ada.email, {}, { otp_id });
    const verified = await test.call<Verified>(verifyAuthentication, { body });
    expect(verified).toMatchObject({
      address: ada.address,
      grid_user_id: ada.verified.grid_user_id,
      policies: ada.verified.policies,
    });
    expect(verified.authentication).toHaveLength(1);
    expect(Object.keys(verified.authentication[0]?.session ?? {})).toEqual(["KmsA"]);
    await expect(key.open(sessionOf(verified).session.encrypted_authorization_key)).resolves.toBeTruthy();
  });

  it("takes the life of the session from either request, the later one first", async () => {
    const inAnHour = () => Math.floor(test.needs.realClock.now() / 1000) + 3_600;
    test.needs.realClock.advance(86_400_000);
    await test.call(startAuthentication, { body: { email: ada.email, expiration: inAnHour() } });
    const first = await test.call<Verified>(verifyAuthentication, { body: (await verifyBody(ada.email)).body });
    expect(sessionOf(first).session.expires_at).toBe(test.network.clock.now() + 3_600_000);
    await start({ email: ada.email, expiration: inAnHour() + 86_400 });
    const { body } = await verifyBody(ada.email, { expiration: inAnHour() });
    const second = await test.call<Verified>(verifyAuthentication, { body });
    expect(sessionOf(second).session.expires_at).toBe(test.network.clock.now() + 3_600_000);
  });

  it("opens the account that is named", async () => {
    await start({ email: ada.email });
    const { body } = await verifyBody(ada.email, { smart_account_address: ada.address });
    expect(await test.call(verifyAuthentication, { body })).toMatchObject({ address: ada.address });
  });
});

describe("400 and 404", () => {
  it("refuses a second use, another otp_id, and a code for another purpose", async () => {
    const { otp_id } = await start({ email: ada.email });
    const other = await verifyBody(ada.email, {}, { otp_id: "00000000-0000-4000-8000-000000000000" });
    expect((await errorOf(test.call(verifyAuthentication, { body: other.body }))).code).toBe("invalid_otp");
    const { body } = await verifyBody(ada.email, {}, { otp_id });
    await test.call(verifyAuthentication, { body });
    expect((await errorOf(test.call(verifyAuthentication, { body }))).code).toBe("invalid_otp");
    await test.call(createAccount, { body: { type: "email", email: "purpose@example.org" } });
    const create = await verifyBody("purpose@example.org");
    expect((await errorOf(test.call(verifyAuthentication, { body: create.body }))).code).toBe("invalid_otp");
  });

  it("opens one session for several requests at once, and leaves one key in custody", async () => {
    await start({ email: ada.email });
    const liveKeys = () => countLiveKeys(test, sessionOf(ada.verified));
    const before = await liveKeys();
    const { body } = await verifyBody(ada.email);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => test.call(verifyAuthentication, { body })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await liveKeys()).toBe(before + 1);
  });

  it("knows no account that is not the user's", async () => {
    const grace = await test.openHolder("grace@example.org");
    await start({ email: ada.email });
    const { body } = await verifyBody(ada.email, { smart_account_address: grace.address });
    expect((await errorOf(test.call(verifyAuthentication, { body }))).code).toBe("account_not_found");
  });

  it("refuses the code after 15 minutes", async () => {
    await start({ email: ada.email });
    const { body } = await verifyBody(ada.email);
    await test.network.sandbox?.advanceClock(900);
    expect((await errorOf(test.call(verifyAuthentication, { body }))).code).toBe("otp_expired");
  });
});

/** Mail limits count real time, so every sign-in takes place in an hour of its own. */
async function start(body: object): Promise<{ readonly otp_id: string }> {
  test.needs.realClock.advance(86_400_000);
  return test.call(startAuthentication, { body });
}

async function verifyBody(email: string, more: object = {}, config: object = {}) {
  const key = await createClientKey();
  return {
    key,
    body: {
      email,
      otp_code: await test.latestCode(email),
      kms_provider_config: { encryption_public_key: key.spki, ...config },
      ...more,
    },
  };
}
