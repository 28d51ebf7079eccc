import type { Address, Signature } from "@solana/kit";
import type { Network } from "@trellis/kernel/ports/network.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { foldTransaction } from "./fold-history.js";
import type { ProposalHistory, ProposalPlace } from "./proposal-history.js";

/** Signatures in one answer, and how many answers are read at most: behind that there is nothing but spam. */
const pageSize = 1_000;
const pagesMax = 20;
/** Transactions read in one go; the next read continues behind them. */
const transactionsMax = 500;
/** A node that has not written a transaction down after so many slots (ten minutes) has forgotten it. */
const forgottenAfterSlots = 1_500n;

interface Mention {
  readonly signature: Signature;
  readonly slot: bigint;
}

/**
 * Continues from `history` with every transaction that named the proposal since, up to the slot `until` at which its
 * account was read. A transaction that the node cannot show yet ends the walk before it. Throws `chain_unavailable`.
 */
export async function readHistory(
  network: Pick<Network, "rpc">,
  place: ProposalPlace,
  history: ProposalHistory,
  until: bigint,
): Promise<ProposalHistory> {
  const mentions = await mentionsOf(network, place.proposalAddress, history.seenSignature, until);
  return foldAll(network, place, history, mentions, until);
}

/**
 * Searches for what the transaction index held among the transactions that named its account, where the account is removed
 * and the proposal's own transactions did not say. Throws `chain_unavailable`.
 */
export async function readOrigin(
  network: Pick<Network, "rpc">,
  place: ProposalPlace,
  history: ProposalHistory,
  until: bigint,
): Promise<ProposalHistory> {
  const mentions = await mentionsOf(network, place.transactionAddress, null, until);
  const origin = await foldAll(network, place, history, mentions, until, ({ facts }) => facts !== undefined);
  const { batch } = history;
  const accountIndex = origin.batch?.accountIndex;
  return { ...history, facts: origin.facts, ...(batch === undefined ? {} : { batch: { ...batch, accountIndex } }) };
}

async function foldAll(
  network: Pick<Network, "rpc">,
  place: ProposalPlace,
  history: ProposalHistory,
  mentions: readonly Mention[],
  until: bigint,
  enough: (history: ProposalHistory) => boolean = () => false,
): Promise<ProposalHistory> {
  let folded = history;
  for (const { signature, slot } of mentions.slice(0, transactionsMax)) {
    if (enough(folded)) break;
    const transaction = await askChain(
      network.rpc.getTransaction(signature, {
        commitment: "confirmed",
        maxSupportedTransactionVersion: 0,
        encoding: "json",
      }),
    );
    if (transaction !== null) folded = foldTransaction(folded, place, signature, transaction);
    else if (until - slot < forgottenAfterSlots) break;
  }
  return folded;
}

/** The successful transactions that named an address since `seen`, oldest first. */
async function mentionsOf(
  network: Pick<Network, "rpc">,
  address: Address,
  seen: string | null,
  until: bigint,
): Promise<Mention[]> {
  const found: Mention[] = [];
  let before: Signature | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await askChain(
      network.rpc.getSignaturesForAddress(address, {
        commitment: "confirmed",
        limit: pageSize,
        ...(seen === null ? {} : { until: seen as Signature }),
        ...(before === undefined ? {} : { before }),
      }),
    );
    for (const { signature, slot, err } of answer) {
      if (err === null && slot <= until) found.push({ signature, slot });
    }
    before = answer.at(-1)?.signature;
    if (answer.length < pageSize) break;
  }
  return found.reverse();
}
