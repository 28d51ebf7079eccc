import { CoinDestination } from "@trellis/kernel/coin-destination.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { formatUnits } from "@trellis/kernel/money.js";
import { addressText, amountText, decimalText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { depositStates } from "./deposit-states.js";
import { type DepositRow, openSender } from "./deposit-store.js";

const dateTime = Type.String({ format: "date-time" });

/** Money that a virtual account received (gap 99). */
export const WireDeposit = Type.Object(
  {
    id: uuidText(),
    virtual_account_id: uuidText(),
    account: addressText({ description: "The smart account." }),
    state: Type.Enum([...depositStates.all], { $id: "DepositState", description: "Where the partner has it." }),
    amount: Type.String({ description: "What was sent: a decimal in the currency of the bank." }),
    currency: Type.String({ examples: ["usd"] }),
    payment_rail: Type.Optional(Type.String({ examples: ["ach_push"] })),
    sender_name: Type.Optional(Type.String()),
    fees: Type.Optional(
      Type.Object(
        { developer_fee: Type.String(), exchange_fee: Type.String(), gas_fee: Type.String() },
        { $id: "DepositFees" },
      ),
    ),
    destination: CoinDestination,
    transaction_signature: Type.Optional(Type.String({ description: "Of its payment on chain, as the partner says." })),
    credited: Type.Boolean({
      description:
        "Whether the chain shows that payment, final: whatever the partner says, the money is there only then.",
    }),
    received: Type.Optional(
      Type.Object(
        { amount: amountText(), ui_amount: decimalText(), confirmed_at: dateTime },
        { $id: "DepositReceived", description: "What arrived, as the chain says." },
      ),
    ),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { $id: "Deposit" },
);

/** As the wire has it. */
export function showDeposit(keyring: Keyring, row: DepositRow): Static<typeof WireDeposit> {
  const sender = openSender(keyring, row);
  return {
    id: row.id,
    virtual_account_id: row.virtual_account_id,
    account: row.account_address,
    state: row.state,
    amount: row.amount,
    currency: row.currency,
    ...(row.rail === null ? {} : { payment_rail: row.rail }),
    ...(sender === null ? {} : { sender_name: sender }),
    ...(row.fees === null ? {} : { fees: JSON.parse(row.fees) }),
    destination: { address: row.account_address, currency: row.coin, payment_rail: "solana" },
    ...(row.signature === null ? {} : { transaction_signature: row.signature }),
    credited: row.confirmed_at !== null,
    ...(row.received === null
      ? {}
      : {
          received: {
            amount: row.received,
            ui_amount: formatUnits(BigInt(row.received), row.decimals),
            confirmed_at: new Date(Number(row.confirmed_at) * 1000).toISOString(),
          },
        }),
    created_at: new Date(Number(row.created_at)).toISOString(),
    updated_at: new Date(Number(row.updated_at)).toISOString(),
  };
}
