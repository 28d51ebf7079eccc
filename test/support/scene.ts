/** Set-ups that tests begin with, in a line each. */
import { afterAll, beforeAll } from "vitest";
import { type Floor, openFloor } from "../contract/http-fixture.js";
import { openTestNetwork, type TestNetwork } from "./test-network.js";
import { startTestService, type TestService } from "./test-service.js";

/** A database, a chain and the custodians for all tests of a file, without HTTP: opened before the first, closed after the last. */
export const useTestNetwork = (): TestNetwork => useOpened(openTestNetwork);

/** The whole service on a socket for all tests of a file, likewise; what it takes is described at `startTestService`. */
export const useTestService = (...options: Parameters<typeof startTestService>): TestService =>
  useOpened(() => startTestService(...options));

/** The HTTP floor with endpoints of the test's choice, likewise, without a chain; what it takes is described at `openFloor`. */
export const useFloor = (...options: Parameters<typeof openFloor>): Floor => useOpened(() => openFloor(...options));

/** Stands for what is opened before the first test. Reading anything of it earlier fails. */
function useOpened<T extends { close(): Promise<void> }>(open: () => Promise<T>): T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());
  return new Proxy({} as T, {
    get: (_, name) => {
      if (opened === undefined) throw new Error(`read before it was opened: ${String(name)}`);
      return Reflect.get(opened, name);
    },
  });
}
