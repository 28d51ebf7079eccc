import type { PartnerAnswer, RailsPartner, RailsSimulator } from "../../../ports/rails.js";
import type { SimulatorParts } from "./parts.js";

/** The part of the simulated partner that knows bank accounts and moves money once. */
export interface SimulatedTransfers {
  readonly partner: Pick<
    RailsPartner,
    | "payOuts"
    | "addBankAccount"
    | "removeBankAccount"
    | "createTransfer"
    | "findTransfer"
    | "readTransfer"
    | "cancelTransfer"
  >;
  readonly simulator: Pick<RailsSimulator, "setTransfer">;
  /** Lets happen what is due by the environment's clock, or was seen on chain. */
  play(): Promise<void>;
}

/** It offers no transfer, and says so. */
export function createSimulatedTransfers(_parts: SimulatorParts): SimulatedTransfers {
  const offersNone = async (): Promise<PartnerAnswer<never>> => ({
    ok: false,
    refused: { reason: "not_enabled", forOperator: "the simulated partner offers no transfers" },
  });
  return {
    partner: {
      payOuts: [],
      addBankAccount: offersNone,
      removeBankAccount: offersNone,
      createTransfer: offersNone,
      findTransfer: offersNone,
      readTransfer: offersNone,
      cancelTransfer: offersNone,
    },
    simulator: {
      setTransfer: async () => {
        throw new Error("the simulated partner has no transfers");
      },
    },
    play: async () => undefined,
  };
}
