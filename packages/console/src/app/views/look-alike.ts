/** So many letters people compare at either end of an address. */
const comparedLetters = 4;

/**
 * The known address that another one could be taken for: it begins and ends with the same letters, also in another case, and is not it.
 * Thieves make such addresses, and send small amounts from them so that they stand in a history. Undefined: there is none, or the address
 * is itself a known one.
 */
export function findLookAlike(address: string, known: Iterable<string>): string | undefined {
  let found: string | undefined;
  for (const other of known) {
    if (other === address) return undefined;
    if (endsOf(other) === endsOf(address)) found ??= other;
  }
  return found;
}

export interface LookAlike {
  readonly address: string;
  /** The one that it could be taken for. */
  readonly other: string;
}

/** Those of some addresses that could be taken for a known one, or for each other. */
export function lookAlikesIn(addresses: readonly string[], known: readonly string[]): readonly LookAlike[] {
  return addresses.flatMap((address) => {
    const other = known.includes(address)
      ? undefined
      : findLookAlike(address, [...known, ...others(addresses, address)]);
    return other === undefined ? [] : [{ address, other }];
  });
}

const others = (addresses: readonly string[], address: string): readonly string[] =>
  addresses.filter((each) => each !== address);

const endsOf = (address: string): string =>
  `${address.slice(0, comparedLetters)}…${address.slice(-comparedLetters)}`.toLowerCase();
