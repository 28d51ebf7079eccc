import type { Dialect } from "./dialect.js";

const providers = { privy: "kms_a", turnkey: "kms_b", dynamic: "kms_c" };

/** What the clients of the first service with this interface say. */
export const grid: Dialect = {
  name: "grid",
  paths: { "/api/grid/": "/api/service/", "/api/v0/grid/": "/api/v0/service/" },
  headers: { "x-grid-environment": "x-service-environment" },
  fields: {
    Privy: "KmsA",
    Turnkey: "KmsB",
    Dynamic: "KmsC",
    privy_access_token: "kms_a_access_token",
  },
  values: { provider: providers, kms_provider: providers, requested_provider: providers, session_provider: providers },
};
