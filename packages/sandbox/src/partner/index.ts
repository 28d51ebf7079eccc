import { InvalidPartnerSignature, type Rails } from "@trellis/kernel/ports/rails.js";
import { readNews } from "./news.js";
import type { SimulatorParts } from "./parts.js";
import { createSimulatedTransfers } from "./transfers.js";
import { createSimulatedVerifications } from "./verifications.js";
import { createSimulatedAccounts } from "./virtual-accounts.js";

/**
 * The partner that only the sandbox has (gap 49): it checks no person and knows no bank. Everything it keeps is in the
 * database, and what takes time with it goes by the environment's clock.
 */
export function createSandboxRails(parts: SimulatorParts): Rails & Required<Pick<Rails, "simulator">> {
  const verifications = createSimulatedVerifications(parts);
  const accounts = createSimulatedAccounts(parts);
  const transfers = createSimulatedTransfers(parts);
  return {
    partner: {
      name: "sandbox",
      ...verifications.partner,
      ...accounts.partner,
      ...transfers.partner,
      hintsFrom: () => {
        throw new InvalidPartnerSignature("the simulated partner sends nothing over the network");
      },
      changesSince: async (cursor) => ({ ok: true, value: await readNews(parts.db, parts.network.name, cursor) }),
    },
    simulator: {
      ...verifications.simulator,
      ...accounts.simulator,
      ...transfers.simulator,
      play: async () => {
        await verifications.play();
        await accounts.play();
        await transfers.play();
      },
    },
  };
}
