import type { SessionStorage } from "@trellis/sdk";

/** Where payments are kept. Where tabs share it, `exclusively` has them take turns. */
export type PaymentStorage = Pick<SessionStorage, "getItem" | "setItem" | "removeItem" | "exclusively">;

/** Whether the application is visible to a user: polling rests while it is not. */
export type Visibility = {
  readonly isVisible: () => boolean;
  /** Calls the listener at every change; the answer ends that. */
  readonly subscribe: (listener: () => void) => () => void;
};
