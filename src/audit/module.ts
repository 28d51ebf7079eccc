import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { askWitnesses, type WitnessNeeds } from "./ask-witnesses.js";
import { type CosignNeeds, cosignCustodians } from "./cosign-custodians.js";
import { type LogNeeds, signLog } from "./publish-entries.js";

const { kept } = limits;

export const audit: Module<LogNeeds & WitnessNeeds & CosignNeeds> = {
  name: "audit",
  sharedPasses: (needs) => [
    { name: "sign_audit_log", everyMs: limits.auditEveryMs, run: () => signLog(needs) },
    // Beside it, so that a slow witness delays no checkpoint.
    { name: "cosign_audit_log", everyMs: limits.auditEveryMs, run: () => askWitnesses(needs) },
    { name: "cosign_custodian_logs", everyMs: limits.auditEveryMs, run: () => cosignCustodians(needs) },
  ],
  retention: [
    {
      // The hashes stay, and with them every proof.
      table: "audit_entry",
      since: "published_at",
      keptMs: kept.auditBodyMs,
      clock: "real",
      only: "body is not null",
      set: "body = null, salt = null, subject = null, user_id = null",
    },
    { table: "tlog_checkpoint", since: "signed_at", keptMs: kept.auditCheckpointMs, clock: "real" },
  ],
};
