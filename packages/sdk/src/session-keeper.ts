import { createBrowserStorage } from "./browser-storage.js";
import { type KeptSession, keptFrom, openKept } from "./kept-session.js";
import type { CallOptions } from "./service-calls.js";
import { openSession, sessionTokenOf, type TrellisSession } from "./session.js";
import type { SessionStorage } from "./session-storage.js";
import type { SessionCallOptions } from "./sessions.js";
import type { SignedInAccount } from "./sign-in.js";
import { TrellisApiError } from "./trellis-api-error.js";
import type { RefreshedSession, RefreshSessionRequest } from "./wire.js";

/** Keeps a user signed in: over restarts, on every tab, and beyond the end of one session. */
export type SessionKeeper = {
  /** Who is signed in; undefined while no user is. */
  readonly current: () => SignedInAccount | undefined;
  /** Calls the listener whenever a user has signed in or out, or the session was traded for the next; the answer ends that. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Signs in the user who was signed in before; once. What cannot be read or opened signs no user in. */
  readonly restore: () => Promise<SignedInAccount | undefined>;
  /** Signs in the user who has just proven an identity, and stores it. A place that takes nothing keeps it until the end of the process. */
  readonly keep: (signedIn: SignedInAccount) => Promise<void>;
  /**
   * Does something with a session that is good: one that is about to end, or that the service says has ended, is traded for
   * the next one first. Where the service says so, it is done once more from its beginning: let it be one call, or give each of
   * its calls an `idempotencyKey`. Rejects with `SignedOutError` where no user is signed in, else as what was done does.
   */
  readonly withSession: <Answer>(
    act: (session: TrellisSession, signedIn: SignedInAccount) => Promise<Answer>,
  ) => Promise<Answer>;
  /**
   * Trades the session for the next one; never rejects. False: it could not be, and no user is signed in any more if the service
   * says so.
   */
  readonly renew: () => Promise<boolean>;
  /** Trades the session automatically when it is due, and follows other tabs, until the answer is called. */
  readonly watch: () => () => void;
  /**
   * Forgets the session, here and on every tab, and has the service end it: nothing can be signed with it any more, wherever a
   * copy is. Rejects with `SessionNotEndedError` where the service could not do that, and again tries it again; and with the
   * storage's error where that does not release it: then it is there again after a restart.
   */
  readonly signOut: () => Promise<void>;
  /**
   * The token that proves who is signed in, for the option `sessionToken` of a client with a publishable key. Undefined while
   * no user is; what was begun before continues with the former one.
   */
  readonly token: () => string | undefined;
};

export type SessionKeeperOptions = {
  readonly client: {
    readonly auth: {
      readonly refresh: (request: RefreshSessionRequest, options: CallOptions) => Promise<RefreshedSession>;
    };
    readonly sessions: {
      readonly end: (account: string, id: "current", options: SessionCallOptions) => Promise<unknown>;
    };
  };
  /** Default: the browser's (`createBrowserStorage`), which is memory where there is none. */
  readonly storage?: SessionStorage;
  /** Under which name; a server that keeps many people's sessions has one for each. Default "trellis.session". */
  readonly name?: string;
  /** A user was signed out by other means than `signOut`: on another tab (no error), or as the service no longer lets them continue. */
  readonly onEnd?: (email: string, error?: TrellisApiError) => void;
};

/** No user is signed in, so that nothing can be signed. */
export class SignedOutError extends Error {
  override readonly name = "SignedOutError";
}

/**
 * Signed out on this device, but the service could not be asked to end the session: a copy of it is good until its time is
 * over. `signOut` once more tries again; the account's other sessions can end it too (`sessions.endAll`).
 */
export class SessionNotEndedError extends Error {
  override readonly name = "SessionNotEndedError";
}

/** After so much of its life a session is traded for the next. */
const renewedAfter = 0.75;
/**
 * But not sooner than this: a device whose clock is a day ahead thinks that every session has just ended. The service says when
 * one really has.
 */
const soonestRenewalMs = 600_000;
const longestTimerMs = 2 ** 31 - 1;
/** How long the first and the longest wait is after a trade that failed; each is twice the one before. */
const firstPauseMs = 1_000;
const longestPauseMs = 300_000;
/** With these a session has ended before its time. */
const endOfSession: ReadonlySet<string> = new Set(["invalid_session", "session_expired"]);
/** After these a refresh token is good for nothing any more. */
const endOfSessions: ReadonlySet<string> = new Set([
  "invalid_refresh_token",
  "session_expired",
  "session_key_mismatch",
]);

/**
 * Keeps a session, and the user who is signed in with it.
 *
 * @example
 * const keeper = createSessionKeeper({ client: trellis });
 * if ((await keeper.restore()) === undefined) {
 *   const { verify } = await trellis.auth.signIn(email);
 *   await keeper.keep(await verify(await askForTheCode()));
 * }
 * await keeper.withSession((session, { account }) =>
 *   trellis.transfers.send({ account, session, currency: "usdc", destination, amount: parseUnits("12.5", 6) }),
 * );
 */
export function createSessionKeeper(options: SessionKeeperOptions): SessionKeeper {
  const { client, storage = createBrowserStorage(), name = "trellis.session" } = options;
  const listeners = new Set<() => void>();
  let current: SignedInAccount | undefined;
  let kept: KeptSession | undefined;
  /**
   * Of the user who signed out here, or had to make room for another one: a tab that was lengthening the session at that moment
   * does not bring it back.
   */
  let signedOut: string | undefined;
  /** Whether the storage has it: what is missing there was signed out elsewhere. */
  let isKept = false;
  /** Of the user who signed in or out last: what was read of the storage before that counts no more. */
  let turn = 0;
  let writing: Promise<void> = Promise.resolve();
  let restoring: Promise<void> | undefined;
  /** Signed out here, and not yet at the service. */
  let unended: readonly Unended[] = [];
  let renewing: Promise<boolean> | undefined;
  let failures = 0;
  let watchers = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const load = async (): Promise<KeptSession | undefined> => {
    const text = await storage.getItem(name);
    return text === null ? undefined : (JSON.parse(text) as KeptSession);
  };

  const forgetOthers = async (session: KeptSession): Promise<void> => {
    const stored = await load();
    if (stored !== undefined && !isSameSignIn(stored, session)) await storage.removeItem(name);
  };

  /** Brings the storage to what is the case by then. One write after the other: what was signed out is not restored. */
  const persist = (): Promise<void> => {
    const written = writing.then(async () => {
      const session = kept;
      isKept = false;
      if (session === undefined) return void (await storage.removeItem(name));
      try {
        await storage.setItem(name, JSON.stringify(session));
        isKept = true;
      } catch {
        // A place that keeps nothing: signed in until the end of the process, and then no other user still is.
        await forgetOthers(session).catch(() => undefined);
      }
    });
    writing = written.catch(() => undefined);
    return written;
  };

  /** Unix milliseconds, by this device. */
  const dueAtMs = ({ openedAtMs }: KeptSession, { expiresAtMs }: TrellisSession): number =>
    openedAtMs + Math.max(soonestRenewalMs, (expiresAtMs - openedAtMs) * renewedAfter);

  const plan = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (watchers === 0 || kept === undefined || current === undefined) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
    const dueInMs = Math.max(pauseMs, dueAtMs(kept, current.session) - Date.now());
    timer =
      dueInMs > longestTimerMs ? setTimeout(plan, longestTimerMs) : setTimeout(() => void renew().then(plan), dueInMs);
  };

  const set = (next: KeptSession | undefined, signedIn: SignedInAccount | undefined): void => {
    kept = next;
    current = signedIn;
    failures = 0;
    turn += 1;
    plan();
    for (const listener of [...listeners]) listener();
  };

  const end = (email: string, error?: TrellisApiError): void => {
    set(undefined, undefined);
    options.onEnd?.(email, error);
  };

  /** What another tab has made of the session meanwhile, adopted here. Undefined: nothing. */
  const overtaken = async (mine: KeptSession): Promise<boolean | undefined> => {
    const stored = isKept ? await load() : mine;
    if (kept !== mine) return false;
    if (stored === undefined) {
      end(mine.email);
      return false;
    }
    if (stored.refreshId === mine.refreshId) return undefined;
    const opened = await openKept(stored);
    if (kept !== mine) return false;
    set(stored, opened);
    return stored.account === mine.account;
  };

  const trade = async (mine: KeptSession, signedIn: SignedInAccount): Promise<boolean> => {
    // Another tab may have been faster; its token is the one that counts.
    const before = await overtaken(mine);
    if (before !== undefined) return before;
    const { kms_payload } = await client.auth.refresh(
      { encryption_public_key: mine.publicKeySpkiBase64, kms_payload: mine.authentication },
      { idempotencyKey: mine.refreshId },
    );
    const opened = { ...signedIn, session: await openSession(kms_payload, signedIn.keyPair) };
    // A user who has signed out on another tab meanwhile stays signed out, and one who has signed in there stays signed in.
    const after = await overtaken(mine);
    if (after !== undefined) return after;
    set(keptFrom(opened), opened);
    await persist();
    return true;
  };

  const renewAlone = async (): Promise<boolean> => {
    await writing;
    const mine = kept;
    const signedIn = current;
    if (mine === undefined || signedIn === undefined) return false;
    try {
      return await trade(mine, signedIn);
    } catch (error) {
      if (kept !== mine) return false;
      if (error instanceof TrellisApiError && endOfSessions.has(error.code)) {
        // A user who has signed in on another tab meanwhile has not ended with it.
        const after = await overtaken(mine).catch(() => undefined);
        if (after !== undefined || kept !== mine) return after ?? false;
        end(mine.email, error);
        // What stays there can be lengthened no more.
        await persist().catch(() => undefined);
        return false;
      }
      // No answer, or a storage that does not work at the moment: it is tried again, and answered the same.
      failures += 1;
      return false;
    }
  };

  const endAtService = async ({ session, signedIn }: Unended): Promise<void> => {
    const end = (opened: TrellisSession) =>
      client.sessions.end(session.account, "current", { sessionToken: sessionTokenOf(opened) });
    try {
      await end(signedIn.session);
    } catch (error) {
      if (!(error instanceof TrellisApiError && error.code === "invalid_session")) throw error;
      // Its key is over; it may be one that could still be refreshed, by a holder of a copy.
      const refreshed = client.auth.refresh(
        { encryption_public_key: session.publicKeySpkiBase64, kms_payload: session.authentication },
        { idempotencyKey: session.refreshId },
      );
      try {
        await end(await openSession((await refreshed).kms_payload, signedIn.keyPair));
      } catch (final) {
        if (!(final instanceof TrellisApiError && endOfSessions.has(final.code))) throw final;
      }
    }
  };

  /** Ends at the service what was signed out here. */
  const endSignedOut = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const each of unended) {
      try {
        await endAtService(each);
        unended = unended.filter((other) => other !== each);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 0) return;
    throw new SessionNotEndedError("signed out here, but the service could not end the session", {
      cause: failures[0],
    });
  };

  const alone = <Answer>(act: () => Promise<Answer>): Promise<Answer> => storage.exclusively?.(name, act) ?? act();

  const renew = (): Promise<boolean> => {
    renewing ??= alone(renewAlone)
      // A lock that is refused, on a page that goes away for example.
      .catch(() => false)
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };

  /** Another tab has signed in, signed out, or lengthened the session: so does this one. */
  const follow = async (): Promise<void> => {
    await restoring;
    await writing;
    const mine = kept;
    const begun = turn;
    const stored = await load();
    if (turn !== begun) return;
    if (stored === undefined) {
      if (mine !== undefined && isKept) end(mine.email);
      return;
    }
    if (stored.refreshId === mine?.refreshId) return;
    // What is there instead is the user who is signed in by now, or none.
    if (stored.publicKeySpkiBase64 === signedOut) return persist();
    const opened = await openKept(stored);
    if (turn !== begun) return;
    isKept = true;
    set(stored, opened);
  };

  return {
    current: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    restore: async () => {
      restoring ??= (async () => {
        const begun = turn;
        try {
          const stored = await load();
          const opened = stored && (await openKept(stored));
          if (opened === undefined || turn !== begun) return;
          isKept = true;
          set(stored, opened);
        } catch {
          // What cannot be read or opened signs no user in.
        }
      })();
      await restoring;
      return current;
    },
    keep: async (signedIn) => {
      const next = keptFrom(signedIn);
      const former = kept?.publicKeySpkiBase64 ?? signedOut;
      signedOut = former === next.publicKeySpkiBase64 ? undefined : former;
      set(next, signedIn);
      await persist();
    },
    withSession: async (act) => {
      // Where there is a subscription, its timer does that.
      const isDue = kept !== undefined && current !== undefined && Date.now() >= dueAtMs(kept, current.session);
      if (isDue && watchers === 0) await renew();
      const signedIn = current;
      if (signedIn === undefined) throw new SignedOutError("no user is signed in");
      try {
        return await act(signedIn.session, signedIn);
      } catch (error) {
        const isOver = error instanceof TrellisApiError && endOfSession.has(error.code);
        if (!isOver || !(await renew()) || current?.account !== signedIn.account) throw error;
        return act(current.session, current);
      }
    },
    renew,
    watch: () => {
      watchers += 1;
      plan();
      // What cannot be read or opened changes nothing here.
      const unfollow = storage.subscribe?.(name, () => void alone(follow).catch(() => undefined));
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        watchers -= 1;
        unfollow?.();
        plan();
      };
    },
    signOut: async () => {
      signedOut = kept?.publicKeySpkiBase64 ?? signedOut;
      if (kept !== undefined && current !== undefined) unended = [...unended, { session: kept, signedIn: current }];
      set(undefined, undefined);
      const [released, ended] = await Promise.allSettled([persist(), endSignedOut()]);
      if (released.status === "rejected") throw released.reason;
      if (ended.status === "rejected") throw ended.reason;
    },
    token: () => current && sessionTokenOf(current.session),
  };
}

/** A session that was signed out here, with what ends it at the service. */
type Unended = { readonly session: KeptSession; readonly signedIn: SignedInAccount };

/** Every session of one sign-in is sealed to the same key. */
function isSameSignIn(one: KeptSession, other: KeptSession): boolean {
  return one.publicKeySpkiBase64 === other.publicKeySpkiBase64;
}
