import { CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import {
  breakConnection,
  countLiveKeys,
  createClientKey,
  errorOf,
  sessionOf,
  type Verified,
} from "../../test/support/test-network.js";
import { createAccount } from "./create-account.js";
import { createCreationQueue } from "./creation-queue.js";
import { getAccount } from "./get-account.js";
import { resumePendingCreations } from "./resume-creations.js";
import { verifyAccount } from "./verify-account.js";

const test = useTestNetwork();

describe("200", () => {
  it("creates an account on chain that either custodian alone can act for", async () => {
    const { verified } = await test.openHolder("ada@example.org");
    expect(verified.policies).toMatchObject({ threshold: 1, admin_address: null, time_lock: 0 });
    expect(verified.policies.signers.map(({ provider, role }) => [provider, role])).toEqual([
      ["kms_a", "primary"],
      ["kms_b", "backup"],
    ]);
    for (const { permissions } of verified.policies.signers) {
      expect(permissions).toEqual(["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"]);
    }
    const onChain = await test.call<Verified>(getAccount, { params: { address: verified.address } });
    expect(onChain.policies).toEqual(verified.policies);
  });

  it("seals a PKCS#8 authorization key that only the client can open", async () => {
    const { clientKey, verified } = await test.openHolder("sealed@example.org");
    const session = sessionOf(verified);
    const plaintext = await clientKey.open(session.session.encrypted_authorization_key);
    expect(plaintext).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(plaintext, "base64").indexOf(Buffer.from("0420", "hex"))).toBe(34);
    const stranger = await createClientKey();
    await expect(stranger.open(session.session.encrypted_authorization_key)).rejects.toThrow();
    expect(Buffer.from(session.session.encrypted_authorization_key.encapsulated_key, "base64")).toHaveLength(65);
    expect(JSON.stringify(verified)).not.toContain('"authorization_key"');
  });

  it("carries user_id and session beside the provider's key", async () => {
    const { verified } = await test.openHolder("variant@example.org");
    const [authentication] = verified.authentication;
    expect(authentication?.session.user_id).toBe(verified.grid_user_id);
    expect(authentication?.session.session).toEqual(sessionOf(verified).session);
  });

  it("accepts a public key with a compressed point", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const verified = await test.call<Verified>(verifyAccount, { body: bodyOf(email, code, key.compressedSpki) });
    await expect(key.open(sessionOf(verified).session.encrypted_authorization_key)).resolves.toBeTruthy();
  });

  it("opens the session at the provider that was asked for", async () => {
    const { verified } = await test.openHolder("backup@example.org", { provider: "kms_b" });
    expect(verified.authentication[0]?.provider).toBe("kms_b");
    expect(verified.authentication[0]?.session.KmsB).toBeDefined();
    expect(verified.authentication[0]?.session.KmsA).toBeUndefined();
    expect(sessionOf(verified).session.wallets[0]?.address).toBe(verified.policies.signers[1]?.address);
  });

  it("turns the requested end into a life of the session, from real time to the environment's", async () => {
    const inTwoHours = Math.floor(test.needs.realClock.now() / 1000) + 7_200;
    const { verified } = await test.openHolder("brief@example.org", { expiration: inTwoHours });
    expect(sessionOf(verified).session.expires_at).toBe(test.network.clock.now() + 7_200_000);
  });

  it("keeps the memo of the request with the account", async () => {
    const email = "memo@example.org";
    await test.call(createAccount, { body: { type: "email", email, memo: "for rent" } });
    const key = await createClientKey();
    const verified = await test.call<Verified>(verifyAccount, {
      body: bodyOf(email, await test.latestCode(email), key.spki),
    });
    expect(await test.call(getAccount, { params: { address: verified.address } })).toMatchObject({
      email,
      memo: "for rent",
    });
  });

  it("creates every one of many accounts at once, and pays for no failure", async () => {
    const failedBefore = await failedSubmissions();
    const requests = await Promise.all(Array.from({ length: 24 }, requestCode));
    const answers = await Promise.all(
      requests.map(async ({ email, code }) => {
        const key = await createClientKey();
        return test.call<Verified>(verifyAccount, { body: bodyOf(email, code, key.spki) });
      }),
    );
    expect(new Set(answers.map(({ address }) => address)).size).toBe(24);
    expect(await failedSubmissions()).toBe(failedBefore);
    for (const { address, policies } of answers) {
      const account = await test.call<Verified>(getAccount, { params: { address } });
      expect(account.policies).toEqual(policies);
    }
  });

  it("rebuilds its candidates when other creators have used them up", async () => {
    const slow = { creationQueue: createCreationQueue(test.needs.realClock) };
    const verifyBy = async (needs: object) => {
      const { email, code } = await requestCode();
      const key = await createClientKey();
      return test.call<Verified>(verifyAccount, { body: bodyOf(email, code, key.spki), needs });
    };
    await verifyBy(slow);
    for (let i = 0; i < 9; i += 1) await verifyBy({});
    const failedBefore = await failedSubmissions();
    const late = await verifyBy(slow);
    // The simulation shows it, and costs nothing.
    expect(await failedSubmissions()).toBe(failedBefore);
    expect(await test.call<Verified>(getAccount, { params: { address: late.address } })).toMatchObject({
      policies: late.policies,
    });
  });
});

async function failedSubmissions(): Promise<number> {
  const rows = await test.needs.db.selectFrom("submission").select("id").where("state", "=", "failed").execute();
  return rows.length;
}

describe("200 after a lost answer", () => {
  it("completes with the stored bytes when the chain was cut off before they were sent", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const body = bodyOf(email, code, key.spki);
    const network = breakConnection(test.network, (method) => method === "sendTransaction");
    expect((await errorOf(test.call(verifyAccount, { body, network }))).code).toBe("chain_unavailable");
    const before = await submissionsOf(email);
    const verified = await test.call<Verified>(verifyAccount, { body });
    expect(before).toHaveLength(1);
    expect((await submissionsOf(email)).map(({ signature }) => signature)).toEqual(
      before.map(({ signature }) => signature),
    );
    expect(await accountsOf(email)).toBe(1);
    expect(await test.call(getAccount, { params: { address: verified.address } })).toMatchObject({ email });
  });

  it("finds the account by its signature when the connection broke after its confirmation", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const body = bodyOf(email, code, key.spki);
    const network = breakConnection(test.network, (method) => method === "getTransaction");
    expect((await errorOf(test.call(verifyAccount, { body, network }))).code).toBe("chain_unavailable");
    const verified = await test.call<Verified>(verifyAccount, { body });
    expect(await accountsOf(email)).toBe(1);
    expect(await submissionsOf(email)).toHaveLength(1);
    expect((await test.call<Verified>(getAccount, { params: { address: verified.address } })).policies).toEqual(
      verified.policies,
    );
  });

  it("signs anew only after the stored bytes have expired", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const body = bodyOf(email, code, key.spki);
    const network = breakConnection(test.network, (method) => method === "sendTransaction");
    await errorOf(test.call(verifyAccount, { body, network }));
    await test.network.sandbox?.advanceClock(120);
    await test.call(verifyAccount, { body });
    expect((await submissionsOf(email)).map(({ state }) => state)).toEqual(["landed"]);
    expect(await accountsOf(email)).toBe(1);
  });

  it("gives the session that a custodian's outage kept back", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const body = bodyOf(email, code, key.spki);
    const custodians = new Map(test.needs.custodians);
    const kmsA = custodians.get("kms_a");
    if (!kmsA) throw new Error("kms_a is built in");
    custodians.set("kms_a", {
      ...kmsA,
      registerAuthorizationKey: async () => {
        throw new CustodianUnavailable("timeout", "no answer");
      },
    });
    expect((await errorOf(test.call(verifyAccount, { body, needs: { custodians } }))).code).toBe(
      "provider_unavailable",
    );
    await test.call(verifyAccount, { body });
    expect([await accountsOf(email), await sessionsOf(email)]).toEqual([1, 1]);
  });

  it("leaves the creation to the recovery pass when the client does not retry", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const network = breakConnection(test.network, (method) => method === "sendTransaction");
    await errorOf(test.call(verifyAccount, { body: bodyOf(email, code, key.spki), network }));
    expect(await resumePendingCreations(test.needs, test.network, 0)).toEqual({ ended: 1, left: 0 });
    expect(await accountsOf(email)).toBe(1);
    expect(await resumePendingCreations(test.needs, test.network, 0)).toEqual({ ended: 0, left: 0 });
  });

  it("gives no session to another public key, nor after one was given, nor after the code's life", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const body = bodyOf(email, code, key.spki);
    const network = breakConnection(test.network, (method) => method === "sendTransaction");
    await errorOf(test.call(verifyAccount, { body, network }));
    const other = await createClientKey();
    expect((await errorOf(test.call(verifyAccount, { body: bodyOf(email, code, other.spki) }))).code).toBe(
      "invalid_otp",
    );
    await test.call(verifyAccount, { body });
    expect((await errorOf(test.call(verifyAccount, { body }))).code).toBe("invalid_otp");

    const late = await requestCode();
    const lateBody = bodyOf(late.email, late.code, key.spki);
    await errorOf(test.call(verifyAccount, { body: lateBody, network }));
    await test.network.sandbox?.advanceClock(15 * 60);
    expect((await errorOf(test.call(verifyAccount, { body: lateBody }))).code).toBe("invalid_otp");
  });

  it("answers one of several parallel requests, with one account", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const body = bodyOf(email, code, key.spki);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => test.call<Verified>(verifyAccount, { body })),
    );
    const answered = outcomes.filter(({ status }) => status === "fulfilled");
    expect(answered).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "invalid_otp" });
    }
    expect([await accountsOf(email), await sessionsOf(email)]).toEqual([1, 1]);
    const session = sessionOf((answered[0] as PromiseFulfilledResult<Verified>).value);
    expect(await countLiveKeys(test, session)).toBe(1);
  });

  it("gives each of many people at once their own session and account, and one of each where all ask twice", async () => {
    const people = await Promise.all(
      Array.from({ length: 8 }, async () => ({ ...(await requestCode()), key: await createClientKey() })),
    );
    const outcomes = await Promise.allSettled(
      [...people, ...people].map(({ email, code, key }) =>
        test.call<Verified>(verifyAccount, { body: bodyOf(email, code, key.spki) }),
      ),
    );
    for (const [at, { email, key }] of people.entries()) {
      const both = [outcomes[at], outcomes[at + people.length]];
      const [answered, ...others] = both.flatMap((each) => (each?.status === "fulfilled" ? [each.value] : []));
      if (answered === undefined) throw new Error(`${email} got no session`);
      expect(others).toEqual([]);
      expect(both.find((each) => each?.status === "rejected")).toMatchObject({ reason: { code: "invalid_otp" } });
      const session = sessionOf(answered);
      await expect(key.open(session.session.encrypted_authorization_key)).resolves.toBeTruthy();
      const user = await test.needs.db
        .selectFrom("app_user")
        .select("id")
        .where("email", "=", email)
        .executeTakeFirstOrThrow();
      expect([answered.grid_user_id, session.user_id]).toEqual([user.id, user.id]);
      expect([await accountsOf(email), await sessionsOf(email), await countLiveKeys(test, session)]).toEqual([1, 1, 1]);
    }
  });
});

async function submissionsOf(email: string) {
  return test.needs.db
    .selectFrom("account_creation")
    .innerJoin("app_user", "app_user.id", "account_creation.user_id")
    .innerJoin("submission", "submission.id", "account_creation.submission_id")
    .select(["submission.state", "submission.signature"])
    .where("app_user.email", "=", email)
    .execute();
}

describe("400", () => {
  it("refuses a wrong code, and an address that never asked for one", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const error = await errorOf(test.call(verifyAccount, { body: bodyOf(email, wrong(code), key.spki) }));
    expect(error).toMatchObject({ code: "invalid_otp", message: "Invalid email and code combination" });
    const noCaller = await errorOf(test.call(verifyAccount, { body: bodyOf("nobody@example.org", code, key.spki) }));
    expect(noCaller.code).toBe("invalid_otp");
  });

  it("refuses the fourth try, also with the right code", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    for (let i = 0; i < 3; i += 1) {
      const error = await errorOf(test.call(verifyAccount, { body: bodyOf(email, wrong(code), key.spki) }));
      expect(error.code).toBe("invalid_otp");
    }
    const error = await errorOf(test.call(verifyAccount, { body: bodyOf(email, code, key.spki) }));
    expect(error).toMatchObject({ code: "otp_attempts_exceeded", status: 400 });
  });

  it("counts three tries however many arrive at once", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const errors = await Promise.all(
      Array.from({ length: 12 }, () =>
        errorOf(test.call(verifyAccount, { body: bodyOf(email, wrong(code), key.spki) })),
      ),
    );
    expect(errors.filter((error) => error.code === "invalid_otp")).toHaveLength(3);
    expect(errors.filter((error) => error.code === "otp_attempts_exceeded")).toHaveLength(9);
  });

  it("refuses a code 15 minutes after it was made", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    await test.network.sandbox?.advanceClock(15 * 60);
    expect((await errorOf(test.call(verifyAccount, { body: bodyOf(email, code, key.spki) }))).code).toBe("otp_expired");
  });

  it("refuses a code that a newer one replaced", async () => {
    const { email, code } = await requestCode();
    test.needs.realClock.advance(1);
    await test.call(createAccount, { body: { type: "email", email } });
    const newer = await test.latestCode(email);
    const key = await createClientKey();
    if (newer !== code) {
      expect((await errorOf(test.call(verifyAccount, { body: bodyOf(email, code, key.spki) }))).code).toBe(
        "invalid_otp",
      );
    }
    await test.call(verifyAccount, { body: bodyOf(email, newer, key.spki) });
  });

  it("spends no try on a public key it cannot use", async () => {
    const { email, code } = await requestCode();
    for (const spki of ["", "AAAA", "not base64!"]) {
      const error = await errorOf(test.call(verifyAccount, { body: bodyOf(email, wrong(code), spki) }));
      expect(error).toMatchObject({ code: "invalid_encryption_public_key" });
      expect(error.details[0]?.field).toBe("kms_provider_config.encryption_public_key");
    }
    const key = await createClientKey();
    await errorOf(test.call(verifyAccount, { body: bodyOf(email, wrong(code), key.spki) }));
    await errorOf(test.call(verifyAccount, { body: bodyOf(email, wrong(code), key.spki) }));
    await test.call(verifyAccount, { body: bodyOf(email, code, key.spki) });
  });

  it("refuses an end of the session in the past or more than 30 days ahead", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const now = Math.floor(test.needs.realClock.now() / 1000);
    for (const expiration of [now - 1, now + 30 * 86_400 + 60]) {
      const body = bodyOf(email, code, key.spki, { expiration });
      expect((await errorOf(test.call(verifyAccount, { body }))).code).toBe("invalid_expiration");
    }
  });

  it("names the providers there are when another is asked for", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const error = await errorOf(
      test.call(verifyAccount, { body: bodyOf(email, code, key.spki, { provider: "kms_c" }) }),
    );
    expect(error.code).toBe("provider_not_available");
    expect(error.details[0]?.suggestion).toContain("kms_a, kms_b");
  });

  it("knows no code of another tenant", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const caller = await test.addTenant("tenant-other");
    expect((await errorOf(test.call(verifyAccount, { body: bodyOf(email, code, key.spki), caller }))).code).toBe(
      "invalid_otp",
    );
  });
});

describe("429", () => {
  it("blocks an address for 24 hours after ten wrong tries over several codes", async () => {
    const email = "blocked@example.org";
    const key = await createClientKey();
    let tries = 0;
    for (let codes = 0; codes < 4; codes += 1) {
      test.needs.realClock.advance(1);
      await test.call(createAccount, { body: { type: "email", email } });
      const code = await test.latestCode(email);
      for (let i = 0; i < 3 && tries < 10; i += 1) {
        await errorOf(test.call(verifyAccount, { body: bodyOf(email, wrong(code), key.spki) }));
        tries += 1;
      }
    }
    const body = bodyOf(email, await test.latestCode(email), key.spki);
    const error = await errorOf(test.call(verifyAccount, { body }));
    expect(error).toMatchObject({ status: 429, code: "otp_address_blocked" });
    expect(error.details[0]?.code).toBe("otp_attempts_exceeded");
    expect(error.retryAfterSeconds).toBeGreaterThan(86_000);

    await test.network.sandbox?.advanceClock(86_400);
    test.needs.realClock.advance(3_600_001);
    await test.call(createAccount, { body: { type: "email", email } });
    await test.call(verifyAccount, { body: bodyOf(email, await test.latestCode(email), key.spki) });
  });

  it("stays within the budget for sponsored fees and can be resumed when there is one", async () => {
    const { email, code } = await requestCode();
    const key = await createClientKey();
    const body = bodyOf(email, code, key.spki);
    const network = { ...test.network, sponsorship: { ...test.network.sponsorship, perTransaction: 10_000n } };
    expect((await errorOf(test.call(verifyAccount, { body, network }))).code).toBe("sponsorship_limit_exceeded");
    expect(await submissionsOf(email)).toEqual([]);
    await test.call(verifyAccount, { body });
    expect(await accountsOf(email)).toBe(1);
  });
});

it("raises an alarm when a tenant's users send a hundred wrong codes within an hour", async () => {
  const caller = await test.addTenant("tenant-alarm");
  const key = await createClientKey();
  const alarms = () =>
    test.logLines.filter(({ fields }) => "event" in fields && fields.event === "wrong_codes_alarming");
  for (let i = 0; i < 34; i += 1) {
    const email = `guess-${i}@example.org`;
    await test.call(createAccount, { body: { type: "email", email }, caller });
    const code = await test.latestCode(email, caller);
    for (let j = 0; j < 3; j += 1) {
      await errorOf(test.call(verifyAccount, { body: bodyOf(email, wrong(code), key.spki), caller }));
    }
    expect(alarms().length).toBe(i < 33 ? 0 : 3);
  }
});

let people = 0;
/** Asks for an account and returns the code that came by mail. */
async function requestCode(): Promise<{ email: string; code: string }> {
  people += 1;
  const email = `person-${people}@example.org`;
  await test.call(createAccount, { body: { type: "email", email } });
  return { email, code: await test.latestCode(email) };
}

function wrong(code: string): string {
  return code === "000000" ? "000001" : "000000";
}

function bodyOf(email: string, code: string, spki: string, more: object = {}) {
  return { email, otp_code: code, kms_provider_config: { encryption_public_key: spki }, ...more };
}

async function accountsOf(email: string): Promise<number> {
  const rows = await test.needs.db
    .selectFrom("account")
    .innerJoin("app_user", "app_user.id", "account.user_id")
    .select("account.address")
    .where("app_user.email", "=", email)
    .execute();
  return rows.length;
}

async function sessionsOf(email: string): Promise<number> {
  const rows = await test.needs.db
    .selectFrom("session")
    .innerJoin("app_user", "app_user.id", "session.user_id")
    .select("session.id")
    .where("app_user.email", "=", email)
    .execute();
  return rows.length;
}
