import type { ChainTransaction } from "./chain-transaction.js";
import type { HistoryAccount, ReadTransaction } from "./history-store.js";
import { readMovements } from "./read-movements.js";
import { kindOf } from "./transaction-kind.js";

/**
 * What a transaction is in the history of an account: undefined where it has nothing to do with it. Pure, so that the same
 * chain always makes the same rows. `confirmedAt`: Unix seconds, where the transaction itself does not state its time.
 */
export function readForAccount(
  account: HistoryAccount,
  transaction: ChainTransaction,
  place: {
    readonly signature: string;
    readonly finalized: boolean;
    readonly foundAt: string;
    readonly confirmedAt: bigint | null;
  },
): ReadTransaction | undefined {
  const { meta } = transaction;
  const movements = readMovements(transaction, account.address);
  const kind = kindOf(transaction, { vault: account.address, settings: account.settingsAddress }, movements);
  if (kind === undefined || meta === null) return undefined;
  const seen = new Set<string>();
  return {
    transaction: {
      signature: place.signature,
      slot: transaction.slot,
      confirmed_at: transaction.blockTime ?? place.confirmedAt ?? 0n,
      finalized: place.finalized,
      failed: meta.err !== null,
      error: meta.err === null ? null : JSON.stringify(meta.err, plainNumbers),
      kind,
      found_at: place.foundAt,
    },
    transfers: movements.map((movement, position) => {
      const isFirst = !seen.has(movement.mint);
      seen.add(movement.mint);
      return {
        position,
        instruction_index: movement.instructionIndex,
        direction: movement.direction,
        own_address: movement.ownAddress,
        mint: movement.mint,
        is_token_2022: movement.isToken2022,
        decimals: movement.decimals,
        from_address: movement.from,
        to_address: movement.to,
        amount: movement.amount.toString(),
        is_first_of_mint: isFirst,
      };
    }),
  };
}

const plainNumbers = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value);
