import type { ServiceCalls } from "./service-calls.js";
import type { Budgets } from "./wire.js";

/** What the service pays for the tenant (gap 214). The client's key needs the scope `accounts:read`. */
export function createBudgetCalls({ get }: ServiceCalls) {
  return {
    /** Of the client's environment, today; and for how long the fee payer lasts. */
    get: () => get<Budgets>("/budgets"),
  };
}
