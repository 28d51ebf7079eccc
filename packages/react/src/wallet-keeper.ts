import {
  type AccountHolder,
  connectWallet,
  SessionNotEndedError,
  type SessionStorage,
  type SignedInWallet,
  SignedOutError,
  type StandardWallet,
  TrellisApiError,
  type TrellisClient,
  type WalletAccount,
  WalletError,
  walletKey,
} from "@trellis/sdk";
import type { WalletRegistry } from "./platform.js";

/** Who is signed in with a wallet of their own. */
export type WalletHolder = {
  /** The account that is displayed. */
  readonly account: string;
  /** The wallet's address. */
  readonly wallet: string;
};

/** A session of a wallet as it is kept. Its token reads accounts, and moves nothing. */
type KeptWallet = WalletHolder & {
  /** By which the wallet is found again after a restart. */
  readonly walletName: string;
  readonly token: string;
  readonly expiresAtMs: number;
};

/** Keeps a wallet signed in, over restarts and on every tab. */
export type WalletKeeper = {
  readonly current: () => WalletHolder | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  readonly restore: () => Promise<void>;
  readonly keep: (signedIn: SignedInWallet, account: string, by: SigningWallet) => Promise<void>;
  /** Does something for an account and has the wallet sign it. Rejects with `SignedOutError`, and with `WalletError` where the wallet is gone. */
  readonly withKey: <Answer>(act: (by: AccountHolder, holder: WalletHolder) => Promise<Answer>) => Promise<Answer>;
  readonly token: () => string | undefined;
  /** Follows other tabs until the answer is called. */
  readonly watch: () => () => void;
  /** Forgets the session, here and on every tab, and has the service end it. Rejects with `SessionNotEndedError` where it could not. */
  readonly signOut: () => Promise<void>;
};

/** What signs: a wallet, and which of its accounts. */
export type SigningWallet = { readonly wallet: StandardWallet; readonly account: WalletAccount };

export function createWalletKeeper(needs: {
  readonly client: Pick<TrellisClient, "sessions">;
  readonly environment: Parameters<typeof walletKey>[2];
  readonly storage: SessionStorage;
  /** Under which the session is kept. */
  readonly name: string;
  readonly wallets: WalletRegistry;
  /** It was signed out on another tab (no error), or as the service no longer lets it continue. */
  readonly onEnd: (error?: TrellisApiError) => void;
}): WalletKeeper {
  const { client, environment, storage, name, wallets } = needs;
  const listeners = new Set<() => void>();
  let kept: KeptWallet | undefined;
  /** The same object as long as it is the same session. */
  let holder: WalletHolder | undefined;
  let signing: SigningWallet | undefined;
  /** Signed out here, and not yet at the service. */
  let unended: KeptWallet | undefined;

  const set = (next: KeptWallet | undefined, by?: SigningWallet): void => {
    kept = next;
    holder = next && { account: next.account, wallet: next.wallet };
    signing = by;
    for (const listener of [...listeners]) listener();
  };

  const load = async (): Promise<KeptWallet | undefined> => {
    const text = await storage.getItem(name);
    return text === null ? undefined : (JSON.parse(text) as KeptWallet);
  };

  /** The wallet that signed in; after a restart it is the one of that name with that account. */
  const findSigning = async ({ walletName, wallet: address }: KeptWallet): Promise<SigningWallet> => {
    if (signing !== undefined) return signing;
    const wallet = wallets.list().find((each) => each.name === walletName);
    if (wallet === undefined) {
      throw new WalletError("not_connected", `${walletName} is not there: open it, and try again`);
    }
    signing = { wallet, account: await connectWallet(wallet, { address }) };
    return signing;
  };

  const endAtService = async (): Promise<void> => {
    if (unended === undefined) return;
    const { account, token } = unended;
    try {
      await client.sessions.end(account, "current", { sessionToken: token });
    } catch (error) {
      // It has ended, or its wallet signs for the account no more: then it reads nothing of it either.
      const isOver = error instanceof TrellisApiError && ["invalid_session", "account_not_found"].includes(error.code);
      if (!isOver) {
        throw new SessionNotEndedError("signed out here, but the service could not end the session", { cause: error });
      }
    }
    unended = undefined;
  };

  const follow = async (): Promise<void> => {
    const stored = await load();
    if (stored?.token === kept?.token) return;
    if (stored !== undefined) return set(stored);
    set(undefined);
    needs.onEnd();
  };

  return {
    current: () => holder,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    restore: async () => {
      try {
        const stored = await load();
        if (stored !== undefined && kept === undefined) set(stored);
      } catch {
        // What cannot be read signs no wallet in.
      }
    },
    keep: async ({ address, token, expiresAtMs }, account, by) => {
      set({ account, wallet: address, walletName: by.wallet.name, token, expiresAtMs }, by);
      try {
        await storage.setItem(name, JSON.stringify(kept));
      } catch {
        // A place that keeps nothing: signed in until the end of the process.
      }
    },
    withKey: async (act) => {
      const mine = kept;
      if (mine === undefined) throw new SignedOutError("no wallet is signed in");
      const key = {
        address: mine.wallet,
        // Asked for when something is signed, so that reading asks no wallet.
        sign: async (transaction: string) => {
          const { wallet, account } = await findSigning(mine);
          return walletKey(wallet, account, environment).sign(transaction);
        },
      };
      try {
        return await act({ offlineKeys: [key] }, { account: mine.account, wallet: mine.wallet });
      } catch (error) {
        if (error instanceof TrellisApiError && error.code === "invalid_session" && kept === mine) {
          set(undefined);
          needs.onEnd(error);
          // What stays there reads nothing any more.
          await Promise.resolve(storage.removeItem(name)).catch(() => undefined);
        }
        throw error;
      }
    },
    token: () => kept?.token,
    watch: () => storage.subscribe?.(name, () => void follow().catch(() => undefined)) ?? (() => undefined),
    signOut: async () => {
      unended = kept ?? unended;
      set(undefined);
      await storage.removeItem(name);
      await endAtService();
    },
  };
}
