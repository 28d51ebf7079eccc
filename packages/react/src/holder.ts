import {
  type AccountHolder,
  type SessionKeeper,
  type SignedInAccount,
  SignedOutError,
  type TrellisSession,
} from "@trellis/sdk";
import type { WalletHolder, WalletKeeper } from "./wallet-keeper.js";

/** Who is signed in, with a session of a user or with a wallet of their own: at most one of the two. */
export type Holder = {
  /** Undefined while nobody is signed in; the same object until that changes. */
  readonly current: () => SignedInAccount | WalletHolder | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  /** Does something with what signs. Rejects with `SignedOutError` where nobody is signed in, else as what was done does. */
  readonly act: <Answer>(
    act: (by: AccountHolder, holder: { readonly account: string }) => Promise<Answer>,
  ) => Promise<Answer>;
  /** The same with the session of a user. Rejects with `SignedOutError` where a wallet is signed in, too. */
  readonly withSession: <Answer>(
    act: (session: TrellisSession, holder: { readonly account: string }) => Promise<Answer>,
  ) => Promise<Answer>;
  /** What proves to the service who is signed in. */
  readonly token: () => string | undefined;
  /** Lengthens a user's session when it is due, and follows other tabs, until the answer is called. */
  readonly watch: () => () => void;
};

export function createHolder(users: SessionKeeper, wallets: WalletKeeper): Holder {
  const both = (begin: (keeper: SessionKeeper | WalletKeeper) => () => void): (() => void) => {
    const ends = [begin(users), begin(wallets)];
    return () => {
      for (const end of ends) end();
    };
  };
  return {
    current: () => wallets.current() ?? users.current(),
    subscribe: (listener) => both((keeper) => keeper.subscribe(listener)),
    act: (act) => {
      if (wallets.current() !== undefined) return wallets.withKey(act);
      return users.withSession((session, holder) => act({ session }, holder));
    },
    withSession: (act) => {
      if (wallets.current() === undefined) return users.withSession(act);
      return Promise.reject(new SignedOutError("a wallet is signed in, and no user"));
    },
    token: () => wallets.token() ?? users.token(),
    watch: () => both((keeper) => keeper.watch()),
  };
}
