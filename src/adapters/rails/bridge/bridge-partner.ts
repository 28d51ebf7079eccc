import type { KeyObject } from "node:crypto";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { InvalidPartnerSignature, type RailsPartner } from "@trellis/kernel/ports/rails.js";
import type { AskBridge } from "./bridge-http.js";
import { type BridgeChoices, type BridgeNeeds, createAlarm, waysOf } from "./bridge-needs.js";
import { changesSince } from "./changes.js";
import { deposits } from "./deposits.js";
import { externalAccounts } from "./external-accounts.js";
import { kycLinks } from "./kyc-links.js";
import { liquidationAddresses } from "./liquidation-addresses.js";
import { endorsementOf } from "./states.js";
import { transfers } from "./transfers.js";
import { virtualAccounts } from "./virtual-accounts.js";
import { readNews } from "./webhooks.js";

export interface BridgePartnerParts {
  readonly ask: AskBridge;
  readonly log: Log;
  readonly realClock: Clock;
  readonly choices: BridgeChoices;
  /** By which news are signed; none: nothing that arrives is believed to be the partner's. */
  readonly webhookKeys: readonly KeyObject[];
}

/** The partner Bridge (apidocs.bridge.xyz), for one environment. */
export function createBridgePartner(parts: BridgePartnerParts): RailsPartner {
  const { ask, log, choices, webhookKeys, realClock } = parts;
  const needs: BridgeNeeds = { ask, log, choices, alarm: createAlarm(log) };
  return {
    name: "bridge",
    payIns: choices.pairs.map(({ currency, coins }) => ({
      from: currency,
      to: coins,
      rails: waysOf[currency].rails,
      endorsement: endorsementOf[currency],
    })),
    payOuts: choices.pairs.map(({ currency, coins }) => ({
      from: coins,
      to: currency,
      rails: waysOf[currency].rails,
      endorsement: endorsementOf[currency],
      minimum: waysOf[currency].minimum,
    })),
    ...kycLinks(needs),
    ...virtualAccounts(needs),
    ...deposits(needs),
    ...externalAccounts(needs),
    ...transfers(needs),
    ...liquidationAddresses(needs),
    hintsFrom: (headers, rawBody, realNow) => {
      if (webhookKeys.length === 0) throw new InvalidPartnerSignature("No key of the partner is configured.");
      return readNews(webhookKeys, headers, rawBody, realNow);
    },
    changesSince: (cursor, signal) => changesSince(needs, cursor, realClock, signal),
  };
}
