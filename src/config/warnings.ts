import type { Config } from "./config.js";

/** What an operator should know of a configuration that is good enough to start with. */
export function warningsOf(config: Pick<Config, "clusters" | "publicUrl">): readonly string[] {
  if (config.clusters.length === 0 || config.publicUrl !== null) return [];
  return [
    "TRELLIS_PUBLIC_URL is not set: identity tokens name http://localhost as who issued them, which every other installation " +
      "without it does, too. Set it to the address at which clients find this service.",
  ];
}
