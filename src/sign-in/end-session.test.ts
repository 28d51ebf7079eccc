import { randomUUID } from "node:crypto";
import { CustodianUnavailable } from "@trellis/kernel/ports/custodian.js";
import { createMemoryStorage, createSessionKeeper, SessionNotEndedError } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import { refusalOf, useSignedInPeople } from "../../test/support/signed-in-people.js";
import { countLiveKeys, errorOf, sessionOf } from "../../test/support/test-network.js";
import { endAllSessions, endSession } from "./end-session.js";
import { listSessions } from "./list-sessions.js";

const { trellis, clientOf, pageOf, newEmail, signIn, pay, refresh, expectOver, revokedReasons } = useSignedInPeople();
/** The same without HTTP, where a custodian can be made to fail. */
const test = useTestNetwork();

describe("200", () => {
  it("ends a lost phone's session from another one, and leaves that one alone", async () => {
    const email = newEmail();
    const [phone, laptop] = [await signIn(email), await signIn(email)];
    const [, lost] = (await pageOf(laptop).sessions.page(laptop.account)).sessions;
    for (let twice = 0; twice < 2; twice += 1) {
      const ended = await pageOf(laptop).sessions.end(laptop.account, lost?.id ?? "");
      expect(ended).toEqual({ id: lost?.id, status: "ended" });
    }
    await expectOver(phone);
    expect(await pay(laptop)).toMatch(/^\w{64,}$/);
    expect(await revokedReasons(phone)).toEqual(["ended_by_holder"]);
  });

  it("ends all others, and then all", async () => {
    const email = newEmail();
    const [first, second, third] = [await signIn(email), await signIn(email), await signIn(email)];
    expect(await pageOf(third).sessions.endAll(third.account, { except: "current" })).toBe(2);
    await expectOver(first);
    await expectOver(second);
    await pay(third);
    expect(await trellis.client.sessions.endAll(third.account)).toBe(1);
    await expectOver(third);
    expect(await revokedReasons(third)).toEqual(["ended_by_holder", "ended_by_holder", "ended_by_tenant"]);
  });

  it("holds against a refresh and a payment at the same moment", async () => {
    const email = newEmail();
    const [thief, owner] = [await signIn(email), await signIn(email)];
    const [outcome] = await Promise.allSettled([
      refresh(thief),
      pageOf(owner).sessions.endAll(owner.account, { except: "current" }),
      pay(thief),
    ]);
    if (outcome.status === "fulfilled") {
      const { kms_payload } = outcome.value;
      const next = { encryption_public_key: thief.keyPair.publicKeySpkiBase64, kms_payload };
      expect(await refusalOf(trellis.client.auth.refresh(next))).toBe("invalid_refresh_token");
    }
    await expectOver(thief);
    await pay(owner);
  });

  it("ends the sessions of an account for its tenant, and is the same again", async () => {
    const { address, id, session } = await openHeld();
    expect(await countLiveKeys(test, session)).toBe(1);
    const params = { address, session_id: id };
    for (const _ of [1, 2]) expect(await test.call(endSession, { params })).toEqual({ id, status: "ended" });
    expect(await countLiveKeys(test, session)).toBe(0);
    expect(await test.call(endAllSessions, { params: { address } })).toEqual({ ended: 0 });
  });
});

describe("401", () => {
  it("for the session that asks where none does", async () => {
    const signedIn = await signIn();
    const { sessions } = trellis.client;
    expect(await refusalOf(sessions.endAll(signedIn.account, { except: "current" }))).toBe("session_required");
    expect(await refusalOf(sessions.end(signedIn.account, "current"))).toBe("session_required");
    await pay(signedIn);
  });
});

describe("404", () => {
  it("for a word that names no session, which then ends none", async () => {
    const { address, session } = await openHeld();
    for (const word of ["", "x", randomUUID()]) {
      const notFound = { code: "session_not_found", status: 404 };
      expect(await errorOf(test.call(endSession, { params: { address, session_id: word } }))).toMatchObject(notFound);
      const all = test.call(endAllSessions, { params: { address }, query: { except: word } });
      expect(await errorOf(all)).toMatchObject(notFound);
    }
    expect(await countLiveKeys(test, session)).toBe(1);
  });

  it("for a session of another account", async () => {
    const [one, other] = [await openHeld(), await openHeld()];
    const error = await errorOf(test.call(endSession, { params: { address: other.address, session_id: one.id } }));
    expect(error).toMatchObject({ code: "session_not_found", status: 404 });
    expect(await countLiveKeys(test, one.session)).toBe(1);
  });

  it("for another tenant's account", async () => {
    const { address, id, session } = await openHeld();
    const caller = await test.addTenant(`tenant-${randomUUID()}`);
    const notFound = { code: "account_not_found", status: 404 };
    expect(await errorOf(test.call(endSession, { params: { address, session_id: id }, caller }))).toMatchObject(
      notFound,
    );
    expect(await errorOf(test.call(endAllSessions, { params: { address }, caller }))).toMatchObject(notFound);
    expect(await countLiveKeys(test, session)).toBe(1);
  });
});

describe("502", () => {
  it("while the custodian cannot be reached: the session has ended, and its key is revoked by the same call again", async () => {
    const { address, id, session } = await openHeld();
    const params = { address, session_id: id };
    const needs = silentCustodian();
    const unavailable = { code: "provider_unavailable", status: 502 };
    expect(await errorOf(test.call(endSession, { params, needs }))).toMatchObject(unavailable);
    expect(await errorOf(test.call(endSession, { params, needs }))).toMatchObject(unavailable);
    expect(await test.call(listSessions, { params: { address } })).toEqual([]);
    expect(await countLiveKeys(test, session)).toBe(1);
    await test.call(endSession, { params });
    expect(await countLiveKeys(test, session)).toBe(0);
  });

  it("while the custodian cannot be reached, for all sessions of an account", async () => {
    const { address } = await openHeld();
    const all = test.call(endAllSessions, { params: { address }, needs: silentCustodian() });
    expect(await errorOf(all)).toMatchObject({ code: "provider_unavailable", status: 502 });
    expect(await test.call(listSessions, { params: { address } })).toEqual([]);
  });
});

describe("signing out with the library", () => {
  const keeperOf = (client = clientOf()) => createSessionKeeper({ client, storage: createMemoryStorage() });

  it("ends the session at the service, so that a copy of it is worth nothing", async () => {
    const signedIn = await signIn();
    const keeper = keeperOf(pageOf(signedIn));
    await keeper.keep(signedIn);
    await keeper.signOut();
    await expectOver(signedIn);
    expect(await revokedReasons(signedIn)).toEqual(["signed_out"]);
  });

  it("ends one whose key is over and that could still be refreshed", async () => {
    const signedIn = await signIn();
    const keeper = keeperOf();
    await keeper.keep(signedIn);
    await trellis.client.sandbox.advanceClock(2 * 86_400);
    await keeper.signOut();
    expect(await refusalOf(refresh(signedIn))).toBe("invalid_refresh_token");
  });

  it("says when the service could not be reached, and ends it when it is done once more", async () => {
    const signedIn = await signIn();
    let isReachable = false;
    const keeper = keeperOf(
      clientOf({
        maxRetries: 0,
        fetch: (url, init) => (isReachable ? fetch(url, init) : Promise.reject(new TypeError("no network"))),
      }),
    );
    await keeper.keep(signedIn);
    await expect(keeper.signOut()).rejects.toBeInstanceOf(SessionNotEndedError);
    expect(keeper.current()).toBeUndefined();
    await pay(signedIn);
    isReachable = true;
    await keeper.signOut();
    await expectOver(signedIn);
  });
});

/** An account with its one session. */
async function openHeld() {
  const { verified } = await test.openHolder(`${randomUUID()}@example.org`);
  const [listed] = await test.call<{ id: string }[]>(listSessions, { params: { address: verified.address } });
  return { address: verified.address, id: listed?.id ?? "", session: sessionOf(verified) };
}

function silentCustodian() {
  const custodian = test.needs.custodians.get("kms_a");
  if (custodian === undefined) throw new Error("kms_a is built in");
  const revokeAuthorizationKey = () => Promise.reject(new CustodianUnavailable("timeout", "no answer"));
  return { custodians: new Map(test.needs.custodians).set("kms_a", { ...custodian, revokeAuthorizationKey }) };
}
