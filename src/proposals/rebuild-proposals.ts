import type { Address } from "@solana/kit";
import type { ProposalTable } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { proposalSubscriptions } from "../following/proposal-subscriptions.js";
import { isOpen } from "./is-open.js";
import { findFollowedSettings } from "./proposal-store.js";
import { replaceProposals } from "./proposal-write-store.js";
import { newItem, readProposals } from "./read-proposals.js";
import { type IndexNeeds, readSettings, toRefresh } from "./refresh-proposals.js";

/** What a rebuild found in one environment. */
export interface RebuildCounts {
  readonly accounts: number;
  /** Accounts whose settings the chain did not show; their rows were left as they are. */
  readonly unreadable: number;
  readonly transactions: number;
  /** Of the transactions, those that a vote was opened on. */
  readonly proposals: number;
  /** Of the proposals, those that are closed. */
  readonly closed: number;
}

/** Indexes read together. */
const batch = 100n;

/**
 * Makes the index of an environment anew from the chain alone: no row that is there is read, and each account's rows
 * are replaced in one database transaction. Following gives the same rows, so a rebuild changes nothing that was right.
 * Throws `chain_unavailable`; the accounts before it are done then, the others untouched.
 */
export async function rebuildProposals(needs: IndexNeeds, network: Network): Promise<RebuildCounts> {
  const counts = { accounts: 0, unreadable: 0, transactions: 0, proposals: 0, closed: 0 };
  for (const settingsAddress of await findFollowedSettings(needs.db, network.name)) {
    counts.accounts += 1;
    const rows = await rebuildAccount(needs, network, settingsAddress as Address);
    if (rows === undefined) {
      counts.unreadable += 1;
      continue;
    }
    counts.transactions += rows.length;
    counts.proposals += rows.filter(({ status }) => status !== null).length;
    counts.closed += rows.filter(({ chain_status }) => chain_status === "closed").length;
  }
  return counts;
}

async function rebuildAccount(
  { db, log }: IndexNeeds,
  network: Network,
  settingsAddress: Address,
): Promise<readonly Omit<ProposalTable, "close_tried_at">[] | undefined> {
  const reading = (await readSettings(log, network, [settingsAddress])).get(settingsAddress);
  if (reading === undefined) return undefined;
  const rows: Omit<ProposalTable, "close_tried_at">[] = [];
  for (let first = 1n; first <= reading.transactionIndex; first += batch) {
    const rest = reading.transactionIndex - first + 1n;
    const length = Number(rest < batch ? rest : batch);
    const items = Array.from({ length }, (_, i) => newItem(settingsAddress, first + BigInt(i)));
    rows.push(...(await readProposals(log, network, items)));
  }
  const { transactionIndex, staleTransactionIndex } = reading;
  const now = network.clock.now();
  const seen = { now, transactionIndex, isOpen: rows.some((row) => isOpen(row, staleTransactionIndex)), isNews: false };
  await db.transaction().execute(async (trx) => {
    const subscription = await proposalSubscriptions.get(trx, network.name, settingsAddress);
    await replaceProposals(trx, network.name, settingsAddress, rows);
    await proposalSubscriptions.save(trx, network.name, [toRefresh(subscription, reading, seen)]);
  });
  return rows;
}
