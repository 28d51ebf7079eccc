import type { PasskeySession } from "@trellis/sdk";
import { useSyncExternalStore } from "react";
import type { BeginAtServer, PasskeySessionState } from "./passkey-session-keeper.js";
import { useConnection } from "./provider.js";

/** A session of a passkey that signs on chain. No function rejects; while one is under way, another call is answered that one's end. */
export type PasskeySessionUse = {
  readonly state: PasskeySessionState;
  /** What signs by it now, for calls of the client library: none, or one. `usePayment` finds it by itself. */
  readonly passkeySessions: readonly PasskeySession[];
  /** In the handler of a tap: has the service's page ask the passkey, in a window. */
  readonly open: (seconds: number) => Promise<PasskeySessionState>;
  /** In the handler of a tap: has the passkey end its session on chain. The key is forgotten first. */
  readonly end: () => Promise<PasskeySessionState>;
  /** Forgets the key, and asks nobody. On chain the session ends by itself. */
  readonly forget: () => void;
};

/**
 * One session of a passkey signer for all components below a provider. Its key is held in memory alone: it is gone when the page is
 * reloaded, when a user signs in or out, and when the session is over. `begin` asks your server to begin it, as that takes a secret key.
 */
export function usePasskeySession(begin: BeginAtServer): PasskeySessionUse {
  const { passkeySession: keeper } = useConnection();
  const { sessions } = keeper;
  return {
    state: useSyncExternalStore(keeper.subscribe, keeper.get, keeper.get),
    passkeySessions: useSyncExternalStore(sessions.subscribe, sessions.get, sessions.get),
    open: (seconds) => keeper.open(begin, seconds),
    end: () => keeper.end(begin),
    forget: keeper.forget,
  };
}
