import { CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { describe, expect, it } from "vitest";
import { use, useTestNetwork } from "../../test/support/scene.js";
import {
  type CallParts,
  countLiveKeys,
  createClientKey,
  errorOf,
  sessionOf,
  type Verified,
} from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { initAuthentication, startAuthentication } from "./start-authentication.js";
import { verifyAuthentication } from "./verify-authentication.js";

const test = useTestNetwork();
const ada = use(() => test.openHolder("ada@example.org"));

describe("starting: 200", () => {
  it("sends a code and answers bare", async () => {
    const started = await start({ email: "Ada@Example.org" });
    expect(started).toMatchObject({ email: "Ada@Example.org", otp_sent: true, provider: "kms_a" });
    expect(Date.parse(started.expires_at) - Date.parse(started.created_at)).toBe(15 * 60_000);
  });

  it("uses kms_b on the init path, and the provider that either name asks for", async () => {
    test.needs.realClock.advance(86_400_000);
    expect(await test.call(initAuthentication, { body: { email: ada.email } })).toMatchObject({ provider: "kms_b" });
    expect(await start({ email: ada.email, provider: "kms_b" })).toMatchObject({ provider: "kms_b" });
    expect(await start({ email: ada.email, kms_provider: "kms_b" })).toMatchObject({ provider: "kms_b" });
  });

  it("says whether the asked custodian was silent or broken, whichever was asked", async () => {
    for (const reason of ["timeout", "provider_error"] as const) {
      const forA = await start({ email: ada.email }, { needs: failing(reason, "kms_a") });
      expect(forA).toMatchObject({ provider: "kms_b", requested_provider: "kms_a", fallback_reason: reason });
      const forB = await start({ email: ada.email, provider: "kms_b" }, { needs: failing(reason, "kms_b") });
      expect(forB).toMatchObject({ provider: "kms_a", requested_provider: "kms_b", fallback_reason: reason });
    }
    const unharmed = await start({ email: ada.email }, { needs: failing("timeout", "kms_b") });
    expect(unharmed).not.toHaveProperty("fallback_reason");
    expect(unharmed).not.toHaveProperty("requested_provider");
  });

  it("falls back to the other custodian while the asked one is down", async () => {
    const started = await start({ email: ada.email }, { needs: down("kms_a") });
    expect(started).toMatchObject({ provider: "kms_b", requested_provider: "kms_a", fallback_reason: "timeout" });
    const { body } = await verifyBody(ada.email);
    const verified = await test.call<Verified>(verifyAuthentication, { body, needs: down("kms_a") });
    expect(verified.authentication[0]?.provider).toBe("kms_b");
  });
});

describe("starting: errors", () => {
  it("404 for an unknown address and for one that is still pending", async () => {
    expect(await errorOf(start({ email: "nobody@example.org" }))).toMatchObject({
      code: "user_not_found",
      status: 404,
      message: "User not found",
    });
    await test.call(createAccount, { body: { type: "email", email: "pending@example.org" } });
    expect((await errorOf(start({ email: "pending@example.org" }))).code).toBe("user_not_found");
  });

  it("404 for another tenant's user", async () => {
    const caller = await test.addTenant("tenant-stranger");
    expect((await errorOf(start({ email: ada.email }, { caller }))).code).toBe("user_not_found");
  });

  it("400 for a provider that holds no keys here", async () => {
    expect((await errorOf(start({ email: ada.email, provider: "passkey" }))).code).toBe("provider_not_available");
  });

  it("502 when no custodian answers", async () => {
    const error = await errorOf(start({ email: ada.email }, { needs: down("kms_a", "kms_b") }));
    expect(error).toMatchObject({ code: "provider_unavailable", status: 502 });
  });

  it("429 for the sixth mail within an hour, by real time", async () => {
    const holder = await test.openHolder("busy@example.org");
    test.needs.realClock.advance(86_400_000);
    for (let i = 0; i < 5; i += 1) await test.call(startAuthentication, { body: { email: holder.email } });
    await test.network.sandbox?.advanceClock(7_200);
    const error = await errorOf(test.call(startAuthentication, { body: { email: holder.email } }));
    expect(error).toMatchObject({ code: "mail_limit_exceeded", status: 429, retryAfterSeconds: 3_600 });
    test.needs.realClock.advance(3_600_000);
    await test.call(startAuthentication, { body: { email: holder.email } });
  });
});

describe("verifying: 200", () => {
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

describe("verifying: 400 and 404", () => {
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

interface Started {
  otp_id: string;
  email: string;
  otp_sent: boolean;
  provider: string;
  requested_provider?: string;
  fallback_reason?: string;
  created_at: string;
  expires_at: string;
}

/** Mail limits count real time, so every sign-in takes place in an hour of its own. */
async function start(body: object, parts: CallParts = {}): Promise<Started> {
  test.needs.realClock.advance(86_400_000);
  return test.call<Started>(startAuthentication, { ...parts, body });
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

function down(...names: ("kms_a" | "kms_b")[]) {
  return failing("timeout", ...names);
}

function failing(reason: CustodianUnavailable["reason"], ...names: ("kms_a" | "kms_b")[]) {
  const custodians = new Map(test.needs.custodians);
  for (const name of names) {
    const custodian = custodians.get(name);
    if (!custodian) throw new Error(`${name} is built in`);
    const fail = async () => {
      throw new CustodianUnavailable(reason, "no answer");
    };
    custodians.set(name, { ...custodian, ensureWallet: fail, registerAuthorizationKey: fail });
  }
  return { custodians };
}
