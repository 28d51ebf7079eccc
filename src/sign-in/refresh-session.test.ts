import type { Network } from "@trellis/kernel/ports/network.js";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import {
  authorizationKeysOf,
  type ClientKey,
  countLiveKeys,
  createClientKey,
  createP256Key,
  errorOf,
  importAuthorizationKey,
  type ProviderSession,
  sessionOf,
  signCanonical,
  type Verified,
} from "../../test/support/test-network.js";
import { markKeysUsed } from "../custody/session-store.js";
import { refreshSession } from "./refresh-session.js";

const test = useTestNetwork();

describe("200", () => {
  it("seals a new authorization key to the same public key and rotates every token", async () => {
    const { session, clientKey } = await signIn();
    const next = await refresh(session, clientKey);
    for (const name of ["token", "kms_a_access_token", "refresh_token"] as const) {
      expect(next[name]).not.toBe(session[name]);
    }
    const [before, after] = await Promise.all([
      clientKey.open(session.session.encrypted_authorization_key),
      clientKey.open(next.session.encrypted_authorization_key),
    ]);
    expect(after).not.toBe(before);
    expect(next.session.wallets).toEqual(session.session.wallets);
  });

  it("takes the session whole or as what stands under the provider's key", async () => {
    const { session, clientKey } = await signIn();
    const body = {
      encryption_public_key: clientKey.spki,
      kms_payload: { provider: "kms_a", session: { refresh_token: session.refresh_token } },
    };
    await test.call(refreshSession, { body });
  });

  it("accepts the former token once more within 60 seconds and revokes the session whose answer was lost", async () => {
    const { session, clientKey } = await signIn();
    const lost = await refresh(session, clientKey);
    await test.network.sandbox?.advanceClock(50);
    const again = await refresh(session, clientKey);
    expect((await errorOf(refresh(lost, clientKey))).code).toBe("invalid_refresh_token");
    expect(again.refresh_token).not.toBe(lost.refresh_token);
  });

  it("takes another public key from the holder of the authorization key", async () => {
    const { session, authorizationKey } = await signIn();
    const newKey = await createClientKey();
    const signature = signCanonical(
      { refresh_token: session.refresh_token, encryption_public_key: newKey.spki },
      authorizationKey,
    ).toString("base64");
    const next = await refresh(session, newKey, { signature });
    expect(importAuthorizationKey(await newKey.open(next.session.encrypted_authorization_key)).type).toBe("private");
  });

  it("still works after the session itself has ended", async () => {
    const { session, clientKey } = await signIn();
    await test.network.sandbox?.advanceClock(2 * 86_400);
    const next = await refresh(session, clientKey);
    expect(next.session.expires_at).toBe(test.network.clock.now() + 86_400_000);
  });
});

it("stores tokens as hashes and nothing of the authorization key but its public half", async () => {
  const { session, verified, authorizationKey } = await signIn();
  const rows = await test.needs.db
    .selectFrom("session")
    .selectAll()
    .where("user_id", "=", verified.grid_user_id)
    .execute();
  const keys = await test.needs.db.selectFrom("kms_authorization_key").selectAll().execute();
  const scalar = Buffer.from(authorizationKey.export({ format: "jwk" }).d ?? "", "base64url");
  expect([rows.length, scalar.length]).toEqual([1, 32]);
  const stored = [...rows, ...keys]
    .flatMap((row) => Object.values(row))
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value))));
  const secrets = [session.token, session.kms_a_access_token, session.refresh_token].flatMap((token) => [
    Buffer.from(token),
    Buffer.from(token, "base64url"),
  ]);
  for (const secret of [...secrets, scalar]) {
    expect(stored.some((bytes) => bytes.includes(secret))).toBe(false);
  }
});

describe("401", () => {
  it("ends the chain when a token is presented again later than 60 seconds", async () => {
    const { session, clientKey } = await signIn();
    const next = await refresh(session, clientKey);
    await test.network.sandbox?.advanceClock(61);
    expect((await errorOf(refresh(session, clientKey))).code).toBe("invalid_refresh_token");
    expect((await errorOf(refresh(next, clientKey))).code).toBe("invalid_refresh_token");
    expect(await liveKeysOf(session)).toBe(0);
  });

  it("ends the chain when the former token is presented again with another public key", async () => {
    const { session, clientKey } = await signIn();
    const next = await refresh(session, clientKey);
    expect((await errorOf(refresh(session, await createClientKey()))).code).toBe("invalid_refresh_token");
    expect((await errorOf(refresh(next, clientKey))).code).toBe("invalid_refresh_token");
    expect(await liveKeysOf(session)).toBe(0);
  });

  it("ends the chain when the former token is presented again although the new session was used", async () => {
    const { session, clientKey } = await signIn();
    await test.network.sandbox?.advanceClock(1);
    const next = await refresh(session, clientKey);
    const [newest] = await authorizationKeysOf(test, next);
    const used = markKeysUsed(sql`select ${newest?.id ?? ""}::text as id`, test.network.clock.now());
    await used.execute(test.needs.db);
    expect((await errorOf(refresh(session, clientKey))).code).toBe("invalid_refresh_token");
    expect(await liveKeysOf(session)).toBe(0);

    const other = await signIn();
    const second = await refresh(other.session, other.clientKey);
    const third = await refresh(second, other.clientKey);
    expect((await errorOf(refresh(other.session, other.clientKey))).code).toBe("invalid_refresh_token");
    expect((await errorOf(refresh(third, other.clientKey))).code).toBe("invalid_refresh_token");
  });

  it("keeps at most two authorization keys of a chain alive", async () => {
    const { session, clientKey } = await signIn();
    let current: ProviderSession = session;
    for (let i = 0; i < 4; i += 1) current = await refresh(current, clientKey);
    expect(await liveKeysOf(current)).toBe(2);
  });

  it("refuses another public key without a signature by the live authorization key", async () => {
    const { session, clientKey, authorizationKey } = await signIn();
    const newKey = await createClientKey();
    const message = { refresh_token: session.refresh_token, encryption_public_key: newKey.spki };
    const byStranger = signCanonical(message, createP256Key()).toString("base64");
    expect((await errorOf(refresh(session, newKey))).code).toBe("session_key_mismatch");
    expect((await errorOf(refresh(session, newKey, { signature: byStranger }))).code).toBe("session_key_mismatch");
    const signature = signCanonical(message, authorizationKey).toString("base64");
    await test.network.sandbox?.advanceClock(86_400);
    expect((await errorOf(refresh(session, newKey, { signature }))).code).toBe("session_key_mismatch");
    await refresh(session, clientKey);
  });

  it("ends 30 days after the code, however often it was refreshed", async () => {
    const { session, clientKey } = await signIn();
    let current: ProviderSession = session;
    for (let day = 0; day < 29; day += 1) {
      await test.network.sandbox?.advanceClock(86_400);
      current = await refresh(current, clientKey);
    }
    await test.network.sandbox?.advanceClock(43_200);
    current = await refresh(current, clientKey);
    expect(current.session.expires_at - test.network.clock.now()).toBeLessThanOrEqual(43_200_000);
    await test.network.sandbox?.advanceClock(43_200);
    const error = await errorOf(refresh(current, clientKey));
    expect(error.code).toBe("session_expired");
    expect(error.message).toContain("session key is expired");
  });

  it("knows no token of another tenant, and none that never was", async () => {
    const { session, clientKey } = await signIn();
    const caller = await test.addTenant("tenant-refresh");
    const body = {
      encryption_public_key: clientKey.spki,
      kms_payload: { provider: "kms_a", session: { KmsA: session } },
    };
    expect((await errorOf(test.call(refreshSession, { body, caller }))).code).toBe("invalid_refresh_token");
    expect((await errorOf(refresh({ refresh_token: "x".repeat(43) }, clientKey))).code).toBe("invalid_refresh_token");
    await refresh(session, clientKey);
  });
});

describe("uses of one token", () => {
  const outcomeOf = (call: Promise<ProviderSession>) =>
    call.then(
      () => "session",
      (error: unknown) => (error as { code?: string }).code,
    );

  it("one after the other: two sessions, then refusals that end nothing", async () => {
    const { session, clientKey } = await signIn();
    await refresh(session, clientKey);
    const second = await refresh(session, clientKey);
    for (let use = 3; use <= 6; use += 1) {
      expect(await errorOf(refresh(session, clientKey))).toMatchObject({ status: 409, code: "refresh_conflict" });
    }
    const next = await refresh(second, clientKey);
    expect(await liveKeysOf(next)).toBe(2);
  });

  it("at the same time: one session, the others get that answer, and no user is signed out", async () => {
    const { session, clientKey } = await signIn();
    const calls = refreshTenfold(session, clientKey);
    const outcomes = await Promise.all(calls.map(outcomeOf));
    expect(outcomes.filter((outcome) => outcome === "session")).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(["session", "refresh_conflict"]));
    const [won] = (await Promise.allSettled(calls)).flatMap((each) =>
      each.status === "fulfilled" ? [each.value] : [],
    );
    if (!won) throw new Error("nobody got a session");
    expect(await liveKeysOf(session)).toBe(2);
    await refresh(won, clientKey);
  });

  it("at the same time after a lost answer: one session takes the lost one's place", async () => {
    const { session, clientKey } = await signIn();
    const lost = await refresh(session, clientKey);
    const calls = refreshTenfold(session, clientKey);
    const outcomes = await Promise.all(calls.map(outcomeOf));
    expect(outcomes.filter((outcome) => outcome === "session")).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(["session", "refresh_conflict"]));
    expect(await liveKeysOf(session)).toBe(2);
    expect((await errorOf(refresh(lost, clientKey))).code).toBe("invalid_refresh_token");
  });

  it("end the chain at the third, too, once the 60 seconds are over or the new session was used", async () => {
    const { session, clientKey } = await signIn();
    await refresh(session, clientKey);
    const second = await refresh(session, clientKey);
    await test.network.sandbox?.advanceClock(61);
    expect((await errorOf(refresh(session, clientKey))).code).toBe("invalid_refresh_token");
    expect((await errorOf(refresh(second, clientKey))).code).toBe("invalid_refresh_token");

    const other = await signIn();
    await refresh(other.session, other.clientKey);
    const used = await refresh(other.session, other.clientKey);
    await refresh(used, other.clientKey);
    expect((await errorOf(refresh(other.session, other.clientKey))).code).toBe("invalid_refresh_token");
    expect(await liveKeysOf(other.session)).toBe(0);
  });

  it("with a new key are answered again by that key when the answer was lost", async () => {
    const { session, clientKey, authorizationKey } = await signIn();
    const newKey = await createClientKey();
    const message = { refresh_token: session.refresh_token, encryption_public_key: newKey.spki };
    const signature = signCanonical(message, authorizationKey).toString("base64");
    await refresh(session, newKey, { signature });
    const again = await refresh(session, newKey, { signature });
    await expect(newKey.open(again.session.encrypted_authorization_key)).resolves.toBeTruthy();
    expect((await errorOf(refresh(session, clientKey))).code).toBe("invalid_refresh_token");
    expect((await errorOf(refresh(again, newKey))).code).toBe("invalid_refresh_token");
  });
});

describe("429", () => {
  it("for the twenty-first refresh of a chain within a minute, which leaves no key behind", async () => {
    const { session, clientKey } = await signIn();
    let current: ProviderSession = session;
    for (let i = 0; i < 20; i += 1) current = await refresh(current, clientKey);
    const keys = () => test.needs.db.selectFrom("kms_authorization_key").select("id").execute();
    const before = (await keys()).length;
    await test.network.sandbox?.advanceClock(20);
    expect(await errorOf(refresh(current, clientKey))).toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
      retryAfterSeconds: 40,
    });
    expect((await keys()).length).toBe(before);
    const other = await signIn();
    await refresh(other.session, other.clientKey);
    await test.network.sandbox?.advanceClock(40);
    await refresh(current, clientKey);
  });

  it("ends no chain, and does not keep one from being ended", async () => {
    const { session, clientKey } = await signIn();
    let current: ProviderSession = session;
    for (let i = 0; i < 20; i += 1) current = await refresh(current, clientKey);
    expect((await errorOf(refresh(current, clientKey))).code).toBe("rate_limit_exceeded");
    expect((await errorOf(refresh(session, clientKey))).code).toBe("invalid_refresh_token");
    expect((await errorOf(refresh(current, clientKey))).code).toBe("invalid_refresh_token");
    expect(await liveKeysOf(current)).toBe(0);
  });
});

it("400 without a refresh token of the provider", async () => {
  const { session, clientKey } = await signIn();
  const body = {
    encryption_public_key: clientKey.spki,
    kms_payload: { provider: "kms_b", session: { KmsA: session } },
  };
  expect((await errorOf(test.call(refreshSession, { body }))).code).toBe("invalid_request");
});

let people = 0;
async function signIn() {
  people += 1;
  const held = await test.openHolder(`person-${people}@example.org`);
  return { ...held, session: sessionOf(held.verified) };
}

async function refresh(
  session: { refresh_token: string },
  clientKey: ClientKey,
  more: object = {},
  network: Network = test.network,
) {
  const { kms_payload } = await test.call<{ kms_payload: Verified["authentication"][number] }>(refreshSession, {
    network,
    body: {
      encryption_public_key: clientKey.spki,
      kms_payload: { provider: "kms_a", session: { KmsA: session } },
      ...more,
    },
  });
  return sessionOf({ authentication: [kms_payload] });
}

/** Ten calls with one token at once, while time goes on: each look at the clock finds it a millisecond later. */
function refreshTenfold(session: ProviderSession, clientKey: ClientKey) {
  let passedMs = 0;
  const now = () => {
    passedMs += 1;
    return test.network.clock.now() + passedMs;
  };
  const network = { ...test.network, clock: { now } };
  return Array.from({ length: 10 }, () => refresh(session, clientKey, {}, network));
}

const liveKeysOf = (session: ProviderSession) => countLiveKeys(test, session);
