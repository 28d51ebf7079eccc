import type { Address } from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { gathered } from "@trellis/kernel/gathered.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { decodeSettings, ProgramDataError, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import { canHaveProposals, votersOf } from "../accounts/policy.js";
import { planNextRun } from "../following/plan-next-run.js";
import {
  type ProposalRefresh,
  type ProposalSubscription,
  proposalSubscriptions,
  wakeProposals,
} from "../following/proposal-subscriptions.js";
import { isOpen } from "./is-open.js";
import { type FollowedRow, isIncomplete } from "./proposal-row.js";
import { findProposalByIndex, findRowsOfTurn, findUnvotable, type ProposalRow, type Turn } from "./proposal-store.js";
import { saveProposals } from "./proposal-write-store.js";
import { type Item, knownItem, newItem, readAnswered, readProposals, type SavedRow } from "./read-proposals.js";

/** What following needs of the world. */
export interface IndexNeeds {
  readonly db: Db;
  readonly log: Log;
}

/** What a settings account says about its transactions, and at which slot. */
export interface SettingsReading {
  readonly transactionIndex: bigint;
  readonly staleTransactionIndex: bigint;
  /** Whether its signers have a reason to make proposals. */
  readonly canHaveProposals: boolean;
  /** Who may vote. */
  readonly voters: readonly Address[];
  readonly slot: bigint;
}

/** New indexes of one account in one turn; the rest waits for the next. */
const newMax = 500n;
/** Of each group, rows whose transactions are read although their accounts show nothing new. */
const thoroughEach = 4;
/** Rows refreshed once more when a change of settings made them stale. */
const staleMax = 1_000;

/**
 * Brings the index of one account up to date: reads its settings, takes in what is new and reads again what can have
 * changed. Throws `chain_unavailable`.
 */
export async function refreshAccountProposals(
  needs: IndexNeeds,
  network: Network,
  settingsAddress: Address,
): Promise<void> {
  const subscription = await proposalSubscriptions.get(needs.db, network.name, settingsAddress);
  await refreshSubscriptions(needs, network, [subscription]);
}

/**
 * Reads one transaction index and its vote from the chain now, writes down what changed, and returns the row. Throws
 * `proposal_not_found` when the account has no such index, and `chain_unavailable`.
 */
export async function refreshProposal(
  needs: IndexNeeds,
  network: Network,
  settingsAddress: Address,
  transactionIndex: bigint,
): Promise<ProposalRow> {
  const { db, log } = needs;
  const find = () => findProposalByIndex(db, network.name, settingsAddress, transactionIndex);
  const [known, subscription, readings] = await Promise.all([
    find(),
    proposalSubscriptions.get(db, network.name, settingsAddress),
    readSettings(log, network, [settingsAddress]),
  ]);
  const reading = readings.get(settingsAddress);
  const exists = transactionIndex > 0n && transactionIndex <= (reading?.transactionIndex ?? 0n);
  if (known === undefined && !exists) throw new TrellisError("proposal_not_found");
  const item = known ? knownItem(known, isIncomplete(known)) : newItem(settingsAddress, transactionIndex);
  await saveProposals(db, await readProposals(log, network, [item]));
  if (reading !== undefined && reading.staleTransactionIndex !== subscription.staleTransactionIndex) {
    await refreshSubscriptions(needs, network, [subscription]);
  } else if (reading !== undefined && reading.transactionIndex !== subscription.transactionIndex) {
    await wakeProposals(db, network.name, [settingsAddress], network.clock.now());
  }
  const row = await find();
  assertOurs(row, "an index that was read has a row");
  return row;
}

/**
 * Refreshes up to 100 accounts that were claimed together: of each the settings, then new indexes and the rows that can
 * have changed. Throws `chain_unavailable`, also where there was no answer for some of them: the others were saved then,
 * and when these are due stays as it was.
 */
export async function refreshSubscriptions(
  { db, log }: IndexNeeds,
  network: Network,
  subscriptions: readonly ProposalSubscription[],
  save: SaveRefreshes = (refreshes) => proposalSubscriptions.save(db, network.name, refreshes),
): Promise<void> {
  const [first] = subscriptions;
  if (first === undefined) return;
  assertOurs(
    subscriptions.every(({ leasedUntil }) => leasedUntil === first.leasedUntil),
    "accounts refreshed together were claimed together",
  );
  const now = network.clock.now();
  const readings = await readSettings(
    log,
    network,
    subscriptions.map(({ key }) => key),
  );
  const group = subscriptions.flatMap((subscription): Followed[] => {
    const reading = readings.get(subscription.key);
    // A node that is behind what is known already has nothing to report.
    return reading === undefined || reading.slot < subscription.readSlot ? [] : [{ subscription, reading }];
  });
  const turn = BigInt(Math.floor(now / limits.refreshesApartLeastMs));
  const turns = group.flatMap(({ subscription }) =>
    subscription.transactionIndex > 0n ? [turnOf(subscription, turn)] : [],
  );
  const rows = await findRowsOfTurn(db, network.name, turns);
  const items = [
    ...chooseThorough(rows, Number(turn % 1_000_000n)),
    ...(await newlyStale(db, network, group, rows)).map((row) => knownItem(row, false)),
    ...group.flatMap(newItems),
  ];
  const saveTogether = gathered<SavedRow>((some) => saveProposals(db, some));
  const { rows: news, unanswered } = await readAnswered(log, network, items, saveTogether);
  const answered = group.filter(({ subscription }) => !unanswered.has(subscription.key));
  await save([
    ...refreshesOf(answered, rows, news, now),
    // What the chain does not show may be reported by another node, or never.
    ...subscriptions.filter(({ key }) => !readings.has(key)).map((subscription) => unseen(subscription, now)),
  ]);
  for (const error of unanswered.values()) throw error;
}

type SaveRefreshes = (refreshes: readonly ProposalRefresh[]) => Promise<void>;

interface Followed {
  readonly subscription: ProposalSubscription;
  readonly reading: SettingsReading;
}

/** How far these accounts are followed now, and when they are due again. */
function refreshesOf(
  group: readonly Followed[],
  rows: readonly FollowedRow[],
  news: readonly FollowedRow[],
  now: number,
): ProposalRefresh[] {
  const staleOf = new Map<string, bigint>(
    group.map(({ subscription, reading }) => [subscription.key, reading.staleTransactionIndex]),
  );
  const latest = new Map([...rows, ...news].map((row) => [row.proposal_address, row]));
  const withOpen = new Set<string>();
  for (const row of latest.values()) {
    if (isOpen(row, staleOf.get(row.settings_address) ?? 0n)) withOpen.add(row.settings_address);
  }
  const withNews = new Set(news.map(({ settings_address }) => settings_address));
  return group.map(({ subscription, reading }) => {
    const transactionIndex = followedTo(subscription, reading);
    const isBehind = transactionIndex < reading.transactionIndex;
    return toRefresh(subscription, reading, {
      now,
      transactionIndex,
      isOpen: isBehind || withOpen.has(subscription.key),
      isNews:
        withNews.has(subscription.key) ||
        subscription.transactionIndex !== transactionIndex ||
        subscription.staleTransactionIndex !== reading.staleTransactionIndex,
    });
  });
}

/** What is saved after a refresh of an account that is followed up to `transactionIndex` now. */
export function toRefresh(
  subscription: ProposalSubscription,
  { staleTransactionIndex, canHaveProposals, voters, slot }: SettingsReading,
  seen: {
    readonly now: number;
    readonly transactionIndex: bigint;
    readonly isOpen: boolean;
    readonly isNews: boolean;
  },
): ProposalRefresh {
  const { now, transactionIndex, isOpen, isNews } = seen;
  const { key, leasedUntil, accountNumber } = subscription;
  const activeAt = isNews ? now : subscription.activeAt;
  const nextRunAt = planNextRun({ now, activeAt, isOpen, canHaveProposals });
  const progress = { transactionIndex, staleTransactionIndex, readSlot: slot };
  const electorate = { voters: JSON.stringify(voters) };
  return { key, activeAt, refreshedAt: now, nextRunAt, leasedUntil, accountNumber, ...progress, ...electorate };
}

const unseen = (subscription: ProposalSubscription, now: number): ProposalRefresh => ({
  ...subscription,
  refreshedAt: now,
  nextRunAt: planNextRun({ now, activeAt: subscription.activeAt, isOpen: false, canHaveProposals: true }),
});

/** Where there is more to read than one turn takes, the turns reach all of it, in no particular order. */
function turnOf(subscription: ProposalSubscription, turn: bigint): Turn {
  const { key, transactionIndex, staleTransactionIndex } = subscription;
  const scattered = turn * 2_654_435_761n;
  const votable = transactionIndex - staleTransactionIndex;
  return {
    settingsAddress: key,
    staleTransactionIndex,
    from: 1n + (scattered % transactionIndex),
    again: votable > 0n ? staleTransactionIndex + 1n + (scattered % votable) : 0n,
  };
}

/**
 * A change of mind and back leaves an account as it was, and a node may show an account before its transactions: so of
 * those that can still be voted on, some are read at every turn, and those with something missing first.
 */
function chooseThorough(rows: readonly FollowedRow[], turn: number): Item[] {
  const incomplete = rows.filter(isIncomplete).slice(0, thoroughEach);
  const votable = rows.filter(({ chain_status }) => chain_status === "active" || chain_status === "approved");
  const start = votable.length === 0 ? 0 : (turn * thoroughEach) % votable.length;
  const chosen = new Set([...incomplete, ...[...votable, ...votable].slice(start, start + thoroughEach)]);
  return rows.map((row) => knownItem(row, chosen.has(row)));
}

/** What a change of settings has just made stale is refreshed a last time: nothing can be opened there any more. */
async function newlyStale(
  db: Db,
  network: Network,
  group: readonly Followed[],
  rows: readonly FollowedRow[],
): Promise<FollowedRow[]> {
  const chosen = new Set(rows.map(({ proposal_address }) => proposal_address));
  const found: FollowedRow[] = [];
  for (const { subscription, reading } of group) {
    if (subscription.transactionIndex === 0n || reading.staleTransactionIndex === subscription.staleTransactionIndex)
      continue;
    const bounds = { after: subscription.staleTransactionIndex, upTo: reading.staleTransactionIndex, limit: staleMax };
    found.push(...(await findUnvotable(db, network.name, subscription.key, bounds)));
  }
  return found.filter(({ proposal_address }) => !chosen.has(proposal_address));
}

function followedTo(subscription: ProposalSubscription, reading: SettingsReading): bigint {
  const most = subscription.transactionIndex + newMax;
  if (reading.transactionIndex < subscription.transactionIndex) return subscription.transactionIndex;
  return reading.transactionIndex < most ? reading.transactionIndex : most;
}

function newItems({ subscription, reading }: Followed): Item[] {
  const items: Item[] = [];
  for (let index = subscription.transactionIndex + 1n; index <= followedTo(subscription, reading); index += 1n) {
    items.push(newItem(subscription.key, index));
  }
  return items;
}

/** Reads up to 100 settings accounts; one that is missing or cannot be read is left out. Throws `chain_unavailable`. */
export async function readSettings(
  log: Log,
  network: Pick<Network, "rpc">,
  settingsAddresses: readonly string[],
): Promise<ReadonlyMap<string, SettingsReading>> {
  const { slot, accounts } = await readAccountsAtSlot(network, settingsAddresses as readonly Address[]);
  const readings = new Map<string, SettingsReading>();
  for (const account of accounts) {
    if (account === undefined || account.owner !== SMART_ACCOUNT_PROGRAM_ADDRESS) continue;
    try {
      const settings = decodeSettings(account.data);
      const { transactionIndex, staleTransactionIndex } = settings;
      readings.set(account.address, {
        transactionIndex,
        staleTransactionIndex,
        canHaveProposals: canHaveProposals(settings),
        voters: votersOf(settings),
        slot,
      });
    } catch (error) {
      if (!(error instanceof ProgramDataError)) throw error;
      log.warn(
        { event: "settings_account_unread", err: error, settings: account.address },
        "settings account could not be read",
      );
    }
  }
  return readings;
}
