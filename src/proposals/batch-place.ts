import { TrellisError } from "@trellis/kernel/errors.js";
import type { Submitted } from "@trellis/kernel/module.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  decodeBatch,
  deriveBatchTransactionAddress,
  ProgramDataError,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { readProposalCall } from "../transactions/proposal-call.js";

/**
 * Requires that what is put into a batch gets the next place in it, and that the batch can still reach a vote. One that
 * is begun by the same transaction is not there yet, and the simulation has the last word on it.
 *
 * Throws `stale_proposal`, `invalid_proposal_status`, `chain_unavailable`.
 */
export async function requireBatchPlaces(
  _needs: unknown,
  network: Network,
  { settingsAddress, staleTransactionIndex, instructions, leastSlot }: Submitted,
): Promise<void> {
  const calls = instructions.flatMap((instruction) => {
    const call = readProposalCall(instruction);
    return call?.kind === "add" ? [call] : [];
  });
  const addresses = [...new Set(calls.map(({ batch }) => batch))];
  if (addresses.length === 0) return;
  const found = await readAccounts(network, addresses, { leastSlot });
  for (const [at, address] of addresses.entries()) {
    const batch = readBatch(found[at]);
    if (batch === undefined) continue;
    if (batch.index <= staleTransactionIndex) throw new TrellisError("stale_proposal");
    for (const [further, call] of calls.filter((one) => one.batch === address).entries()) {
      const number = batch.size + further + 1;
      if (call.transaction === deriveBatchTransactionAddress(settingsAddress, batch.index, number)) continue;
      throw new TrellisError("invalid_proposal_status", {
        message: `The batch holds ${batch.size} transactions by now, not as many as when this was prepared. Prepare the proposal again: what is there is not sent again.`,
      });
    }
  }
}

function readBatch(account: { readonly owner: string; readonly data: Uint8Array } | undefined) {
  if (account?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  try {
    return decodeBatch(account.data);
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}
