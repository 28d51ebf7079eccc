import { CoinDestination } from "@trellis/kernel/coin-destination.js";
import { dateTime, type EventObjects, example, maybe } from "@trellis/kernel/event-objects.js";
import { addressText, signatureText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const { account, at, coin, id, signature } = example;

const toUsdc: Static<typeof CoinDestination> = { address: account, currency: coin, payment_rail: "solana" };

const depositObject = Type.Object(
  {
    id: Type.String(),
    virtual_account_id: uuidText(),
    account: addressText(),
    state: Type.Enum(["scheduled", "received", "in_review", "submitted", "processed", "not_credited", "refunded"]),
    amount: Type.String({ description: "A decimal in the currency of the bank." }),
    currency: Type.String(),
    payment_rail: maybe(Type.String()),
    fees: maybe(
      Type.Object(
        { developer_fee: Type.String(), exchange_fee: Type.String(), gas_fee: Type.String() },
        { $id: "DepositFees" },
      ),
    ),
    destination: CoinDestination,
    transaction_signature: maybe(signatureText()),
    credited: Type.Boolean({ description: "Whether the chain shows its payment, final." }),
    received_amount: maybe(Type.String({ description: "Base units that arrived, as the chain says." })),
    confirmed_at: maybe(dateTime),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "DepositSnapshot", description: "Without its sender: that is read by GET." },
);

const deposit = (state: "received" | "processed"): Static<typeof depositObject> => ({
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
        received_amount: "248750000",
        confirmed_at: at,
      }),
  created_at: at,
  updated_at: at,
});

/** What events about deposits carry. */
export const depositEvents = {
  "deposit.created": { schema: depositObject, example: deposit("received") },
  "deposit.updated": { schema: depositObject, example: deposit("processed") },
} as const satisfies EventObjects;
