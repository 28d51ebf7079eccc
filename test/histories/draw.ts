/** Whole numbers and choices out of a seed: the same seed draws the same ones. */
export interface Draw {
  /** From 0, below `below`. */
  below(below: number): number;
  /** From `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True once in so many hundred times. */
  percent(chance: number): boolean;
  /** One of a list that is not empty. */
  oneOf<Value>(list: readonly [Value, ...Value[]]): Value;
}

/** Mulberry32: small, and good enough to scatter. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    percent: (chance) => below(100) < chance,
    oneOf: (list) => list[below(list.length)] ?? list[0],
  };
}
