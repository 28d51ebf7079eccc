import { addressOfKey, askPasskeyPage, openGuardianWindow, type PasskeySession } from "@trellis/sdk";
import { type ExplainedError, explainError } from "./explain-error.js";
import { createValue, type Value } from "./value.js";

/**
 * Has the application's server begin a session, by `passkeySigners.create` or `authorize` with these two, and answers its address.
 * `redirectUrl` has to be of this page's origin. With 0 seconds it is to be `authorize`, and the session is ended.
 */
export type BeginAtServer = (wanted: {
  readonly sessionKey: string;
  readonly seconds: number;
}) => Promise<{ readonly url: string }>;

/** What a user does about their session. */
export type PasskeySessionAction = "open" | "end";

/** Where the session of a passkey signer stands. */
export type PasskeySessionState =
  | { readonly status: "none" }
  | { readonly status: "asking"; readonly action: PasskeySessionAction }
  /** `endsAtMs`: by the clock of this device, in Unix milliseconds. */
  | { readonly status: "open"; readonly passkeyAccount: string; readonly sessionKey: string; readonly endsAtMs: number }
  | { readonly status: "ended"; readonly passkeyAccount: string }
  | { readonly status: "refused"; readonly action: PasskeySessionAction; readonly error: ExplainedError };

/** A session of one passkey signer. Its key is in memory, and nowhere else: it is gone with the page. */
export type PasskeySessionKeeper = Value<PasskeySessionState> & {
  /** What signs by it now: none, or one. */
  readonly sessions: Value<readonly PasskeySession[]>;
  /** The same by the clock: a device that slept hears of the end late. */
  readonly current: () => readonly PasskeySession[];
  /** Within a tap: opens the page in a window. Never rejects; while one is under way, another call is answered that one's end, or `none` where it was forgotten. */
  readonly open: (begin: BeginAtServer, seconds: number) => Promise<PasskeySessionState>;
  /** The same for its end. The key is forgotten first, whatever the passkey's owner does then: also that of a session that is being opened. */
  readonly end: (begin: BeginAtServer) => Promise<PasskeySessionState>;
  /** Forgets the key. On chain the session ends by itself. */
  readonly forget: () => void;
};

const none: readonly PasskeySession[] = [];
/** What timers take at most. */
const longestWaitMs = 2 ** 31 - 1;

export function createPasskeySessionKeeper(): PasskeySessionKeeper {
  const state = createValue<PasskeySessionState>({ status: "none" });
  const sessions = createValue(none);
  let endsAtMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts what was forgotten: what was begun before belongs to nobody then. */
  let age = 0;
  let running: { readonly action: PasskeySessionAction; readonly end: Promise<PasskeySessionState> } | undefined;

  const drop = () => {
    clearTimeout(timer);
    sessions.set(none);
  };
  const hold = (session: PasskeySession, until: number) => {
    drop();
    endsAtMs = until;
    sessions.set([session]);
    awaitEnd(session);
  };
  const awaitEnd = (session: PasskeySession) => {
    const leftMs = endsAtMs - Date.now();
    if (leftMs > 0) {
      timer = setTimeout(() => awaitEnd(session), Math.min(leftMs, longestWaitMs));
      return;
    }
    drop();
    if (state.get().status === "open") state.set({ status: "ended", passkeyAccount: session.passkeyAccount });
  };

  const ask = async (begin: BeginAtServer, seconds: number): Promise<PasskeySessionState> => {
    const action = seconds === 0 ? "end" : "open";
    // Before anything is waited for: browsers open no window later.
    const page = openGuardianWindow();
    const key = crypto.getRandomValues(new Uint8Array(32));
    const sessionKey: string = addressOfKey(key);
    const [begunAtMs, mine] = [Date.now(), age];
    state.set({ status: "asking", action });
    let end: PasskeySessionState;
    try {
      const { url } = await begin({ sessionKey, seconds });
      const { passkeyAccount } = await askPasskeyPage({ url, sessionKey }, page);
      // The chain counts from a moment that is not before this one.
      const until = begunAtMs + seconds * 1_000;
      end =
        action === "end"
          ? { status: "ended", passkeyAccount }
          : { status: "open", passkeyAccount, sessionKey, endsAtMs: until };
      if (age === mine && action === "open") hold({ passkeyAccount, key }, until);
    } catch (thrown) {
      page.opened?.close();
      end = { status: "refused", action, error: explainError(thrown) };
    }
    // By now another one may be under way.
    if (age !== mine) return { status: "none" };
    running = undefined;
    state.set(end);
    return end;
  };
  const once = (begin: BeginAtServer, seconds: number): Promise<PasskeySessionState> => {
    running ??= { action: seconds === 0 ? "end" : "open", end: ask(begin, seconds) };
    return running.end;
  };
  const forget = () => {
    age += 1;
    running = undefined;
    drop();
    state.set({ status: "none" });
  };

  return {
    get: state.get,
    subscribe: state.subscribe,
    sessions,
    current: () => (Date.now() < endsAtMs ? sessions.get() : none),
    open: (begin, seconds) => once(begin, seconds),
    end: (begin) => {
      if (running?.action !== "end") forget();
      return once(begin, 0);
    },
    forget,
  };
}
