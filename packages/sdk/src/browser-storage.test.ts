import { afterEach, describe, expect, it } from "vitest";
import { createBrowserStorage } from "./browser-storage.js";

const before = Object.getOwnPropertyDescriptor(globalThis, "indexedDB");

afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(globalThis, "indexedDB");
  else Object.defineProperty(globalThis, "indexedDB", before);
});

describe("the storage of a browser", () => {
  it("is memory where the person has forbidden pages to keep anything", async () => {
    Object.defineProperty(globalThis, "indexedDB", {
      configurable: true,
      get: () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
    const storage = createBrowserStorage();
    await storage.setItem("session", "kept");
    expect(await storage.getItem("session")).toBe("kept");
  });

  it.each([
    ["and says so", true],
    ["without a word", false],
  ])("opens its database again where the browser has closed it, %s", async (_how, isSaid) => {
    const database = createIndexedDb();
    Object.defineProperty(globalThis, "indexedDB", { configurable: true, value: database.factory });
    const storage = createBrowserStorage();
    await storage.setItem("session", "kept");
    database.close(isSaid);
    expect(await storage.getItem("session")).toBe("kept");
    expect(await storage.getItem("nothing")).toBeNull();
    expect(database.opened()).toBe(2);
  });
});

/** As much of a browser's IndexedDB as is asked for here. What is written stays; connections are closed by `close`. */
function createIndexedDb() {
  const kept = new Map<string, unknown>();
  const open = new Set<{ isClosed: boolean; onclose?: () => void }>();
  let opened = 0;
  const later = (act: () => void) => void queueMicrotask(act);
  const answerOf = <Answer>(act: () => Answer, done: () => void) => {
    const request: { result?: Answer } = {};
    later(() => {
      request.result = act();
      later(done);
    });
    return request;
  };
  const transactionOf = () => {
    const transaction: { oncomplete?: () => void; objectStore?: () => object } = {};
    const done = () => transaction.oncomplete?.();
    transaction.objectStore = () => ({
      get: (key: string) => answerOf(() => kept.get(key), done),
      put: (value: unknown, key: string) => answerOf(() => kept.set(key, value), done),
      add: (value: unknown, key: string) => answerOf(() => kept.set(key, value), done),
      delete: (key: string) => answerOf(() => kept.delete(key), done),
    });
    return transaction;
  };
  const factory = {
    open: () => {
      opened += 1;
      const connection = {
        isClosed: false,
        transaction: () => {
          if (connection.isClosed) throw new DOMException("The database connection is closing.", "InvalidStateError");
          return transactionOf();
        },
      };
      open.add(connection);
      const request: { result?: object; onsuccess?: () => void } = { result: connection };
      later(() => request.onsuccess?.());
      return request;
    },
  };
  return {
    factory,
    opened: () => opened,
    close: (isSaid: boolean) => {
      for (const connection of open) {
        connection.isClosed = true;
        if (isSaid) connection.onclose?.();
      }
    },
  };
}
