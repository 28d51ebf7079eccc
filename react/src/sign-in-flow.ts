import { generateEncryptionKeyPair, openSession, type TrellisClient, type TrellisSession } from "@trellis/sdk";
import { type ExplainedError, explainError } from "./explain-error.js";
import { createValue, type Value } from "./value.js";

/** Who is signed in, and what signs for them. */
export type SignedIn = {
  readonly email: string;
  /** The smart account's address. */
  readonly account: string;
  /** The `grid_user_id`: what an identity token has as `sub`. */
  readonly userId: string;
  readonly session: TrellisSession;
};

/** Where signing in stands. */
export type SignInState =
  | { readonly status: "idle" }
  /** The code is being sent. */
  | { readonly status: "sending"; readonly email: string }
  /** A code was sent. `error`: what was wrong with the last one that was typed. */
  | { readonly status: "code-needed"; readonly email: string; readonly error?: ExplainedError }
  | { readonly status: "verifying"; readonly email: string }
  | { readonly status: "signed-in"; readonly email: string; readonly account: string }
  /** No code was sent. */
  | { readonly status: "error"; readonly email: string; readonly error: ExplainedError };

export type SignInFlow = Value<SignInState> & {
  readonly signedIn: Value<SignedIn | undefined>;
  /** Has a code sent; also to send another one. */
  readonly start: (email: string) => Promise<void>;
  readonly verify: (code: string) => Promise<void>;
  /** Back to the beginning, where a code was mistyped for another address. */
  readonly cancel: () => void;
  readonly signOut: () => Promise<void>;
};

export function createSignInFlow(client: Pick<TrellisClient, "auth">): SignInFlow {
  const state = createValue<SignInState>({ status: "idle" });
  const signedIn = createValue<SignedIn | undefined>(undefined);
  /** Of the last thing that was begun: what was overtaken says nothing any more. */
  let turn = 0;
  let opened: { readonly email: string; readonly keyPair: ReturnType<typeof generateEncryptionKeyPair> } | undefined;

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

  return {
    get: state.get,
    subscribe: state.subscribe,
    signedIn,
    start: async (text) => {
      const email = text.trim();
      const current = state.get();
      if (current.status === "sending" && current.email === email) return;
      const end = begin({ status: "sending", email });
      try {
        await client.auth.start({ email });
        opened = { email, keyPair: generateEncryptionKeyPair() };
        end({ status: "code-needed", email });
      } catch (thrown) {
        end({ status: "error", email, error: explainError(thrown) });
      }
    },
    verify: async (code) => {
      const current = state.get();
      if (current.status !== "code-needed" || opened === undefined) return;
      const { email, keyPair } = opened;
      const end = begin({ status: "verifying", email });
      try {
        const verified = await client.auth.verify({
          email,
          otp_code: code.trim(),
          kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
        });
        const session = await openSession(verified.authentication[0], keyPair);
        if (!end({ status: "signed-in", email, account: verified.address })) return;
        signedIn.set({ email, account: verified.address, userId: verified.grid_user_id, session });
      } catch (thrown) {
        end({ status: "code-needed", email, error: explainError(thrown) });
      }
    },
    cancel: () => {
      const { status } = state.get();
      if (status === "signed-in" || status === "idle") return;
      begin({ status: "idle" });
    },
    signOut: async () => {
      signedIn.set(undefined);
      begin({ status: "idle" });
    },
  };
}
