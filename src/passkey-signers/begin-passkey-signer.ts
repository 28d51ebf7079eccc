import { endpoint } from "@trellis/kernel/endpoint.js";
import { beginCeremony, type CeremonyNeeds, CeremonyRequest, CeremonyUrl } from "./begin-ceremony.js";

/** Gap 233. */
export const beginPasskeySigner = endpoint(
  {
    operation: "beginPasskeySigner",
    summary: "Begin to make a passkey that signs on chain",
    description:
      "Answers the address of the page that has the passkey made, and has it sign that `sessionKey` signs in its place until the end that " +
      "was asked for. The challenge is good once, for a minute: its answer goes to `POST …/passkeys/submit`.",
    tag: "Passkey signers",
    method: "POST",
    path: "/api/service/v1/passkeys",
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
    data: await beginCeremony(needs, network, caller, "create", body),
  }),
);
