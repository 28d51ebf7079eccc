import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  decodeBatch,
  decodeBatchTransaction,
  deriveBatchTransactionAddress,
  deriveTransactionAddress,
  ProgramDataError,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import type { BatchContent } from "@trellis/program-client/proposal-content.js";
import { type Freshness, readAccount, readAccounts } from "@trellis/solana/read-accounts.js";

/**
 * What a batch holds as the chain has it now; undefined where any of it is removed or cannot be read, or it holds more than
 * anybody could read. While its proposal is a draft, more may be added. Throws `chain_unavailable`.
 */
export async function readBatchContent(
  network: Pick<Network, "rpc">,
  settings: Address,
  transactionIndex: bigint,
  freshness: Freshness = {},
): Promise<BatchContent | undefined> {
  const batch = await readAccount(network, deriveTransactionAddress(settings, transactionIndex), freshness);
  if (batch?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return undefined;
  try {
    const { accountIndex, size, executedCount, ...held } = decodeBatch(batch.data);
    if (held.settings !== settings || size > limits.batchTransactionsRead) return undefined;
    const addresses = Array.from({ length: size }, (_, i) =>
      deriveBatchTransactionAddress(settings, transactionIndex, i + 1),
    );
    const accounts = addresses.length === 0 ? [] : await readAccounts(network, addresses, freshness);
    const transactions = accounts.flatMap((account) =>
      account?.owner === SMART_ACCOUNT_PROGRAM_ADDRESS ? [decodeBatchTransaction(account.data)] : [],
    );
    if (transactions.length < size) return undefined;
    return { kind: "batch", accountIndex, executed: executedCount, transactions };
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}
