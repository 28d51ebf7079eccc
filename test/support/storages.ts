import type { KeyValueStorage, SessionStorage } from "@trellis/sdk";

/** A storage that outlives its page. */
export function createStorage(): KeyValueStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>();
  return storageOf(items);
}

/** What several tabs of one browser have: one place, and each tab hears of what the others do there. */
export function createTabs(): {
  readonly items: Map<string, string>;
  /** For the next tab. `slowly` is waited for before each write. */
  readonly open: (slowly?: () => Promise<void>) => SessionStorage;
} {
  const items = new Map<string, string>();
  const tabs = new Set<Map<() => void, string>>();
  return {
    items,
    open: (slowly = () => Promise.resolve()) => {
      const listeners = new Map<() => void, string>();
      tabs.add(listeners);
      const report = (key: string) => {
        for (const others of tabs) {
          if (others === listeners) continue;
          for (const [listener, name] of others) if (name === key) listener();
        }
      };
      const storage = storageOf(items);
      return {
        ...storage,
        setItem: async (key, value) => {
          await slowly();
          await storage.setItem(key, value);
          report(key);
        },
        removeItem: async (key) => {
          await storage.removeItem(key);
          report(key);
        },
        subscribe: (name, listener) => {
          listeners.set(listener, name);
          return () => listeners.delete(listener);
        },
      };
    },
  };
}

function storageOf(items: Map<string, string>) {
  return {
    items,
    getItem: async (key: string) => items.get(key) ?? null,
    setItem: async (key: string, value: string) => {
      items.set(key, value);
    },
    removeItem: async (key: string) => {
      items.delete(key);
    },
  };
}
