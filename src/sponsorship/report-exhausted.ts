import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { reportOnce } from "../events/record-event.js";
import { budgetDay, type Reservation } from "./sponsorship.js";

const daySeconds = 86_400;

/**
 * Notifies a tenant, once a day, that a budget for what the service pays for others is used up (gap 90). The refusal it is
 * about changed nothing. `now` is environment time in Unix milliseconds.
 */
export async function reportExhausted(
  db: DbOrTrx,
  network: Pick<Network, "name">,
  { tenantId, realNow }: Pick<Reservation, "tenantId" | "realNow">,
  now: number,
): Promise<void> {
  const day = budgetDay(realNow);
  const retryAfter = Math.ceil((day + 1) * daySeconds - realNow / 1000);
  await reportOnce(
    db,
    {
      environment: network.name,
      type: "sponsorship.exhausted",
      objectId: `sponsorship/${day}`,
      data: { budget: "day", retry_after_seconds: retryAfter },
      once: `sponsorship.exhausted/${day}`,
      now,
    },
    tenantId,
  );
}
