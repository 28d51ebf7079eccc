import { CoinDestination } from "@trellis/kernel/coin-destination.js";
import { dateTime, type EventObjects, example, maybe } from "@trellis/kernel/event-objects.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, coin, id } = example;

const toUsdc: Static<typeof CoinDestination> = { address: account, currency: coin, payment_rail: "solana" };

const virtualAccountObject = Type.Object(
  {
    id: Type.String(),
    account: addressText(),
    grid_user_id: uuidText(),
    status: Type.Enum(["activated", "deactivated"]),
    currency: Type.String(),
    payment_rails: Type.Array(Type.String()),
    destination: CoinDestination,
    last_4: maybe(Type.String()),
    developer_fee_percent: Type.String(),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "VirtualAccountSnapshot", description: "Without its bank details: those are read by GET." },
);
const virtualAccount = (status: "activated" | "deactivated"): Static<typeof virtualAccountObject> => ({
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
  "virtual_account.created": { schema: virtualAccountObject, example: virtualAccount("activated") },
  "virtual_account.updated": { schema: virtualAccountObject, example: virtualAccount("deactivated") },
} as const satisfies EventObjects;
