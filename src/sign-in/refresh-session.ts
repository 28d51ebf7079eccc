import { documented, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { publicKeyText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { custodianNames, defaultCustodian, providerNames } from "../custody/custodians.js";
import { bySessionKey, findForm, formOf } from "../custody/forms.js";
import type { SessionNeeds } from "../people/open-session.js";
import { rotateSession } from "../people/rotate-session.js";
import { Authentication, getClientKey, toAuthentication } from "../people/session.js";

const Refreshable = Type.Object({ refresh_token: Type.String() }, { $id: "RefreshableSession" });

/** Gap 20. */
export const refreshSession = endpoint(
  {
    operation: "refreshSession",
    summary: "Refresh a session",
    description:
      "Trades the refresh token for a new session with a new authorization key, sealed to the public key given when the " +
      "code was verified. For another public key add `signature`: base64 DER, by the still valid authorization key, over the " +
      'canonical JSON of `{"encryption_public_key": ..., "refresh_token": ...}`.',
    tag: "Authentication",
    method: "POST",
    path: "/api/service/v1/auth/refresh-session",
    scope: "auth:write",
    environment: "optional",
    publishable: "open",
    body: Type.Object({
      encryption_public_key: publicKeyText(),
      kms_payload: Type.Object({
        provider: Type.Enum([...providerNames], documented({ enum: custodianNames })),
        session: Type.Object(
          {
            ...bySessionKey(Type.Optional(Refreshable)),
            refresh_token: Type.Optional(Type.String()),
          },
          {
            description: "The session as it was received, or what stands under its provider's key.",
            examples: [{ KmsA: { refresh_token: "rt_1" } }],
          },
        ),
      }),
      signature: Type.Optional(Type.String({ description: "Only for another public key." })),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({ kms_payload: Authentication }),
    },
    errors: [
      "invalid_encryption_public_key",
      "invalid_refresh_token",
      "refresh_conflict",
      "session_expired",
      "session_key_mismatch",
      "provider_unavailable",
    ],
  },
  async (needs: SessionNeeds & { readonly custodians: Custodians; readonly log: Log }, { body, caller, network }) => {
    const clientKey = getClientKey(body.encryption_public_key, "encryption_public_key");
    const { provider, session } = body.kms_payload;
    // A provider that is no custodian stands for the default one.
    const { sessionKey } = findForm(provider) ?? formOf(defaultCustodian);
    const refreshToken = session[sessionKey]?.refresh_token ?? session.refresh_token;
    if (refreshToken === undefined) {
      throw new TrellisError("invalid_request", {
        field: "kms_payload.session",
        message: "The session holds no refresh_token of this provider.",
      });
    }
    const opened = await rotateSession(needs, network, {
      tenantId: caller.tenantId,
      refreshToken,
      clientKey,
      encryptionPublicKey: body.encryption_public_key,
      signature: body.signature,
    });
    return { data: { kms_payload: toAuthentication(opened) } };
  },
);
