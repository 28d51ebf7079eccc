import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { hearNode, judge } from "./judge-unseen.js";
import { hearList, mergeLists } from "./list-landed.js";

/** Verdicts where one node is all there is. */
export function judgeByOneNode(rpc: Network["rpc"], clock: Clock): Network["judgeUnseen"] {
  return async (unseen) => {
    const signatures = unseen.map(({ signature }) => signature);
    const word = await hearNode(rpc, signatures);
    return unseen.map((one, i) => judge(one, i, [word], clock.now()));
  };
}

/** Times of blocks as the node reports them. */
export function exactBlockTimes(rpc: Network["rpc"]): Network["blockTimeOf"] {
  return async (slot) => Number(await rpc.getBlockTime(slot).send());
}

/** Lists of transactions where one node is all there is. */
export function listByOneNode(rpc: Network["rpc"], clock: Clock): Network["listLanded"] {
  return async (unseen) => mergeLists(unseen, [await hearList(rpc, unseen)], { now: clock.now(), isEarly: false });
}
