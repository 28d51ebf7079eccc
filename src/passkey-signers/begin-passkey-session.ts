import { endpoint } from "@trellis/kernel/endpoint.js";
import { beginCeremony, type CeremonyNeeds, CeremonyRequest, CeremonyUrl } from "./begin-ceremony.js";

/** Gap 233. */
export const beginPasskeySession = endpoint(
  {
    operation: "beginPasskeySession",
    summary: "Begin a session of a passkey that signs on chain",
    description:
      "For a passkey that has its account on chain. Answers the address of the page that has it sign that `sessionKey` signs in its place " +
      "from now on, and no former one; with an expiration of 0 no key does. The challenge is good once, for a minute.",
    tag: "Passkey signers",
    method: "POST",
    path: "/api/service/v1/passkeys/auth",
    scope: "auth:write",
    environment: "optional",
    body: CeremonyRequest,
    response: { status: 200, envelope: true, schema: CeremonyUrl },
    errors: [
      "chain_unavailable",
      "forbidden_account",
      "invalid_address",
      "invalid_expiration",
      "passkey_challenge_used",
      "passkeys_not_configured",
    ],
  },
  async (needs: CeremonyNeeds, { body, caller, network }) => ({
    data: await beginCeremony(needs, network, caller, "auth", body),
  }),
);
