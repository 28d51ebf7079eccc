/** Set-ups that tests begin with, in a line each. */
import { openTestNetwork, type TestNetwork } from "./test-network.js";
import { startTestService, type TestService } from "./test-service.js";
import { use } from "./use.js";

export { use };

/** A database, a chain and the custodians for all tests of a file, without HTTP: opened before the first, closed after the last. */
export const useTestNetwork = (often?: Parameters<typeof use>[1]): TestNetwork => use(openTestNetwork, often);

/** The whole service on a socket for all tests of a file, likewise; what it takes is described at `startTestService`. */
export const useTestService = (...options: Parameters<typeof startTestService>): TestService =>
  use(() => startTestService(...options));
