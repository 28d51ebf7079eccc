import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { decimalText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import type { FoundIntent } from "../payments/intent-store.js";
import type { PaymentIntent } from "../payments/payment-intent.js";
import { openReference } from "../rails/transfer-store.js";
import { paymentIntentStates } from "../submissions/intent-states.js";

const text = Type.Union([Type.String(), Type.Null()]);

const nullable = <const Names extends readonly string[]>(names: Names) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, text])) as Record<Names[number], typeof text>);

const sourceFields = [
  "bank_beneficiary_address",
  "bank_beneficiary_name",
  "bank_name",
  "bank_routing_number",
  "bridge_wallet_id",
  "currency",
  "description",
  "external_account_id",
  "from_address",
  "imad",
  "omad",
  "payment_rail",
] as const;

const destinationFields = [
  "ach_reference",
  "blockchain_memo",
  "bridge_wallet_id",
  "currency",
  "external_account_id",
  "from_address",
  "imad",
  "omad",
  "payment_rail",
  "sepa_reference",
  "swift_charges",
  "swift_reference",
  "to_address",
  "trace_number",
  "uetr",
  "wire_message",
] as const;

const receiptFields = [
  "destination_tx_hash",
  "developer_fee",
  "exchange_fee",
  "exchange_rate",
  "final_amount",
  "gas_fee",
  "initial_amount",
  "remaining_prefunded_balance",
  "source_tx_hash",
  "subtotal_amount",
  "url",
] as const;

/** A payment intent as v0 shows it (interface 2.15, gap 79). What only a bank fills is null. */
export const LegacyPaymentIntent = Type.Object(
  {
    PaymentProvider: Type.Object(
      {
        id: uuidText(),
        amount: decimalText({
          description: "Base units, as every amount on chain; of money from a bank, a decimal in its currency.",
        }),
        blockchain_memo: text,
        client_reference_id: text,
        developer_fee: Type.String(),
        on_behalf_of: Type.String({ description: "The grid_user_id of the account." }),
        state: Type.Enum([...paymentIntentStates], { description: "The payment's state." }),
        created_at: Type.String({ format: "date-time" }),
        updated_at: Type.String({ format: "date-time" }),
        currency: text,
        return_details: Type.Union([Type.Object({ reason: Type.String() }), Type.Null()]),
        source_deposit_instructions: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
        source: nullable(sourceFields),
        destination: nullable(destinationFields),
        receipt: nullable(receiptFields),
      },
      { $id: "LegacyPayment" },
    ),
  },
  { $id: "LegacyPaymentIntent" },
);

export type LegacyPaymentIntent = Static<typeof LegacyPaymentIntent>;

/** Turns an intent of the present interface into that of v0. */
export function showLegacyIntent(
  intent: PaymentIntent,
  account: { readonly user_id: string },
  bank?: { readonly found: Pick<FoundIntent, "transfer">; readonly keyring: Keyring },
): LegacyPaymentIntent {
  const { amount, currency, state } = intent;
  if (bank?.found.transfer !== undefined) return showBankIntent(intent, account, bank.found.transfer, bank.keyring);
  // What expired has a signature, and is in no block.
  const hash = state === "canceled" ? null : (intent.transaction_signature ?? null);
  const nothing = "0";
  return {
    PaymentProvider: {
      id: intent.id,
      amount,
      blockchain_memo: intent.destination.memo ?? null,
      client_reference_id: null,
      developer_fee: nothing,
      on_behalf_of: account.user_id,
      state,
      created_at: intent.created_at,
      updated_at: intent.updated_at,
      currency,
      return_details: null,
      source_deposit_instructions: null,
      source: {
        ...allNull(sourceFields),
        currency,
        from_address: intent.source.account ?? null,
        payment_rail: "solana",
      },
      destination: {
        ...allNull(destinationFields),
        blockchain_memo: intent.destination.memo ?? null,
        currency: intent.destination.currency,
        from_address: intent.source.account ?? null,
        payment_rail: "solana",
        to_address: intent.destination.address ?? null,
      },
      receipt: {
        ...allNull(receiptFields),
        initial_amount: amount,
        subtotal_amount: amount,
        final_amount: state === "payment_processed" ? amount : null,
        developer_fee: nothing,
        exchange_fee: nothing,
        gas_fee: nothing,
        source_tx_hash: hash,
        destination_tx_hash: hash,
      },
    },
  };
}

/** An intent with a bank at one end: what its partner reported, in the names of 2.15. */
function showBankIntent(
  { source, destination, ...intent }: PaymentIntent,
  account: { readonly user_id: string },
  transfer: NonNullable<FoundIntent["transfer"]>,
  keyring: Keyring,
): LegacyPaymentIntent {
  const reported: Readonly<Record<string, string>> = intent.receipt ?? {};
  const isToBank = destination.external_account_id !== undefined;
  const instructions = intent.source_deposit_instructions ?? null;
  const reference = openReference(keyring, transfer);
  const isEnded = intent.state === "canceled" || intent.state === "error";
  const isSepa = destination.payment_rail === "sepa";
  return {
    PaymentProvider: {
      id: intent.id,
      amount: intent.amount,
      blockchain_memo: null,
      client_reference_id: intent.id,
      developer_fee: reported.developer_fee ?? "0",
      on_behalf_of: account.user_id,
      state: intent.state,
      created_at: intent.created_at,
      updated_at: intent.updated_at,
      currency: intent.currency,
      return_details: intent.return_details ?? null,
      source_deposit_instructions: instructions,
      source: {
        ...allNull(sourceFields),
        currency: source.currency,
        from_address: source.account ?? null,
        payment_rail: source.payment_rail ?? "solana",
        ...(isToBank ? {} : pick(sourceFields, instructions ?? {}, ["currency", "payment_rail", "from_address"])),
      },
      destination: {
        ...allNull(destinationFields),
        currency: destination.currency,
        external_account_id: destination.external_account_id ?? null,
        from_address: isToBank ? (source.account ?? null) : null,
        payment_rail: destination.payment_rail ?? "solana",
        // Of coins that a partner takes: where it takes them.
        to_address: isToBank ? (transfer.to_address ?? null) : (destination.address ?? null),
        ...(reference === null || !isToBank
          ? {}
          : isSepa
            ? { sepa_reference: reference }
            : destination.payment_rail === "wire"
              ? { wire_message: reference }
              : { ach_reference: reference }),
      },
      receipt: {
        ...allNull(receiptFields),
        ...pick(receiptFields, reported, []),
        // What expired, or failed, has moved nothing.
        ...(isToBank && intent.transaction_signature !== undefined && (!isEnded || intent.confirmed_at !== undefined)
          ? { source_tx_hash: intent.transaction_signature }
          : {}),
      },
    },
  };
}

/** Those of the names that were reported. */
function pick<const Names extends readonly string[]>(
  names: Names,
  reported: Readonly<Record<string, string>>,
  but: readonly string[],
): Partial<Record<Names[number], string>> {
  const found = names.filter((name) => reported[name] !== undefined && !but.includes(name));
  return Object.fromEntries(found.map((name) => [name, reported[name]])) as Partial<Record<Names[number], string>>;
}

function allNull<const Names extends readonly string[]>(names: Names): Record<Names[number], null> {
  return Object.fromEntries(names.map((name) => [name, null])) as Record<Names[number], null>;
}
