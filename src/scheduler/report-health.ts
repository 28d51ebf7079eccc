import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { reportOnce } from "../events/record-event.js";
import { budgetDay } from "../sponsorship/sponsorship.js";

/** Notifies every tenant of an environment, once a day, that the key that pays fees holds too little (gap 90). */
export async function reportPoverty(
  { db, realClock }: { readonly db: Db; readonly realClock: Clock },
  network: Pick<Network, "name" | "clock" | "feePayer" | "health">,
): Promise<void> {
  // A chain that does not answer says nothing about the key.
  const health = await network.health().catch(() => undefined);
  if (health?.poor !== true) return;
  await reportOnce(db, {
    environment: network.name,
    type: "fee_payer.low",
    objectId: network.feePayer.address,
    data: { address: network.feePayer.address, ...(health.message === undefined ? {} : { message: health.message }) },
    once: `fee_payer.low/${budgetDay(realClock.now())}`,
    now: network.clock.now(),
  });
}
