import type { Address } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import { resolveAccountKeys } from "./account-keys.js";
import type { AccountState } from "./account-state.js";
import { type AccountsIndex, createAccountsIndex } from "./accounts-index.js";
import { type ChainTime, slotMs } from "./chain-time.js";
import type { CheckedTransaction } from "./guard.js";
import type { HistoryStore } from "./history-store.js";
import type { Ledger } from "./ledger.js";
import { findNonce } from "./nonce.js";
import type { NodeParts } from "./rpc-methods/method.js";
import type { Vm } from "./vm.js";
import { createWealth } from "./wealth.js";

/** Something that has happened in a slot, and whom to notify when the node knows of it. */
export interface LagNews {
  readonly slot: bigint;
  /** How many transactions have landed with it. */
  readonly landed: number;
  /** The accounts that may have changed, as they were before, and as they are. */
  readonly before: ReadonlyMap<Address, AccountState | undefined>;
  readonly after: ReadonlyMap<Address, AccountState | undefined>;
  tell(): void;
}

/**
 * What the node knows of the chain. Where it lags on purpose it stands still until it is so many slots behind, and follows at
 * that distance from then on: it never knows less than before. The chain itself knows nothing of that.
 */
export interface Lag {
  /** Lags by so many slots from now on: what has landed so far, this slot included, is known. */
  set(slots: number): void;
  /** The node as it knows the chain now. */
  present(): NodeParts;
  /** Takes what has happened: it is reported now, or when the node has reached it. */
  learn(news: LagNews): void;
  /** Reports what it has reached meanwhile, without being asked. */
  catchUp(): void;
  close(): void;
}

const sysvarPrefix = "Sysvar";
const loader = "BPFLoaderUpgradeab1e11111111111111111111111";

/** Does not lag yet. `whole` is the node that knows everything. */
export function createLag(whole: Omit<NodeParts, "slotsBehind">, log: Log): Lag {
  const { ledger, history, time } = whole;
  const upToDate: NodeParts = { ...whole, slotsBehind: 0n };
  /** What the node has still to reach, in its order. */
  const ahead: LagNews[] = [];
  let landedAhead = 0;
  let bytesAhead = 0;
  /** How accounts were before what is ahead has changed them, and how often it does. */
  const former = new Map<Address, { state: AccountState | undefined; changes: number }>();
  const formerIndex = createAccountsIndex();
  let behind = 0n;
  let reached = 0n;
  let isReporting = false;
  let timer: NodeJS.Timeout | undefined;

  const isTooMuch = (): boolean => ahead.length > most || landedAhead > most || bytesAhead > limits.sandboxLagBytesMax;

  const keepFormer = (address: Address, state: AccountState | undefined, changes: number): void => {
    if (changes > 0) former.set(address, { state, changes });
    else former.delete(address);
    formerIndex.update(address, changes > 0 ? state : undefined);
  };

  const receivedTo = (news: LagNews): void => {
    landedAhead -= news.landed;
    bytesAhead -= bytesOf(news);
    for (const [address, state] of news.after) keepFormer(address, state, (former.get(address)?.changes ?? 1) - 1);
    report(news);
  };

  const report = (news: LagNews): void => {
    isReporting = true;
    try {
      news.tell();
    } catch (error) {
      log.error({ event: "sandbox_store_unreported", err: error }, "sandbox chain could not report what it has stored");
    } finally {
      isReporting = false;
    }
  };

  const advanceTo = (slot: bigint): void => {
    // A client that is notified reads the state of that moment.
    if (isReporting) return;
    for (let next = ahead[0]; next !== undefined && next.slot <= slot; next = ahead[0]) {
      ahead.shift();
      if (next.slot > reached) reached = next.slot;
      receivedTo(next);
    }
    if (slot > reached) reached = slot;
    if (ahead.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const catchUp = (): void => advanceTo(time.slot() - behind);

  const read = (address: Address, at: ChainTime): AccountState | undefined => {
    if (address.startsWith(sysvarPrefix)) return ledger.head(at).get(address);
    const known = former.get(address);
    return known ? known.state : ledger.read(address);
  };

  function* but(addresses: Iterable<Address>, others: Iterable<Address>): Iterable<Address> {
    for (const address of addresses) if (!former.has(address)) yield address;
    yield* others;
  }

  const index: AccountsIndex = {
    update: ledger.index.update,
    ownedBy: (program) => but(ledger.index.ownedBy(program), formerIndex.ownedBy(program)),
    ownedByStartingWith: (program, start) =>
      but(ledger.index.ownedByStartingWith(program, start), formerIndex.ownedByStartingWith(program, start)),
    tokenAccountsOf: (owner) => but(ledger.index.tokenAccountsOf(owner), formerIndex.tokenAccountsOf(owner)),
  };

  /** The head, with the accounts that a simulation reads as they were. What is put in their place is removed again. */
  const headAt = (at: ChainTime): Vm => {
    const vm = ledger.head(at);
    const get = (address: Address) => read(address, at);
    /** Programs run as they are deployed now: their code is not put in and out for a simulation. */
    const isCode = (state: AccountState | undefined) => state?.executable === true || state?.owner === loader;
    const simulate: Vm["simulate"] = (transaction, options) => {
      const { message } = transaction;
      const named = [...resolveAccountKeys(message, get).addresses, ...message.lookups.map(({ table }) => table)];
      const present = new Map<Address, AccountState | undefined>();
      try {
        for (const address of named) {
          const known = former.get(address);
          if (known === undefined || present.has(address)) continue;
          const state = vm.get(address);
          if (isCode(state) || isCode(known.state)) continue;
          present.set(address, state);
          vm.set(address, known.state);
        }
        return vm.simulate(transaction, options);
      } finally {
        for (const [address, state] of present) vm.set(address, state);
      }
    };
    return {
      ...vm,
      get,
      getWithoutCode: (address) => (former.has(address) ? get(address) : vm.getWithoutCode(address)),
      simulate,
    };
  };

  const ledgerAt = (at: ChainTime): Ledger => {
    const get = (address: Address) => read(address, at);
    return {
      ...ledger,
      index,
      read: get,
      recentOutcome: (signature) => ledger.recentOutcome(signature, at),
      hasLanded: (messageId) => ledger.hasLanded(messageId, at),
      refusesUnseen: ({ messageId, message }: CheckedTransaction) => {
        const lives = at.slotOfValid(message.blockhash) !== undefined || findNonce(message, get) !== undefined;
        if (!lives) return "BlockhashNotFound";
        return ledger.hasLanded(messageId, at) ? "AlreadyProcessed" : null;
      },
      head: () => headAt(at),
    };
  };

  const historyAt = (slot: bigint): HistoryStore => ({
    ...history,
    findTransaction: async (signature) => {
      const found = await history.findTransaction(signature);
      return found && found.slot <= slot ? found : undefined;
    },
    findOutcomes: async (signatures) => {
      const found = await history.findOutcomes(signatures);
      return new Map([...found].filter(([, outcome]) => outcome.slot <= slot));
    },
    listSignatures: (address, range) =>
      history.listSignatures(address, { ...range, before: range.before ?? { slot: slot + 1n, position: 0 } }),
  });

  const lamportsOf = (address: Address): bigint => ledger.read(address)?.lamports ?? 0n;

  /** Read while nothing lands, so that it fits what is ahead. */
  const readWealth = createWealth(
    {
      sumLamports: () =>
        ledger.exclusively(async () => {
          let total = await history.sumLamports();
          for (const [address, { state }] of former) total += (state?.lamports ?? 0n) - lamportsOf(address);
          return total;
        }),
      listLargest: (count) =>
        ledger.exclusively(async () => {
          const listed = await history.listLargest(count + former.size);
          const unchanged = listed.filter(({ address }) => !former.has(address));
          const changed = [...former].map(([address, { state }]) => ({ address, lamports: state?.lamports ?? 0n }));
          return [...unchanged, ...changed]
            .sort((left, right) => (left.lamports < right.lamports ? 1 : left.lamports > right.lamports ? -1 : 0))
            .slice(0, count);
        }),
    },
    { slot: () => reached },
  );

  return {
    set: (slots) => {
      catchUp();
      behind = BigInt(slots);
      catchUp();
    },
    present: () => {
      if (behind === 0n) return upToDate;
      catchUp();
      const at = time.at(reached);
      return {
        ...whole,
        time: at,
        ledger: ledgerAt(at),
        history: historyAt(reached),
        countTransactions: async () => (await whole.countTransactions()) - landedAhead,
        readWealth,
        slotsBehind: time.slot() - reached,
      };
    },
    learn: (news) => {
      catchUp();
      if (news.slot <= reached) return report(news);
      ahead.push(news);
      landedAhead += news.landed;
      bytesAhead += bytesOf(news);
      for (const [address, state] of news.before) {
        const known = former.get(address);
        keepFormer(address, known ? known.state : state, (known?.changes ?? 0) + 1);
      }
      while (!isReporting && ahead[0] !== undefined && isTooMuch()) advanceTo(ahead[0].slot);
      if (ahead.length > 0) timer ??= setInterval(catchUp, Number(slotMs) / 2).unref();
    },
    catchUp,
    close: () => clearInterval(timer),
  };
}

const most = limits.sandboxLagTransactionsMax;

/** What it holds in memory until it is reported: one account may have ten megabytes. */
function bytesOf({ before, after }: LagNews): number {
  let bytes = 0;
  for (const states of [before, after]) for (const state of states.values()) bytes += state?.data.length ?? 0;
  return bytes;
}
