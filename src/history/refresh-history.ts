import type { Address, Signature } from "@solana/kit";
import { allOf } from "@trellis/kernel/each-of.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { accountKeysOf } from "@trellis/program-client";
import { askChain } from "@trellis/solana/ask-chain.js";
import { transactionQuestion } from "@trellis/solana/transaction-question.js";
import type { ChainTransaction } from "./chain-transaction.js";
import {
  type FollowedAddress,
  findFollowedAddresses,
  findOpen,
  findUnread,
  followAddresses,
  type HistoryAccount,
  hasUnread,
  type Listed,
  moveScan,
  postpone,
  type ReadTransaction,
  takeIn,
  type Unread,
} from "./history-store.js";
import { dropForked, saveRead } from "./history-write-store.js";
import { expectedFingerprint, type Holdings, readHoldings, usualTokenAccounts } from "./holdings.js";
import { readForAccount } from "./read-for-account.js";
import { ownTokenPlaces } from "./read-movements.js";

/** What following histories needs of the world. */
export interface HistoryNeeds {
  readonly db: Db;
  readonly log: Log;
}

/** How much may still be asked of the chain; counted down as it is. */
export interface Budget {
  pages: number;
  reads: number;
}

/** What a refresh found. */
export interface Refreshed {
  /** Everything that the chain shows is in the index. */
  readonly isComplete: boolean;
  /** The budget ended before the work did: there is more to be had at once. */
  readonly isCutShort: boolean;
  readonly isNews: boolean;
  /** Something is confirmed and not final yet. */
  readonly isOpen: boolean;
  /** What a glance will show until something changes; null where something is missing. */
  readonly fingerprint: string | null;
}

/** Rounds in which token accounts that transactions report are followed too. */
const roundsMax = 3;

/**
 * Brings the history of one account up to date: lists what happened to the smart account, its settings and its token
 * accounts since the last time, and reads what is new, within the budget; the next call continues where this one ended.
 *
 * The movements of each address have to add up to what it holds. Where they do not, a node has reported less than there is:
 * with `again`, the lists are then read from their newest to their oldest entry. Throws `chain_unavailable`;
 * what was written until then stays.
 */
export async function refreshHistory(
  needs: HistoryNeeds,
  network: Network,
  account: HistoryAccount,
  budget: Budget,
  { again }: { readonly again: boolean },
): Promise<Refreshed> {
  const { db } = needs;
  const holdings = await readHoldings(network, account);
  let followed = await follow(needs, network, account, holdings);
  const scanned = new Set<string>();
  let added = 0;
  for (let round = 0; round < roundsMax; round += 1) {
    if (round > 0 && followed.every(({ address }) => scanned.has(address))) break;
    const open = await findOpen(db, account);
    const chosen = followed.filter((one) => !scanned.has(one.address) && needsScan(one, holdings, open));
    if (chosen.length === 0 && round > 0) break;
    for (const one of chosen) {
      if (budget.pages <= 0) break;
      scanned.add(one.address);
      added += await scan(needs, network, account, one, holdings.slot, budget);
    }
    added += await readUnread(needs, network, account, budget);
    followed = await findFollowed(db, account);
  }
  const wrong = followed.filter((one) => !addsUp(one, holdings));
  if (again && wrong.length > 0 && added === 0 && !(await hasUnread(db, account))) {
    needs.log.warn(
      {
        event: "history_balance_mismatch",
        environment: network.name,
        account: account.address,
        addresses: wrong.map(({ address }) => address),
      },
      "transfers of an account do not add up to what it holds: its signatures are listed again from the newest on",
    );
    for (const one of wrong) {
      const from = { ...one, frontier: null, scan_top: null, scan_before: null };
      await moveScan(db, account, one, from);
      added += await scan(needs, network, account, from, holdings.slot, budget, { thoroughly: true });
    }
    added += await readUnread(needs, network, account, budget);
    followed = await findFollowed(db, account);
  }
  const open = await findOpen(db, account);
  const isScanned = followed.every(
    (one) => one.scan_before === null && (scanned.has(one.address) || !needsScan(one, holdings, open)),
  );
  const isDone = isScanned && !(await hasUnread(db, account));
  const isComplete = isDone && followed.every((one) => addsUp(one, holdings));
  const isOpen = open.size > 0;
  return {
    isComplete,
    isCutShort: !isDone && (budget.pages <= 0 || budget.reads <= 0),
    isNews: added > 0,
    isOpen,
    fingerprint: isComplete && !isOpen ? expectedFingerprint(network, account, followed, holdings) : null,
  };
}

const findFollowed = async (db: Db, account: HistoryAccount): Promise<FollowedAddress[]> =>
  (await findFollowedAddresses(db, account.environment, [account.address])).get(account.address) ?? [];

/** Begins to follow what is new: the account itself, its settings, and token accounts it now owns. */
async function follow(
  { db, log }: HistoryNeeds,
  network: Network,
  account: HistoryAccount,
  { tokens }: Holdings,
): Promise<FollowedAddress[]> {
  const followed = await findFollowed(db, account);
  const known = new Set(followed.map(({ address }) => address));
  const usual = new Set(usualTokenAccounts(account, network.currencies));
  // Anybody can open token accounts for an address: those of known currencies are first, and there is an end.
  const room = limits.historyTokenAccountsMax - known.size;
  const found = [...tokens.keys()].filter((address) => !known.has(address)).sort();
  const first = [...found.filter((address) => usual.has(address)), ...found.filter((address) => !usual.has(address))];
  const claimed = first.filter((address, i) => usual.has(address) || i < room);
  if (claimed.length < found.length) {
    log.warn(
      {
        event: "history_token_accounts_exceeded",
        environment: network.name,
        account: account.address,
        tokenAccounts: tokens.size,
      },
      "token accounts of an account are more than its history follows",
    );
  }
  const fresh = [
    { address: account.address, role: "vault" as const },
    { address: account.settingsAddress, role: "settings" as const },
    ...claimed.map((address) => ({ address, role: "token" as const })),
  ].filter(({ address }) => !known.has(address));
  if (fresh.length === 0) return followed;
  await followAddresses(db, account, fresh);
  return findFollowed(db, account);
}

/**
 * What the account does itself names the account, so that its list and its settings' are always read; a token account's
 * own list only where something must be in it, mostly what others paid in, or where what it reported was not final yet:
 * no other list says that it is by now, or that it was dropped.
 */
function needsScan(one: FollowedAddress, holdings: Holdings, open: ReadonlySet<string>): boolean {
  if (one.role !== "token" || one.frontier === null || one.scan_before !== null) return true;
  return open.has(one.address) || !addsUp(one, holdings);
}

function addsUp(one: FollowedAddress, { lamports, tokens }: Holdings): boolean {
  switch (one.role) {
    case "vault":
      return one.total === lamports;
    case "token":
      return one.total === (tokens.get(one.address as Address) ?? 0n);
    default:
      return true;
  }
}

/**
 * Goes through an address's list from where the last call ended, newest first, down to what is known. How far everything
 * is known moves on only when the end was reached, and only up to what is final. Returns how much was new.
 */
async function scan(
  { db, log }: HistoryNeeds,
  network: Network,
  account: HistoryAccount,
  from: FollowedAddress,
  slot: bigint,
  budget: Budget,
  { thoroughly = false } = {},
): Promise<number> {
  let at = from;
  let added = 0;
  const isWhole = from.scan_before === null;
  const listed: string[] = [];
  while (budget.pages > 0) {
    budget.pages -= 1;
    const page = await listSignatures(network, at);
    added += await takeIn(db, account, at.address, page);
    listed.push(...page.map(({ signature }) => signature));
    const top = at.scan_top ?? page.find(({ finalized }) => finalized)?.signature ?? null;
    const last = page.at(-1)?.signature;
    // A node may give less than it has: where something is known to be missing, only an empty answer is the end.
    const isEnd = last === undefined || (!thoroughly && page.length < limits.historySignaturesPerPage);
    const to: FollowedAddress = isEnd
      ? { ...at, frontier: top ?? at.frontier, scan_top: null, scan_before: null }
      : { ...at, scan_top: top, scan_before: last };
    const isMoved = to.frontier !== at.frontier || to.scan_top !== at.scan_top || to.scan_before !== at.scan_before;
    if (isMoved) await moveScan(db, account, at, to);
    at = to;
    if (!isEnd) continue;
    // Only a list that was seen as a whole shows that something has vanished from it.
    if (isWhole) {
      const beforeSlot = slot - limits.historyForkedAfterSlots;
      const removed = await dropForked(db, account, at.address, { beforeSlot, listed });
      if (removed.length > 0) {
        log.warn(
          { event: "history_transactions_dropped", environment: network.name, account: account.address, gone: removed },
          "transactions were dropped by the cluster",
        );
      }
    }
    return added;
  }
  return added;
}

/** One page of an address's transactions, newest first: behind `scan_before`, down to `frontier`. Throws `chain_unavailable`. */
export async function listSignatures(
  network: Pick<Network, "rpc">,
  at: Pick<FollowedAddress, "address" | "frontier" | "scan_before">,
): Promise<Listed[]> {
  const answer = await askChain(
    network.rpc.getSignaturesForAddress(at.address as Address, {
      commitment: "confirmed",
      limit: limits.historySignaturesPerPage,
      ...(at.frontier === null ? {} : { until: at.frontier as Signature }),
      ...(at.scan_before === null ? {} : { before: at.scan_before as Signature }),
    }),
  );
  return answer.map(({ signature, slot, blockTime, confirmationStatus }) => ({
    signature,
    slot,
    confirmedAt: blockTime,
    finalized: confirmationStatus === "finalized",
  }));
}

/** Transactions asked for at one time, and written down together. */
const readAtOnce = 8;
const savedTogether = 48;
/** Failed calls after which the chain counts as silent, when there was no answer before. */
const failuresMax = 3;

/** Reads what waits to be read, within the budget. Returns how much of it belongs to the account and was new. */
async function readUnread(
  needs: HistoryNeeds,
  network: Network,
  account: HistoryAccount,
  budget: Budget,
): Promise<number> {
  const { db } = needs;
  let added = 0;
  while (budget.reads > 0) {
    const now = network.clock.now();
    const unread = await findUnread(db, account, { now, limit: Math.min(savedTogether, budget.reads) });
    if (unread.length === 0) break;
    budget.reads -= unread.length;
    const results = await readAll(network, unread);
    const read: string[] = [];
    const known: ReadTransaction[] = [];
    const tokens = new Set<string>();
    for (const { one, transaction } of results) {
      if (transaction === undefined) {
        await postpone(db, account, one.signature, nextTry(now, one.tries));
        continue;
      }
      read.push(one.signature);
      const { signature, finalized, found_at: foundAt, confirmed_at: confirmedAt } = one;
      const reported = readForAccount(account, transaction, { signature, finalized, foundAt, confirmedAt });
      if (reported === undefined) continue;
      known.push(reported);
      const keys = accountKeysOf(transaction);
      for (const place of ownTokenPlaces(transaction, account.address)) tokens.add(keys[place] ?? "");
    }
    tokens.delete("");
    await followAddresses(
      db,
      account,
      [...tokens].sort().map((address) => ({ address, role: "token" })),
    );
    added += await saveRead(db, account, known, read);
  }
  return added;
}

/** The longer a transaction is not returned, the later it is asked for again: after seconds at first, daily in the end. */
const nextTry = (now: number, tries: number): number =>
  now + Math.min(limits.refreshesApartMostMs, limits.refreshesApartLeastMs * 2 ** Math.min(tries, 20));

interface ReadResult {
  readonly one: Unread;
  /** Undefined where the node does not show it, or did not answer. */
  readonly transaction: ChainTransaction | undefined;
}

/** One that a node cannot show keeps none of the others. Throws `chain_unavailable` where there is no answer to any. */
async function readAll(network: Pick<Network, "rpc">, unread: readonly Unread[]): Promise<ReadResult[]> {
  const results: ReadResult[] = [];
  let failures = 0;
  let answers = 0;
  for (let at = 0; at < unread.length; at += readAtOnce) {
    const batch = unread.slice(at, at + readAtOnce);
    const found = await allOf(
      batch.map((one) =>
        readTransaction(network, one.signature as Signature).then(
          (transaction) => {
            answers += 1;
            return { one, transaction };
          },
          (error: unknown) => {
            if (!(error instanceof TrellisError)) throw error;
            failures += 1;
            if (failures >= failuresMax && answers === 0) throw error;
            return { one, transaction: undefined };
          },
        ),
      ),
    );
    results.push(...found);
  }
  return results;
}

/** Undefined where the node does not have it, or not when it was. Throws `chain_unavailable`. */
export async function readTransaction(
  network: Pick<Network, "rpc">,
  signature: Signature,
): Promise<ChainTransaction | undefined> {
  const found = await askChain(network.rpc.getTransaction(signature, transactionQuestion));
  if (found === null || found.meta === null) return undefined;
  return found as unknown as ChainTransaction;
}
