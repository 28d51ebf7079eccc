import type { SignedInAccount } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { refusalOf, useSignedInPeople } from "../../test/support/signed-in-people.js";
import { endAllForOperator, findSessionsForOperator } from "../people/end-sessions.js";

const { trellis, pageOf, newEmail, signIn, pay, refresh, expectOver, revokedReasons } = useSignedInPeople();

describe("listing", () => {
  it("shows the holder their own sessions, with the one that asks, and the tenant those of all who sign", async () => {
    const email = newEmail();
    const phone = await signIn(email);
    await trellis.client.sandbox.advanceClock(600);
    const laptop = await signIn(email);
    await pay(phone);
    const { sessions } = await pageOf(laptop).sessions.page(laptop.account);
    expect(sessions.map(({ current }) => current)).toEqual([true, false]);
    const [second, first] = sessions;
    expect(Date.parse(second?.created_at ?? "") - Date.parse(first?.created_at ?? "")).toBeGreaterThanOrEqual(600_000);
    expect(Date.parse(first?.last_active_at ?? "")).toBeGreaterThan(Date.parse(first?.created_at ?? ""));
    const listed = [];
    for await (const each of trellis.client.sessions.all(phone.account)) listed.push(each.id);
    expect(listed).toEqual(sessions.map(({ id }) => id));
    const pages = await trellis.client.sessions.page(phone.account, { limit: 1 });
    const rest = await trellis.client.sessions.page(phone.account, { limit: 1, cursor: pages.nextCursor ?? "" });
    expect([...pages.sessions, ...rest.sessions].map(({ id }) => id)).toEqual(listed);
    expect(rest.nextCursor).toBeUndefined();
  });

  it("shows a member of a treasury no session of another member, and the tenant both", async () => {
    const [ada, ben] = [await signIn(), await signIn()];
    const { address } = await trellis.client.accounts.createCustom({
      policies: {
        signers: [ada, ben].map(({ email }) => ({
          type: "email" as const,
          email,
          permissions: ["CAN_VOTE", "CAN_INITIATE", "CAN_EXECUTE"],
        })),
        threshold: 2,
      },
    });
    const seen = async (by: SignedInAccount) => (await pageOf(by).sessions.page(address)).sessions;
    expect((await seen(ada)).map(({ grid_user_id }) => grid_user_id)).toEqual([ada.userId]);
    const all = (await trellis.client.sessions.page(address)).sessions;
    expect(new Set(all.map(({ grid_user_id }) => grid_user_id))).toEqual(new Set([ada.userId, ben.userId]));
    const [bens] = await seen(ben);
    expect(await refusalOf(pageOf(ada).sessions.end(address, bens?.id ?? ""))).toBe("session_not_found");
    expect(await pageOf(ada).sessions.endAll(address, { except: "current" })).toBe(0);
    expect(await seen(ben)).toHaveLength(1);
  });

  it("keeps a refreshed session under its id", async () => {
    const signedIn = await signIn();
    const before = (await trellis.client.sessions.page(signedIn.account)).sessions;
    await refresh(signedIn);
    const after = (await trellis.client.sessions.page(signedIn.account)).sessions;
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });
});

describe("an operator", () => {
  it("finds the open sessions of a user and ends them", async () => {
    const email = newEmail();
    const [one, two, other] = [await signIn(email), await signIn(email), await signIn()];
    const { db } = trellis.service;
    const found = await findSessionsForOperator(db, { email }, Date.now(), 10);
    expect(found).toHaveLength(2);
    expect(await findSessionsForOperator(db, { id: found[0]?.id, tenant: "nobody" }, Date.now(), 10)).toEqual([]);
    // A page of one: what does not fit the first page is ended as well.
    expect(await endAllForOperator(db, { email }, Date.now(), 1)).toEqual(found);
    await expectOver(one);
    await expectOver(two);
    await pay(other);
    expect(await findSessionsForOperator(db, { email }, Date.now(), 10)).toEqual([]);
    expect(await revokedReasons(one)).toEqual(["ended_by_operator", "ended_by_operator"]);
  });
});
