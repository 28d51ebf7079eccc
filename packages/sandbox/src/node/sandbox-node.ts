import type { Address, Rpc, Signature, SolanaRpcApi } from "@solana/kit";
import { createAnswerSpace } from "@trellis/kernel/answer-space.js";
import { limits } from "@trellis/kernel/limits.js";
import type { AnswerRoom } from "@trellis/kernel/ports/answer-room.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { SandboxFaults } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import type { AccountState } from "./account-state.js";
import { deriveChainKeys, seedContext } from "./chain-keys.js";
import { createChainTime, slotMs } from "./chain-time.js";
import { createEnvironmentClock } from "./environment-clock.js";
import { createFaucet } from "./faucet.js";
import { createFaultLayer, noFaults } from "./faults.js";
import { createForks } from "./forks.js";
import { genesisAccounts, standingAccounts } from "./genesis.js";
import { createHistoryStore } from "./history-store.js";
import { createLag } from "./lag.js";
import { type ChainNews, openLedger } from "./ledger.js";
import { createLedgerStore, type LedgerStore, type StoredChain } from "./ledger-store.js";
import { createLocalRpc } from "./local-rpc.js";
import { createRpcHandler } from "./rpc-handler.js";
import { createRpcSessions, type OpenRpcSession } from "./rpc-session.js";
import { createSubscriptions } from "./subscriptions.js";
import { createTransactionCount } from "./transaction-count.js";
import { createVm, type LoadedProgram, type Vm } from "./vm.js";
import { createWealth } from "./wealth.js";

/** A Solana node inside the process, with a chain of its own that outlives the process (gap 49). */
export interface SandboxNode {
  /** Environment time: real time plus a stored offset. It never goes backwards. */
  readonly clock: Clock;
  /** kit's client of this chain, without a network between. */
  readonly rpc: Rpc<SolanaRpcApi>;
  /**
   * Answers one parsed JSON-RPC request or a batch of this process; integers may be numbers or bigints. Undefined when there
   * is nothing to answer (notifications). Rejects after `close`, and once another process has claimed the chain.
   */
  handle(payload: unknown): Promise<unknown>;
  /** The same for a text of anybody, as text, bounded in size and in work (gap 155). What it takes up is counted in `room`. */
  answerRpc(text: string, room: AnswerRoom): Promise<string | undefined>;
  /**
   * Moves environment time forward by at least so many seconds, rounded up to whole slots (400 ms), so that chain time
   * advances by no less than was asked for. Stored before it shows. Throws RangeError for anything but a whole number
   * from 0.
   */
  advanceClock(seconds: number): Promise<{ now: number; slot: bigint }>;
  /**
   * Moves environment time forward to the first slot that begins at an instant or after it: Unix milliseconds. Does nothing
   * where the present slot does already. Stored before it shows. Throws RangeError for anything but a whole number.
   */
  advanceClockTo(instant: number): Promise<{ now: number; slot: bigint }>;
  /** Transfers lamports from the faucet, as a transaction like any other. Throws RpcError when it does not land. */
  airdrop(to: Address, lamports: bigint): Promise<Signature>;
  /**
   * Mints base units of a sandbox token to the owner's associated token account, created when missing. What has a name is
   * minted once, whichever caller asks again: the answer is the first one's signature then.
   */
  mintTo(owner: Address, mint: Address, amount: bigint, name?: string): Promise<Signature>;
  /** What goes wrong on purpose, for clients that send by JSON-RPC: not for the faucet. */
  readFaults(): SandboxFaults;
  /** Puts these in place of all others, for as long as the node is open. One that begins to lag moves time by a slot. */
  setFaults(faults: SandboxFaults): Promise<void>;
  /** Begins a conversation with subscriptions, over whatever carries its messages. */
  readonly openSession: OpenRpcSession;
  /** Finishes the transactions it has accepted and stops answering. */
  close(): Promise<void>;
}

/** An account that stands on the chain from the start. */
interface GenesisAccount {
  readonly address: Address;
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
}

/** What a sandbox node is made of. */
export interface SandboxNodeOptions {
  readonly db: Db;
  /** Protects the chain's seed in the database. */
  readonly seal: {
    wrap(bytes: Uint8Array, context: string): Uint8Array;
    unwrap(bytes: Uint8Array, context: string): Uint8Array;
  };
  readonly realClock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Loaded into the VM at every start. */
  readonly programs: readonly LoadedProgram[];
  readonly genesisAccounts: readonly GenesisAccount[];
  /** Addresses that the faucet fills up at every start, when they hold less than half of this. */
  readonly funded: readonly { readonly address: Address; readonly lamports: bigint }[];
  /** What goes wrong on purpose from the start. Absent: nothing. */
  readonly faults?: SandboxFaults | undefined;
  /**
   * Hears of every account that a transaction may have changed, how it was before and how it is, once that is stored and the
   * node knows of it. Must not throw.
   */
  readonly onStored?: (address: Address, before: AccountState | undefined, after: AccountState | undefined) => void;
  /** Hears which addresses a transaction has named, after `onStored`. Must not throw. */
  readonly onLanded?: (addresses: readonly Address[]) => void;
}

/** Where a new chain begins: with a full window of earlier slots, as lookup tables and clients expect. */
const firstSlot = 1_000n;

/**
 * Opens the sandbox chain in the database, creating it the first time, and takes it over from any other process that
 * has it open: that one can then no longer write, and rejects every call with SandboxFencedError.
 */
export async function openSandboxNode(options: SandboxNodeOptions): Promise<SandboxNode> {
  const { db, seal, realClock, random, log } = options;
  const store = createLedgerStore(db);
  const vm = createVm(options.programs);
  const placed = standingAccounts(vm.minimumBalance);
  for (const { address, ...state } of options.genesisAccounts) placed.set(address, { ...state, executable: false });
  const chain = (await store.findChain()) ?? (await createChain(options, store, vm, placed));
  const epoch = await store.takeOver();
  await store.addMissingAccounts(epoch, placed);

  const seed = seal.unwrap(chain.sealedSeed, seedContext);
  const keys = deriveChainKeys(seed);
  const clock = createEnvironmentClock(realClock, await startingOffset(store, epoch, realClock));
  const time = createChainTime(clock, chain.genesisAtMs, seed);
  let publish: ((news: ChainNews) => void) | undefined;
  const ledger = await openLedger({
    store,
    vm,
    time,
    epoch,
    log,
    onPublished: (news) => publish?.(news),
  });
  const history = createHistoryStore(db);
  const faucet = createFaucet(ledger, history, time, keys, random);
  const transactions = createTransactionCount(() => ledger.exclusively(history.countTransactions));
  const faults = createFaultLayer(noFaults);
  const forks = createForks(ledger, time, faults, (forked) =>
    lag.learn({
      slot: forked.slot,
      landed: 0,
      before: new Map(),
      after: new Map(),
      tell: () => subscriptions.tellOfFork(forked),
    }),
  );
  const parts = {
    ledger,
    history,
    time,
    faucet,
    identity: keys.identity,
    faucetAddress: keys.faucet.address,
    genesisHash: keys.genesisHash,
    countTransactions: transactions.now,
    readWealth: createWealth(history, time),
    faults,
    forks,
    received: (signature: Signature) => subscriptions.receive(signature),
  };
  const lag = createLag(parts, log);
  const subscriptions = createSubscriptions(lag.present, limits.sandboxSockets);
  publish = (news) => {
    transactions.add(news.landed.length);
    lag.learn({
      slot: news.slot,
      landed: news.landed.length,
      before: news.before,
      after: news.accounts,
      tell: () => {
        for (const [address, state] of news.accounts) options.onStored?.(address, news.before.get(address), state);
        for (const { addresses } of news.landed) options.onLanded?.(addresses);
        subscriptions.publish(news);
      },
    });
  };
  const { handle, answer } = createRpcHandler(lag.present, log);

  for (const { address, lamports } of options.funded) {
    const held = ledger.read(address)?.lamports ?? 0n;
    if (held * 2n < lamports) await faucet.airdrop(address, lamports - held);
  }

  /** Decided while nothing is executed: of several moves each sees what those before it did. */
  const moveClock = async (byMs: () => bigint, beforeItShows?: () => void): Promise<{ now: number; slot: bigint }> => {
    await ledger.ready();
    await ledger.exclusively(async () => {
      const ms = byMs();
      const offsetMs = clock.offsetMs() + ms;
      if (ms > 0n) await store.saveClockOffset(epoch, offsetMs);
      beforeItShows?.();
      if (ms > 0n) clock.setOffsetMs(offsetMs);
    });
    lag.catchUp();
    return { now: clock.now(), slot: time.slot() };
  };

  const setFaults = async (wanted: SandboxFaults): Promise<void> => {
    // A node that begins to lag stands at a slot in which nothing lands any more: what lands next is in a later one.
    const beginsToLag = () => wanted.lag > 0 && faults.current().lag === 0;
    await moveClock(
      () => (beginsToLag() ? slotMs : 0n),
      () => {
        faults.set(wanted);
        lag.set(wanted.lag);
      },
    );
  };
  if (options.faults) await setFaults(options.faults);

  return {
    clock: { now: clock.now },
    rpc: createLocalRpc(handle),
    handle,
    answerRpc: answer,
    advanceClock: async (seconds) => {
      if (!Number.isSafeInteger(seconds) || seconds < 0) throw new RangeError("seconds is a whole number from 0");
      const slots = (BigInt(seconds) * 1000n + slotMs - 1n) / slotMs;
      return moveClock(() => slots * slotMs);
    },
    advanceClockTo: async (instant) => {
      if (!Number.isSafeInteger(instant)) throw new RangeError("an instant is a whole number of milliseconds");
      const slots = (BigInt(instant) - chain.genesisAtMs + slotMs - 1n) / slotMs;
      return moveClock(() => (slots <= time.slot() ? 0n : chain.genesisAtMs + slots * slotMs - BigInt(clock.now())));
    },
    airdrop: async (to, lamports) => {
      await ledger.ready();
      return faucet.airdrop(to, lamports);
    },
    mintTo: async (owner, mint, amount, name) => {
      await ledger.ready();
      return faucet.mintTo(owner, mint, amount, name);
    },
    readFaults: faults.current,
    setFaults,
    openSession: createRpcSessions(
      lag.present,
      subscriptions,
      log,
      limits.sandboxSockets.unsentBytes,
      createAnswerSpace(limits.sandboxRpc),
    ),
    close: async () => {
      await ledger.close();
      lag.close();
      subscriptions.close();
    },
  };
}

async function createChain(
  options: SandboxNodeOptions,
  store: LedgerStore,
  vm: Vm,
  placed: ReadonlyMap<Address, AccountState>,
): Promise<StoredChain> {
  const seed = options.random.bytes(32);
  const accounts = new Map([...genesisAccounts(deriveChainKeys(seed), vm.minimumBalance), ...placed]);
  await store.createChain(
    {
      sealedSeed: options.seal.wrap(seed, seedContext),
      genesisAtMs: BigInt(Math.floor(options.realClock.now())) - firstSlot * slotMs,
      clockOffsetMs: 0n,
    },
    accounts,
  );
  // Another process may have been faster: what is stored counts.
  const chain = await store.findChain();
  if (chain === undefined) throw new Error("the sandbox chain was created and is not there");
  return chain;
}

/** The stored offset, raised where the host's clock was set back, so that no slot is ever earlier than a landed one. */
async function startingOffset(store: LedgerStore, epoch: bigint, realClock: Clock): Promise<bigint> {
  const [chain, last] = [await store.findChain(), await store.findLastPosition()];
  if (chain === undefined) throw new Error("the sandbox chain has stopped");
  const earliest = chain.genesisAtMs + (last?.slot ?? firstSlot) * slotMs;
  const needed = earliest - BigInt(Math.floor(realClock.now()));
  if (needed <= chain.clockOffsetMs) return chain.clockOffsetMs;
  await store.saveClockOffset(epoch, needed);
  return needed;
}
