import { randomUUID } from "node:crypto";
import type { SignedInAccount, SignedInSession, User } from "@trellis/sdk";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { refusalOf, useSignedInPeople } from "../../test/support/signed-in-people.js";
import { type CallParts, errorOf } from "../../test/support/test-network.js";
import { createAccount } from "../accounts/create-account.js";
import { endUserSession, endUserSessions } from "./end-user-session.js";
import { getUser } from "./get-user.js";
import { listUserSessions } from "./list-user-sessions.js";
import { listUsers } from "./list-users.js";

const { trellis, pageOf, newEmail, signIn, pay, expectOver, revokedReasons } = useSignedInPeople();

const sessionsOf = async (userId: string): Promise<SignedInSession[]> => {
  const found: SignedInSession[] = [];
  for await (const session of trellis.client.users.sessions(userId)) found.push(session);
  return found;
};
/** Who has ended a user's sessions, by the audit log. */
const endersOf = async ({ userId }: SignedInAccount): Promise<(string | undefined)[]> => {
  const found: (string | undefined)[] = [];
  for await (const { user_id, actor } of trellis.client.auditEvents.list({ type: "session.ended" })) {
    if (user_id === userId) found.push(actor);
  }
  return found;
};

describe("a user", () => {
  it("is shown with accounts, sign-ins and passkeys", async () => {
    const email = newEmail();
    const phone = await signIn(email);
    const before = await trellis.client.users.get(phone.userId);
    expect(before).toMatchObject({
      id: phone.userId,
      email,
      environment: "sandbox",
      accounts: [phone.account],
      sessions_active: 1,
      passkeys: 0,
    });
    await trellis.client.sandbox.advanceClock(600);
    const laptop = await signIn(email);
    const { address } = await trellis.client.accounts.createCustom({
      policies: {
        signers: [{ type: "email", email, permissions: ["CAN_VOTE", "CAN_INITIATE", "CAN_EXECUTE"] }],
        threshold: 1,
      },
    });
    const after = await trellis.client.users.get(phone.userId);
    expect(after.accounts).toEqual([phone.account, address].toSorted());
    expect(after.sessions_active).toBe(2);
    expect(Date.parse(after.last_signed_in_at ?? "")).toBeGreaterThan(Date.parse(before.last_signed_in_at ?? ""));
    expect((await trellis.client.users.page({ email: email.toUpperCase() })).users).toEqual([after]);
    // Ended sessions stay sign-ins, and are not counted.
    await pageOf(laptop).sessions.end(laptop.account, "current");
    expect(await trellis.client.users.get(phone.userId)).toEqual({ ...after, sessions_active: 1 });
    await trellis.client.sandbox.advanceClock(30 * 86_400);
    expect(await trellis.client.users.get(phone.userId)).toEqual({ ...after, sessions_active: 0 });
  });

  it("who was named as a signer, and has never signed in, is one as well", async () => {
    const email = newEmail();
    const { address } = await trellis.client.accounts.createCustom({
      policies: {
        signers: [{ type: "email", email, permissions: ["CAN_VOTE", "CAN_INITIATE", "CAN_EXECUTE"] }],
        threshold: 1,
      },
    });
    const [user] = (await trellis.client.users.page({ email })).users;
    expect(user).toMatchObject({ email, last_signed_in_at: null, accounts: [address], sessions_active: 0 });
  });
});

describe("the sessions of a user", () => {
  it("are listed, and one of them ends, with the effects of the account's call", async () => {
    const email = newEmail();
    const phone = await signIn(email);
    await trellis.client.sandbox.advanceClock(600);
    const laptop = await signIn(email);
    const listed = await sessionsOf(phone.userId);
    const byAccount = (await trellis.client.sessions.page(phone.account)).sessions;
    expect(listed).toEqual(byAccount);
    const asked = { limit: 1 };
    const first = await trellis.client.users.sessionPage(phone.userId, asked);
    const rest = await trellis.client.users.sessionPage(phone.userId, { ...asked, cursor: first.nextCursor ?? "" });
    expect([...first.sessions, ...rest.sessions]).toEqual(listed);
    const [, older] = listed;
    for (let again = 0; again < 2; again += 1) {
      const ended = await trellis.client.users.endSession(phone.userId, older?.id ?? "");
      expect(ended).toEqual({ id: older?.id, status: "ended" });
    }
    const left = await sessionsOf(phone.userId);
    expect(left).toEqual(listed.filter(({ id }) => id !== older?.id));
    expect(await revokedReasons(phone)).toEqual(["ended_by_tenant"]);
    expect(await endersOf(phone)).toEqual([expect.stringMatching(/^api_key\//)]);
    await pay(laptop);
    await expectOver(phone);
  });

  it("all end, in whatever account they sign, and no other user's", async () => {
    const email = newEmail();
    const [one, two, other] = [await signIn(email), await signIn(email), await signIn()];
    expect(await trellis.client.users.endSessions(one.userId)).toBe(2);
    expect(await trellis.client.users.endSessions(one.userId)).toBe(0);
    await expectOver(one);
    await expectOver(two);
    await pay(other);
    expect(await revokedReasons(one)).toEqual(["ended_by_tenant", "ended_by_tenant"]);
    expect(await sessionsOf(one.userId)).toEqual([]);
    await pay(await signIn(email));
  });

  it("of another user are not found, nor is one that does not exist", async () => {
    const [ada, ben] = [await signIn(), await signIn()];
    const [bens] = await sessionsOf(ben.userId);
    for (const id of [bens?.id ?? "", randomUUID(), "current", "x"]) {
      expect(await refusalOf(trellis.client.users.endSession(ada.userId, id))).toBe("session_not_found");
    }
    expect(await sessionsOf(ben.userId)).toHaveLength(1);
  });

  it("are no page's to see or end", async () => {
    const ada = await signIn();
    const page = pageOf(ada).users;
    for (const call of [
      page.get(ada.userId),
      page.page(),
      page.endSessions(ada.userId),
      page.sessionPage(ada.userId),
    ]) {
      expect(await refusalOf(call)).toBe("secret_key_required");
    }
    await pay(ada);
  });
});

describe("isolation", () => {
  const test = useTestNetwork();

  it("shows and ends nothing of another tenant, or another environment", async () => {
    const { verified, email } = await test.openHolder("users-ada@example.org");
    const params = { user_id: verified.grid_user_id };
    const [session] = await test.call<SignedInSession[]>(listUserSessions, { params });
    const one = { ...params, session_id: session?.id };
    const others: CallParts[] = [
      { caller: await test.addTenant("users-other") },
      { network: { ...test.network, name: "devnet" as const } },
    ];
    for (const parts of others) {
      expect(await test.call(listUsers, { query: { email }, ...parts })).toEqual([]);
      for (const endpoint of [getUser, listUserSessions, endUserSessions]) {
        expect(await errorOf(test.call(endpoint as typeof getUser, { params, ...parts }))).toMatchObject({
          status: 404,
          code: "user_not_found",
        });
      }
      expect(await errorOf(test.call(endUserSession, { params: one, ...parts }))).toMatchObject({
        code: "user_not_found",
      });
    }
    for (const user_id of [randomUUID(), "x", "\u0000"]) {
      expect(await errorOf(test.call(getUser, { params: { user_id } }))).toMatchObject({ code: "user_not_found" });
    }
    expect(await test.call(listUserSessions, { params })).toEqual([session]);
  });

  it("lists users once each, page by page, while others sign up; a pending account is none", async () => {
    const caller = await test.addTenant("users-many");
    const emails = ["a", "b", "c", "d"].map((name) => `users-${name}@example.org`);
    const signUp = (email: string, n: number) =>
      sql`insert into app_user (id, tenant_id, environment, email, created_at)
        values (${randomUUID()}, ${caller.tenantId}, 'sandbox', ${email}, ${n})`.execute(test.needs.db);
    // Two of them at one instant.
    for (const [n, email] of emails.entries()) await signUp(email, 1_000 + Math.floor(n / 2));
    await test.call(createAccount, { body: { type: "email", email: "users-pending@example.org" }, caller });
    const whole = await test.call<User[]>(listUsers, { caller });
    expect(whole.map(({ email }) => email).toSorted()).toEqual(emails);
    const seen: User[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 1, ...(cursor === undefined ? {} : { cursor }) };
      const page = await test.page<User>(listUsers, { query, caller });
      seen.push(...page.items);
      await signUp(`users-${randomUUID()}@example.org`, 2_000);
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(whole);
    expect(await test.page(listUsers, { query: { limit: 0 }, caller })).toEqual({ items: [], cursor: undefined });
  });
});
