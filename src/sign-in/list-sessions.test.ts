import {
  createMemoryStorage,
  createSessionKeeper,
  createTrellisClient,
  SessionNotEndedError,
  type SignedInAccount,
  sessionTokenOf,
  type TrellisApiError,
  type TrellisClientOptions,
} from "@trellis/sdk";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useTestService } from "../../test/support/scene.js";
import { endAllForOperator, findSessionsForOperator } from "../people/end-sessions.js";

/** Sessions that are listed and ended, by whoever may: from a page, from the tenant's server, by signing out (gap 158). */
const page = "https://app.example";
let publishable: string;
const trellis = useTestService({ TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: "0" });
beforeAll(async () => {
  const made = await trellis.client.apiKeys.create({
    name: "App",
    type: "publishable",
    scopes: ["auth:write", "accounts:read", "payments:write", "transactions:write"],
    environments: ["sandbox"],
    allowed_origins: [page],
  });
  publishable = made.key;
});
beforeEach(() => trellis.client.sessions.setPolicy({ idle_seconds: null, one_session: false }));
const clientOf = (more: Partial<TrellisClientOptions> = {}) =>
  createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "sandbox", ...more });

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

describe("ending", () => {
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

  it("keeps nobody's session by a word that names none", async () => {
    const signedIn = await signIn();
    const { sessions } = trellis.client;
    for (const except of ["", "x", "00000000-0000-4000-8000-000000000000"]) {
      expect(await refusalOf(sessions.endAll(signedIn.account, { except }))).toBe("session_not_found");
    }
    expect(await refusalOf(sessions.endAll(signedIn.account, { except: "current" }))).toBe("session_required");
    expect(await refusalOf(sessions.end(signedIn.account, "current"))).toBe("session_required");
    await pay(signedIn);
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
});

describe("what a tenant asks of sessions", () => {
  it("is one session a user: a sign-in ends those before it, and none of anybody else", async () => {
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

  it("is an end to sessions that rest: what signs or is refreshed in time goes on", async () => {
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

  it("is read and set by a secret key of the tenant alone, within bounds", async () => {
    const { sessions } = trellis.client;
    expect(await sessions.policy()).toEqual({ idle_seconds: null, one_session: false });
    expect(await sessions.setPolicy({ idle_seconds: 300, one_session: true })).toEqual(await sessions.policy());
    expect(await refusalOf(sessions.setPolicy({ idle_seconds: 1, one_session: true }))).toBe("invalid_request");
    expect(await refusalOf(pageOf(await signIn()).sessions.policy())).toBe("secret_key_required");
  });
});

describe("an operator", () => {
  it("finds the open sessions of a user and ends them", async () => {
    const email = newEmail();
    const [one, two, other] = [await signIn(email), await signIn(email), await signIn()];
    const { db } = trellis.service;
    const found = await findSessionsForOperator(db, { email }, 10);
    expect(found).toHaveLength(2);
    expect(await findSessionsForOperator(db, { id: found[0]?.id, tenant: "nobody" }, 10)).toEqual([]);
    // A page of one: what does not fit the first page is ended as well.
    expect(await endAllForOperator(db, { email }, Date.now(), 1)).toEqual(found);
    await expectOver(one);
    await expectOver(two);
    await pay(other);
    expect(await findSessionsForOperator(db, { email }, 10)).toEqual([]);
    expect(await revokedReasons(one)).toEqual(["ended_by_operator", "ended_by_operator"]);
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

/** A page on which somebody is signed in. */
const pageOf = ({ session }: SignedInAccount) =>
  clientOf({
    apiKey: publishable,
    sessionToken: () => sessionTokenOf(session),
    fetch: (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as object), origin: page } }),
  });

let people = 0;
const newEmail = () => {
  people += 1;
  return `session-${people}@example.org`;
};

async function signIn(email = newEmail()): Promise<SignedInAccount> {
  const { verify } = await trellis.client.auth.signIn(email);
  const [mail] = await trellis.client.sandbox.outbox(email);
  return verify(mail?.otp_code ?? "");
}

const refusalOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => undefined,
    (thrown: TrellisApiError) => thrown,
  );
  return error?.code ?? "no refusal";
};

const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";
async function pay({ account, session }: SignedInAccount): Promise<string> {
  await trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "100000000" });
  const transfer = { account, session, currency: "sol", destination: payee, amount: 2_000_000n };
  return (await trellis.client.transfers.send(transfer)).signature;
}

const refresh = ({ session, keyPair }: SignedInAccount) =>
  trellis.client.auth.refresh({
    encryption_public_key: keyPair.publicKeySpkiBase64,
    kms_payload: session.authentication,
  });

/** Nothing is left of a session: it signs nothing, proves nothing and becomes no other one. */
async function expectOver(signedIn: SignedInAccount): Promise<void> {
  expect(await refusalOf(pay(signedIn))).toMatch(/session_expired|invalid_signature/);
  expect(await refusalOf(pageOf(signedIn).accounts.get(signedIn.account))).toBe("invalid_session");
  expect(await refusalOf(refresh(signedIn))).toMatch(/invalid_refresh_token|session_expired/);
}

async function revokedReasons({ userId }: SignedInAccount): Promise<unknown[]> {
  const reasons: unknown[] = [];
  for await (const { data } of trellis.client.events.list({ type: ["session.revoked"] })) {
    const { object } = data;
    if (object.grid_user_id === userId) reasons.push(object.reason);
  }
  return reasons;
}
