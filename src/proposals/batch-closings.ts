import type { Address, Instruction } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  closeBatchInstruction,
  closeBatchTransactionInstruction,
  decodeBatch,
  decodeBatchTransaction,
  deriveBatchTransactionAddress,
  deriveTransactionAddress,
  ProgramDataError,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { readAccount, readAccounts } from "@trellis/solana/read-accounts.js";
import type { ProposalRow } from "./proposal-store.js";

/** Closings of one batch in a transaction: each brings an account of its own, and takes some 20,000 compute units. */
const togetherMax = 12;

/** Instructions that close a finished batch, or as much of it as one transaction takes. */
export interface BatchClosing {
  readonly instructions: readonly Instruction[];
  /** Whether nothing is left of it afterwards. */
  readonly isWhole: boolean;
}

/**
 * The next step of closing a finished batch: its transactions from the last to the first, then itself. Each account's rent
 * goes to its payer. Undefined where nothing is there any more, or it cannot be read. Throws `chain_unavailable`.
 */
export async function planBatchClosing(
  network: Pick<Network, "rpc">,
  row: ProposalRow,
): Promise<BatchClosing | undefined> {
  const settings = row.settings_address as Address;
  const batchIndex = row.transaction_index;
  const account = await readAccount(network, deriveTransactionAddress(settings, batchIndex));
  if (account?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  try {
    const { size, rentCollector } = decodeBatch(account.data);
    const numbers = Array.from({ length: Math.min(size, togetherMax) }, (_, i) => size - i);
    const addresses = numbers.map((number) => deriveBatchTransactionAddress(settings, batchIndex, number));
    const stored = addresses.length === 0 ? [] : await readAccounts(network, addresses);
    const instructions: Instruction[] = numbers.flatMap((number, i) => {
      const found = stored[i];
      if (found === undefined) return [];
      const one = decodeBatchTransaction(found.data);
      return [closeBatchTransactionInstruction({ settings, batchIndex, number, rentCollector: one.rentCollector })];
    });
    if (instructions.length < numbers.length) return undefined;
    const isWhole = size <= togetherMax;
    if (isWhole) {
      const proposalRentCollector = row.proposal_rent_collector as Address;
      instructions.push(
        closeBatchInstruction({ settings, batchIndex, proposalRentCollector, batchRentCollector: rentCollector }),
      );
    }
    return { instructions, isWhole };
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}
