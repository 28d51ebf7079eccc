import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { RailsSimulator } from "@trellis/kernel/ports/rails.js";
import { getRails, orUnavailable } from "../rails/ask-partner.js";
import type { RailNeeds } from "../rails/rail-needs.js";
import { findVirtualAccountOfTenant, isOpened, type OpenedVirtualAccount } from "../rails/virtual-account-store.js";
import { virtualAccountKind } from "../rails/virtual-accounts.js";

/**
 * A virtual account of the tenant's own, with the hand on its partner. Throws `rail_not_available` where nothing is
 * simulated, `virtual_account_not_found`.
 */
export async function getSimulated(
  needs: Pick<RailNeeds, "db" | "rails">,
  network: Network,
  tenantId: string,
  id: string,
): Promise<{ readonly simulator: RailsSimulator; readonly row: OpenedVirtualAccount }> {
  const { partner, simulator } = getRails(needs, network);
  if (simulator === undefined) throw new TrellisError("rail_not_available");
  const row = await findVirtualAccountOfTenant(needs.db, { tenantId, environment: network.name }, id);
  if (row === undefined || !isOpened(row) || row.partner !== partner.name) {
    throw new TrellisError("virtual_account_not_found");
  }
  return { simulator, row };
}

/** Lets happen at the partner what is due, and reads what became of one virtual account, for who is to see it in the answer. */
export async function playOn(needs: RailNeeds, network: Network, { id }: OpenedVirtualAccount): Promise<void> {
  const rails = getRails(needs, network);
  await rails.simulator?.play();
  await orUnavailable(virtualAccountKind.poll(needs, network, rails, id));
}
