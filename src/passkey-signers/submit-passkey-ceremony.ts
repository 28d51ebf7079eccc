import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import Type from "typebox";
import { answered, type LandingNeeds, landCeremony, requireCeremony } from "./land-ceremony.js";
import { PasskeySession, toWireSession } from "./passkey-session.js";

/** Errors of carrying an answer out. */
export const landingErrors = [
  "chain_unavailable",
  "forbidden_account",
  "invalid_address",
  "invalid_passkey_assertion",
  "passkey_account_exists",
  "passkey_account_not_found",
  "passkey_ceremony_not_found",
  "passkey_challenge_over",
  "passkey_challenge_used",
  "sponsorship_limit_exceeded",
  "submission_in_progress",
] as const;

/** Gap 234. */
export const submitPasskeyCeremony = endpoint(
  {
    operation: "submitPasskeyCeremony",
    summary: "Submit what a passkey signed",
    description:
      "Carries it out on chain, at the service's expense: a new passkey gets its account there, and the session key signs in its place from " +
      "then on. The same request again answers the same, for a day. Keys are written as `sessionKey.key` was.",
    tag: "Passkey signers",
    method: "POST",
    path: "/api/service/v1/passkeys/submit",
    scope: "auth:write",
    environment: "optional",
    body: Type.Object(
      {
        ceremonyType: Type.Enum(["create", "auth"]),
        slotNumber: Type.Integer({ minimum: 0, description: "As the page's address has it." }),
        ...answered,
      },
      { $id: "SubmitPasskeyCeremonyRequest" },
    ),
    response: { status: 200, envelope: true, schema: PasskeySession },
    errors: [...landingErrors],
  },
  async (needs: LandingNeeds, { body, caller, network }) => {
    const ceremony = await requireCeremony(needs.db, network, caller, body);
    if (ceremony.kind !== body.ceremonyType || ceremony.slot !== BigInt(body.slotNumber)) {
      throw new TrellisError("invalid_request", {
        field: ceremony.kind === body.ceremonyType ? "slotNumber" : "ceremonyType",
        message: "The challenge was made for another ceremony.",
      });
    }
    const opened = await landCeremony(needs, network, ceremony, body.authenticatorResponse);
    return { data: toWireSession(opened, body.sessionKey.key) };
  },
);
