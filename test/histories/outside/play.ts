import { createDraw } from "../draw.js";
import { playCreations, playOrder, playProposal } from "./failover-histories.js";
import { playPayIns } from "./pay-in-history.js";
import { playPayments } from "./payment-history.js";
import { type OutsideHistory, openStage, type Partners } from "./stage.js";
import type { OutsideWorld } from "./world.js";

/**
 * Plays the history of a seed: mostly payments, which wallets also send on their own and partners say anything of; else money
 * from a bank, a standing order, a proposal or new accounts. In half of the former and all of the latter the database loses its last second
 * now and then.
 */
export async function playOutsideHistory(
  world: OutsideWorld,
  seed: number,
  partners: Partners = "wild",
): Promise<OutsideHistory> {
  const draw = createDraw(seed);
  const play = draw.oneOf([
    ...Array.from({ length: 8 }, () => playPayments),
    playOrder,
    playProposal,
    playCreations,
    playPayIns,
  ] as unknown as readonly [typeof playPayments, ...(typeof playPayments)[]]);
  const stage = openStage(world, seed, draw, { failing: play !== playPayments || draw.percent(50), partners });
  await play(stage);
  const { trace, wrong, counts } = stage;
  return { trace, wrong: [...wrong], counts };
}
