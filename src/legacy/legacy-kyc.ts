import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { addressText, uuidText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";
import { getAccountRow } from "../accounts/account-store.js";
import { readAnew, readKyc } from "../rails/get-kyc.js";
import { KycLink, KycRecord, showKycLink, showKycRecord } from "../rails/kyc-record.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { beginKyc, kycErrors, kycRequest } from "../rails/start-kyc.js";
import { findLatestVerification } from "../rails/verification-store.js";

const path = "/api/v0/service/smart-accounts/{smart_account_address}/kyc";

/** Gaps 43 and 47. */
export const startLegacyKyc = endpoint(
  {
    operation: "startLegacyKyc",
    summary: "Start a verification (v0)",
    description: "The older form of POST /api/service/v1/accounts/{address}/kyc.",
    tag: "Legacy",
    method: "POST",
    path,
    scope: "kyc:write",
    environment: "optional",
    params: Type.Object({ smart_account_address: addressText() }),
    body: kycRequest,
    refusesNearMisses: true,
    response: { status: 201, envelope: false, schema: KycLink },
    errors: kycErrors,
  },
  async (needs: RailNeeds, { params, body, network, caller }) => {
    const of = { tenantId: caller.tenantId, address: params.smart_account_address };
    return { data: showKycLink(needs, network, await beginKyc(needs, network, of, body)) };
  },
);

/** Gap 95: without an id, the account's latest. */
export const getLatestLegacyKyc = endpoint(
  {
    operation: "getLatestLegacyKyc",
    summary: "Read the latest verification (v0)",
    description: "The account's verification that was started last.",
    tag: "Legacy",
    method: "GET",
    path,
    scope: "kyc:read",
    environment: "optional",
    params: Type.Object({ smart_account_address: addressText() }),
    response: { status: 200, envelope: false, schema: KycRecord },
    errors: ["account_not_found", "kyc_not_found"],
  },
  async (needs: RailNeeds, { params, network, caller }) => {
    const { tenantId } = caller;
    const environment = network.name;
    const account = await getAccountRow(needs.db, { tenantId, environment, address: params.smart_account_address });
    const row = await findLatestVerification(needs.db, { tenantId, environment, address: account.address });
    if (row === undefined) throw new TrellisError("kyc_not_found");
    return { data: showKycRecord(needs, network, await readAnew(needs, network, row), caller) };
  },
);

/** Gaps 43 and 47. */
export const getLegacyKyc = endpoint(
  {
    operation: "getLegacyKyc",
    summary: "Read a verification (v0)",
    description: "The older form of GET /api/service/v1/accounts/{address}/kyc/{kyc_id}.",
    tag: "Legacy",
    method: "GET",
    path: `${path}/{kyc_id}`,
    scope: "kyc:read",
    environment: "optional",
    params: Type.Object({ smart_account_address: addressText(), kyc_id: uuidText() }),
    response: { status: 200, envelope: false, schema: KycRecord },
    errors: ["account_not_found", "kyc_not_found"],
  },
  async (needs: RailNeeds, { params, network, caller }) => {
    const of = { tenantId: caller.tenantId, address: params.smart_account_address };
    return { data: showKycRecord(needs, network, await readKyc(needs, network, of, params.kyc_id), caller) };
  },
);
