import type { SessionStorage, StandardWallet } from "@trellis/sdk";

/** Where payments are kept. Where tabs share it, `exclusively` has them take turns. */
export type PaymentStorage = Pick<SessionStorage, "getItem" | "setItem" | "removeItem" | "exclusively">;

/** Whether the application is visible to a user: polling rests while it is not. */
export type Visibility = {
  readonly isVisible: () => boolean;
  /** Calls the listener at every change; the answer ends that. */
  readonly subscribe: (listener: () => void) => () => void;
};

/** The wallets that a browser has, by the Wallet Standard. */
export type WalletRegistry = {
  /** The same list as long as it has not changed. */
  readonly list: () => readonly StandardWallet[];
  /** Calls the listener whenever a wallet has come or gone; the answer ends that. */
  readonly subscribe: (listener: () => void) => () => void;
};
