import { afterAll, beforeAll } from "vitest";

/** Stands for what is opened before the first test and closed after the last one. Reading anything of it earlier fails. */
export function useOpened<T extends { close(): unknown }>(open: () => Promise<T>): T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());
  return standIn(() => opened);
}

/** Stands for an object that is made later, and perhaps anew before each test. */
export function standIn<T extends object>(read: () => T | undefined): T {
  const made = (name: string | symbol): T => {
    const object = read();
    if (object === undefined) throw new Error(`read before it was opened: ${String(name)}`);
    return object;
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(made(name), name),
    set: (_, name, value) => Reflect.set(made(name), name, value),
    // A copy of it ({...it}) would be empty.
    ownKeys: () => {
      throw new Error("what stands for an object that is opened later cannot be copied");
    },
  });
}
