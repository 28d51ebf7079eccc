import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { createCallerRefreshes } from "../following/caller-refreshes.js";
import { type IndexNeeds, refreshAccountProposals } from "./refresh-proposals.js";

/** Refreshes for those who ask about an account's proposals. */
export interface ProposalRefreshes {
  /**
   * Brings the index of one account up to date, together with all who ask at the same time. False when that takes too
   * long, the chain does not answer or too many others are being refreshed: the index then is as it was, or a little
   * better. Does not reject.
   */
  refresh(network: Network, settingsAddress: Address): Promise<boolean>;
}

/** Those of one process. */
export function createProposalRefreshes(needs: IndexNeeds & { readonly pause: Pause }): ProposalRefreshes {
  const refreshes = createCallerRefreshes(needs, "proposals");
  return {
    refresh: (network, settingsAddress) =>
      refreshes.run(network, settingsAddress, limits.refreshPatienceMs, () =>
        refreshAccountProposals(needs, network, settingsAddress),
      ),
  };
}
