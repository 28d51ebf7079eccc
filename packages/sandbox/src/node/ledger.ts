import { setImmediate } from "node:timers/promises";
import type { Address, Signature } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { AccountState } from "./account-state.js";
import { type AccountsIndex, createAccountsIndex } from "./accounts-index.js";
import type { ChainTime } from "./chain-time.js";
import { validitySlots } from "./chain-time.js";
import { execute } from "./execution.js";
import { type CheckedTransaction, isSigned } from "./guard.js";
import { type LandedTransaction, type LedgerStore, SandboxFencedError } from "./ledger-store.js";
import { memoOf } from "./memo.js";
import { findNonce, useUpNonce } from "./nonce.js";
import { RpcError } from "./rpc-error.js";
import { notStored, refusal, unreachable } from "./send-refusal.js";
import type { TransactionFault } from "./transaction-error.js";
import type { Vm } from "./vm.js";

/** How a transaction ended: where it landed, and why it failed if it did. */
export interface LandedOutcome {
  readonly slot: bigint;
  readonly fault: TransactionFault | null;
}

/** What a stored group of transactions has changed, all in one slot. */
export interface ChainNews {
  readonly landed: readonly LandedTransaction[];
  /** The accounts that may have changed, as they were before, and as they are. */
  readonly before: ReadonlyMap<Address, AccountState | undefined>;
  readonly accounts: ReadonlyMap<Address, AccountState | undefined>;
  readonly slot: bigint;
}

/**
 * The one writer of the chain. Transactions run one after another on the VM's head; those that arrived together are stored
 * in one database transaction, and only then acknowledged and visible.
 */
export interface Ledger {
  readonly index: AccountsIndex;
  /** An account as committed. */
  read(address: Address): AccountState | undefined;
  /**
   * Lands a transaction. With `preflight` one that fails is refused and leaves no trace; without, it lands as failed and
   * its payer pays. Throws RpcError. Only after an internal error (-32603) is its fate open: its status says.
   */
  send(transaction: CheckedTransaction, options: { preflight: boolean }): Promise<Signature>;
  /**
   * Why the chain would refuse a transaction without running it, in the order of validators: first that it lives by no
   * recent blockhash and no nonce, then that its message has landed, whatever signatures it has.
   */
  refusesUnseen(transaction: CheckedTransaction): TransactionFault | null;
  /** Whether a message landed within the validity window before the present slot, or before another. */
  hasLanded(messageId: string, at?: ChainTime): boolean;
  /** The head VM, moved to the present slot, or back to another: for simulations, which are synchronous. */
  head(at?: ChainTime): Vm;
  /** The outcome of a transaction that landed within the validity window before the present slot, or before another. */
  recentOutcome(signature: Signature, at?: ChainTime): LandedOutcome | undefined;
  /** Runs work while no transaction is being executed or committed. */
  exclusively<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Resolves when whatever a database query may just have seen is also visible in memory. */
  caughtUp(): Promise<void>;
  /**
   * Resolves when the node may answer. Rejects once another process is the writer, or after close; with RpcError -32603
   * while it is unknown what the database holds.
   */
  ready(): Promise<void>;
  /** Finishes what was accepted, then accepts nothing more. */
  close(): Promise<void>;
}

interface SendJob {
  readonly kind: "send";
  readonly transaction: CheckedTransaction;
  readonly preflight: boolean;
  readonly resolve: (signature: Signature) => void;
  readonly reject: (error: unknown) => void;
}

interface ExclusiveJob {
  readonly kind: "exclusive";
  readonly run: () => Promise<void>;
}

/** Transactions executed together, with the states they started from. */
interface Group {
  /** When they are executed: all of them in one slot, so that what one slot shows is never half of them. */
  readonly at: ChainTime;
  readonly landed: LandedTransaction[];
  readonly before: Map<Address, AccountState | undefined>;
  readonly after: Map<Address, AccountState | undefined>;
  readonly answers: { readonly job: SendJob; readonly answer: Signature | RpcError }[];
}

const maxGroupSize = 128;
const sysvarPrefix = "Sysvar";

/** Opens the ledger over a VM: takes the chain over from any former writer, then loads it. */
export async function openLedger(options: {
  store: LedgerStore;
  vm: Vm;
  time: ChainTime;
  epoch: bigint;
  log: Log;
  /** Notified of every group, once it is stored and can be read, before its senders are. What it throws is logged. */
  onPublished?: ((news: ChainNews) => void) | undefined;
}): Promise<Ledger> {
  const { store, vm, time, epoch, log, onPublished } = options;
  const index = createAccountsIndex();
  const recent = new Map<Signature, LandedOutcome>();
  const recentMessages = new Map<string, bigint>();
  const queue: (SendJob | ExclusiveJob)[] = [];
  let overlay: ReadonlyMap<Address, AccountState | undefined> = new Map();
  let inDoubt: Group | undefined;
  let committing: Promise<void> | undefined;
  let draining = false;
  let stopped: Error | undefined;
  let vmSlot = -1n;
  let last = (await store.findLastPosition()) ?? { slot: -1n, position: -1 };

  await store.loadAccounts((address, state) => {
    try {
      vm.set(address, state);
    } catch (error) {
      // A program that no longer loads must not keep the rest of the chain from opening.
      log.error({ event: "sandbox_account_unread", err: error, address }, "sandbox account could not be loaded");
      return;
    }
    index.update(address, state);
  });
  const oldestRemembered = (slot: bigint): bigint => slot - validitySlots - 1n;
  for (const entry of await store.loadRecent(oldestRemembered(time.slot()))) {
    recent.set(entry.signature, entry);
    recentMessages.set(entry.messageId, entry.slot);
  }

  const moveVm = (at: ChainTime): void => {
    const slot = at.slot();
    if (slot === vmSlot) return;
    vm.moveTo(at.block());
    vmSlot = slot;
  };

  /** The nonce account a transaction lives by, as the head has it. */
  const nonceOf = ({ message }: CheckedTransaction): Address | undefined =>
    time.slotOfValid(message.blockhash) === undefined ? findNonce(message, vm.get) : undefined;

  const recentOutcome = (signature: Signature, at = time): LandedOutcome | undefined => {
    const outcome = recent.get(signature);
    if (outcome === undefined) return undefined;
    const slot = at.slot();
    return outcome.slot <= slot && outcome.slot >= oldestRemembered(slot) ? outcome : undefined;
  };

  const hasLanded = (messageId: string, at = time): boolean => {
    const landedAt = recentMessages.get(messageId);
    const slot = at.slot();
    return landedAt !== undefined && landedAt <= slot && landedAt >= oldestRemembered(slot);
  };

  const refusesUnseen = (transaction: CheckedTransaction): TransactionFault | null => {
    const lives = time.slotOfValid(transaction.message.blockhash) !== undefined || nonceOf(transaction) !== undefined;
    if (!lives) return "BlockhashNotFound";
    return hasLanded(transaction.messageId) ? "AlreadyProcessed" : null;
  };

  const remember = (landed: LandedTransaction): void => {
    recent.set(landed.signature, { slot: landed.slot, fault: landed.record.fault });
    recentMessages.set(landed.messageId, landed.slot);
  };

  const forgetOld = (): void => {
    // Who lags has a window that begins earlier.
    const oldest = oldestRemembered(time.slot()) - BigInt(limits.sandboxLagMax);
    for (const [signature, outcome] of recent) {
      if (outcome.slot >= oldest) break;
      recent.delete(signature);
    }
    for (const [messageId, slot] of recentMessages) {
      if (slot >= oldest) break;
      recentMessages.delete(messageId);
    }
  };

  /** Executes one transaction on the head and returns the response to its sender, should the group be stored. */
  const step = (job: SendJob, group: Group): Signature | RpcError => {
    const { transaction, preflight } = job;
    const repeated = group.landed.some(({ messageId }) => messageId === transaction.messageId);
    const unseen = repeated ? "AlreadyProcessed" : refusesUnseen(transaction);
    // A real node, too, takes a repetition without preflight for a retry and answers with the signature.
    if (unseen === "AlreadyProcessed" && !preflight) return transaction.signature;
    if (unseen !== null) return refusal(preflight && !isSigned(transaction) ? "SignatureFailure" : unseen);
    moveVm(group.at);
    const nonce = nonceOf(transaction);
    const { landed, outcome, keys, changes, record } = execute(vm, transaction);
    if (!landed) return refusal(outcome.fault ?? "SanitizeFailure", outcome);
    if (outcome.fault !== null && preflight) {
      for (const change of changes) vm.set(change.address, change.before);
      return refusal(outcome.fault, outcome);
    }
    // What failed has used up its nonce all the same; otherwise it could be run, and charged for, again and again.
    if (nonce !== undefined && outcome.fault !== null) useUpNonce(nonce, changes, vm, group.at.blockhash().blockhash);
    for (const { address, before, after } of changes) {
      if (!group.before.has(address)) group.before.set(address, before);
      group.after.set(address, after);
    }
    last = { slot: vmSlot, position: last.slot === vmSlot ? last.position + 1 : 0 };
    group.landed.push({
      signature: transaction.signature,
      messageId: transaction.messageId,
      slot: last.slot,
      position: last.position,
      blockTime: time.timeOf(last.slot),
      wire: transaction.wire,
      record,
      memo: memoOf(transaction.message),
      addresses: [...new Set(keys.addresses)],
    });
    return transaction.signature;
  };

  /** What is stored stays so, and its senders are answered, whichever listener fails to hear of it. */
  const announce = (news: ChainNews): void => {
    try {
      onPublished?.(news);
    } catch (error) {
      log.error({ event: "sandbox_store_unreported", err: error }, "sandbox chain could not report what it has stored");
    }
  };

  const publish = (group: Group): void => {
    for (const [address, state] of group.after) index.update(address, state);
    for (const landed of group.landed) remember(landed);
    announce({ landed: group.landed, before: group.before, accounts: group.after, slot: group.at.slot() });
    forgetOld();
  };

  const putBack = (group: Group): void => {
    for (const [address, state] of group.before) vm.set(address, state);
  };

  /** Learns from the database what became of a commit that failed in an unknown way, and follows it. */
  const settle = async (): Promise<ReadonlySet<Signature>> => {
    const group = inDoubt;
    if (group === undefined) return new Set();
    const signatures = group.landed.map(({ signature }) => signature);
    const { accounts, stored } = await guardFence(store.inspect(epoch, signatures, [...group.after.keys()]));
    for (const [address, state] of accounts) {
      vm.set(address, state);
      index.update(address, state);
    }
    const landed = group.landed.filter(({ signature }) => stored.has(signature));
    for (const each of landed) remember(each);
    if (landed.length > 0) announce({ landed, before: group.before, accounts, slot: group.at.slot() });
    inDoubt = undefined;
    return stored;
  };

  const guardFence = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof SandboxFencedError) stopped ??= error;
      throw error;
    }
  };

  const answerAll = (group: Group): void => {
    for (const { job, answer } of group.answers) {
      if (answer instanceof RpcError) job.reject(answer);
      else job.resolve(answer);
    }
  };

  const commit = async (group: Group): Promise<void> => {
    overlay = group.before;
    const failure = await guardFence(
      store.commit(epoch, { transactions: group.landed, accounts: group.after, slot: last.slot }),
    ).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    overlay = new Map();
    if (failure === undefined) {
      publish(group);
      answerAll(group);
      return;
    }
    putBack(group);
    inDoubt = group;
    log.error(
      { event: "sandbox_store_failed", err: failure.error, transactions: group.landed.length },
      "sandbox chain could not store transactions",
    );
    const stored = await settle().catch((error: unknown) => {
      log.error(
        { event: "sandbox_store_unknown", err: error },
        "sandbox chain does not know what was stored: it asks again before it answers",
      );
      return undefined;
    });
    // One database transaction: either all of them are there or none.
    if (stored !== undefined && stored.size > 0) answerAll(group);
    else for (const { job } of group.answers) job.reject(stopped ?? notStored(stored === undefined));
  };

  const runGroup = async (jobs: readonly SendJob[]): Promise<void> => {
    const group: Group = { at: time.at(time.slot()), landed: [], before: new Map(), after: new Map(), answers: [] };
    for (const job of jobs) {
      try {
        group.answers.push({ job, answer: step(job, group) });
      } catch (error) {
        log.error(
          { event: "sandbox_run_failed", err: error, transaction_signature: job.transaction.signature },
          "sandbox chain could not run a transaction",
        );
        job.reject(error);
      }
    }
    if (group.landed.length === 0) return answerAll(group);
    committing = commit(group);
    await committing;
    committing = undefined;
  };

  const drain = async (): Promise<void> => {
    if (draining) return;
    draining = true;
    for (;;) {
      const first = queue[0];
      if (first === undefined) break;
      if (first.kind === "exclusive") {
        queue.shift();
        await first.run();
        continue;
      }
      // Whatever else is on its way in this turn of the event loop lands, and is stored, together with the first.
      await setImmediate();
      const end = queue.findIndex((job) => job.kind !== "send");
      const jobs = queue.splice(0, Math.min(end < 0 ? queue.length : end, maxGroupSize)) as SendJob[];
      const obstacle = await settle().then(
        () => stopped,
        () => stopped ?? unreachable(),
      );
      if (obstacle) for (const job of jobs) job.reject(obstacle);
      else await runGroup(jobs);
    }
    draining = false;
  };

  const enqueue = (job: SendJob | ExclusiveJob): void => {
    queue.push(job);
    void drain();
  };

  const exclusively = <Value>(work: () => Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      enqueue({ kind: "exclusive", run: () => guardFence(work()).then(resolve, reject) });
    });

  return {
    index,
    read: (address) => {
      // What the VM reports of the present (clock, slot hashes) is only moved on when it is read.
      if (address.startsWith(sysvarPrefix)) moveVm(time);
      return overlay.has(address) ? overlay.get(address) : vm.get(address);
    },
    send: (transaction, { preflight }) =>
      new Promise((resolve, reject) => {
        if (stopped) reject(stopped);
        else enqueue({ kind: "send", transaction, preflight, resolve, reject });
      }),
    refusesUnseen,
    hasLanded,
    head: (at = time) => {
      moveVm(at);
      return vm;
    },
    recentOutcome: (signature, at) => {
      forgetOld();
      return recentOutcome(signature, at);
    },
    exclusively,
    caughtUp: async () => {
      await committing;
    },
    ready: async () => {
      if (stopped) throw stopped;
      if (inDoubt === undefined) return;
      await exclusively(settle).catch(() => {
        // The failed commit was logged with its reason; this is the same database still not answering.
        throw stopped ?? unreachable();
      });
    },
    close: async () => {
      await exclusively(async () => {
        stopped ??= new Error("the sandbox chain is closed");
      });
    },
  };
}
