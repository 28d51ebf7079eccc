/**
 * Where something is kept by name: `localStorage` of a page, `AsyncStorage` of React Native, a table of a server, or anything
 * like them.
 */
export type KeyValueStorage = {
  readonly getItem: (key: string) => string | null | Promise<string | null>;
  readonly setItem: (key: string, value: string) => unknown;
  readonly removeItem: (key: string) => unknown;
};

/** Where sessions are kept: a place that other applications cannot read, as a session can move the account's money. */
export type SessionStorage = KeyValueStorage & {
  /** Does something while no other client, another tab say, does anything under that name. Default: there is no other. */
  readonly exclusively?: <Answer>(name: string, act: () => Promise<Answer>) => Promise<Answer>;
  /**
   * Calls the listener whenever another client has put something there under that name, or removed it; the answer ends that.
   * Without it another tab's sign-out is noticed when the session is next lengthened.
   */
  readonly subscribe?: (name: string, listener: () => void) => () => void;
};

/** For where nothing outlives the process. */
export function createMemoryStorage(): KeyValueStorage {
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
