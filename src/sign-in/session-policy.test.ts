import { afterEach, describe, expect, it } from "vitest";
import { refusalOf, useSignedInPeople } from "../../test/support/signed-in-people.js";

const { trellis, pageOf, newEmail, signIn, pay, refresh, expectOver, revokedReasons } = useSignedInPeople();
afterEach(() => trellis.client.sessions.setPolicy({ idle_seconds: null, one_session: false }));

describe("200", () => {
  it("allows one session a user: a sign-in ends those before it, and none of anybody else", async () => {
    await trellis.client.sessions.setPolicy({ idle_seconds: null, one_session: true });
    const [email, other] = [newEmail(), await signIn()];
    const first = await signIn(email);
    const second = await signIn(email);
    await expectOver(first);
    await pay(second);
    await pay(other);
    expect(await revokedReasons(second)).toEqual(["replaced"]);
    // A refresh is no sign-in.
    await refresh(second);
    expect((await trellis.client.sessions.page(second.account)).sessions).toHaveLength(1);
  });

  it("ends sessions that rest: what signs or is refreshed in time goes on", async () => {
    await trellis.client.sessions.setPolicy({ idle_seconds: 900, one_session: false });
    const [resting, active] = [await signIn(), await signIn()];
    await trellis.client.sandbox.advanceClock(600);
    await pay(active);
    await trellis.client.sandbox.advanceClock(600);
    expect((await trellis.client.sessions.page(resting.account)).sessions).toEqual([]);
    expect(await refusalOf(pay(resting))).toMatch(/session_expired|invalid_signature/);
    expect(await refusalOf(pageOf(resting).accounts.get(resting.account))).toBe("invalid_session");
    expect(await refusalOf(refresh(resting))).toBe("session_expired");
    expect(await revokedReasons(resting)).toEqual(["idle"]);
    await pay(active);
  });

  it("is read as it was set, and begins with neither", async () => {
    expect(await policy("GET")).toEqual([200, { idle_seconds: null, one_session: false }]);
    const wanted = { idle_seconds: 300, one_session: true };
    for (const _ of [1, 2]) expect(await policy("PUT", wanted)).toEqual([200, wanted]);
    expect(await policy("GET")).toEqual([200, wanted]);
  });

  it("leaves another tenant's sessions alone", async () => {
    const { db } = trellis.service;
    await db.insertInto("tenant").values({ id: "other", name: "Other", created_at: 0n }).execute();
    await policy("PUT", { idle_seconds: 600, one_session: true });
    const others = await db.selectFrom("tenant").selectAll().where("id", "=", "other").executeTakeFirstOrThrow();
    expect(others).toMatchObject({ session_idle_seconds: null, one_session: false });
  });
});

describe("400", () => {
  it.each([
    { idle_seconds: 299, one_session: true },
    { idle_seconds: 30 * 86_400 + 1, one_session: true },
    { idle_seconds: 300.5, one_session: true },
    { idle_seconds: 300 },
    { one_session: true },
  ])("for %j, which changes nothing", async (body) => {
    expect(await policy("PUT", body)).toMatchObject([400, undefined]);
    expect(await policy("GET")).toEqual([200, { idle_seconds: null, one_session: false }]);
  });
});

describe("403", () => {
  it("for a publishable key, whoever is signed in", async () => {
    const { sessions } = pageOf(await signIn());
    expect(await refusalOf(sessions.policy())).toBe("secret_key_required");
    expect(await refusalOf(sessions.setPolicy({ idle_seconds: 300, one_session: true }))).toBe("secret_key_required");
  });
});

async function policy(method: "GET" | "PUT", body?: object) {
  const answered = await trellis.request(method, "/api/service/v1/session-policy", body);
  return [answered.status, (answered.body as { data?: object }).data] as const;
}
