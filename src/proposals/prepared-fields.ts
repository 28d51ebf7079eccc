import { addressText, amountText, sha256Text } from "@trellis/kernel/wire-texts.js";
import { toBase64 } from "@trellis/solana/wire-transaction.js";
import Type, { type Static } from "typebox";
import { preparedFields, WireKmsPayload } from "../transactions/prepared-transaction.js";

const { transaction_signers, expires_at, summary, fee } = preparedFields;

/** A prepared transaction where the interface answers a list of them (gaps 36, 39): one, except for a batch (gap 109) or a buffer (gap 110). */
export const preparedProposalFields = {
  transactions: Type.Array(Type.String(), {
    description: "Base64 wire transactions, unsigned, for the multiple submit.",
  }),
  transaction_signers,
  kms_payloads: Type.Array(Type.Array(WireKmsPayload), { description: "One array per transaction, in their order." }),
  expires_at,
  summary,
  fee,
};

/** The buffer that a message goes through which does not fit one transaction (gap 110). */
export const BufferUse = Type.Object(
  {
    address: addressText(),
    message: Type.String({ description: "Base64 of what is put together in it and then voted on." }),
    message_sha256: sha256Text({ description: "Of the message." }),
    written_bytes: Type.Integer({ description: "How much of the message is there already, and not sent again." }),
    rent_lamports: amountText({
      description: "What the buffer takes now. The creator gets it when it is used or closed.",
    }),
    rent_payer: Type.Optional(addressText({ description: "Who pays that: the creator, or your own fee payer." })),
  },
  { description: "Where the message is put together, if it does not fit one transaction." },
);

/** How far a batch is whose making continues (gap 109). */
export const BatchProgress = Type.Object(
  {
    size: Type.Integer({ description: "How many transactions it is to have." }),
    stored: Type.Integer({
      description: "How many of them, the first ones, are on chain already, and not sent again.",
    }),
  },
  { description: "Of a batch." },
);

interface WireBuffer {
  readonly address: string;
  readonly message: Uint8Array;
  readonly digest: string;
  readonly writtenBytes: number;
  readonly rent: { readonly lamports: bigint; readonly payer: string } | null;
}

export const toBufferUse = ({
  address,
  message,
  digest,
  writtenBytes,
  rent,
}: WireBuffer): Static<typeof BufferUse> => ({
  address,
  message: toBase64(message),
  message_sha256: digest,
  written_bytes: writtenBytes,
  rent_lamports: (rent?.lamports ?? 0n).toString(),
  ...(rent ? { rent_payer: rent.payer } : {}),
});
