import type { Signature } from "@solana/kit";
import type { Network, TransactionStatus } from "@trellis/kernel/ports/network.js";
import type { Pause } from "@trellis/kernel/ports/pause.js";
import { readSignatureStatuses, statusesMax } from "@trellis/solana/signature-statuses.js";

/** Polls the chain for everything in this process that waits for an outcome. */
export interface Lookout {
  /**
   * What a node reports of a transaction of the last minutes; undefined when it knows of none. All who poll at the same time
   * are answered by one question. Rejects as the chain does.
   */
  poll(network: RefreshedAt, signature: Signature): Promise<TransactionStatus | undefined>;
}

type RefreshedAt = Pick<Network, "name" | "rpc">;

/** So long a real cluster is left alone between two questions, in milliseconds of real time: a slot. */
const apartMs = 400;

interface Waiter {
  readonly resolve: (status: TransactionStatus | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Opens a lookout; one is enough for a process. */
export function createLookout(pause: Pause): Lookout {
  /** By the way to the chain: who waits for the next question there. */
  const waiting = new WeakMap<object, Map<Signature, Waiter[]>>();

  const ask = async (network: RefreshedAt, asked: ReadonlyMap<Signature, readonly Waiter[]>): Promise<void> => {
    const signatures = [...asked.keys()];
    try {
      const { statuses } = await readSignatureStatuses(network.rpc, signatures, "recent");
      for (const [i, signature] of signatures.entries())
        for (const waiter of asked.get(signature) ?? []) waiter.resolve(statuses[i]);
    } catch (error) {
      for (const waiters of asked.values()) for (const waiter of waiters) waiter.reject(error);
    }
  };

  const keepAsking = async (network: RefreshedAt, queue: Map<Signature, Waiter[]>): Promise<void> => {
    while (queue.size > 0) {
      const asked = new Map([...queue].slice(0, statusesMax));
      for (const signature of asked.keys()) queue.delete(signature);
      const spacing = network.name === "sandbox" ? undefined : pause(apartMs);
      await ask(network, asked);
      await spacing;
    }
    waiting.delete(network.rpc);
  };

  return {
    poll: (network, signature) =>
      new Promise((resolve, reject) => {
        const queue = waiting.get(network.rpc) ?? new Map<Signature, Waiter[]>();
        queue.set(signature, [...(queue.get(signature) ?? []), { resolve, reject }]);
        if (waiting.has(network.rpc)) return;
        waiting.set(network.rpc, queue);
        void keepAsking(network, queue);
      }),
  };
}
