import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";

export const tenants: Module<unknown> = {
  name: "tenants",
  retention: [{ table: "tenant_writes", since: "day", keptMs: limits.kept.tenantWritesMs, clock: "real", unit: "day" }],
};
