import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { PasskeyCeremonyOutcome, readCeremonyOutcome } from "./ceremony-outcome.js";
import { findCeremony } from "./ceremony-store.js";
import { Challenge, parseChallenge } from "./read-answer.js";

/** Gap 257. */
export const getPasskeyCeremonyOutcome = endpoint(
  {
    operation: "getPasskeyCeremonyOutcome",
    summary: "Read what came of a challenge",
    description:
      "For the server that began it: whether a passkey has signed the challenge, and which signer that is. What a browser brings back is " +
      "no proof of it. A challenge is found for a day.",
    tag: "Passkey signers",
    method: "GET",
    path: "/api/service/v1/passkeys/ceremonies/{challenge}",
    scope: "accounts:read",
    environment: "optional",
    params: Type.Object({ challenge: Challenge }),
    response: { status: 200, envelope: true, schema: PasskeyCeremonyOutcome },
    errors: ["passkey_ceremony_not_found"],
  },
  async ({ db, realClock }: { readonly db: Db; readonly realClock: Clock }, { params, caller, network }) => {
    const at = { now: network.clock.now(), realNow: realClock.now() };
    const ceremony = await findCeremony(db, parseChallenge(params.challenge));
    if (ceremony === undefined || ceremony.tenant_id !== caller.tenantId || ceremony.environment !== network.name) {
      throw new TrellisError("passkey_ceremony_not_found");
    }
    return { data: await readCeremonyOutcome(db, network.name, ceremony, at) };
  },
);
