import { TrellisError } from "@trellis/kernel/errors.js";
import { base64SignatureText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { providerNames } from "./custodians.js";
import { custodianForms, findForm } from "./forms.js";
import type { StampEntry } from "./match-stamps.js";
import { PasskeySignedPayload, parsePasskeyStamp } from "./passkey/passkey-stamp.js";

/** A passkey's, or in the form of some custodian; a later one asks for more, so that it is tried first. */
const SignedPayload = Type.Unsafe<Readonly<Record<string, string>>>(
  Type.Union([
    PasskeySignedPayload,
    ...[...new Set(custodianForms.map(({ signedPayload }) => signedPayload))].reverse(),
  ]),
);

/** A holder's signature of a payload (interface 2.10). */
export const SignedKmsPayload = Type.Object(
  {
    provider: Type.Unsafe<string>(Type.Union(providerNames.map((name) => Type.Literal(name)))),
    kms_signed_payload: Type.Optional(SignedPayload),
    signature: Type.Optional(base64SignatureText({ deprecated: true, description: "Legacy form, kms_a only." })),
  },
  { $id: "SignedKmsPayload" },
);

/** The same, as far as it is read here. */
export interface SubmittedPayload {
  readonly provider: string;
  readonly kms_signed_payload?: Readonly<Record<string, string>>;
  readonly signature?: string;
}

/** Reads one, in its custodian's form. Throws `provider_not_available`, `missing_signature` and `invalid_request`. */
export function readSignedPayload(submitted: SubmittedPayload, field: string): StampEntry {
  const { provider, kms_signed_payload: signed, signature } = submitted;
  const form = findForm(provider);
  if (form === undefined) {
    throw new TrellisError("provider_not_available", {
      field: `${field}.provider`,
      message: `Signatures of ${provider} signers go into the transaction itself, not into kms_payloads.`,
    });
  }
  const stamp = parsePasskeyStamp(signed) ?? form.parseEntry({ signed, signature });
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
