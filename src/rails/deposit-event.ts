import type { CoinDestination } from "@trellis/kernel/coin-destination.js";
import { type EventObjects, eventShape, example, leftOut } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { WireDeposit } from "./deposit.js";

const { account, at, coin, id, signature } = example;

const toUsdc: Static<typeof CoinDestination> = { address: account, currency: coin, payment_rail: "solana" };

const shape = eventShape(WireDeposit, { id: "DepositSnapshot", without: { sender_name: leftOut.sealed } });

const deposit = (state: "received" | "processed"): Static<typeof shape.schema> => ({
  id,
  virtual_account_id: id,
  account,
  state,
  amount: "250.00",
  currency: "usd",
  payment_rail: "ach_push",
  destination: toUsdc,
  ...(state === "received"
    ? { credited: false }
    : {
        fees: { developer_fee: "1.25", exchange_fee: "0.00", gas_fee: "0.00" },
        transaction_signature: signature,
        credited: true,
        received: { amount: "248750000", ui_amount: "248.75", confirmed_at: at },
      }),
  created_at: at,
  updated_at: at,
});

/** What events about deposits carry. */
export const depositEvents = {
  "deposit.created": { ...shape, example: deposit("received") },
  "deposit.updated": { ...shape, example: deposit("processed") },
} as const satisfies EventObjects;
