import { type Passkey, SignedOutError } from "@trellis/sdk";
import { useSyncExternalStore } from "react";
import { useChosenAccount } from "./account-provider.js";
import { explainError } from "./explain-error.js";
import type { PasskeyAction, PasskeyActs, PasskeyState } from "./passkey-acts.js";
import { useConnection } from "./provider.js";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

/** The passkeys of who is signed in. No function rejects; while one is under way, another call is answered that one's end. */
export type Passkeys = Read<readonly Passkey[]> &
  Pick<PasskeyActs, "add" | "rename" | "remove" | "setRequired"> & {
    /** Where the last thing that was done stands. */
    readonly state: PasskeyState;
  };

const idle: PasskeyState = { status: "idle" };
const subscribeToNothing = () => () => undefined;
const getIdle = () => idle;

/**
 * The passkeys that command those wallets of who is signed in that sign for the chosen account: `add` has the browser make one, and the others change them. A publishable
 * key needs `accounts:read` for it.
 */
export function usePasskeys({ pollMs = 0 }: ReadOptions = {}): Passkeys {
  const reading = useReading("passkeys", (client, account) => client.passkeys.list(account), pollMs);
  const connection = useConnection();
  const account = useChosenAccount();
  const acts = account === undefined ? undefined : connection.passkeyActs(account);
  const get = acts?.get ?? getIdle;
  const state = useSyncExternalStore(acts?.subscribe ?? subscribeToNothing, get, get);
  return {
    ...reading,
    state,
    add: acts?.add ?? (() => noHolder("add")),
    rename: acts?.rename ?? (() => noHolder("rename")),
    remove: acts?.remove ?? (() => noHolder("remove")),
    setRequired: acts?.setRequired ?? (() => noHolder("require")),
  };
}

async function noHolder(action: PasskeyAction): Promise<PasskeyState> {
  return { status: "refused", action, error: explainError(new SignedOutError("no user is signed in")) };
}
