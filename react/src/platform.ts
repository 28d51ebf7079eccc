/** Whether anybody looks at the application: polling rests while nobody does. */
export type Visibility = {
  readonly isVisible: () => boolean;
  /** Calls the listener at every change; the answer ends that. */
  readonly subscribe: (listener: () => void) => () => void;
};

/**
 * Where payments are kept until their outcome is known: `localStorage` of a page, `AsyncStorage` of React Native, or anything
 * like them. Nothing secret is in it; see the README.
 */
export type PaymentStorage = {
  readonly getItem: (key: string) => string | null | Promise<string | null>;
  readonly setItem: (key: string, value: string) => unknown;
  readonly removeItem: (key: string) => unknown;
};

/** Where the session is kept: a place that other applications cannot read, as it can move the account's money. */
export type SessionStorage = PaymentStorage & {
  /** Does something while no other tab does anything under that name. Default: there are no others. */
  readonly exclusively?: <Answer>(name: string, act: () => Promise<Answer>) => Promise<Answer>;
  /**
   * Calls the listener whenever another tab has put something there under that name, or removed it; the answer ends that.
   * Without it another tab's sign-out is noticed when the session is next lengthened.
   */
  readonly subscribe?: (name: string, listener: () => void) => () => void;
};

/** For where nothing outlives the process. */
export function createMemoryStorage(): PaymentStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      items.set(key, value);
    },
    removeItem: (key) => {
      items.delete(key);
    },
  };
}
