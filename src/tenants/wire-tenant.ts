import Type, { type Static } from "typebox";
import { type TenantRow, tenantIdForm } from "./tenant-store.js";

/** How a request names a tenant. */
export const TenantId = Type.String({
  pattern: tenantIdForm.source,
  description: "1 to 63 small letters, digits, hyphens and underscores; it begins with a letter or a digit.",
  examples: ["shop"],
});

/** A tenant as answers show it (gap 122). */
export const Tenant = Type.Object(
  {
    id: Type.String({ examples: ["shop"] }),
    name: Type.String({ examples: ["The shop"] }),
    status: Type.Enum(["enabled", "disabled"], { description: "`disabled`: its keys are dead." }),
    created_at: Type.String({ format: "date-time" }),
    disabled_at: Type.Optional(Type.String({ format: "date-time" })),
  },
  { $id: "Tenant" },
);

/** The wire form of a row. */
export function showTenant({ id, name, created_at, disabled_at }: TenantRow): Static<typeof Tenant> {
  const instant = (at: bigint) => new Date(Number(at)).toISOString();
  return {
    id,
    name,
    status: disabled_at === null ? "enabled" : "disabled",
    created_at: instant(created_at),
    ...(disabled_at === null ? {} : { disabled_at: instant(disabled_at) }),
  };
}
