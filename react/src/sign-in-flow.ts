import {
  type EncryptionKeyPair,
  generateEncryptionKeyPair,
  TrellisApiError,
  type TrellisClient,
  TrellisNetworkError,
} from "@trellis/sdk";
import { type ExplainedError, explainError } from "./explain-error.js";
import { type KeptSession, keep, keyPairOf, openKept, randomId, type SignedIn } from "./kept-session.js";
import type { SessionStorage } from "./platform.js";
import { createValue, type Value } from "./value.js";

/** Where signing in stands. */
export type SignInState =
  /** It is looked up who was signed in before. */
  | { readonly status: "restoring" }
  | { readonly status: "idle" }
  /** The code is being sent. */
  | { readonly status: "sending"; readonly email: string }
  /** A code was sent. `error`: what was wrong with the last one that was typed. */
  | { readonly status: "code-needed"; readonly email: string; readonly error?: ExplainedError }
  | { readonly status: "verifying"; readonly email: string }
  | { readonly status: "signed-in"; readonly email: string; readonly account: string }
  /** No code was sent, or the session has ended. */
  | { readonly status: "error"; readonly email: string; readonly error: ExplainedError };

export type SignInFlow = Value<SignInState> & {
  readonly signedIn: Value<SignedIn | undefined>;
  /** Signs in whoever was signed in before; once. */
  readonly restore: () => Promise<void>;
  /** Keeps the session going until the answer is called. */
  readonly watch: () => () => void;
  /** Has a code sent; also to send another one. */
  readonly start: (email: string) => Promise<void>;
  readonly verify: (code: string) => Promise<void>;
  /** Back to where it began, where a code was sent to the wrong address. */
  readonly cancel: () => void;
  readonly signOut: () => Promise<void>;
  /** Trades the session for the next one. False: there is none, and nobody is signed in any more if the service says so. */
  readonly renew: () => Promise<boolean>;
};

/** After so much of its life a session is traded for the next. */
const renewedAfter = 0.75;
const longestTimerMs = 2 ** 31 - 1;
/** After these a refresh token is good for nothing any more. */
const endsOfSessions: ReadonlySet<string> = new Set([
  "invalid_refresh_token",
  "session_expired",
  "session_key_mismatch",
]);

export function createSignInFlow(needs: {
  readonly client: Pick<TrellisClient, "auth">;
  readonly storage: SessionStorage;
  /** Names the session in the storage. */
  readonly storageKey: string;
}): SignInFlow {
  const { client, storage, storageKey } = needs;
  const state = createValue<SignInState>({ status: "restoring" });
  const signedIn = createValue<SignedIn | undefined>(undefined);
  /** Of the last thing that was begun: what was overtaken says nothing any more. */
  let turn = 0;
  let asked: { readonly email: string; readonly keyPair: EncryptionKeyPair } | undefined;
  /** A code whose answer got lost, and the key under which it is asked about once more. */
  let unanswered: { readonly code: string; readonly id: string } | undefined;
  let kept: KeptSession | undefined;
  /** Whether the storage has it: what is gone from there was signed out by another tab. */
  let isKept = false;
  let writing: Promise<void> = Promise.resolve();
  let restoring: Promise<void> | undefined;
  let renewing: Promise<boolean> | undefined;
  let isWatching = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const begin = (next: SignInState): ((after: SignInState) => boolean) => {
    turn += 1;
    const mine = turn;
    state.set(next);
    return (after) => {
      if (turn !== mine) return false;
      state.set(after);
      return true;
    };
  };

  const load = async (): Promise<KeptSession | undefined> => {
    const text = await storage.getItem(storageKey);
    return text === null ? undefined : (JSON.parse(text) as KeptSession);
  };

  /** Brings the storage to what is the case by then. One write after the other: what was signed out does not come back. */
  const persist = (): Promise<void> => {
    const written = writing.then(async () => {
      const session = kept;
      isKept = false;
      if (session === undefined) return void (await storage.removeItem(storageKey));
      try {
        await storage.setItem(storageKey, JSON.stringify(session));
        isKept = true;
      } catch {
        // A browser that keeps nothing: signed in until the page is left.
      }
    });
    writing = written.catch(() => undefined);
    return written;
  };

  const plan = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const session = signedIn.get()?.session;
    if (!isWatching || kept === undefined || session === undefined) return;
    const lifeMs = Math.max(0, session.expiresAtMs - kept.openedAtMs);
    const dueInMs = Math.max(1_000, kept.openedAtMs + lifeMs * renewedAfter - Date.now());
    timer = setTimeout(() => void renew().finally(plan), Math.min(dueInMs, longestTimerMs));
  };

  const adopt = (next: KeptSession, opened: SignedIn): void => {
    kept = next;
    signedIn.set(opened);
    plan();
  };

  const leave = (after: SignInState): void => {
    kept = undefined;
    signedIn.set(undefined);
    begin(after);
    plan();
  };

  const renewAlone = async (): Promise<boolean> => {
    const mine = kept;
    if (mine === undefined) return false;
    const stored = await load();
    if (isKept && stored?.account !== mine.account) {
      // Another tab has signed out.
      leave({ status: "idle" });
      return false;
    }
    if (stored !== undefined && stored.refreshId !== mine.refreshId) {
      // Another tab was faster; its token is the one that counts.
      adopt(stored, await openKept(stored));
      return true;
    }
    try {
      const { kms_payload } = await client.auth.refresh(
        { encryption_public_key: mine.publicKeySpkiBase64, kms_payload: mine.authentication },
        { idempotencyKey: mine.refreshId },
      );
      const next = keep(mine, kms_payload, keyPairOf(mine));
      const opened = await openKept(next);
      // Signed out meanwhile.
      if (kept !== mine) return false;
      adopt(next, opened);
      await persist();
      return true;
    } catch (error) {
      if (!(error instanceof TrellisApiError) || !endsOfSessions.has(error.code) || kept !== mine) return false;
      const help = "You have been signed out. Sign in again.";
      leave({ status: "error", email: mine.email, error: { ...explainError(error), help } });
      await persist();
      return false;
    }
  };

  const alone = <Answer>(act: () => Promise<Answer>): Promise<Answer> =>
    storage.exclusively?.(storageKey, act) ?? act();

  /** Another tab has signed in, signed out, or lengthened the session: so does this one, unless it is about to sign in. */
  const follow = async (): Promise<void> => {
    await restoring;
    await writing;
    const mine = kept;
    const { status } = state.get();
    if (status === "sending" || status === "code-needed" || status === "verifying") return;
    const stored = await load();
    if (stored === undefined) {
      if (kept === mine && mine !== undefined && isKept) leave({ status: "idle" });
      return;
    }
    if (stored.refreshId === mine?.refreshId) return;
    const opened = await openKept(stored);
    if (kept !== mine || state.get().status !== status) return;
    adopt(stored, opened);
    isKept = true;
    if (stored.account !== mine?.account) {
      begin({ status: "signed-in", email: stored.email, account: stored.account });
    }
  };

  const renew = (): Promise<boolean> => {
    if (renewing !== undefined) return renewing;
    const running = alone(renewAlone).finally(() => {
      renewing = undefined;
    });
    renewing = running;
    return running;
  };

  return {
    get: state.get,
    subscribe: state.subscribe,
    signedIn,
    renew,
    restore: () => {
      restoring ??= (async () => {
        const end = begin({ status: "restoring" });
        try {
          const stored = await load();
          if (stored !== undefined) {
            const opened = await openKept(stored);
            isKept = true;
            adopt(stored, opened);
          }
        } catch {
          // What cannot be read or opened signs nobody in.
        }
        const current = signedIn.get();
        end(
          current === undefined
            ? { status: "idle" }
            : { status: "signed-in", email: current.email, account: current.account },
        );
      })();
      return restoring;
    },
    watch: () => {
      isWatching = true;
      plan();
      // What cannot be read or opened changes nothing here.
      const unfollow = storage.subscribe?.(storageKey, () => void alone(follow).catch(() => undefined));
      return () => {
        isWatching = false;
        unfollow?.();
        plan();
      };
    },
    start: async (text) => {
      const email = text.trim();
      const current = state.get();
      if (current.status === "sending" && current.email === email) return;
      const end = begin({ status: "sending", email });
      try {
        await client.auth.start({ email });
        if (!end({ status: "code-needed", email })) return;
        asked = { email, keyPair: generateEncryptionKeyPair() };
        unanswered = undefined;
      } catch (thrown) {
        end({ status: "error", email, error: explainError(thrown) });
      }
    },
    verify: async (text) => {
      const current = state.get();
      if (current.status !== "code-needed" || asked === undefined) return;
      const { email, keyPair } = asked;
      const code = text.trim();
      const id = unanswered?.code === code ? unanswered.id : randomId();
      const end = begin({ status: "verifying", email });
      const mine = turn;
      try {
        const verified = await client.auth.verify(
          { email, otp_code: code, kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 } },
          { idempotencyKey: id },
        );
        const [authentication] = verified.authentication;
        if (authentication === undefined) throw new Error("the answer holds no session");
        const account = verified.address;
        const next = keep({ email, account, userId: verified.grid_user_id }, authentication, keyPair);
        const opened = await openKept(next);
        if (turn !== mine) return;
        adopt(next, opened);
        end({ status: "signed-in", email, account });
        await persist();
      } catch (thrown) {
        unanswered = thrown instanceof TrellisNetworkError ? { code, id } : undefined;
        end({ status: "code-needed", email, error: explainError(thrown) });
      }
    },
    cancel: () => {
      const { status } = state.get();
      if (status !== "sending" && status !== "code-needed" && status !== "error") return;
      // Whoever was signed in when they began still is, unless another tab has signed them out meanwhile.
      const current = signedIn.get();
      begin(
        current === undefined
          ? { status: "idle" }
          : { status: "signed-in", email: current.email, account: current.account },
      );
      void alone(follow).catch(() => undefined);
    },
    signOut: async () => {
      leave({ status: "idle" });
      await persist();
    },
  };
}
