import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { translateRefusal } from "../custody/custodians.js";
import { SignedKmsPayload } from "../custody/signed-payload.js";
import { findGuarded, GuardianPolicy, PolicyContent, toWirePolicy } from "./guardian-policy.js";
import { type AuthorityNeeds, requireAuthority } from "./require-authority.js";

/** Gap 190. Again: the same, for the guardian takes a document once. */
export const setGuardianPolicy = endpoint(
  {
    operation: "setGuardianPolicy",
    summary: "Set what the guardian signs",
    description:
      "The service carries it: `authorization` is the signature of a passkey of the guardian's wallet over the document `{version: 1, " +
      'method: "setWalletPolicy", environment, wallet, params: {policy, replaces}, nonce, expires_at}`, and no session signs that. A ' +
      "policy that only tightens holds at once. Any other waits for the delay of the policy that holds, a week at most; the policy that " +
      "holds, set once more, cancels it. The same document again answers the same.",
    tag: "Passkeys",
    method: "PUT",
    path: "/api/service/v1/accounts/{address}/guardian-policy",
    scope: "auth:write",
    environment: "optional",
    publishable: "user",
    // What is signed is taken once, under whatever key it is sent.
    idempotent: false,
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      policy: PolicyContent,
      replaces: Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: "The version that it takes the place of.",
      }),
      nonce: Type.String({ minLength: 1, maxLength: 128, description: "What the certificate of the answer holds." }),
      expires_at: Type.String({
        maxLength: 32,
        description: "An hour ahead at most by the guardian's clock, as 2027-01-01T00:10:00.000Z.",
      }),
      authorization: SignedKmsPayload,
    }),
    response: { status: 200, envelope: true, schema: GuardianPolicy },
    errors: [
      "account_not_found",
      "guardian_policy_changed",
      "guardian_refused",
      "insufficient_permissions",
      "invalid_guardian_policy",
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
    if (found?.guardian.setPolicy === undefined) {
      throw new TrellisError("insufficient_permissions", {
        message: "The account has no guardian's wallet whose policy the caller could set.",
      });
    }
    const { policy, replaces, nonce, expires_at, authorization } = body;
    const authorized = await requireAuthority(needs, network, caller.tenantId, {
      wallet: found.wallet,
      document: { method: "setWalletPolicy", params: { policy, replaces }, nonce, expires_at },
      authorization,
      asksGuardian: true,
    });
    try {
      return { data: toWirePolicy(await found.guardian.setPolicy(authorized)) };
    } catch (error) {
      throw translateRefusal(error);
    }
  },
);
