import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";

export const tenants: Module<unknown> = {
  name: "tenants",
  secrets: [
    {
      purpose: "api-key",
      usedForMs: 0,
      // A key is hashed again when it is used. One that was revoked need not be recognised.
      columns: [{ table: "api_key", column: "key_hash", only: "revoked_at is null" }],
    },
  ],
  retention: [{ table: "tenant_writes", since: "day", keptMs: limits.kept.tenantWritesMs, clock: "real", unit: "day" }],
};
