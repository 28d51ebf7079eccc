import { endpoint } from "@trellis/kernel/endpoint.js";
import Type from "typebox";
import { publicPlace } from "../tenants/public-place.js";
import { issueMemberNonce, type NonceNeeds } from "./member-nonce.js";

/** Gap 225. */
export const beginConsolePasskey = endpoint(
  {
    operation: "beginConsolePasskey",
    summary: "Begin to sign in to the console with a passkey",
    description:
      "Answers the challenge for `navigator.credentials.get`, which asks for any passkey of the domain. It says of nobody whether they " +
      "are a member. The challenge is good once, for five minutes.",
    tag: "Console",
    method: "POST",
    path: "/api/service/v1/console/passkey:options",
    scope: null,
    console: "open",
    environment: "none",
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          challenge: Type.String({ description: "Base64url." }),
          rp_id: Type.String(),
          expires_at: Type.String({ format: "date-time" }),
        },
        { $id: "BeginConsolePasskeyResult" },
      ),
    },
    errors: ["passkeys_not_configured"],
    idempotent: false,
  },
  async (needs: NonceNeeds & { readonly publicUrl: () => string }) => {
    const { rpId, origin } = publicPlace(needs.publicUrl());
    const { challenge, expiresAt } = issueMemberNonce(needs, { origin, sessionId: null });
    return { data: { challenge, rp_id: rpId, expires_at: new Date(expiresAt).toISOString() } };
  },
);
