import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { createTenant as makeTenant, type TenantRow } from "./tenant-store.js";
import { showTenant, Tenant, TenantId } from "./wire-tenant.js";

export interface CreateTenantNeeds {
  readonly db: Db;
  readonly realClock: Clock;
  /** What the accounts of new tenants are (gap 191); absent: plain. */
  readonly newTenantProtection?: TenantRow["default_protection"];
}

/** Gap 122. */
export const createTenant = endpoint(
  {
    operation: "createTenant",
    summary: "Create a tenant",
    description:
      "It has users, accounts and keys of its own, and sees nothing of any other. It has no key yet: make its first one " +
      "with `POST /tenants/{tenant_id}/api-keys`. Outside the sandbox its e-mail accounts are guarded by default, where there is a guardian.",
    tag: "Tenants",
    method: "POST",
    path: "/api/service/v1/tenants",
    scope: "admin:tenants",
    environment: "none",
    body: Type.Object({
      id: TenantId,
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "Default: its id." })),
    }),
    response: { status: 201, envelope: true, schema: Tenant },
    errors: ["tenant_exists"],
  },
  async ({ db, realClock, newTenantProtection: protection }: CreateTenantNeeds, { body, operationId, caller }) => {
    const { id, name = id } = body;
    const row = await asActor(db, actorOf(caller), (trx) =>
      makeTenant(trx, { id, name, now: realClock.now(), madeBy: operationId, protection }),
    );
    if (row === undefined) throw new TrellisError("tenant_exists", { field: "id" });
    return { data: showTenant(row) };
  },
);
