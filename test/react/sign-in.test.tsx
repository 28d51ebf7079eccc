import { useAccount, useBalances, useSignIn } from "@trellis/react";
import { describe, expect, it } from "vitest";
import { codeFor, createStorage, createTabs, freshEmail, open, sharedBackend } from "./support.js";

const backend = sharedBackend();

describe("signing in on a page without a server", () => {
  it("makes a new user an account, displays it and what it holds, and signs out", async () => {
    const screen = await openAll();
    await screen.until(({ signIn: { state } }) => state.status === "idle");
    expect(screen.shown().balances).toMatchObject({ data: undefined, isLoading: false });
    const email = freshEmail();
    const address = await signIn(screen, ` ${email} `);
    await screen.until(({ account, balances }) => account.data !== undefined && balances.data !== undefined);
    expect(screen.shown().account.data).toMatchObject({ address, email, status: "active" });
    expect(screen.shown().balances.data).toMatchObject({ address, lamports: 0 });
    await screen.does(({ signIn: { signOut } }) => signOut());
    expect(screen.shown()).toMatchObject({
      signIn: { state: { status: "idle" } },
      account: { data: undefined },
      balances: { data: undefined },
    });
    // Another one on the same page sees nothing of the former.
    const other = await signIn(screen, freshEmail());
    expect(screen.shown().account.data).toBeUndefined();
    await screen.until(({ account }) => account.data?.address === other);
    await screen.leave();
  });

  it("says what a wrong code means, and takes the right one after it", async () => {
    const screen = await openAll();
    const email = freshEmail();
    await screen.does(({ signIn: { start } }) => start(email));
    const right = await codeFor(backend, email);
    await screen.does(({ signIn: { verify } }) => verify(right === "000000" ? "000001" : "000000"));
    expect(screen.shown().signIn.state).toMatchObject({
      status: "code-needed",
      error: { code: "invalid_otp", help: expect.stringContaining("ask for a new one") },
    });
    await screen.does(({ signIn: { verify } }) => verify(right));
    expect(screen.shown().signIn.state.status).toBe("signed-in");
    await screen.leave();
  });

  it("says why no code could be sent, and begins anew", async () => {
    const screen = await openAll();
    await screen.does(({ signIn: { start } }) => start("nobody"));
    expect(screen.shown().signIn.state).toMatchObject({ status: "error", error: { code: expect.any(String) } });
    await screen.does(({ signIn: { cancel } }) => cancel());
    expect(screen.shown().signIn.state).toEqual({ status: "idle" });
    const offline = await openAll({ between: () => Promise.reject(new TypeError("offline")) });
    await offline.does(({ signIn: { start } }) => start(freshEmail()));
    expect(offline.shown().signIn.state).toMatchObject({ status: "error", error: { code: "network" } });
    await screen.leave();
    await offline.leave();
  });

  it("sends one mail for two clicks, and lets what was overtaken say nothing", async () => {
    const email = freshEmail();
    const screen = await openAll();
    await screen.does(({ signIn: { start } }) => Promise.all([start(email), start(email)]));
    expect(await backend.trellis.client.sandbox.outbox(email)).toHaveLength(1);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = await openAll({ between: async (_request, go) => held.then(go) });
    const first = slow.does(async ({ signIn: { start, cancel } }) => {
      const sending = start(email);
      cancel();
      release();
      await sending;
    });
    await first;
    expect(slow.shown().signIn.state).toEqual({ status: "idle" });
    await screen.leave();
    await slow.leave();
  });

  it("is still signed in on the next page, until it signs out, and then on no tab", async () => {
    const sessionStorage = createStorage();
    const email = freshEmail();
    const screen = await openAll({ sessionStorage });
    const address = await signIn(screen, email);
    await screen.leave();

    const next = await openAll({ sessionStorage });
    await next.until(({ signIn: { state } }) => state.status !== "restoring");
    expect(next.shown().signIn.state).toEqual({ status: "signed-in", email, account: address });
    await next.until(({ balances }) => balances.data?.address === address);
    // What another tab has lengthened is the session of this one, too: no tab uses a used token again.
    const tab = await openAll({ sessionStorage });
    await tab.until(({ signIn: { state } }) => state.status === "signed-in");
    const daySeconds = 86_400;
    await backend.trellis.client.sandbox.advanceClock(daySeconds + 60);
    await next.does(({ balances: { refetch } }) => refetch());
    expect(next.shown().balances.error).toBeUndefined();
    await tab.does(({ balances: { refetch } }) => refetch());
    expect(tab.shown().balances.error).toBeUndefined();
    await next.does(({ balances: { refetch } }) => refetch());
    expect(next.shown().balances.error).toBeUndefined();
    await tab.leave();

    await next.does(({ signIn: { signOut } }) => signOut());
    expect(sessionStorage.items.size).toBe(0);
    await next.leave();
    const last = await openAll({ sessionStorage });
    await last.until(({ signIn: { state } }) => state.status !== "restoring");
    expect(last.shown().signIn.state).toEqual({ status: "idle" });
    await last.leave();
  });

  it("is on every tab at once: a sign-in, a sign-out or a change of user on one tab applies to all", async () => {
    const tabs = createTabs();
    const [one, other] = [
      await openAll({ sessionStorage: tabs.open() }),
      await openAll({ sessionStorage: tabs.open() }),
    ];
    for (const tab of [one, other]) await tab.until(({ signIn: { state } }) => state.status === "idle");
    const email = freshEmail();
    const address = await signIn(one, email);
    await other.until(({ signIn: { state } }) => state.status === "signed-in");
    expect(other.shown().signIn.state).toEqual({ status: "signed-in", email, account: address });
    await other.until(({ balances }) => balances.data?.address === address);
    await other.does(({ signIn: { signOut } }) => signOut());
    await one.until(({ signIn: { state } }) => state.status === "idle");
    expect(one.shown().balances.data).toBeUndefined();
    expect(tabs.items.size).toBe(0);

    await signIn(one, email);
    await other.until(({ signIn: { state } }) => state.status === "signed-in");
    await one.does(({ signIn: { signOut } }) => signOut());
    await other.until(({ signIn: { state } }) => state.status === "idle");
    const second = await signIn(other, freshEmail());
    await one.until(({ signIn: { state } }) => state.status === "signed-in" && state.account === second);
    await one.until(({ account }) => account.data?.address === second);

    // A user who types a code on one tab is not disturbed by another.
    const third = await openAll({ sessionStorage: tabs.open() });
    await third.until(({ signIn: { state } }) => state.status === "signed-in");
    await third.does(({ signIn: { start } }) => start(freshEmail()));
    await one.does(({ signIn: { signOut } }) => signOut());
    await other.until(({ signIn: { state } }) => state.status === "idle");
    expect(third.shown().signIn.state.status).toBe("code-needed");
    await third.does(({ signIn: { cancel } }) => cancel());
    await third.until(({ signIn: { state } }) => state.status === "idle");
    expect(third.shown().balances.data).toBeUndefined();
    for (const tab of [one, other, third]) await tab.leave();
  });

  it("is still signed in after an abandoned sign-in as another user", async () => {
    const screen = await openAll();
    const email = freshEmail();
    const account = await signIn(screen, email);
    await screen.does(({ signIn: { start } }) => start(freshEmail()));
    await screen.does(({ signIn: { cancel } }) => cancel());
    expect(screen.shown().signIn.state).toEqual({ status: "signed-in", email, account });
    await screen.until(({ balances }) => balances.data?.address === account);
    await screen.leave();
  });

  it("says so where the browser does not delete the session that was signed out", async () => {
    const storage = createStorage();
    const removeItem = () => Promise.reject(new Error("read only"));
    const screen = await openAll({ sessionStorage: { ...storage, removeItem } });
    await signIn(screen, freshEmail());
    await screen.does(({ signIn: { signOut } }) => signOut());
    expect(screen.shown().signIn.state).toMatchObject({
      status: "error",
      error: { help: expect.stringContaining("this browser keeps the session") },
    });
    expect(screen.shown().account.data).toBeUndefined();
    await screen.leave();
  });

  it("stays signed out, however slowly the browser kept the session before", async () => {
    const tabs = createTabs();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const screen = await openAll({ sessionStorage: tabs.open(() => held) });
    const email = freshEmail();
    await screen.does(({ signIn: { start } }) => start(email));
    const code = await codeFor(backend, email);
    await screen.does(async ({ signIn: { verify } }) => void verify(code));
    await screen.until(({ signIn: { state } }) => state.status === "signed-in");
    await screen.does(async ({ signIn: { signOut } }) => {
      const out = signOut();
      release();
      await out;
    });
    expect(screen.shown().signIn.state).toEqual({ status: "idle" });
    expect(tabs.items.size).toBe(0);
    await screen.leave();
  });

  it("notices that a session can be lengthened no more, and signs in again", async () => {
    const sessionStorage = createStorage();
    const screen = await openAll({ sessionStorage });
    const email = freshEmail();
    await signIn(screen, email);
    await backend.trellis.client.sandbox.advanceClock(31 * 86_400);
    await screen.does(({ balances: { refetch } }) => refetch());
    expect(screen.shown().signIn.state).toMatchObject({
      status: "error",
      email,
      error: { help: "You have been signed out. Sign in again." },
    });
    expect(sessionStorage.items.size).toBe(0);
    await signIn(screen, email);
    await screen.until(({ account }) => account.data?.email === email);
    await screen.leave();
  });
});

const useAll = () => ({ signIn: useSignIn(), account: useAccount(), balances: useBalances({ pollMs: 0 }) });

/** Signs in on a screen, with the code that the sandbox shows. */
async function signIn(screen: Awaited<ReturnType<typeof openAll>>, email: string): Promise<string> {
  await screen.does(({ signIn: { start } }) => start(email));
  expect(screen.shown().signIn.state).toMatchObject({ status: "code-needed", email: email.trim() });
  const code = await codeFor(backend, email.trim());
  await screen.does(({ signIn: { verify } }) => verify(code));
  const { state } = screen.shown().signIn;
  if (state.status !== "signed-in") throw new Error(`not signed in: ${JSON.stringify(state)}`);
  return state.account;
}

const openAll = (more: Parameters<typeof open>[2] = {}) => open(backend, useAll, more);
