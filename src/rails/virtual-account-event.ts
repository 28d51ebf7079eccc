import type { CoinDestination } from "@trellis/kernel/coin-destination.js";
import { type EventObjects, eventShape, example, leftOut } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { VirtualAccount } from "./virtual-account.js";

const { account, at, coin, id } = example;

const toUsdc: Static<typeof CoinDestination> = { address: account, currency: coin, payment_rail: "solana" };

const shape = eventShape(VirtualAccount, {
  id: "VirtualAccountSnapshot",
  without: {
    source_deposit_instructions: leftOut.sealed,
    customer_id: "a partner's reference, which is kept out of the feed",
  },
});

const virtualAccount = (status: "activated" | "deactivated"): Static<typeof shape.schema> => ({
  id,
  account,
  grid_user_id: id,
  status,
  currency: "usd",
  payment_rails: ["ach_push", "wire"],
  destination: toUsdc,
  last_4: "0042",
  developer_fee_percent: "0.5",
  created_at: at,
  updated_at: at,
});

/** What events about virtual accounts carry. */
export const virtualAccountEvents = {
  "virtual_account.created": { ...shape, example: virtualAccount("activated") },
  "virtual_account.updated": { ...shape, example: virtualAccount("deactivated") },
} as const satisfies EventObjects;
