import type { Address } from "@solana/kit";
import { eachOf } from "@trellis/kernel/each-of.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { ProposalTable } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  decodeProposal,
  deriveProposalAddress,
  deriveTransactionAddress,
  ProgramDataError,
  SMART_ACCOUNT_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { type ChainAccount, readAccountsAtSlot } from "@trellis/solana/read-accounts.js";
import { emptyHistory, type ProposalHistory, type ProposalPlace, type ProposalStand } from "./proposal-history.js";
import { differs, type FollowedRow, historyOf, placeOf, type Sight, toRow } from "./proposal-row.js";
import { readHistory, readOrigin } from "./read-history.js";
import { factsOfAccount, type TransactionFacts } from "./transaction-facts.js";

export type SavedRow = Omit<ProposalTable, "close_tried_at">;

/** A transaction index to read from the chain. */
export interface Item {
  readonly place: ProposalPlace;
  /** What was known of it. */
  readonly row: FollowedRow | undefined;
  /** Whether its transactions are read even if the accounts show nothing new. */
  readonly thorough: boolean;
}

/** An index nothing is known of. */
export function newItem(settingsAddress: Address, transactionIndex: bigint): Item {
  const place = {
    settingsAddress,
    transactionIndex,
    proposalAddress: deriveProposalAddress(settingsAddress, transactionIndex),
    transactionAddress: deriveTransactionAddress(settingsAddress, transactionIndex),
  };
  return { place, row: undefined, thorough: false };
}

/** An index that there is a row of. */
export const knownItem = (row: FollowedRow, thorough: boolean): Item => ({ place: placeOf(row), row, thorough });

/** Accounts in one question to a node. */
const accountsMax = 100;
/** Questions and walks through transactions at one time. */
const atOnce = 4;
/** So many accounts that there is no answer for, and none that there is one for: the node answers for none. */
const silencesMax = 8;

/** What was read of some indexes, and of which accounts there was no answer to everything. */
export interface ReadIndexes {
  readonly rows: SavedRow[];
  /** By settings address, with the first failure: `chain_unavailable`. */
  readonly unanswered: ReadonlyMap<string, TrellisError>;
}

const keptForLater = async (): Promise<void> => undefined;

/**
 * Reads these indexes from the chain, and returns the rows that are to be written: where nothing changed, none. One
 * index that cannot be understood is logged and keeps none of the others. Throws `chain_unavailable`.
 */
export async function readProposals(
  log: Log,
  network: Pick<Network, "rpc" | "name">,
  items: readonly Item[],
): Promise<SavedRow[]> {
  const { rows, unanswered } = await readAnswered(log, network, items);
  for (const error of unanswered.values()) throw error;
  return rows;
}

/**
 * The same for indexes of many accounts: one that the node does not answer for keeps none of the others. `save` has each row
 * as soon as it is read, whatever the others wait for. Throws `chain_unavailable` where the node answers for none.
 */
export async function readAnswered(
  log: Log,
  network: Pick<Network, "rpc" | "name">,
  items: readonly Item[],
  save: (row: SavedRow) => Promise<void> = keptForLater,
): Promise<ReadIndexes> {
  const changed: { readonly item: Item; readonly sight: Sight }[] = [];
  const concernsAll = { stopsAtFailure: true };
  await eachOf(
    batchesOf(items),
    atOnce,
    async (batch) => {
      const sights = await refresh(network, batch);
      for (const { item, sight } of sights) {
        if (!isOlder(item, sight) && (isNews(item, sight) || item.thorough)) changed.push({ item, sight });
      }
    },
    concernsAll,
  );
  const rows: SavedRow[] = [];
  const unanswered = new Map<string, TrellisError>();
  let answers = 0;
  await eachOf(
    changed,
    atOnce,
    async ({ item, sight }) => {
      try {
        const row = await report(log, network, item, sight);
        answers += 1;
        if (row === undefined) return;
        rows.push(row);
        await save(row);
      } catch (error) {
        if (!(error instanceof TrellisError)) throw error;
        unanswered.set(item.place.settingsAddress, unanswered.get(item.place.settingsAddress) ?? error);
        // Where nothing was answered yet, this concerns all of them.
        if (answers === 0 && unanswered.size >= silencesMax) throw error;
      }
    },
    concernsAll,
  );
  return { rows, unanswered };
}

const isOlder = ({ row }: Item, sight: Sight): boolean => row !== undefined && sight.slot < row.read_slot;
const isNews = ({ row }: Item, sight: Sight): boolean => row === undefined || differs(row, sight);

/**
 * The accounts of an item: that of a transaction whose content is known need not be read once there is a vote on it. A
 * batch fills while it is a draft, and is executed bit by bit.
 */
function addressesOf({ place, row }: Item): Address[] {
  const isBatch = row?.kind === "batch" && row.chain_status !== "closed";
  const known = row !== undefined && row.kind !== "unknown" && row.chain_status !== null && !isBatch;
  return known ? [place.proposalAddress] : [place.proposalAddress, place.transactionAddress];
}

function batchesOf(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let count = accountsMax;
  for (const item of items) {
    count += addressesOf(item).length;
    if (count > accountsMax) {
      batches.push([]);
      count = addressesOf(item).length;
    }
    batches.at(-1)?.push(item);
  }
  return batches;
}

async function refresh(network: Pick<Network, "rpc">, batch: readonly Item[]): Promise<{ item: Item; sight: Sight }[]> {
  const { slot, accounts } = await readAccountsAtSlot(network, batch.flatMap(addressesOf));
  let at = 0;
  return batch.map((item) => {
    const [proposal, transaction] = accounts.slice(at, at + addressesOf(item).length);
    at += addressesOf(item).length;
    return { item, sight: { slot, stand: standOf(proposal), facts: factsOf(transaction, item.place.settingsAddress) } };
  });
}

/** Anybody can send lamports to an address: only what the program owns is there. */
const isPrograms = (account: ChainAccount | undefined): account is ChainAccount =>
  account !== undefined && account.owner === SMART_ACCOUNT_PROGRAM_ADDRESS && account.data.length > 0;

function standOf(account: ChainAccount | undefined): ProposalStand | undefined {
  if (!isPrograms(account)) return undefined;
  try {
    return decodeProposal(account.data);
  } catch (error) {
    if (error instanceof ProgramDataError) return undefined;
    throw error;
  }
}

const factsOf = (account: ChainAccount | undefined, settings: string): TransactionFacts | undefined =>
  isPrograms(account) ? factsOfAccount(account, settings) : undefined;

async function report(
  log: Log,
  network: Pick<Network, "rpc" | "name">,
  item: Item,
  sight: Sight,
): Promise<SavedRow | undefined> {
  const { place, row } = item;
  const before = row ? historyOf(row) : emptyHistory;
  try {
    const history = await historyFor(network, item, sight, before);
    const reported = toRow(network.name, place, sight, history);
    if (row !== undefined && !isNews(item, sight) && reported.seen_signature === row.seen_signature) return undefined;
    if (row === undefined && reported.kind === "unknown") {
      log.warn(
        { event: "proposal_transaction_unknown", proposal: place.proposalAddress, settings: place.settingsAddress },
        "proposal has a transaction of no known kind",
      );
    }
    return reported;
  } catch (error) {
    if (error instanceof TrellisError) throw error;
    log.error(
      { event: "proposal_unread", err: error, proposal: place.proposalAddress },
      "proposal could not be read from the chain",
    );
    // Known by its index at least, it is tried again at every turn.
    return row === undefined ? toRow(network.name, place, { ...sight, stand: undefined }, emptyHistory) : undefined;
  }
}

async function historyFor(
  network: Pick<Network, "rpc">,
  { place, row }: Item,
  sight: Sight,
  before: ProposalHistory,
): Promise<ProposalHistory> {
  // A transaction whose account is there, and no vote on it: nothing can have happened yet.
  if (row === undefined && sight.stand === undefined && sight.facts !== undefined) return before;
  const history = await readHistory(network, place, before, sight.slot);
  if (history.facts !== undefined || sight.facts !== undefined) return history;
  return readOrigin(network, place, history, sight.slot);
}
