import { CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { beforeAll, describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import {
  type CallParts,
  createClientKey,
  errorOf,
  type HeldAccount,
  type Verified,
} from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { initAuthentication, startAuthentication } from "./start-authentication.js";
import { verifyAuthentication } from "./verify-authentication.js";

const test = useTestNetwork();
let ada: HeldAccount;
beforeAll(setUp);

describe("200", () => {
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
    const otp_code = await test.latestCode(ada.email);
    const kms_provider_config = { encryption_public_key: (await createClientKey()).spki };
    const body = { email: ada.email, otp_code, kms_provider_config };
    const verified = await test.call<Verified>(verifyAuthentication, { body, needs: down("kms_a") });
    expect(verified.authentication[0]?.provider).toBe("kms_b");
  });

  it("says the same of an address with an account and of one without, to a page", async () => {
    const caller = { ...test.caller, isPublishable: true };
    const started = await Promise.all(
      [ada.email, "nobody-yet@example.org"].map((email) => start({ email }, { caller })),
    );
    const [known, unknown] = started.map(({ otp_id, email, ...rest }) => rest);
    expect(unknown).toEqual(known);
    expect(await test.latestCode("nobody-yet@example.org")).toMatch(/^\d{6}$/);
  });

  it("voids the code before: of several requests at once one code is good", async () => {
    test.needs.realClock.advance(86_400_000);
    await Promise.all([1, 2, 3, 4].map(() => test.call(startAuthentication, { body: { email: ada.email } })));
    const live = await test.needs.db
      .selectFrom("one_time_code")
      .select("id")
      .where("email", "=", ada.email)
      .where("share", "=", "secret")
      .where("state", "=", "live")
      .execute();
    expect(live).toHaveLength(1);
  });
});

describe("400", () => {
  it.each(["ada", "ada@", "Ada <ada@example.org>", "ada@example.org, eve@example.org"])(
    "for the address %s",
    async (email) => {
      expect(await errorOf(start({ email }))).toMatchObject({ code: "invalid_email", status: 400 });
    },
  );

  it("for a session that ends in the past, or in more than 30 days", async () => {
    const now = Math.floor(test.needs.realClock.now() / 1000);
    for (const expiration of [now - 1, now, now + 40 * 86_400]) {
      const error = await errorOf(start({ email: ada.email, expiration }));
      expect(error).toMatchObject({ code: "invalid_expiration", status: 400 });
    }
  });

  it("for a provider that holds no keys here", async () => {
    const error = await errorOf(start({ email: ada.email, provider: "passkey" }));
    expect(error).toMatchObject({ code: "provider_not_available", status: 400 });
  });
});

describe("404", () => {
  it("for an unknown address and for one that is still pending", async () => {
    expect(await errorOf(start({ email: "nobody@example.org" }))).toMatchObject({
      code: "user_not_found",
      status: 404,
      message: "User not found",
    });
    await test.call(createAccount, { body: { type: "email", email: "pending@example.org" } });
    expect((await errorOf(start({ email: "pending@example.org" }))).code).toBe("user_not_found");
  });

  it("for another tenant's user", async () => {
    const caller = await test.addTenant("tenant-stranger");
    expect(await errorOf(start({ email: ada.email }, { caller }))).toMatchObject({
      code: "user_not_found",
      status: 404,
    });
  });
});

describe("429", () => {
  it("for the sixth mail within an hour, by real time", async () => {
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

describe("502", () => {
  it("when no custodian answers", async () => {
    const error = await errorOf(start({ email: ada.email }, { needs: down("kms_a", "kms_b") }));
    expect(error).toMatchObject({ code: "provider_unavailable", status: 502 });
  });

  it("when the mail is not accepted: the code is void", async () => {
    const network = { ...test.network, name: "devnet" as const };
    const caller = { ...test.caller, isPublishable: true };
    const error = await errorOf(start({ email: "unmailed@example.org" }, { network, caller }));
    expect(error).toMatchObject({ code: "mail_unavailable", status: 502 });
    const codes = test.needs.db.selectFrom("one_time_code").select("state").where("email", "=", "unmailed@example.org");
    expect(await codes.execute()).toEqual([{ state: "void" }]);
  });
});

async function setUp(): Promise<void> {
  ada = await test.openHolder("ada@example.org");
}

/** Mail limits count real time, so every sign-in takes place in an hour of its own. */
async function start(body: object, parts: CallParts = {}): Promise<Started> {
  test.needs.realClock.advance(86_400_000);
  return test.call<Started>(startAuthentication, { ...parts, body });
}

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
