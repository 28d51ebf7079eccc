import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import Type from "typebox";
import { actorOf, asActor } from "../audit/actor.js";
import { createTenant as makeTenant, type TenantRow } from "./tenant-store.js";
import {
  DefaultProtection,
  DefaultRecovery,
  parseDefaultRecovery,
  showTenant,
  Tenant,
  TenantId,
} from "./wire-tenant.js";

export interface CreateTenantNeeds {
  readonly db: Db;
  readonly realClock: Clock;
  /** What the accounts of new tenants are (gap 191); absent: plain. */
  readonly newTenantProtection?: TenantRow["default_protection"];
}

/** Gaps 122, 197. */
export const createTenant = endpoint(
  {
    operation: "createTenant",
    summary: "Create a tenant",
    description:
      "It has users, accounts and keys of its own, and sees nothing of any other. It has no key yet: make its first one " +
      "with `POST /tenants/{tenant_id}/api-keys`. Where `protection` is absent, its e-mail " +
      "accounts are guarded by default beside devnet or mainnet where there is a guardian, and plain otherwise.",
    tag: "Tenants",
    method: "POST",
    path: "/api/service/v1/tenants",
    scope: "admin:tenants",
    environment: "none",
    body: Type.Object({
      id: TenantId,
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "Default: its id." })),
      protection: Type.Optional(DefaultProtection),
      recovery: Type.Optional(DefaultRecovery),
    }),
    response: { status: 201, envelope: true, schema: Tenant },
    errors: ["tenant_exists", "invalid_address"],
  },
  async ({ db, realClock, newTenantProtection }: CreateTenantNeeds, { body, operationId, caller }) => {
    const { id, name = id, protection = newTenantProtection, recovery } = body;
    const recoveryAddress = recovery && parseDefaultRecovery(recovery);
    const row = await asActor(db, actorOf(caller), (trx) =>
      makeTenant(trx, { id, name, now: realClock.now(), madeBy: operationId, protection, recoveryAddress }),
    );
    if (row === undefined) throw new TrellisError("tenant_exists", { field: "id" });
    return { data: showTenant(row) };
  },
);
