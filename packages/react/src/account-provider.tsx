import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import { useConnection } from "./provider.js";

const ChosenContext = createContext<string | undefined>(undefined);

export type AccountProviderProps = {
  /** An account that who is signed in is a signer of; undefined: their own. */
  readonly address: string | undefined;
  readonly children?: ReactNode;
};

/**
 * Everything below it is about this account, in place of the own one of who is signed in. Another address is another account at once: a
 * payment or a vote goes on for the account in which it was begun.
 *
 * @example
 * const { data = [] } = useAccounts();
 * <AccountProvider address={data[1]?.address}>…</AccountProvider>
 */
export function AccountProvider({ address, children }: AccountProviderProps): ReactNode {
  return <ChosenContext.Provider value={address}>{children}</ChosenContext.Provider>;
}

/** The address of the account that the hooks here are about. Undefined while no user is signed in. */
export function useChosenAccount(): string | undefined {
  const own = useOwnAccount();
  const chosen = useContext(ChosenContext);
  return own && (chosen ?? own);
}

/** The address of the own account of who is signed in. Undefined while no user is. */
export function useOwnAccount(): string | undefined {
  const { keeper } = useConnection().signIn;
  return useSyncExternalStore(keeper.subscribe, keeper.current, keeper.current)?.account;
}
