import { CoinDestination } from "@trellis/kernel/coin-destination.js";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import { virtualAccountStates } from "./virtual-account-states.js";
import { type OpenedVirtualAccount, openInstructions } from "./virtual-account-store.js";

const detail = (description?: string) =>
  Type.Optional(description === undefined ? Type.String() : Type.String({ description }));

/** Interface 2.14 and gap 44: the same by v0 and v1. */
export const VirtualAccount = Type.Object(
  {
    id: uuidText(),
    customer_id: Type.String({ description: "What the partner calls the customer." }),
    status: Type.Enum([...virtualAccountStates.all], { description: "Only an activated one receives money." }),
    developer_fee_percent: Type.String({ description: "A decimal; deducted from every deposit." }),
    destination: CoinDestination,
    source_deposit_instructions: Type.Object(
      {
        currency: Type.String({ examples: ["usd"] }),
        payment_rails: Type.Array(Type.String(), { examples: [["ach_push", "wire"]] }),
        bank_name: detail(),
        bank_address: detail(),
        bank_routing_number: detail(),
        bank_account_number: detail(),
        bank_beneficiary_name: detail(),
        bank_beneficiary_address: detail(),
        iban: detail(),
        bic: detail(),
        account_number: detail(),
        sort_code: detail(),
        clabe: detail(),
        br_code: detail(),
        account_holder_name: detail(),
      },
      {
        $id: "BankInstructions",
        additionalProperties: Type.String(),
        description: "What a payer needs. Which names there are is up to the currency; a partner may add others.",
      },
    ),
    created_at: Type.String({ format: "date-time" }),
    updated_at: Type.String({ format: "date-time" }),
  },
  { $id: "VirtualAccount" },
);

/** As the wire has it. */
export function showVirtualAccount(keyring: Keyring, row: OpenedVirtualAccount): Static<typeof VirtualAccount> {
  return {
    id: row.id,
    customer_id: row.customer_ref,
    status: row.status,
    developer_fee_percent: row.fee_percent ?? "0",
    destination: { address: row.account_address, currency: row.coin, payment_rail: "solana" },
    source_deposit_instructions: {
      ...openInstructions(keyring, row),
      currency: row.currency,
      payment_rails: JSON.parse(row.rails) as string[],
    },
    created_at: new Date(Number(row.created_at)).toISOString(),
    updated_at: new Date(Number(row.updated_at)).toISOString(),
  };
}

/** Instructions are copied by hand: upper or lower case is one currency. */
export const currencyField = Type.String({
  description: "The currency of the bank: `usd`, `eur`, `gbp`, …, as the partner offers them.",
  examples: ["usd"],
  maxLength: 20,
});
