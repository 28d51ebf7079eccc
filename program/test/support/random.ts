/** A small seeded generator (mulberry32): the same seed gives the same history everywhere. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const random = {
    /** An integer from 0 up to, not including, `limit`. */
    below: (limit: number): number => Math.floor(next() * limit),
    /** True with this probability. */
    chance: (probability: number): boolean => next() < probability,
    /** One of the list. */
    pick<T>(list: readonly T[]): T {
      const chosen = list[random.below(list.length)];
      if (chosen === undefined) throw new Error("nothing to pick from");
      return chosen;
    },
    /** Some of the list, in random order, none twice. */
    some<T>(list: readonly T[], probability: number): T[] {
      const chosen = list.filter(() => random.chance(probability));
      for (let i = chosen.length - 1; i > 0; i--) {
        const j = random.below(i + 1);
        [chosen[i], chosen[j]] = [chosen[j] as T, chosen[i] as T];
      }
      return chosen;
    },
    bytes: (count: number): Uint8Array => Uint8Array.from({ length: count }, () => random.below(256)),
  };
  return random;
}

export type Random = ReturnType<typeof createRandom>;
