import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import Type from "typebox";
import { findSubmission } from "../submissions/submission-store.js";
import type { SubmitNeeds } from "../transactions/execute-item.js";
import { SubmittedTransaction, submitErrors } from "../transactions/submit-transactions.js";
import { findApproval } from "./approval-store.js";
import { findCeremony } from "./ceremony-store.js";
import { landApproval } from "./land-approval.js";
import { type LandingNeeds, landCeremony } from "./land-ceremony.js";
import { PasskeySession, toWireSession } from "./passkey-session.js";
import { AuthenticatorResponse, challengeIn } from "./read-answer.js";
import { landingErrors } from "./submit-passkey-ceremony.js";

/** What a submit refuses for signatures and sessions of others, for buffers and for spending limits, of which an approval has none. */
const ofOthers = [
  "not_for_agents",
  "transaction_not_prepared",
  "transaction_buffer_conflict",
  "spending_limit_not_found",
  "spending_limit_exceeded",
  "spending_limit_expired",
  "destination_not_allowed",
  "missing_signature",
  "invalid_signature",
  "wrong_signing_key",
  "payload_expired",
  "payload_already_used",
  "session_expired",
  "guardian_refused",
  "provider_not_available",
  "provider_unavailable",
] as const;
const approvalErrors = submitErrors.filter(
  (code): code is Exclude<(typeof submitErrors)[number], (typeof ofOthers)[number]> =>
    !ofOthers.some((other) => other === code),
);

/** Gap 243: what the service's own page does with a passkey's answer. */
export const completePasskeyCeremony = endpoint(
  {
    operation: "completePasskeyCeremony",
    summary: "Complete a ceremony with what the passkey signed",
    description:
      "As `POST …/passkeys/submit` does it, for the page that had the challenge signed: it needs no API key, as the tenant that began it has " +
      "asked for exactly this, and pays for it. Of an approval the answer is that of a submit (gap 251). The same answer " +
      "again is answered the same, for a day.",
    tag: "Passkey signers",
    method: "POST",
    path: "/api/service/v1/passkeys/ceremony",
    scope: null,
    limitsAddresses: true,
    environment: "none",
    body: Type.Object({ authenticatorResponse: AuthenticatorResponse }, { $id: "CompletePasskeyCeremonyRequest" }),
    response: { status: 200, envelope: true, schema: Type.Union([PasskeySession, SubmittedTransaction]) },
    errors: [...new Set([...landingErrors, ...approvalErrors, "tenant_frozen" as const])],
    idempotent: false,
  },
  async (
    needs: LandingNeeds & SubmitNeeds & { readonly networks: ReadonlyMap<EnvironmentName, Network> },
    { body: { authenticatorResponse } },
  ) => {
    const { response } = authenticatorResponse;
    const challenge = challengeIn(response);
    const ceremony = await findCeremony(needs.db, challenge);
    const approval = ceremony === undefined ? await findApproval(needs.db, challenge) : undefined;
    const begun = ceremony ?? approval;
    const network = needs.networks.get(begun?.environment as EnvironmentName);
    if (begun === undefined || network === undefined) throw new TrellisError("passkey_ceremony_not_found");
    const { frozen_at } = await needs.db
      .selectFrom("tenant")
      .select("frozen_at")
      .where("id", "=", begun.tenant_id)
      .executeTakeFirstOrThrow();
    // What is submitted is brought to its end, and its outcome is the answer.
    const isSubmitted = approval !== undefined && (await findSubmission(needs.db, approval.prepared_id)) !== undefined;
    if (frozen_at !== null && !isSubmitted) throw new TrellisError("tenant_frozen");
    if (approval !== undefined) {
      const { signature, confirmedAt } = await landApproval(needs, network, approval, authenticatorResponse);
      return { data: { transaction_signature: signature, confirmed_at: confirmedAt } };
    }
    assertOurs(ceremony, "it is one of the two");
    const opened = await landCeremony(needs, network, ceremony, authenticatorResponse, { isKeyless: true });
    return { data: toWireSession(opened, ceremony.session_key) };
  },
);
