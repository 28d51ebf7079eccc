/** Set-ups that tests begin with, in a line each. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { openTestNetwork, type TestNetwork } from "./test-network.js";
import { startTestService, type TestService } from "./test-service.js";

/** For each test of a file anew, instead of once for all. */
interface Often {
  readonly each?: boolean;
}

/** A database, a chain and the custodians for all tests of a file, without HTTP: opened before the first, closed after the last. */
export const useTestNetwork = (often?: Often): TestNetwork => use(openTestNetwork, often);

/** The whole service on a socket for all tests of a file, likewise; what it takes is described at `startTestService`. */
export const useTestService = (...options: Parameters<typeof startTestService>): TestService =>
  use(() => startTestService(...options));

/**
 * Stands for what is opened before the first test, such as an account; what can be closed is closed after the last. What is
 * used first is opened first and closed last. Reading anything of it earlier fails.
 */
export function use<T extends object>(open: () => Promise<T>, { each = false }: Often = {}): T {
  let opened: (T & { close?(): Promise<unknown> }) | undefined;
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    opened = await open();
  });
  after(() => opened?.close?.());
  const the = (part: string | symbol): T => {
    if (opened === undefined) throw new Error(`read before it was opened: ${String(part)}`);
    return opened;
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(the(name), name),
    has: (_, name) => Reflect.has(the(name), name),
    // For copies of it.
    ownKeys: () => Reflect.ownKeys(the("names")),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(the(name), name),
  });
}
