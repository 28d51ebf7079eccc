import type { PartnerAnswer, RailsPartner, RailsSimulator } from "../../../ports/rails.js";
import type { SimulatorParts } from "./parts.js";

/** The part of the simulated partner that takes money in under bank details. */
export interface SimulatedAccounts {
  readonly partner: Pick<
    RailsPartner,
    "payIns" | "openVirtualAccount" | "findVirtualAccount" | "readVirtualAccount" | "listDeposits"
  >;
  readonly simulator: Pick<RailsSimulator, "deposit" | "setVirtualAccountActive">;
  /** Lets happen what is due by the environment's clock. */
  play(): Promise<void>;
}

/** It offers no pay-in, and says so. */
export function createSimulatedAccounts(_parts: SimulatorParts): SimulatedAccounts {
  const offersNone = async (): Promise<PartnerAnswer<never>> => ({
    ok: false,
    refused: { reason: "not_enabled", forOperator: "the simulated partner offers no virtual accounts" },
  });
  const has = async (): Promise<never> => {
    throw new Error("the simulated partner has no virtual accounts");
  };
  return {
    partner: {
      payIns: [],
      openVirtualAccount: offersNone,
      findVirtualAccount: offersNone,
      readVirtualAccount: offersNone,
      listDeposits: offersNone,
    },
    simulator: { deposit: has, setVirtualAccountActive: has },
    play: async () => undefined,
  };
}
