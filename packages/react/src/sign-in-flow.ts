import {
  type CredentialsApi,
  connectWallet,
  createSessionKeeper,
  SessionNotEndedError,
  type SessionStorage,
  type SignedInAccount,
  SignedOutError,
  type SignInBegun,
  type StandardWallet,
  TrellisApiError,
  type TrellisClient,
  type WireEnvironment,
  walletMessageSigner,
} from "@trellis/sdk";
import { type ExplainedError, explainError } from "./explain-error.js";
import { createHolder, type Holder } from "./holder.js";
import { NoAccountError } from "./no-account-error.js";
import type { WalletRegistry } from "./platform.js";
import { createValue, type Value } from "./value.js";
import { createWalletKeeper, type WalletKeeper } from "./wallet-keeper.js";

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
  /** A wallet asks its holder, or the service is asked about what it signed. */
  | { readonly status: "wallet-asked" }
  /** `wallet`: the address of the wallet that signed in. `email` is empty then. */
  | { readonly status: "signed-in"; readonly email: string; readonly account: string; readonly wallet?: string }
  /** No code was sent, the session has ended, or a sign-out was not complete: the browser keeps it, or the service. */
  | { readonly status: "error"; readonly email: string; readonly error: ExplainedError };

export type SignInFlow = Value<SignInState> & {
  /** Who is signed in; while another one signs in, still the former one. */
  readonly keeper: Holder;
  /** Signs in the user who was signed in before; once. */
  readonly restore: () => Promise<void>;
  /** Has a code sent; also to send another one. */
  readonly start: (email: string) => Promise<void>;
  readonly verify: (code: string) => Promise<void>;
  /** Signs in with a passkey, without a code and without an address. */
  readonly signInWithPasskey: () => Promise<void>;
  /** Signs in with a wallet of the page's, for an account that it signs for: by default the newest. */
  readonly signInWithWallet: (wallet: StandardWallet, account?: string) => Promise<void>;
  /** Back to where it began, where a code was sent to the wrong address. */
  readonly cancel: () => void;
  readonly signOut: () => Promise<void>;
};

export function createSignInFlow(needs: {
  readonly client: Pick<TrellisClient, "auth" | "sessions">;
  readonly storage: SessionStorage;
  readonly credentials: CredentialsApi | undefined;
  readonly wallets: WalletRegistry;
  readonly environment: WireEnvironment;
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

  const onEnd = (email: string, error?: TrellisApiError): void => {
    if (!isSettled()) return;
    const help = "You have been signed out. Sign in again.";
    begin(error === undefined ? rest() : { status: "error", email, error: { ...explainError(error), help } });
  };
  const users = createSessionKeeper({ client, storage, name: needs.storageKey, onEnd });
  const wallets = createWalletKeeper({
    client,
    environment: needs.environment,
    storage,
    name: `${needs.storageKey}.wallet`,
    wallets: needs.wallets,
    onEnd: (error) => onEnd("", error),
  });
  /** Where it stands when no step is under way. */
  const rest = (): SignInState => {
    const ofWallet = wallets.current();
    if (ofWallet !== undefined) return { status: "signed-in", email: "", ...ofWallet };
    const current = users.current();
    return current === undefined
      ? { status: "idle" }
      : { status: "signed-in", email: current.email, account: current.account };
  };
  const onChange = () => {
    const next = rest();
    const view = state.get();
    if (next.status !== "signed-in" || !isSettled()) return;
    if (view.status !== "signed-in" || view.account !== next.account || view.wallet !== next.wallet) begin(next);
  };
  const keeper = createHolder(users, wallets);
  keeper.subscribe(onChange);

  const refused = (email: string, thrown: unknown): SignInState => {
    const help =
      thrown instanceof SessionNotEndedError
        ? "You are signed out on this device, but the service could not be reached to end the session. Sign out again."
        : "You are signed out, but this browser keeps the session. Sign out again, or remove this page's data.";
    return { status: "error", email, error: { ...explainError(thrown), help } };
  };
  /** Who has signed in takes the place of another one, who is signed out. What cannot be ended there is said, and ends nothing here. */
  const takeOver = async (
    kept: Promise<void>,
    former: Pick<WalletKeeper, "signOut"> | undefined,
    end: (after: SignInState) => boolean,
  ): Promise<void> => {
    const signedOut = former?.signOut();
    end(rest());
    await kept;
    try {
      await signedOut;
    } catch (thrown) {
      end(refused("", thrown));
    }
  };
  const keepUser = (signedIn: SignedInAccount, end: (after: SignInState) => boolean): Promise<void> => {
    const former = wallets.current() && wallets;
    return takeOver(users.keep(signedIn), former, end);
  };

  return {
    get: state.get,
    subscribe: state.subscribe,
    keeper,
    restore: () => {
      restoring ??= (async () => {
        const end = begin({ status: "restoring" });
        await Promise.all([users.restore(), wallets.restore()]);
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
        await keepUser(signedIn, end);
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
        await keepUser(signedIn, end);
      } catch (thrown) {
        end({ status: "error", email: "", error: explainError(thrown) });
      }
    },
    signInWithWallet: async (wallet, wanted) => {
      if (state.get().status === "wallet-asked") return;
      const end = begin({ status: "wallet-asked" });
      const mine = turn;
      try {
        const account = await connectWallet(wallet);
        const sign = walletMessageSigner(wallet, account);
        const signMessage = async (message: Uint8Array): Promise<Uint8Array> => {
          const signature = await sign(message);
          // What was given up while the wallet asked its holder gets no session.
          if (turn !== mine) throw new SignedOutError("another way to sign in was chosen");
          return signature;
        };
        const signedIn = await client.auth
          .signInWithWallet({ address: account.address, signMessage })
          .catch((thrown: unknown) => {
            throw thrown instanceof TrellisApiError && thrown.code === "account_not_found"
              ? new NoAccountError()
              : thrown;
          });
        const [newest] = signedIn.accounts;
        const chosen = wanted ?? newest;
        const isOurs = chosen !== undefined && signedIn.accounts.includes(chosen);
        if (turn !== mine || !isOurs) {
          // A session that no page keeps is not left open.
          if (newest !== undefined) await client.sessions.end(newest, "current", { sessionToken: signedIn.token });
          throw new NoAccountError();
        }
        const former = users.current() && users;
        await takeOver(wallets.keep(signedIn, chosen, { wallet, account }), former, end);
      } catch (thrown) {
        end({ status: "error", email: "", error: explainError(thrown) });
      }
    },
    cancel: () => {
      if (["sending", "code-needed", "passkey-asked", "wallet-asked", "error"].includes(state.get().status))
        begin(rest());
    },
    signOut: async () => {
      const email = users.current()?.email ?? "";
      const signedOut = Promise.all([users.signOut(), wallets.signOut()]);
      const end = begin({ status: "idle" });
      try {
        await signedOut;
      } catch (thrown) {
        end(refused(email, thrown));
      }
    },
  };
}
