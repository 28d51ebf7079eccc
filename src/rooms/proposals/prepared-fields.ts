import Type from "typebox";
import { preparedFields, WireKmsPayload } from "../transactions/prepared-transaction.js";

const { transaction_signers, expires_at, summary, fee } = preparedFields;

/** A prepared transaction where the interface answers a list of them (gaps 36, 39): one, except for a batch (gap 109). */
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
