import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import Type from "typebox";
import { issueNonce } from "../people/sign-in-nonce.js";
import { findRelyingParty, relyingPartyIn } from "../tenants/relying-party.js";

/** Gap 163. */
export const beginPasskeySignIn = endpoint(
  {
    operation: "beginPasskeySignIn",
    summary: "Begin to sign in with a passkey",
    description:
      "Answers the nonce that a passkey signs to sign its user in, and the domain. It says of nobody whether they have an account. " +
      "The nonce is good once, for five minutes.",
    tag: "Authentication",
    method: "POST",
    path: "/api/service/v1/auth/passkey:options",
    scope: "auth:write",
    environment: "optional",
    publishable: "open",
    idempotent: false,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object(
        {
          nonce: Type.String({ description: "Base64url." }),
          rp_id: Type.String(),
          expires_at: Type.String({ format: "date-time" }),
        },
        { $id: "BeginPasskeySignInResult" },
      ),
    },
    errors: ["passkeys_not_configured"],
  },
  async (
    needs: { readonly db: Db; readonly keyring: Keyring; readonly random: Random },
    { caller: { tenantId }, network },
  ) => {
    const { id } = relyingPartyIn(network.name, await findRelyingParty(needs.db, tenantId));
    const expiresAt = network.clock.now() + limits.passkeyCeremonyMs;
    const nonce = Buffer.from(issueNonce(needs, { tenantId, environment: network.name }, expiresAt)).toString(
      "base64url",
    );
    return { data: { nonce, rp_id: id, expires_at: new Date(expiresAt).toISOString() } };
  },
);
