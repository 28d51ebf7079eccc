import { type Caller, endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type, { type Static } from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { switchTenant, tenantIdForm } from "./tenant-store.js";
import { showTenant, Tenant } from "./wire-tenant.js";

interface Needs {
  readonly db: Db;
  readonly realClock: Clock;
}

const contract = {
  tag: "Tenants",
  method: "POST",
  scope: "admin:tenants",
  environment: "none",
  params: Type.Object({ tenant_id: Type.String() }),
  response: { status: 200, envelope: true, schema: Tenant },
  errors: ["tenant_not_found"],
} as const;

/** Gap 122. Again: the same, and the instant stays. */
export const disableTenant = endpoint(
  {
    ...contract,
    operation: "disableTenant",
    summary: "Disable a tenant",
    description:
      "All its keys are dead from the next request on, in every process. What its users have stays theirs. A key's " +
      "own tenant is disabled by command alone.",
    path: "/api/service/v1/tenants/{tenant_id}/disable",
  },
  async ({ db, realClock }: Needs, { params, caller }) => {
    if (params.tenant_id === caller.tenantId) {
      const message = "A key cannot disable its own tenant. The command trellis tenant disable does.";
      throw new TrellisError("invalid_request", { field: "tenant_id", message });
    }
    return { data: await switchTo(db, caller, params.tenant_id, realClock.now()) };
  },
);

/** Gap 122. */
export const enableTenant = endpoint(
  {
    ...contract,
    operation: "enableTenant",
    summary: "Enable a tenant again",
    description: "Its keys are what they were.",
    path: "/api/service/v1/tenants/{tenant_id}/enable",
  },
  async ({ db }: Needs, { params, caller }) => ({ data: await switchTo(db, caller, params.tenant_id, null) }),
);

async function switchTo(db: Db, caller: Caller, id: string, at: number | null): Promise<Static<typeof Tenant>> {
  // Anything else need not reach the database, which refuses some characters.
  const row = tenantIdForm.test(id)
    ? await asActor(db, actorOf(caller), (trx) => switchTenant(trx, { id, at }))
    : undefined;
  if (row === undefined) throw new TrellisError("tenant_not_found");
  return showTenant(row);
}
