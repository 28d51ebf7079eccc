import { endpoint } from "@trellis/kernel/endpoint.js";
import { ServiceStatus } from "./service-status.js";

export interface StatusNeeds {
  /** Reads all parts at once, and waits two seconds at most. Does not reject. */
  readonly readStatus: () => Promise<ServiceStatus>;
}

/** Gap 219. */
export const getStatus = endpoint(
  {
    operation: "getStatus",
    summary: "Read how the service is",
    description:
      "What an operator wants to see first: the database, each environment with its nodes, the background passes, and what waits. By the " +
      "process that answers. `/readyz` is for routing, and the metrics are for monitoring.",
    tag: "Operations",
    method: "GET",
    path: "/api/service/v1/status",
    scope: "admin:tenants",
    environment: "none",
    response: { status: 200, envelope: true, schema: ServiceStatus },
    errors: [],
  },
  async ({ readStatus }: StatusNeeds) => ({ data: await readStatus() }),
);
