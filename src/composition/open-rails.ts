import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Rails, RailsByEnvironment } from "@trellis/kernel/ports/rails.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";
import { createSandboxRails } from "@trellis/sandbox/partner/index.js";
import { openBridge } from "../adapters/rails/bridge/open-bridge.js";
import type { Config } from "../config/config.js";
import { settleRails } from "../rails/follow-rails.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { countTenantsWithKeys } from "../tenants/api-key-store.js";

/** The partner of every environment that has one. Throws UnusableEnvironmentError where one cannot be used. */
export async function openRails(
  config: Config,
  parts: {
    readonly db: Db;
    readonly keyring: Keyring;
    readonly random: Random;
    readonly baseUrl: () => string;
    readonly log: Log;
    readonly realClock: Clock;
  },
  networks: ReadonlyMap<EnvironmentName, Network>,
): Promise<RailsByEnvironment> {
  const rails = new Map<EnvironmentName, Rails>();
  const sandbox = networks.get("sandbox");
  const pace = config.sandboxRails;
  if (sandbox !== undefined && pace !== "off") {
    rails.set("sandbox", createSandboxRails({ ...parts, network: sandbox, pace }));
  }
  for (const bridge of config.bridges) {
    const network = networks.get(bridge.environment);
    if (network === undefined) continue;
    const tenants = await countTenantsWithKeys(parts.db, bridge.environment);
    if (tenants > 1) {
      // One key is one developer there, and one address of mail one customer: tenants would share them.
      throw new UnusableEnvironmentError(
        bridge.environment,
        `Bridge serves one tenant, and ${tenants} have API keys for it. Give each a service of its own, with its own key of Bridge.`,
      );
    }
    rails.set(bridge.environment, { partner: await openBridge(bridge, { ...parts, network }) });
  }
  return rails;
}

/** The pages of a simulated partner, if there is one. */
export function hostedPagesOf(needs: RailNeeds, network: Network | undefined) {
  const simulator = network && needs.rails.get(network.name)?.simulator;
  if (network === undefined || simulator === undefined) return {};
  return { hostedPages: { pages: simulator.pages, settle: () => settleRails(needs, network) } };
}
