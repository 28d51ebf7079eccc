import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { type PartnerRef, verificationStatuses } from "@trellis/kernel/ports/rails.js";
import { uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getRails, orUnavailable } from "../rails/ask-partner.js";
import { settleRails } from "../rails/follow-rails.js";
import { KycRecord, showKycRecord } from "../rails/kyc-record.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { findVerificationOf } from "../rails/verification-store.js";
import { refreshVerification } from "../rails/verifications.js";

const Name = Type.String({ minLength: 1, maxLength: 64, pattern: "^[a-z0-9_]+$" });

/** Gap 49: what the partner of the sandbox decides about a person. */
export const setKyc = endpoint(
  {
    operation: "sandboxSetKyc",
    summary: "Decide a verification",
    description:
      "Has the simulated partner decide a verification at once, whatever it was before. Approving it accepts the partner's " +
      "terms too, unless `tos_status` says otherwise.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/kyc/{id}",
    scope: "sandbox:use",
    environment: "sandbox",
    params: Type.Object({ id: uuidText() }),
    body: Type.Object({
      status: Type.Enum([...verificationStatuses]),
      tos_status: Type.Optional(Type.Enum(["pending", "approved"])),
      rejection_reasons: Type.Optional(
        Type.Array(Type.Object({ code: Name, message: Type.String({ minLength: 1, maxLength: 500 }) }), {
          maxItems: 10,
          description: "With `rejected`.",
        }),
      ),
      revoked_endorsements: Type.Optional(
        Type.Array(Name, { maxItems: 10, description: "Revoked, as a partner does that withdraws an approval." }),
      ),
    }),
    refusesNearMisses: true,
    response: { status: 200, envelope: true, schema: KycRecord },
    errors: ["kyc_not_found", "rail_not_available", "partner_unavailable", "partner_refused"],
  },
  async (needs: RailNeeds, { params, body, network, caller }) => {
    const rails = getRails(needs, network);
    const { simulator } = rails;
    if (simulator === undefined) throw new TrellisError("rail_not_available");
    const owner = { tenantId: caller.tenantId, environment: network.name };
    const found = await findVerificationOf(needs.db, owner, params.id);
    if (found === undefined || found.partner !== rails.partner.name) throw new TrellisError("kyc_not_found");
    // Where its beginning was cut short, it begins now.
    const begun =
      found.partner_ref === null ? await orUnavailable(refreshVerification(needs, network, rails, found.id)) : found;
    if (begun?.partner_ref == null) throw new TrellisError("kyc_not_found");
    await simulator.setVerification(begun.partner_ref as PartnerRef, {
      status: body.status,
      ...(body.tos_status === undefined ? {} : { terms: body.tos_status }),
      ...(body.rejection_reasons === undefined ? {} : { rejections: body.rejection_reasons }),
      ...(body.revoked_endorsements === undefined ? {} : { revoke: body.revoked_endorsements }),
    });
    const row = await orUnavailable(refreshVerification(needs, network, rails, found.id));
    if (row === undefined) throw new TrellisError("kyc_not_found");
    await settleRails(needs, network);
    return { data: showKycRecord(needs, network, row, caller) };
  },
);
