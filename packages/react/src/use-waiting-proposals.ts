import { type AccountProposal, addressesOfHolder } from "@trellis/sdk";
import { type Read, type ReadOptions, useReading } from "./use-reading.js";

const usualPollMs = 30_000;
/** As many as one answer holds. */
const proposalsView = 100;

/**
 * The proposals of all accounts that wait for the vote of a wallet of the session, each with its `account`; of each wallet the newest
 * hundred. A publishable key needs `proposals:read` for it.
 */
export function useWaitingProposals({ pollMs = usualPollMs }: ReadOptions = {}): Read<readonly AccountProposal[]> {
  return useReading(
    "waiting proposals",
    async (client, _account, by) => {
      const pages = await Promise.all(
        addressesOfHolder(by).map((signer) =>
          client.proposals.pageOfAll({ waiting_for: signer, limit: proposalsView }),
        ),
      );
      const found = pages.flatMap(({ proposals }) => proposals);
      return [...new Map(found.map((proposal) => [proposal.proposalAddress, proposal])).values()];
    },
    pollMs,
  );
}
