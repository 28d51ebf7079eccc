import type { StandardWallet } from "@trellis/sdk";
import { useSyncExternalStore } from "react";
import { useConnection } from "./provider.js";
import type { SignInState } from "./sign-in-flow.js";

export type SignIn = {
  readonly state: SignInState;
  /** Has a code sent to an address, whether it has an account or will have one; also to send another code. */
  readonly start: (email: string) => Promise<void>;
  /** Signs in with the code. */
  readonly verify: (code: string) => Promise<void>;
  /** Signs in with a passkey of this page's domain, without a code and without an address. */
  readonly signInWithPasskey: () => Promise<void>;
  /** Signs in with a wallet of the person's own (`useWallets`), for an account that it signs for: by default the newest. */
  readonly signInWithWallet: (wallet: StandardWallet, account?: string) => Promise<void>;
  /** Back to the beginning, for another address. */
  readonly cancel: () => void;
  readonly signOut: () => Promise<void>;
};

/** Signing in by a code, a passkey or a wallet. All components share one state; no function rejects, as `state` says what went wrong. */
export function useSignIn(): SignIn {
  const { signIn } = useConnection();
  const state = useSyncExternalStore(signIn.subscribe, signIn.get, signIn.get);
  const { start, verify, signInWithPasskey, signInWithWallet, cancel, signOut } = signIn;
  return { state, start, verify, signInWithPasskey, signInWithWallet, cancel, signOut };
}
