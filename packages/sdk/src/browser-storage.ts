import { createMemoryStorage, type SessionStorage } from "./session-storage.js";

/**
 * The page's IndexedDB. What is in it is sealed with a key that the browser does not give out, so that a copy of its files is
 * worth nothing; a script that runs in the page can read it, as it can everything of the page. Memory where there is none.
 */
export function createBrowserStorage(): SessionStorage {
  if (!isThere()) return createMemoryStorage();
  let opened: Promise<IDBDatabase> | undefined;
  const connect = (): Promise<IDBDatabase> => {
    opened ??= openDatabase().then((database) => {
      // A browser closes it when it likes: a phone that is short of memory, or a user who has the page's data removed.
      database.onclose = disconnect;
      return database;
    });
    opened.catch(disconnect);
    return opened;
  };
  const disconnect = () => {
    opened = undefined;
  };
  const begin = async (mode: "readonly" | "readwrite"): Promise<IDBTransaction> => {
    const database = await connect();
    try {
      return database.transaction("kept", mode);
    } catch {
      // It was closed, and did not say so.
      disconnect();
      return (await connect()).transaction("kept", mode);
    }
  };
  async function ask<Answer>(
    mode: "readonly" | "readwrite",
    act: (store: IDBObjectStore) => IDBRequest<Answer>,
  ): Promise<Answer> {
    const transaction = await begin(mode);
    const request = act(transaction.objectStore("kept"));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }
  const findKey = () => ask<CryptoKey | undefined>("readonly", (store) => store.get("key"));
  const getKey = async (): Promise<CryptoKey> => {
    const known = await findKey();
    if (known !== undefined) return known;
    const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    try {
      await ask("readwrite", (store) => store.add(made, "key"));
      return made;
    } catch (error) {
      // Another tab has made one at this moment.
      const theirs = await findKey();
      if (theirs === undefined) throw error;
      return theirs;
    }
  };
  // One channel to send and to receive: a tab does not receive what it sends.
  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("trellis.kept");
  return {
    getItem: async (name) => {
      const key = await findKey();
      const sealed = await ask<Sealed | undefined>("readonly", (store) => store.get(`item ${name}`));
      if (key === undefined || sealed === undefined) return null;
      const bytes = await crypto.subtle.decrypt({ name: "AES-GCM", iv: sealed.iv }, key, sealed.bytes);
      return new TextDecoder().decode(bytes);
    },
    setItem: async (name, value) => {
      const key = await getKey();
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(value));
      await ask("readwrite", (store) => store.put({ iv, bytes } satisfies Sealed, `item ${name}`));
      channel?.postMessage(name);
    },
    removeItem: async (name) => {
      await ask("readwrite", (store) => store.delete(`item ${name}`));
      channel?.postMessage(name);
    },
    subscribe: (name, listener) => {
      const hear = ({ data }: MessageEvent) => {
        if (data === name) listener();
      };
      channel?.addEventListener("message", hear);
      return () => channel?.removeEventListener("message", hear);
    },
    exclusively: async (name, act) =>
      // Without locks two tabs may renew at once; the service answers one of them, and ends nothing.
      navigator.locks === undefined ? act() : navigator.locks.request(name, act),
  };
}

/** Both are missing on pages that are loaded by http from elsewhere than this machine. */
function isThere(): boolean {
  try {
    return typeof indexedDB !== "undefined" && globalThis.crypto?.subtle !== undefined;
  } catch {
    // Where a person has forbidden pages to keep anything, to mention it is an error.
    return false;
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("trellis", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("kept");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

type Sealed = { readonly iv: Uint8Array<ArrayBuffer>; readonly bytes: ArrayBuffer };
