import { railTransferStates } from "@trellis/kernel/ports/rails.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";

const dateTime = Type.String({ format: "date-time" });
const end = Type.Object(
  {
    currency: Type.String(),
    payment_rail: Type.Optional(Type.String()),
    from_address: Type.Optional(Type.String()),
    to_address: Type.Optional(Type.String()),
    external_account_id: Type.Optional(uuidText({ description: "The bank account that is paid." })),
  },
  { $id: "RailEnd" },
);

/** Money that a partner moves between a bank and the account, by the names of interface 2.15. */
export const RailMovement = Type.Object(
  {
    id: uuidText({ description: "Of the deposit, or of the payment intent." }),
    kind: Type.Enum(["deposit", "pay_in", "pay_out"], {
      description: "To a virtual account; or a payment from a bank, or to one.",
    }),
    virtual_account_id: Type.Optional(uuidText()),
    grid_user_id: uuidText(),
    main_account_address: addressText({ description: "The smart account." }),
    direction: Type.Enum(["inflow", "outflow"]),
    state: Type.Enum([...railTransferStates], { description: "Where the partner has it." }),
    amount: Type.String({ description: "A decimal in `currency`." }),
    currency: Type.String({ examples: ["usd"] }),
    source: end,
    destination: end,
    receipt: Type.Object({
      initial_amount: Type.String(),
      developer_fee: Type.Optional(Type.String()),
      exchange_fee: Type.Optional(Type.String()),
      gas_fee: Type.Optional(Type.String()),
      exchange_rate: Type.Optional(Type.String()),
      subtotal_amount: Type.Optional(Type.String()),
      final_amount: Type.Optional(
        Type.String({ description: "What arrived, on chain or at the bank, in major units." }),
      ),
      source_tx_hash: Type.Optional(
        Type.String({ description: "Of a payment to a bank: the `Spl` item of the same signature is what it cost." }),
      ),
      destination_tx_hash: Type.Optional(
        Type.String({
          description:
            "The `Spl` item of the same signature is what it paid in; of a payment to a bank: what was returned.",
        }),
      ),
      url: Type.Optional(Type.String()),
    }),
    return_details: Type.Optional(Type.Object({ reason: Type.String() }, { $id: "ReturnDetails" })),
    credited: Type.Boolean({
      description: "Whether the chain shows its payment to the account, or to the partner, final.",
    }),
    confirmed_at: Type.Optional(dateTime),
    environment: Type.Enum(["sandbox", "devnet", "mainnet"]),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "RailMovement" },
);

/** A row in its order: by when it began, to the millisecond, and by its id. */
export interface Movement {
  readonly createdAt: bigint;
  readonly bridge: Static<typeof RailMovement>;
}
