import type { Address } from "@solana/kit";
import { limits } from "../kernel/limits.js";
import type { Network } from "../ports/network.js";
import type { Pause } from "../ports/pause.js";
import { type IndexNeeds, refreshAccountProposals } from "./refresh-proposals.js";

/** Looks at accounts for those who ask about their proposals. */
export interface AccountLooks {
  /**
   * Brings the index of one account up to date, together with all who ask at the same time. False when that takes too
   * long, the chain does not answer or too many others are being looked at: the index then is as it was, or a little
   * better. Does not reject.
   */
  look(network: Network, settingsAddress: Address): Promise<boolean>;
}

/** Those of one process. A look that nobody waits for any more still goes on to its end, for the next who asks. */
export function createAccountLooks(needs: IndexNeeds & { readonly pause: Pause }): AccountLooks {
  const underWay = new Map<string, Promise<boolean>>();

  const begin = async (network: Network, settingsAddress: Address): Promise<boolean> => {
    try {
      await refreshAccountProposals(needs, network, settingsAddress);
      return true;
    } catch (error) {
      needs.log.warn(
        { event: "proposal_list_refresh_failed", err: error, environment: network.name, settingsAddress },
        "proposals of an account could not be refreshed for a list",
      );
      return false;
    }
  };

  return {
    look: async (network, settingsAddress) => {
      const key = `${network.name} ${settingsAddress}`;
      let looking = underWay.get(key);
      if (looking === undefined) {
        if (underWay.size >= limits.looksAtOnce) return false;
        looking = begin(network, settingsAddress).finally(() => underWay.delete(key));
        underWay.set(key, looking);
      }
      return Promise.race([looking, needs.pause(limits.lookPatienceMs).then(() => false)]);
    },
  };
}
