import { randomIdempotencyKey } from "./request-sender.js";
import type { SessionStorage } from "./session-storage.js";

/** What `expo-secure-store` offers: the phone's keychain or keystore. */
export type SecureStore = {
  readonly getItemAsync: (key: string) => Promise<string | null>;
  readonly setItemAsync: (key: string, value: string) => Promise<void>;
  readonly deleteItemAsync: (key: string) => Promise<void>;
};

/** A keychain promises to take 2,048 bytes, and a character has three of them at most. */
const charactersPerPart = 680;

/**
 * The keychain of a phone, under React Native. It takes short values under names of few characters only, so that a session is
 * kept there in parts; a process that is interrupted while writing finds the former session whole.
 *
 * @example
 * import * as SecureStore from "expo-secure-store";
 * const storage = createSecureStorage(SecureStore);
 */
export function createSecureStorage(store: SecureStore): SessionStorage {
  const nameOf = (key: string) => key.replaceAll(/[^\w.-]/g, "_");
  const partOf = ({ set }: Parts, name: string, at: number) => `${name}.${set}.${at}`;
  const findParts = async (name: string): Promise<Parts | undefined> => {
    const text = await store.getItemAsync(name);
    return text === null ? undefined : (JSON.parse(text) as Parts);
  };
  const removeParts = async (parts: Parts | undefined, name: string): Promise<void> => {
    for (let at = 0; parts !== undefined && at < parts.count; at += 1) {
      await store.deleteItemAsync(partOf(parts, name, at));
    }
  };
  return {
    getItem: async (key) => {
      const name = nameOf(key);
      const parts = await findParts(name);
      if (parts === undefined) return null;
      let value = "";
      for (let at = 0; at < parts.count; at += 1) {
        const part = await store.getItemAsync(partOf(parts, name, at));
        if (part === null) return null;
        value += part;
      }
      return value;
    },
    setItem: async (key, value) => {
      const name = nameOf(key);
      const former = await findParts(name);
      const parts = { set: randomIdempotencyKey(), count: Math.ceil(value.length / charactersPerPart) };
      for (let at = 0; at < parts.count; at += 1) {
        const part = value.slice(at * charactersPerPart, (at + 1) * charactersPerPart);
        await store.setItemAsync(partOf(parts, name, at), part);
      }
      await store.setItemAsync(name, JSON.stringify(parts));
      await removeParts(former, name);
    },
    removeItem: async (key) => {
      const name = nameOf(key);
      const parts = await findParts(name);
      await store.deleteItemAsync(name);
      await removeParts(parts, name);
    },
  };
}

type Parts = {
  /** Distinguishes the parts of one writing from those of another. */
  readonly set: string;
  readonly count: number;
};
