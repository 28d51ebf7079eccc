import type { ServiceCalls } from "./service-calls.js";
import type { ServiceStatus } from "./wire.js";

/** How the service is, for its operator (gap 219). The client's key needs `admin:tenants`. */
export function createStatusCalls({ get }: Pick<ServiceCalls, "get">) {
  return { get: () => get<ServiceStatus>("/status") };
}
