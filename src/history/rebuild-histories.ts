import type { Address, Signature } from "@solana/kit";
import { allOf } from "@trellis/kernel/each-of.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { accountKeysOf } from "@trellis/program-client";
import { historySubscriptions } from "../following/history-subscriptions.js";
import {
  clearHistory,
  type FollowedAddress,
  findEveryAccount,
  followAddresses,
  type HistoryAccount,
  type Listed,
  moveScan,
  type ReadTransaction,
  takeIn,
} from "./history-store.js";
import { forgetComplete, saveRead } from "./history-write-store.js";
import { readHoldings } from "./holdings.js";
import { readForAccount } from "./read-for-account.js";
import { ownTokenPlaces } from "./read-movements.js";
import { type HistoryNeeds, listSignatures, readTransaction } from "./refresh-history.js";

/** What a rebuild found in one environment. */
export interface HistoryCounts {
  readonly accounts: number;
  readonly transactions: number;
  readonly transfers: number;
  /** Transactions that are listed and were not returned; the follower continues to ask for them. */
  readonly unread: number;
}

/** Transactions asked for at one time, and written down together. */
const readAtOnce = 8;
const savedTogether = 200;

/**
 * Makes the histories of an environment anew from the chain alone: no row that is there is read, and each account's
 * rows are replaced in one database transaction. Following gives the same rows, so a rebuild changes nothing that was
 * right. Throws `chain_unavailable`; the accounts before it are done then, the others untouched.
 */
export async function rebuildHistories(needs: HistoryNeeds, network: Network): Promise<HistoryCounts> {
  const counts = { accounts: 0, transactions: 0, transfers: 0, unread: 0 };
  for (const account of await findEveryAccount(needs.db, network.name)) {
    const { known, unread } = await rebuildAccount(needs, network, account);
    counts.accounts += 1;
    counts.transactions += known.length;
    counts.transfers += known.reduce((sum, { transfers }) => sum + transfers.length, 0);
    counts.unread += unread.length;
  }
  return counts;
}

interface Entry extends Listed {
  readonly foundAt: string;
}

async function rebuildAccount({ db }: HistoryNeeds, network: Network, account: HistoryAccount) {
  const { tokens } = await readHoldings(network, account);
  const roles = new Map<string, FollowedAddress["role"]>([
    [account.address, "vault"],
    [account.settingsAddress, "settings"],
    ...[...tokens.keys()].map((address) => [address, "token"] as const),
  ]);
  const frontiers = new Map<string, string | null>();
  const seen = new Set<string>();
  const known: ReadTransaction[] = [];
  const unread: Entry[] = [];
  // Token accounts that were closed since are reported by transactions, and are read after that.
  for (const [address] of roles) {
    const listed = (await listEverything(network, address)).filter(({ signature }) => !seen.has(signature));
    frontiers.set(address, listed.find(({ finalized }) => finalized)?.signature ?? null);
    for (const { signature } of listed) seen.add(signature);
    for (let at = 0; at < listed.length; at += readAtOnce) {
      await allOf(
        listed.slice(at, at + readAtOnce).map(async (entry) => {
          const transaction = await readTransaction(network, entry.signature as Signature);
          if (transaction === undefined) {
            unread.push({ ...entry, foundAt: address });
            return;
          }
          const reported = readForAccount(account, transaction, { ...entry, foundAt: address });
          if (reported !== undefined) known.push(reported);
          const keys = accountKeysOf(transaction);
          for (const place of ownTokenPlaces(transaction, account.address)) {
            const token = keys[place];
            if (token !== undefined && !roles.has(token)) roles.set(token, "token");
          }
        }),
      );
    }
  }
  const now = network.clock.now();
  await db.transaction().execute(async (trx) => {
    const subscription = await historySubscriptions.get(trx, network.name, account.address);
    await clearHistory(trx, account);
    await followAddresses(
      trx,
      account,
      [...roles].map(([address, role]) => ({ address, role })),
    );
    for (let at = 0; at < known.length; at += savedTogether) {
      await saveRead(trx, account, known.slice(at, at + savedTogether), []);
    }
    for (const entry of unread) await takeIn(trx, account, entry.foundAt, [entry]);
    for (const [address, role] of roles) {
      const from = { address, role, total: 0n, frontier: null, scan_top: null, scan_before: null };
      await moveScan(trx, account, from, { ...from, frontier: frontiers.get(address) ?? null });
    }
    // The next refresh compares what was found with what the account holds.
    const rebuilt = { refreshedAt: now, readAt: now, completeAt: null, nextRunAt: now, fingerprint: null };
    await historySubscriptions.save(trx, network.name, [{ ...subscription, ...rebuilt }]);
    await forgetComplete(trx, account);
  });
  return { known, unread };
}

async function listEverything(network: Pick<Network, "rpc">, address: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let before: string | null = null; ; ) {
    const page: Listed[] = await listSignatures(network, {
      address: address as Address,
      frontier: null,
      scan_before: before,
    });
    if (page.length === 0) return all;
    all.push(...page);
    before = page.at(-1)?.signature ?? null;
  }
}
