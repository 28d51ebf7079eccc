/** How many transactions have landed since the chain began. */
export interface TransactionCount {
  now(): Promise<number>;
  /** So many more have landed. */
  add(landed: number): void;
}

/**
 * Counts what is stored once, when a client asks for the first time, and continues from there. `count` runs while nothing
 * lands.
 */
export function createTransactionCount(count: () => Promise<number>): TransactionCount {
  let counted: Promise<number> | undefined;
  let since = 0;
  return {
    now: async () => {
      counted ??= count().then(
        (stored) => {
          since = 0;
          return stored;
        },
        (error: unknown) => {
          counted = undefined;
          throw error;
        },
      );
      const stored = await counted;
      return stored + since;
    },
    add: (landed) => {
      since += landed;
    },
  };
}
