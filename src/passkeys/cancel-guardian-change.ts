import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { translateRefusal } from "../custody/custodians.js";
import { SignedKmsPayload } from "../custody/signed-payload.js";
import { GuardianChanges, toWireChanges } from "./guardian-changes.js";
import { findGuarded } from "./guardian-policy.js";
import { type AuthorityNeeds, requireAuthority } from "./require-authority.js";

/** Gap 199. Again: the same. */
export const cancelGuardianChange = endpoint(
  {
    operation: "cancelGuardianChange",
    summary: "Cancel a change that waits at the guardian",
    description:
      "The guardian does not sign it any more, unless it is asked for anew and has waited again. `authorization` is the signature of a " +
      'passkey of the guardian\'s wallet over the document `{version: 1, method: "cancelSettingsChange", environment, wallet, params: ' +
      "{change_id}, nonce, expires_at}`, and no session signs that. Answers what still waits. Again it answers the same.",
    tag: "Passkeys",
    method: "DELETE",
    path: "/api/service/v1/accounts/{address}/guardian-changes/{change_id}",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    // What is cancelled stays so, under whatever key it is sent.
    idempotent: false,
    params: Type.Object({ address: addressText(), change_id: Type.String() }),
    body: Type.Object({
      nonce: Type.String({ minLength: 1, maxLength: 128, description: "What the certificate of the answer holds." }),
      expires_at: Type.String({
        maxLength: 32,
        description: "An hour ahead at most by the guardian's clock, as 2027-01-01T00:10:00.000Z.",
      }),
      authorization: SignedKmsPayload,
    }),
    response: { status: 200, envelope: true, schema: GuardianChanges },
    errors: [
      "account_not_found",
      "guardian_change_not_found",
      "guardian_change_over",
      "guardian_refused",
      "insufficient_permissions",
      "invalid_signature",
      "missing_signature",
      "payload_already_used",
      "payload_expired",
      "provider_not_available",
      "provider_unavailable",
      "session_expired",
      "wrong_signing_key",
    ],
  },
  async (needs: AuthorityNeeds, { params, body, caller, network }) => {
    const found = await findGuarded(needs, caller, network, params.address);
    if (found?.guardian.cancelChange === undefined) throw new TrellisError("guardian_change_not_found");
    const { nonce, expires_at, authorization } = body;
    const authorized = await requireAuthority(needs, network, caller.tenantId, {
      wallet: found.wallet,
      document: { method: "cancelSettingsChange", params: { change_id: params.change_id }, nonce, expires_at },
      authorization,
      asksGuardian: true,
    });
    try {
      return { data: toWireChanges(await found.guardian.cancelChange(authorized)) };
    } catch (error) {
      throw translateRefusal(error);
    }
  },
);
