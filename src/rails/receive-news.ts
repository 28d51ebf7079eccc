import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { storeNotices } from "./notice-store.js";
import type { RailNeeds } from "./rail-needs.js";

/** A message that claims to come from a partner. */
export interface PartnerMessage {
  readonly partner: string;
  readonly environment: EnvironmentName;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBody: Uint8Array;
}

/**
 * Stores what a partner sent as hints, for the pass to follow; when it resolves to true they are stored. False: the
 * environment has no such partner. Throws InvalidPartnerSignature, and then nothing is stored (gap 106).
 */
export async function receiveNews(
  needs: Pick<RailNeeds, "db" | "rails" | "realClock">,
  { partner, environment, headers, rawBody }: PartnerMessage,
): Promise<boolean> {
  const found = needs.rails.get(environment)?.partner;
  if (found?.name !== partner) return false;
  const now = needs.realClock.now();
  await storeNotices(needs.db, { environment, partner }, found.hintsFrom(headers, rawBody, now), now);
  return true;
}
