import { type Address, isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  decodeProposal,
  deriveProposalAddress,
  ProgramDataError,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { readAccount } from "@trellis/solana/read-accounts.js";
import { findProposalByAddress, type ProposalRow } from "./proposal-store.js";
import { refreshProposal } from "./refresh-proposals.js";

interface Needs {
  readonly db: Db;
  readonly log: Log;
}

/**
 * A proposal of this account, read from the chain now: also one that the index has not met yet, and one that is closed.
 *
 * Throws `proposal_account_mismatch` for one that the chain has under other settings, of any owner (gap 40),
 * `proposal_not_found` for anything else, `chain_unavailable`.
 */
export async function getProposalRow(
  needs: Needs,
  network: Network,
  settingsAddress: Address,
  address: string,
): Promise<ProposalRow> {
  if (!isAddress(address)) throw new TrellisError("proposal_not_found");
  const known = await findProposalByAddress(needs.db, network.name, address);
  const index =
    known?.settings_address === settingsAddress
      ? known.transaction_index
      : await readTransactionIndex(network, settingsAddress, address);
  const row = await refreshProposal(needs, network, settingsAddress, index);
  if (row.status === null) throw new TrellisError("proposal_not_found");
  return row;
}

async function readTransactionIndex(network: Network, settingsAddress: Address, address: Address): Promise<bigint> {
  const account = await readAccount(network, address);
  if (account?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) throw new TrellisError("proposal_not_found");
  try {
    const { settings, transactionIndex } = decodeProposal(account.data);
    if (settings !== settingsAddress) throw new TrellisError("proposal_account_mismatch");
    if (deriveProposalAddress(settings, transactionIndex) === address) return transactionIndex;
  } catch (error) {
    if (!(error instanceof ProgramDataError)) throw error;
  }
  throw new TrellisError("proposal_not_found");
}
