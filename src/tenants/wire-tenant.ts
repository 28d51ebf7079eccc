import { isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { whyNoCallerSigns } from "@trellis/solana/signable-address.js";
import Type, { type Static } from "typebox";
import { type TenantRow, tenantIdForm } from "./tenant-store.js";

/** How a request names a tenant. */
export const TenantId = Type.String({
  pattern: tenantIdForm.source,
  description: "1 to 63 small letters, digits, hyphens and underscores; it begins with a letter or a digit.",
  examples: ["shop"],
});

/** What a tenant's e-mail accounts are where a request says nothing (gaps 191, 197). */
export const DefaultProtection = Type.Enum(["plain", "guarded"], {
  $id: "DefaultProtection",
  description: "What the tenant's e-mail accounts are where a request says nothing.",
});

/** The recovery signer of guarded ones whose request names none. */
export const DefaultRecovery = Type.Object(
  { address: addressText({ description: "A key that is kept offline." }) },
  { $id: "DefaultRecovery" },
);

/** Reads it. Throws `invalid_address`. */
export function parseDefaultRecovery({ address }: Static<typeof DefaultRecovery>): string {
  const field = "recovery.address";
  if (!isAddress(address)) throw new TrellisError("invalid_address", { field, message: `${field} is not an address.` });
  const why = whyNoCallerSigns(address);
  if (why === undefined) return address;
  throw new TrellisError("invalid_address", { field, message: `No key can sign for ${address}: it ${why}.` });
}

/** A tenant as answers show it (gap 122). */
export const Tenant = Type.Object(
  {
    id: Type.String({ examples: ["shop"] }),
    name: Type.String({ examples: ["The shop"] }),
    status: Type.Enum(["enabled", "disabled"], { description: "`disabled`: its keys are dead." }),
    protection: DefaultProtection,
    recovery: Type.Optional(DefaultRecovery),
    created_at: Type.String({ format: "date-time" }),
    disabled_at: Type.Optional(Type.String({ format: "date-time" })),
  },
  { $id: "Tenant" },
);

/** The wire form of a row. */
export function showTenant(row: TenantRow): Static<typeof Tenant> {
  const { id, name, created_at, disabled_at, default_protection: protection, recovery_address: recovery } = row;
  const instant = (at: bigint) => new Date(Number(at)).toISOString();
  return {
    id,
    name,
    status: disabled_at === null ? "enabled" : "disabled",
    protection,
    ...(recovery === null ? {} : { recovery: { address: recovery } }),
    created_at: instant(created_at),
    ...(disabled_at === null ? {} : { disabled_at: instant(disabled_at) }),
  };
}
