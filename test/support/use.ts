import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

/**
 * Stands for what is opened before the first test, or anew before each one; what can be closed is closed after the last, or
 * after each one. What is used first is opened first and closed last. Reading anything of it earlier fails. A `close` that
 * wants arguments is something else, and no object to use.
 */
export function use<T extends object & { close?(): unknown }>(
  open: () => Promise<T>,
  { each = false }: { readonly each?: boolean } = {},
): T {
  let opened: T | undefined;
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    opened = await open();
  });
  after(() => opened?.close?.());
  return standIn(() => opened);
}

/** Stands for an object that is made later, and perhaps made anew. */
export function standIn<T extends object>(read: () => T | undefined): T {
  const made = (part: string | symbol): T => {
    const object = read();
    if (object === undefined) throw new Error(`read before it was opened: ${String(part)}`);
    return object;
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(made(name), name),
    set: (_, name, value) => Reflect.set(made(name), name, value),
    has: (_, name) => Reflect.has(made(name), name),
    // For copies: {...it}.
    ownKeys: () => Reflect.ownKeys(made("its keys")),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(made(name), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
