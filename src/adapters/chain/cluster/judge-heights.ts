/** What comparing its height with those of the others says about a URL. */
export type HeightVerdict =
  | "agrees"
  /** Far from the middle of three or more: the others outvote it. */
  | "outvoted"
  /** Far behind the only other one: a stuck node is the usual fault, but one of two proves nothing. */
  | "behind";

/** How many blocks nodes of one cluster may lie apart: 100 blocks are some forty seconds. */
export const heightToleranceBlocks = 100n;

/** Compares the heights that URLs reported at the same time. In the order given. */
export function judgeHeights(heights: readonly bigint[]): readonly HeightVerdict[] {
  const sorted = [...heights].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const isVote = heights.length > 2;
  // Of an even number the upper middle: a stuck node is more common than one that runs ahead.
  const reference = (isVote ? sorted[sorted.length >> 1] : sorted.at(-1)) ?? 0n;
  return heights.map((height) => {
    const distance = height > reference ? height - reference : reference - height;
    if (distance <= heightToleranceBlocks) return "agrees";
    return isVote ? "outvoted" : "behind";
  });
}
