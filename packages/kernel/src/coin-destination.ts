import Type from "typebox";
import { addressText } from "./wire-texts.js";

/** Where a partner's coins arrive on chain, as answers and events show it. */
export const CoinDestination = Type.Object(
  {
    address: addressText({ description: "The smart account." }),
    currency: Type.String({ description: "What arrives on chain.", examples: ["usdc"] }),
    payment_rail: Type.Literal("solana"),
  },
  { $id: "CoinDestination" },
);
