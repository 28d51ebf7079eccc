import { TrellisError } from "@trellis/kernel/errors.js";
import { absentCustodian } from "../custody/custodians.js";
import { findForm } from "../custody/forms.js";
import type { StampEntry } from "../custody/match-stamps.js";
import type { SubmitItem } from "./submit-item.js";

/** A holder's signature of a payload, in its custodian's form. */
interface SubmittedPayload {
  readonly provider: string;
  readonly kms_signed_payload?: Readonly<Record<string, string>>;
  readonly signature?: string;
}

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
      if (!Array.isArray(payload)) return toEntry(payload, `kms_payloads.${i}`);
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
    const entries = list.map((payload, j) => toEntry(payload, `kms_payloads.${i}.${j}`));
    return { transaction, entries, field: `transactions.${i}` };
  });
  return { items, single: false };
}

function toEntry({ provider, kms_signed_payload: signed, signature }: SubmittedPayload, field: string): StampEntry {
  const form = findForm(provider);
  if (form === undefined) {
    throw new TrellisError("provider_not_available", {
      field: `${field}.provider`,
      message:
        provider === absentCustodian
          ? `The provider ${provider} is not available here.`
          : `Signatures of ${provider} signers go into the transaction itself, not into kms_payloads.`,
    });
  }
  const stamp = form.parseEntry({ signed, signature });
  if (stamp === undefined) {
    throw new TrellisError("missing_signature", {
      field,
      message: "This entry has neither kms_signed_payload nor signature.",
    });
  }
  if ("wrong" in stamp) {
    throw new TrellisError("invalid_request", { field: `${field}.kms_signed_payload`, message: stamp.wrong });
  }
  return { provider: form.name, stamp, field };
}
