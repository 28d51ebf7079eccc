import type { Module } from "../module.js";
import { answerContext } from "./idempotency-store.js";
import { recordStates } from "./record-states.js";

export const idempotency: Module<unknown> = {
  name: "kernel/idempotency",
  states: [{ table: "idempotency_record", column: "state", states: recordStates }],
  sealedColumns: [
    {
      table: "idempotency_record",
      column: "answer",
      key: ["tenant_id", "environment", "method", "path", "idempotency_key"],
      contextOf: (row) =>
        answerContext({
          tenantId: String(row.tenant_id),
          environment: String(row.environment),
          method: String(row.method),
          path: String(row.path),
          key: String(row.idempotency_key),
        }),
    },
  ],
  retention: [{ table: "idempotency_record", since: "expires_at", keptMs: 0, clock: "real" }],
};
