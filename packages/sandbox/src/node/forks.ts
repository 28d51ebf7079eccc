import type { Address, Signature } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import { resolveAccountKeys } from "./account-keys.js";
import type { ChainTime } from "./chain-time.js";
import type { FaultLayer } from "./faults.js";
import type { CheckedTransaction } from "./guard.js";
import type { LandedOutcome, Ledger } from "./ledger.js";
import type { TransactionFault } from "./transaction-error.js";

/** A transaction that a fork holds. */
export interface ForkedTransaction extends LandedOutcome {
  readonly signature: Signature;
  readonly logs: readonly string[];
  readonly addresses: readonly Address[];
}

/**
 * Forks that the cluster leaves. What lands there is reported as processed, and has never happened a few slots later: the chain
 * itself knows nothing of it.
 */
export interface Forks {
  /**
   * Has a transaction land on a fork, where that goes wrong on purpose. Only what would land now does: whether it is refused,
   * or has landed already, is the ledger's to say.
   */
  take(transaction: CheckedTransaction, options: { preflight: boolean }): boolean;
  /** How a transaction stands on a fork that a node still follows in a slot. */
  find(signature: Signature, slot: bigint): LandedOutcome | undefined;
}

const lifeSlots = BigInt(limits.sandboxForkSlots);

/** There are no forks yet; `tell` is called with what lands on one. */
export function createForks(
  ledger: Pick<Ledger, "head" | "refusesUnseen">,
  time: Pick<ChainTime, "slot">,
  faults: Pick<FaultLayer, "current" | "forks">,
  report: (forked: ForkedTransaction) => void,
): Forks {
  /** Those that landed last are last. */
  const held = new Map<Signature, LandedOutcome>();

  const keep = (signature: Signature, outcome: LandedOutcome): void => {
    // A node that lags reads it later.
    const oldest = outcome.slot - lifeSlots - BigInt(limits.sandboxLagMax);
    for (const [each, { slot }] of held) {
      if (slot > oldest && held.size < limits.sandboxForkedMax) break;
      held.delete(each);
    }
    held.delete(signature);
    held.set(signature, outcome);
  };

  return {
    take: (transaction, { preflight }) => {
      if (faults.current().fork === 0 || ledger.refusesUnseen(transaction) !== null) return false;
      const vm = ledger.head();
      const { fault, logs } = vm.simulate(transaction, { verifySignatures: true, withInner: false, of: new Set() });
      if (fault !== null && (preflight || !landsAllTheSame(fault))) return false;
      const { signature, message } = transaction;
      if (!faults.forks(signature)) return false;
      const slot = time.slot();
      keep(signature, { slot, fault });
      report({ signature, slot, fault, logs, addresses: [...new Set(resolveAccountKeys(message, vm.get).addresses)] });
      return true;
    },
    find: (signature, slot) => {
      const outcome = held.get(signature);
      return outcome && outcome.slot <= slot && slot < outcome.slot + lifeSlots ? outcome : undefined;
    },
  };
}

/** What fails while it runs is in a block, and has paid for it. */
function landsAllTheSame(fault: TransactionFault): boolean {
  return typeof fault === "object" && "InstructionError" in fault;
}
