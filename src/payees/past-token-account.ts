import type { Address } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { accountKeysOf } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";

/** How many of an address's latest transactions are read: the one that closed it is the last, unless others name it since. */
const transactionsRead = 5;

/**
 * The owner of the token account that stood at an address at which none stands now, as far as a node's history says;
 * undefined where none is found. One question, and one more for each of the address's latest transactions. Throws
 * `chain_unavailable`.
 */
export async function findPastTokenAccount(
  network: Pick<Network, "rpc">,
  address: Address,
): Promise<Address | undefined> {
  const latest = await askChain(
    network.rpc.getSignaturesForAddress(address, { limit: transactionsRead, commitment: "confirmed" }),
  );
  const transactions = await Promise.all(
    latest
      .filter(({ err }) => err === null)
      .map(({ signature }) =>
        askChain(
          network.rpc.getTransaction(signature, {
            encoding: "json",
            commitment: "confirmed",
            maxSupportedTransactionVersion: 0,
          }),
        ),
      ),
  );
  for (const transaction of transactions) {
    if (transaction === null || transaction.meta === null) continue;
    const place = accountKeysOf(transaction).indexOf(address);
    const { preTokenBalances, postTokenBalances } = transaction.meta;
    const held = [...(preTokenBalances ?? []), ...(postTokenBalances ?? [])];
    const owner = held.find(({ accountIndex }) => accountIndex === place)?.owner;
    if (owner !== undefined) return owner;
  }
  return undefined;
}
