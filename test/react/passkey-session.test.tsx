import { type BeginAtServer, usePasskeySession, usePayment, useSignIn } from "@trellis/react";
import { addressOfKey, type TrellisClient } from "@trellis/sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createSoftPasskey, type SoftPasskey } from "../support/authenticator.js";
import { addressOfPasskey } from "../support/passkey-signers.js";
import { playPasskeyPage } from "../support/passkey-window.js";
import { use } from "../support/use.js";
import { type Backend, codeFor, freshEmail, open, page, startBackend } from "./support.js";

const pageOrigin = "http://localhost:3000";
const backend: Backend = use(async () => {
  const started = await startBackend({ TRELLIS_PUBLIC_URL: pageOrigin });
  return { ...started, close: () => started.trellis.close() };
});
const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";
const order = { currency: "sol", destination: payee, amount: 1_000_000n } as const;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a session of a passkey signer on a page", () => {
  it("is opened in the window of a tap, pays alone and beside who is signed in, and is ended", async () => {
    const passkey = createSoftPasskey();
    const opened = browse(passkey);
    const screen = await openSignedIn();
    expect(screen.shown().session).toMatchObject({ state: { status: "none" }, passkeySessions: [] });
    const first = screen.does(({ session }) => session.open(900));
    expect(opened).toHaveLength(1);
    const passkeyAccount = addressOfPasskey(passkey);
    expect(await first).toMatchObject({ status: "open", passkeyAccount, sessionKey: expect.any(String) });
    const { state, passkeySessions } = screen.shown().session;
    const [held] = passkeySessions;
    expect(state).toMatchObject({ status: "open", sessionKey: held && addressOfKey(held.key) });

    for (const [threshold, how] of [
      [1, { byPasskeySession: true }],
      [2, { withPasskeySession: true }],
    ] as const) {
      await screen.chooses(await shared(screen.email, passkeyAccount, threshold));
      const paid = await screen.does(({ payment }) => payment.pay({ ...order, ...how }));
      expect(paid).toMatchObject({ status: "confirmed" });
    }

    expect(await screen.does(({ session }) => session.end())).toEqual({ status: "ended", passkeyAccount });
    expect(screen.shown().session.passkeySessions).toEqual([]);
    const { session_key } = await client().passkeySigners.get(passkeyAccount);
    expect(session_key?.key).not.toBe(held && addressOfKey(held.key));
    await screen.does(({ payment }) => payment.reset());
    expect(await screen.does(({ payment }) => payment.pay({ ...order, byPasskeySession: true }))).toMatchObject({
      status: "refused",
      error: { code: "passkey_session_required" },
    });
    await screen.leave();
  });

  it("is over at its end, by the clock where the timer is late", async () => {
    browse(createSoftPasskey());
    const screen = await openSignedIn();
    const state = await screen.does(({ session }) => session.open(2));
    if (state.status !== "open") throw new Error(JSON.stringify(state));
    const { endsAtMs } = state;
    vi.spyOn(Date, "now").mockReturnValue(endsAtMs);
    const late = await screen.does(({ payment }) => payment.pay({ ...order, byPasskeySession: true }));
    expect(late).toMatchObject({ status: "refused", error: { code: "passkey_session_required" } });
    await screen.until(({ session }) => session.state.status === "ended");
    expect(screen.shown().session.passkeySessions).toEqual([]);
    await screen.leave();
  });

  it("is forgotten when its user signs out, and by request", async () => {
    browse(createSoftPasskey());
    const screen = await openSignedIn();
    for (const forget of [
      () => screen.does(({ session }) => session.forget()),
      () => screen.does(({ signIn }) => signIn.signOut()),
    ]) {
      expect(await screen.does(({ session }) => session.open(900))).toMatchObject({ status: "open" });
      await forget();
      expect(screen.shown().session).toMatchObject({ state: { status: "none" }, passkeySessions: [] });
    }
    await screen.leave();
  });

  it("is nobody's where it was forgotten while its page was open", async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    browse(createSoftPasskey(), { until: held });
    const screen = await openSignedIn();
    const opening = screen.shown().session.open(900);
    await screen.until(({ session }) => session.state.status === "asking");
    await screen.does(({ session }) => session.forget());
    answer();
    expect(await screen.does(() => opening)).toEqual({ status: "none" });
    expect(screen.shown().session.passkeySessions).toEqual([]);
    await screen.leave();
  });

  it("is not the next user's where its page was open as it was forgotten, nor where it was opened before signing in", async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const passkey = createSoftPasskey();
    browse(passkey);
    const screen = await openSignedIn();
    expect(await screen.does(({ session }) => session.open(900))).toMatchObject({ status: "open" });
    const opened = browse(passkey, { until: held });
    const former = screen.shown().session.open(900);
    await vi.waitFor(() => expect(opened[0]?.address).toBeDefined());
    await screen.does(({ signIn }) => signIn.signOut());
    const next = screen.shown().session.open(900);
    expect(next).not.toBe(former);
    expect(opened).toHaveLength(2);
    answer();
    expect(await screen.does(() => former)).toEqual({ status: "none" });
    expect(await screen.does(() => next)).toMatchObject({ status: "open" });
    await screen.signsIn(freshEmail());
    expect(screen.shown().session).toMatchObject({ state: { status: "none" }, passkeySessions: [] });
    await screen.leave();
  });

  it("is ended while it is being opened", async () => {
    let answer: () => void = () => undefined;
    const passkey = createSoftPasskey();
    browse(passkey);
    const screen = await openSignedIn();
    expect(await screen.does(({ session }) => session.open(900))).toMatchObject({ status: "open" });
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const opened = browse(passkey, { until: held });
    const opening = screen.shown().session.open(900);
    // A challenge of an older slot than that of the end.
    await vi.waitFor(() => expect(opened[0]?.address).toBeDefined());
    const ending = screen.shown().session.end();
    expect(opened).toHaveLength(2);
    await screen.until(({ session }) => session.passkeySessions.length === 0);
    answer();
    expect(await screen.does(() => opening)).toEqual({ status: "none" });
    expect(await screen.does(() => ending)).toMatchObject({ status: "ended" });
    expect(screen.shown().session).toMatchObject({ state: { status: "ended" }, passkeySessions: [] });
    await screen.leave();
  });

  it("says why it was not opened, opens one window for two taps, and closes what it has opened", async () => {
    const screen = await openSignedIn();
    const refusal = async () => {
      const state = await screen.does(({ session }) => session.open(900));
      return state.status === "refused" ? state.error.code : state.status;
    };
    vi.stubGlobal("open", () => null);
    expect(await refusal()).toBe("window_blocked");
    const opened = browse(createSoftPasskey(), { isClosed: true });
    const [one, two] = await screen.does(({ session }) => Promise.all([session.open(900), session.open(900)]));
    expect(two).toBe(one);
    expect(one).toMatchObject({ status: "refused", action: "open", error: { code: "passkey_declined" } });
    expect(opened).toHaveLength(1);
    screen.fails(true);
    expect(await refusal()).toBe("unexpected");
    expect(opened.at(-1)?.closed).toBe(true);
    await screen.leave();
  });
});

const client = (): TrellisClient => backend.trellis.client;

/** A signed-in user before a page whose server has the secret key: the first session makes the passkey. */
async function openSignedIn() {
  let [isMade, isFailing] = [false, false];
  const begin: BeginAtServer = async ({ sessionKey, seconds }) => {
    if (isFailing) throw new Error("the server does not answer");
    await client().sandbox.advanceClock(1);
    const kind = isMade ? "authorize" : "create";
    isMade = true;
    return client().passkeySigners[kind]({
      sessionKey,
      seconds,
      appName: "App",
      redirectUrl: `${page}/back`,
      pageOrigin,
    });
  };
  const screen = await open(backend, () => ({
    session: usePasskeySession(begin),
    payment: usePayment(),
    signIn: useSignIn(),
  }));
  const signsIn = async (email: string) => {
    await screen.does(({ signIn }) => signIn.start(email));
    const code = await codeFor(backend, email);
    await screen.does(({ signIn }) => signIn.verify(code));
  };
  const email = freshEmail();
  await signsIn(email);
  const fails = (does: boolean) => {
    isFailing = does;
  };
  return { ...screen, email, fails, signsIn };
}

/** An account of the user and a passkey, with some SOL. */
async function shared(email: string, address: string, threshold: number): Promise<string> {
  const permissions = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
  const signers = [
    { type: "email", email, permissions },
    { address, permissions },
  ] as const;
  const { address: account } = await client().accounts.createCustom({ policies: { signers, threshold } });
  await client().sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  return account;
}

/** A browser with windows, in which the service's page has this passkey answer. */
const browse = (passkey: SoftPasskey, more: { readonly until?: Promise<void>; readonly isClosed?: boolean } = {}) =>
  playPasskeyPage({ url: backend.trellis.url, origin: pageOrigin, passkey, ...more });
