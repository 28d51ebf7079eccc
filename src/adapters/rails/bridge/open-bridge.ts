import type { KeyObject } from "node:crypto";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { RailsPartner } from "@trellis/kernel/ports/rails.js";
import { UnusableEnvironmentError } from "@trellis/kernel/unusable-environment-error.js";
import { createBridgeHttp } from "./bridge-http.js";
import type { BridgeChoices } from "./bridge-needs.js";
import { createBridgePartner } from "./bridge-partner.js";
import { checkBridge } from "./check-bridge.js";

export interface BridgeOptions extends BridgeChoices {
  readonly baseUrl: string;
  /** Secret. */
  readonly apiKey: string;
  readonly webhookKeys: readonly KeyObject[];
}

/**
 * Opens the partner for an environment. One that refuses the key, or is to pay in coins the environment does not have, makes
 * the environment unusable: UnusableEnvironmentError. One that is away for the moment is no reason not to start.
 */
export async function openBridge(
  options: BridgeOptions,
  { network, log, realClock }: { readonly network: Network; readonly log: Log; readonly realClock: Clock },
): Promise<RailsPartner> {
  const known = network.currencies.map(({ symbol }) => symbol);
  const missing = options.pairs.flatMap(({ coins }) => coins).filter((coin) => !known.includes(coin));
  if (missing.length > 0) {
    throw new UnusableEnvironmentError(
      network.name,
      `its bank rails are to pay in ${[...new Set(missing)].join(", ")}, and it has ${known.join(", ")} only.`,
    );
  }
  const ask = createBridgeHttp({ baseUrl: options.baseUrl, apiKey: options.apiKey, log });
  const check = await checkBridge(ask, network.name);
  if (!check.works && check.refused) throw new UnusableEnvironmentError(network.name, check.why);
  if (!check.works)
    log.warn(
      { event: "partner_check_failed", environment: network.name, partner: "bridge", reason: check.why },
      "partner could not be checked at the start",
    );
  if (options.webhookKeys.length === 0) {
    log.info(
      { event: "partner_webhooks_off", environment: network.name, partner: "bridge" },
      "partner webhooks are off: the partner is polled",
    );
  }
  return createBridgePartner({ ask, log, realClock, choices: options, webhookKeys: options.webhookKeys });
}
