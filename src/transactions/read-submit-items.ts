import { TrellisError } from "@trellis/kernel/errors.js";
import { readSignedPayload, type SubmittedPayload } from "../custody/signed-payload.js";
import type { SubmitItem } from "./submit-item.js";

/** A request to submit, before it is known to be of one form or the other. */
interface SubmitBody {
  readonly transaction?: string;
  readonly transactions?: readonly string[];
  readonly kms_payloads?: readonly (SubmittedPayload | SubmittedPayload[])[];
}

/** Turns the single and the multiple form into items. Throws `invalid_request` when the body is neither, or both. */
export function readSubmitItems(body: SubmitBody): { items: SubmitItem[]; single: boolean } {
  const payloads = body.kms_payloads ?? [];
  if (body.transaction !== undefined && body.transactions === undefined) {
    const entries = payloads.map((payload, i) => {
      if (!Array.isArray(payload)) return readSignedPayload(payload, `kms_payloads.${i}`);
      throw new TrellisError("invalid_request", {
        field: `kms_payloads.${i}`,
        message: "With `transaction`, kms_payloads is a plain array; arrays of arrays go with `transactions`.",
      });
    });
    return { items: [{ transaction: body.transaction, entries, field: "transaction" }], single: true };
  }
  const { transactions } = body;
  if (transactions === undefined || body.transaction !== undefined) {
    throw new TrellisError("invalid_request", {
      field: "transaction",
      message: "Send either `transaction` or `transactions`.",
    });
  }
  if (payloads.length !== transactions.length) {
    throw new TrellisError("invalid_request", {
      field: "kms_payloads",
      message: "With `transactions`, kms_payloads has one array per transaction, in the same order.",
    });
  }
  const items = transactions.map((transaction, i) => {
    const list = payloads[i];
    if (!Array.isArray(list)) {
      throw new TrellisError("invalid_request", {
        field: `kms_payloads.${i}`,
        message: "This must be an array of signed payloads.",
      });
    }
    const entries = list.map((payload, j) => readSignedPayload(payload, `kms_payloads.${i}.${j}`));
    return { transaction, entries, field: `transactions.${i}` };
  });
  return { items, single: false };
}
