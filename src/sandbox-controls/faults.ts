import { limits } from "@trellis/kernel/limits.js";
import type { SandboxFaults } from "@trellis/kernel/ports/network.js";
import Type from "typebox";

const times = (description: string) =>
  Type.Integer({ minimum: 0, maximum: limits.sandboxFaultsAlways, description: `${description} 1000000: always.` });

/** The parts of a sandbox's faults on the wire (gap 126). */
export const faultFields = {
  drop: times("How many times each sent transaction is answered with its signature and then dropped."),
  blockhash_not_found: times(
    "How many times each blockhash is unknown to a call that sends with preflight, or simulates.",
  ),
  full_blocks: times(
    "How many times each transaction that bids less than the price is answered with its signature and then dropped. " +
      "0 with a price: always. Without a price, any bid has room.",
  ),
  price: Type.Integer({
    minimum: 0,
    maximum: limits.sandboxPriceMax,
    description:
      "What recent prioritization fees are, and what a transaction must bid to land: micro-lamports per compute unit.",
  }),
  fork: times(
    "How many times each sent transaction lands on a fork that is abandoned: it is answered with its signature, has " +
      "the status `processed` for a few slots, and is then dropped.",
  ),
  lag: Type.Integer({
    minimum: 0,
    maximum: limits.sandboxLagMax,
    description: "By how many slots of 400 ms the answering node is behind: it does not know what landed since.",
  }),
};

/** All of them, present in answers whether something goes wrong or not. */
export const faultsSchema = Type.Object(faultFields, {
  $id: "SandboxFaults",
  description: "What goes wrong on purpose in the sandbox; zeros: nothing.",
});

export function showFaults({ drop, blockhashNotFound, fullBlocks, price, fork, lag }: SandboxFaults) {
  return { drop, blockhash_not_found: blockhashNotFound, full_blocks: fullBlocks, price, fork, lag };
}
