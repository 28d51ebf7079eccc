import type { Address, Instruction } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import type { ActingAccount } from "../transactions/acting-account.js";
import { prepareInstructions } from "../transactions/prepare-synchronous.js";
import type { PreparedTransaction } from "../transactions/prepared-transaction.js";
import { rentSponsorOf } from "../transactions/rent-sponsor.js";
import { knownProposal, type LoadedProposal } from "./describe-proposal.js";
import { planExecution } from "./execution-plan.js";

/** An execution to be prepared. */
export interface ExecutionRequest {
  readonly account: ActingAccount;
  readonly loaded: LoadedProposal;
  readonly executor: Address;
  /** Stand in front: votes. */
  readonly before: readonly Instruction[];
  /** Who signs for those. */
  readonly voters: readonly Address[];
  readonly feePayer: Address | undefined;
}

/**
 * Prepares the transaction that executes a proposal. Of a batch it executes the next ones, as many as fit and succeed
 * together: at least one. Throws what planExecution and prepareInstructions throw.
 */
export async function prepareExecution(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  { account, loaded, executor, before, voters, feePayer }: ExecutionRequest,
): Promise<PreparedTransaction> {
  const sponsor = rentSponsorOf(needs.db, network, account.row.address, feePayer);
  const attempt = async (count: number) => {
    const plan = await planExecution(network, account, loaded, executor, sponsor, count);
    return prepareInstructions(needs, network, {
      kind: "execute_proposal",
      account,
      signers: [...new Set([...voters, executor, ...plan.further])],
      instructions: [...before, ...plan.instructions],
      feePayer,
      rentLamports: plan.rentLamports,
      lookupTables: loaded.lookupTables,
      facts: { owners: loaded.owners, proposals: knownProposal(loaded, account.settingsAddress) },
    });
  };
  for (let count = leftIn(loaded.content); count > 1; count = Math.floor(count / 2)) {
    try {
      return await attempt(count);
    } catch (error) {
      // Fewer of them may do; what keeps even the first from being executed is reported for that one.
      if (!(error instanceof TrellisError) || error.code === "chain_unavailable") throw error;
    }
  }
  return attempt(1);
}

/** More of a batch than this is never tried at once. */
const togetherMax = 8;

function leftIn(content: ProposalContent | undefined): number {
  return content?.kind === "batch" ? Math.min(togetherMax, content.transactions.length - content.executed) : 1;
}
