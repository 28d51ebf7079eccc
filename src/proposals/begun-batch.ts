import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  decodeBatch,
  decodeProposal,
  deriveProposalAddress,
  deriveTransactionAddress,
  encodeWrappedMessage,
  ProgramDataError,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { readBatchContent } from "../transactions/stored-batch.js";
import type { NewMessages } from "./executable-content.js";
import type { NewProposal } from "./open-proposal.js";

/** A batch whose vote is not open, with the first of the messages that are asked for, and nothing else. */
export interface BegunBatch {
  readonly transactionIndex: bigint;
  /** How many of them it holds. */
  readonly stored: number;
}

/**
 * Searches the latest proposals for a batch that this creator began with exactly these messages and did not finish: the
 * one that holds most of them. One that holds nothing yet may be anybody's beginning, and is left alone. So is one that
 * another payer pays for, where the service is to pay: it is not counted, and its rent would never be returned.
 *
 * Throws `chain_unavailable`.
 */
export async function findBegunBatch(
  network: Network,
  { account, creator, feePayer }: Pick<NewProposal, "account" | "creator" | "feePayer">,
  messages: NewMessages,
): Promise<BegunBatch | undefined> {
  const { settingsAddress, settings, slot } = account;
  const freshness = { leastSlot: slot };
  const open = settings.transactionIndex - settings.staleTransactionIndex;
  const count = open < BigInt(limits.draftsRead) ? Number(open) : limits.draftsRead;
  const indexes = Array.from({ length: count }, (_, i) => settings.transactionIndex - BigInt(i));
  const read = async (addresses: readonly Address[]) =>
    addresses.length === 0 ? [] : readAccounts(network, addresses, freshness);

  const isPaidFor = (one: { readonly rentCollector: Address } | undefined) =>
    feePayer !== undefined || one?.rentCollector === network.feePayer.address;

  const proposals = await read(indexes.map((index) => deriveProposalAddress(settingsAddress, index)));
  const drafts = indexes.filter((_, i) => {
    const held = proposals[i];
    if (held?.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) return false;
    const proposal = attempt(() => decodeProposal(held.data));
    return proposal?.status === "draft" && isPaidFor(proposal);
  });
  const batches = await read(drafts.map((index) => deriveTransactionAddress(settingsAddress, index)));
  const own = drafts.filter((_, i) => {
    const held = batches[i];
    const batch = held && attempt(() => decodeBatch(held.data));
    return batch?.creator === creator && isPaidFor(batch);
  });

  const wanted = messages.map(({ message }) => Buffer.from(encodeWrappedMessage(message)));
  let best: BegunBatch | undefined;
  for (const transactionIndex of own) {
    const content = await readBatchContent(network, settingsAddress, transactionIndex, freshness);
    if (content?.accountIndex !== 0) continue;
    const isBeginning = content.transactions.every(
      ({ message, ephemeralSignerCount }, i) =>
        ephemeralSignerCount === 0 && wanted[i]?.equals(Uint8Array.from(encodeWrappedMessage(message))) === true,
    );
    const stored = content.transactions.length;
    if (isBeginning && stored > (best?.stored ?? 0)) best = { transactionIndex, stored };
  }
  return best;
}

/** What is on chain was written by anybody; what cannot be read is treated as absent. */
function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}
