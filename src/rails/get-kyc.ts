import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { PartnerUnavailable } from "@trellis/kernel/ports/rails.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { KycRecord, showKycRecord } from "./kyc-record.js";
import type { RailNeeds } from "./rail-needs.js";
import { findVerification, type VerificationRow } from "./verification-store.js";
import { refreshVerification } from "./verifications.js";

/** Interface 4.15. */
export const getKyc = endpoint(
  {
    operation: "getKyc",
    summary: "Read a verification",
    description:
      "A verification as the partner has it, with fresh links where something is left to do. Where the partner cannot be " +
      "reached: as it was last known, without links that are out of date.",
    tag: "KYC",
    method: "GET",
    path: "/api/service/v1/accounts/{address}/kyc/{kyc_id}",
    scope: "kyc:read",
    environment: "optional",
    params: Type.Object({ address: addressText(), kyc_id: uuidText() }),
    response: { status: 200, envelope: true, schema: KycRecord },
    errors: ["account_not_found", "kyc_not_found"],
  },
  async (needs: RailNeeds, { params, network, caller }) => {
    const row = await readKyc(needs, network, { tenantId: caller.tenantId, address: params.address }, params.kyc_id);
    return { data: showKycRecord(needs, network, row, caller) };
  },
);

/** A verification of an account, read anew where that is due. Throws `account_not_found` and `kyc_not_found`. */
export async function readKyc(
  needs: RailNeeds,
  network: Network,
  of: { readonly tenantId: string; readonly address: string },
  id: string,
): Promise<VerificationRow> {
  const account = await getAccountRow(needs.db, { ...of, environment: network.name });
  const key = { tenantId: account.tenant_id, environment: network.name, address: account.address };
  const row = await findVerification(needs.db, key, id);
  if (row === undefined) throw new TrellisError("kyc_not_found");
  return readAnew(needs, network, row);
}

/** The same verification as the partner has it now, or, where the partner cannot say, as it was. */
export async function readAnew(needs: RailNeeds, network: Network, row: VerificationRow): Promise<VerificationRow> {
  const rails = needs.rails.get(network.name);
  if (rails === undefined || rails.partner.name !== row.partner) return row;
  const areLinksFresh = row.told_at !== null && network.clock.now() - Number(row.told_at) < limits.kycLinkMs;
  const age = needs.realClock.now() - Number(row.told_at_real ?? 0);
  if (areLinksFresh && age < limits.partnerWordGoodForMs) return row;
  try {
    const read = await refreshVerification(needs, network, rails, row.id, limits.partnerPatienceMs);
    if (read === undefined) throw new TrellisError("kyc_not_found");
    return read;
  } catch (error) {
    if (error instanceof PartnerUnavailable) return row;
    if (!(error instanceof TrellisError) || error.code === "kyc_not_found") throw error;
    // The partner knows nothing of it any more: what is kept here is what there is.
    const kept = await findVerification(
      needs.db,
      { tenantId: row.tenant_id, environment: row.environment, address: row.account_address },
      row.id,
    );
    if (kept === undefined) throw new TrellisError("kyc_not_found");
    return kept;
  }
}
