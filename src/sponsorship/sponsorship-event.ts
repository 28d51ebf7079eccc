import { type EventObjects, example, maybe } from "@trellis/kernel/event-objects.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";

const { wallet } = example;

/** What events about what the service pays for others carry. */
export const sponsorshipEvents = {
  "fee_payer.low": {
    schema: Type.Object({ address: addressText(), message: maybe(Type.String()) }),
    example: { address: wallet, message: "The fee payer holds too little." },
  },
  "sponsorship.exhausted": {
    schema: Type.Object({ budget: Type.String(), retry_after_seconds: maybe(Type.Integer()) }),
    example: { budget: "day", retry_after_seconds: 3_600 },
  },
} as const satisfies EventObjects;
