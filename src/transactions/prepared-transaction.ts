import type { Address } from "@solana/kit";
import type { CustodianName } from "@trellis/kernel/ports/custodian.js";
import { addressText, amountText } from "@trellis/kernel/wire-texts.js";
import type { Lifetime } from "@trellis/solana/compose.js";
import Type, { type Static } from "typebox";
import { custodianNames } from "../custody/custodians.js";
import type { BufferStep } from "./buffer-call.js";
import { SummaryItem } from "./summary-item.js";

/** A payload for a holder to sign, as the wire shows it (interface 2.8). */
export const WireKmsPayload = Type.Object(
  {
    address: addressText({ description: "The signer the payload is for: an entry of transaction_signers." }),
    payload: Type.String({ description: "Base64 of the JSON document to sign." }),
    provider: Type.Unsafe<CustodianName>(Type.Union(custodianNames.map((name) => Type.Literal(name)))),
  },
  { $id: "KmsPayload" },
);

/** The fields every prepared transaction answers with (gap 25). */
export const preparedFields = {
  transaction: Type.String({ description: "Base64 wire transaction, unsigned." }),
  transaction_signers: Type.Array(addressText(), {
    description: "Addresses that must sign, the service's fee payer aside.",
  }),
  kms_payloads: Type.Array(WireKmsPayload),
  expires_at: Type.String({ format: "date-time", description: "Until when it can be submitted." }),
  summary: Type.Array(SummaryItem, { description: "What it does, read off its bytes." }),
  fee: Type.Object(
    {
      lamports: amountText({ description: "The chain's fee." }),
      rent_lamports: amountText({ description: "Rent of accounts it creates, paid by the fee payer." }),
      paid_by: addressText({ description: "The fee payer's address." }),
    },
    { $id: "TransactionFee", description: "What it costs and who pays." },
  ),
};

export const PreparedFields = Type.Object(preparedFields, { $id: "PreparedTransaction" });
export type PreparedFields = Static<typeof PreparedFields>;

/** A transaction ready to be signed, and what the service has to remember of it. */
export interface PreparedTransaction {
  /** Lower-case hex SHA-256 of its message. */
  readonly id: string;
  readonly kind: string;
  /** Base64 wire form, every signature zero. */
  readonly transaction: string;
  readonly signers: readonly Address[];
  readonly payloads: readonly PreparedPayload[];
  readonly feePayer: Address;
  readonly feeLamports: bigint;
  readonly rentLamports: bigint;
  readonly lifetime: Lifetime;
  /** Of the state it was simulated on, at which it had not landed; null: it was not simulated. */
  readonly simulatedSlot: bigint | null;
  /** What has to land before it; null: nothing. */
  readonly follows: string | null;
  /** What it leaves of a message in a buffer; null: it has nothing to do with one. */
  readonly bufferStep: BufferStep | null;
  /** Environment time, Unix milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly summary: readonly SummaryItem[];
  /** What the simulation said, for callers that want it. */
  readonly simulationLogs: readonly string[];
}

/** A payload with what the service remembers of it. */
export interface PreparedPayload {
  /** Its nonce. */
  readonly id: string;
  readonly provider: CustodianName;
  readonly walletId: string;
  readonly address: Address;
  /** Base64, as handed out. */
  readonly payload: string;
}

/** The wire form of a prepared transaction. */
export function toPreparedFields(prepared: PreparedTransaction): PreparedFields {
  return {
    transaction: prepared.transaction,
    transaction_signers: [...prepared.signers],
    kms_payloads: prepared.payloads.map(({ address, payload, provider }) => ({ address, payload, provider })),
    expires_at: new Date(prepared.expiresAt).toISOString(),
    summary: [...prepared.summary],
    fee: {
      lamports: prepared.feeLamports.toString(),
      rent_lamports: prepared.rentLamports.toString(),
      paid_by: prepared.feePayer,
    },
  };
}
