import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import Type from "typebox";
import { findCeremony } from "./ceremony-store.js";
import { type LandingNeeds, landCeremony } from "./land-ceremony.js";
import { PasskeySession, toWireSession } from "./passkey-session.js";
import { AuthenticatorResponse, challengeIn } from "./read-answer.js";
import { landingErrors } from "./submit-passkey-ceremony.js";

/** Gap 243: what the service's own page does with a passkey's answer. */
export const completePasskeyCeremony = endpoint(
  {
    operation: "completePasskeyCeremony",
    summary: "Complete a ceremony with what the passkey signed",
    description:
      "As `POST …/passkeys/submit` does it, for the page that had the challenge signed: it needs no API key, as the tenant that began it has " +
      "asked for exactly this, and pays for it. The same answer again is answered the same, for a day.",
    tag: "Passkey signers",
    method: "POST",
    path: "/api/service/v1/passkeys/ceremony",
    scope: null,
    limitsAddresses: true,
    environment: "none",
    body: Type.Object({ authenticatorResponse: AuthenticatorResponse }, { $id: "CompletePasskeyCeremonyRequest" }),
    response: { status: 200, envelope: true, schema: PasskeySession },
    errors: [...landingErrors, "tenant_frozen"],
    idempotent: false,
  },
  async (
    needs: LandingNeeds & { readonly networks: ReadonlyMap<EnvironmentName, Network> },
    { body: { authenticatorResponse } },
  ) => {
    const { response } = authenticatorResponse;
    const ceremony = await findCeremony(needs.db, challengeIn(response));
    const network = needs.networks.get(ceremony?.environment as EnvironmentName);
    if (ceremony === undefined || network === undefined) throw new TrellisError("passkey_ceremony_not_found");
    const { frozen_at } = await needs.db
      .selectFrom("tenant")
      .select("frozen_at")
      .where("id", "=", ceremony.tenant_id)
      .executeTakeFirstOrThrow();
    if (frozen_at !== null) throw new TrellisError("tenant_frozen");
    const opened = await landCeremony(needs, network, ceremony, authenticatorResponse, { isKeyless: true });
    return { data: toWireSession(opened, ceremony.session_key) };
  },
);
