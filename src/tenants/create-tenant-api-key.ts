import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import Type from "typebox";
import { ApiKeyRequest, type KeyMakingNeeds, makeOnce, planOf, requireEnvironments } from "./create-api-key.js";
import { findTenant } from "./tenant-store.js";
import { ApiKeyWithValue } from "./wire-api-key.js";

/** Gap 122. A repetition under its idempotency key finds the key it made before, and answers it once more. */
export const createTenantApiKey = endpoint(
  {
    operation: "createTenantApiKey",
    summary: "Create an API key for another tenant",
    description:
      "With any scope but `admin:tenants`, in environments that the key that asks opens; with `admin:keys` the tenant makes " +
      "its other keys without an operator. The key is in this answer and nowhere else.",
    tag: "Tenants",
    method: "POST",
    path: "/api/service/v1/tenants/{tenant_id}/api-keys",
    scope: "admin:tenants",
    environment: "none",
    params: Type.Object({ tenant_id: Type.String() }),
    body: ApiKeyRequest,
    refusesNearMisses: true,
    answersOneKey: true,
    response: { status: 201, envelope: true, schema: ApiKeyWithValue },
    errors: ["tenant_not_found", "api_key_limit"],
  },
  async (needs: KeyMakingNeeds, { params, body, caller, operationId }) => {
    const { tenant_id: tenantId } = params;
    if (tenantId === caller.tenantId) {
      const message = "Keys of this key's own tenant are made with POST /api-keys.";
      throw new TrellisError("invalid_request", { field: "tenant_id", message });
    }
    if ((await findTenant(needs.db, tenantId)) === undefined) throw new TrellisError("tenant_not_found");
    const wanted = planOf(body, needs.realClock.now());
    if (wanted.scopes.includes("admin:tenants")) {
      throw new TrellisError("insufficient_scope", {
        field: "scopes",
        message: "The scope admin:tenants is given by command alone.",
        facts: { scope: "admin:tenants" },
      });
    }
    requireEnvironments(caller, wanted);
    return { data: await makeOnce(needs, { ...wanted, tenantId }, { caller, operationId }) };
  },
);
