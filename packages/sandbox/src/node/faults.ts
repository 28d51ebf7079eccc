import type { Signature } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { SandboxFaults } from "@trellis/kernel/ports/network.js";
import { bidOf } from "./fee.js";
import type { CheckedTransaction } from "./guard.js";

/** Says each time whether something goes wrong. */
export interface FaultLayer {
  /** Whether a transaction received now vanishes: without cause, or because it bids too little for full blocks. */
  drops(transaction: CheckedTransaction): boolean;
  /** Whether a transaction that would land now lands on a fork that is left. */
  forks(signature: Signature): boolean;
  /** Whether the node pretends not to know a blockhash now. */
  forgets(blockhash: string): boolean;
  /** What has to be bid to land now: micro-lamports per compute unit. */
  price(): number;
  current(): SandboxFaults;
  /** Puts these in place of all others, and counts anew. */
  set(faults: SandboxFaults): void;
}

export const noFaults: SandboxFaults = { drop: 0, blockhashNotFound: 0, fullBlocks: 0, price: 0, fork: 0, lag: 0 };

/** Whom it went wrong for is remembered for this many; beyond that the oldest meet it anew. */
const rememberedMax = 10_000;

/** The same for the same calls in the same order: nothing is drawn by lot. */
export function createFaultLayer(first: SandboxFaults): FaultLayer {
  const counter = (times: number) => {
    const met = new Map<string, number>();
    return (name: string): boolean => {
      if (times >= limits.sandboxFaultsAlways) return true;
      const before = met.get(name) ?? 0;
      if (before >= times) return false;
      if (met.size >= rememberedMax && !met.has(name)) met.delete(met.keys().next().value ?? "");
      met.set(name, before + 1);
      return true;
    };
  };
  const counted = (faults: SandboxFaults) => ({
    faults,
    drops: counter(faults.drop),
    forks: counter(faults.fork),
    forgets: counter(faults.blockhashNotFound),
    crowdsOut: counter(faults.price > 0 && faults.fullBlocks === 0 ? limits.sandboxFaultsAlways : faults.fullBlocks),
  });
  let present = counted(first);
  const price = () => present.faults.price || Math.min(present.faults.fullBlocks, 1);
  return {
    drops: ({ signature, message }) =>
      present.drops(signature) || (bidOf(message) < BigInt(price()) && present.crowdsOut(signature)),
    forks: (signature) => present.forks(signature),
    forgets: (blockhash) => present.forgets(blockhash),
    price,
    current: () => present.faults,
    set: (faults) => {
      present = counted(faults);
    },
  };
}

/** For people who wonder; undefined where nothing goes wrong on purpose. */
export function describeFaults(faults: SandboxFaults): string | undefined {
  const { drop, blockhashNotFound, fullBlocks, price, fork, lag } = faults;
  const often = (times: number) => (times >= limits.sandboxFaultsAlways ? "always" : `${times}×`);
  const parts = [
    ...(drop > 0 ? [`transactions vanish (${often(drop)})`] : []),
    ...(blockhashNotFound > 0 ? [`blockhashes are not found (${often(blockhashNotFound)})`] : []),
    ...(fullBlocks > 0 ? [`blocks are full (${often(fullBlocks)})`] : []),
    ...(price > 0 ? [`landing costs ${price} micro-lamports per compute unit`] : []),
    ...(fork > 0 ? [`transactions land on a fork that is left (${often(fork)})`] : []),
    ...(lag > 0 ? [`the node is ${lag} slots behind`] : []),
  ];
  return parts.length === 0 ? undefined : `on purpose (TRELLIS_SANDBOX_FAULTS, /sandbox/faults): ${parts.join(", ")}`;
}
