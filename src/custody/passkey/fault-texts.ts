import type { WebAuthnFault } from "@trellis/kernel/crypto/webauthn.js";

/** What is wrong with a passkey's answer, for those who sent it. */
export const faultTexts: Readonly<Record<WebAuthnFault, string>> = {
  malformed:
    "This is no answer of a passkey: send its parts in base64url without padding, as the browser answered them.",
  type:
    "This is an answer of the other kind: one that registers comes from navigator.credentials.create, one that signs from " +
    "navigator.credentials.get.",
  challenge: "This answer is about another challenge.",
  origin: "The page that asked for this passkey is of an origin that may not: add it to the tenant's relying party.",
  cross_origin: "A page in a frame of another page asked for this passkey. Ask for it in a page of its own.",
  rp_id: "This passkey belongs to another domain than the tenant's relying party.",
  user_not_present: "The authenticator did not ask for the user.",
  user_not_verified: 'The authenticator did not verify the user: ask for it with userVerification "required".',
  signature: "The passkey did not make this signature.",
  counter: "The authenticator's counter did not grow: this assertion was made before one that is known.",
  algorithm: "The key of this passkey is not one of ES256, written as CTAP2 writes it.",
};
