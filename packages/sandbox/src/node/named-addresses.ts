import type { Address } from "@solana/kit";

/** Addresses that wait to be read at most; where no caller reads them, there must be an end. */
const waitingMax = 10_000;
/** Addresses whose latest naming is remembered. */
const rememberedMax = 200_000;

/** Keeps in mind which addresses transactions have named, and when: as few steps for each as possible. */
export function createNamedAddresses() {
  const waiting = new Set<Address>();
  const latest = new Map<string, number>();
  let count = 0;
  /** Addresses named before this have been forgotten. */
  let forgottenUntil = 0;

  return {
    add: (addresses: readonly Address[]): void => {
      count += 1;
      for (const address of addresses) {
        latest.set(address, count);
        if (waiting.size < waitingMax) waiting.add(address);
      }
      if (latest.size <= rememberedMax) return;
      latest.clear();
      forgottenUntil = count;
    },
    take: (): Address[] => {
      const claimed = [...waiting];
      waiting.clear();
      return claimed;
    },
    putBack: (addresses: readonly Address[]): void => {
      for (const address of addresses) if (waiting.size < waitingMax) waiting.add(address);
    },
    mark: (): number => count,
    changedSince: (mark: number, addresses: readonly string[]): boolean =>
      mark < forgottenUntil || addresses.some((address) => (latest.get(address) ?? 0) > mark),
  };
}
