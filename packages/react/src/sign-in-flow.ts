import {
  type CredentialsApi,
  createSessionKeeper,
  type SessionKeeper,
  SessionNotEndedError,
  type SessionStorage,
  type SignInBegun,
  type TrellisClient,
} from "@trellis/sdk";
import { type ExplainedError, explainError } from "./explain-error.js";
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
  /** The browser asks for a passkey, or the service is asked about it. */
  | { readonly status: "passkey-asked" }
  | { readonly status: "signed-in"; readonly email: string; readonly account: string }
  /** No code was sent, the session has ended, or a sign-out was not complete: the browser keeps it, or the service. */
  | { readonly status: "error"; readonly email: string; readonly error: ExplainedError };

export type SignInFlow = Value<SignInState> & {
  /** Whose session there is; while a user signs in as another one, still the former one's. */
  readonly keeper: SessionKeeper;
  /** Signs in the user who was signed in before; once. */
  readonly restore: () => Promise<void>;
  /** Has a code sent; also to send another one. */
  readonly start: (email: string) => Promise<void>;
  readonly verify: (code: string) => Promise<void>;
  /** Signs in with a passkey, without a code and without an address. */
  readonly signInWithPasskey: () => Promise<void>;
  /** Back to where it began, where a code was sent to the wrong address. */
  readonly cancel: () => void;
  readonly signOut: () => Promise<void>;
};

export function createSignInFlow(needs: {
  readonly client: Pick<TrellisClient, "auth" | "sessions">;
  readonly storage: SessionStorage;
  readonly credentials: CredentialsApi | undefined;
  /** Names the session in the storage. */
  readonly storageKey: string;
}): SignInFlow {
  const { client, storage } = needs;
  const browser = needs.credentials ? { credentials: needs.credentials } : {};
  const state = createValue<SignInState>({ status: "restoring" });
  /** Of the last thing that was begun: what was overtaken says nothing any more. */
  let turn = 0;
  let asked: SignInBegun | undefined;
  let restoring: Promise<void> | undefined;

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

  /** A user in the middle of a step is not disturbed by what another tab does. */
  const isSettled = (): boolean => ["idle", "signed-in", "error"].includes(state.get().status);

  const keeper = createSessionKeeper({
    client,
    storage,
    name: needs.storageKey,
    onEnd: (email, error) => {
      if (!isSettled()) return;
      const help = "You have been signed out. Sign in again.";
      begin(
        error === undefined ? { status: "idle" } : { status: "error", email, error: { ...explainError(error), help } },
      );
    },
  });
  /** Where it stands when no step is under way. */
  const rest = (): SignInState => {
    const current = keeper.current();
    return current === undefined
      ? { status: "idle" }
      : { status: "signed-in", email: current.email, account: current.account };
  };
  keeper.subscribe(() => {
    const current = keeper.current();
    const view = state.get();
    if (current === undefined || !isSettled()) return;
    if (view.status !== "signed-in" || view.account !== current.account) begin(rest());
  });

  return {
    get: state.get,
    subscribe: state.subscribe,
    keeper,
    restore: () => {
      restoring ??= (async () => {
        const end = begin({ status: "restoring" });
        await keeper.restore();
        end(rest());
      })();
      return restoring;
    },
    start: async (text) => {
      const email = text.trim();
      const current = state.get();
      if (current.status === "sending" && current.email === email) return;
      const end = begin({ status: "sending", email });
      try {
        const begun = await client.auth.signIn(email, browser);
        if (end({ status: "code-needed", email })) asked = begun;
      } catch (thrown) {
        end({ status: "error", email, error: explainError(thrown) });
      }
    },
    verify: async (code) => {
      if (state.get().status !== "code-needed" || asked === undefined) return;
      const { email, verify } = asked;
      const end = begin({ status: "verifying", email });
      const mine = turn;
      try {
        const signedIn = await verify(code);
        if (turn !== mine) return;
        const kept = keeper.keep(signedIn);
        end(rest());
        await kept;
      } catch (thrown) {
        end({ status: "code-needed", email, error: explainError(thrown) });
      }
    },
    signInWithPasskey: async () => {
      if (state.get().status === "passkey-asked") return;
      const end = begin({ status: "passkey-asked" });
      const mine = turn;
      try {
        const signedIn = await client.auth.signInWithPasskey(browser);
        if (turn !== mine) return;
        const kept = keeper.keep(signedIn);
        end(rest());
        await kept;
      } catch (thrown) {
        end({ status: "error", email: "", error: explainError(thrown) });
      }
    },
    cancel: () => {
      const { status } = state.get();
      if (status === "sending" || status === "code-needed" || status === "passkey-asked" || status === "error")
        begin(rest());
    },
    signOut: async () => {
      const email = keeper.current()?.email ?? "";
      const signedOut = keeper.signOut();
      const end = begin({ status: "idle" });
      try {
        await signedOut;
      } catch (thrown) {
        const help =
          thrown instanceof SessionNotEndedError
            ? "You are signed out on this device, but the service could not be reached to end the session. Sign out again."
            : "You are signed out, but this browser keeps the session. Sign out again, or remove this page's data.";
        end({ status: "error", email, error: { ...explainError(thrown), help } });
      }
    },
  };
}
