/** The number of the token program's `batch`, which holds several of its instructions. */
export const tokenBatch = 255;

/**
 * The instructions in a batch: `[255]`, and for each the number of its accounts, the bytes of its data, and the data; the
 * accounts stand one after the other. Undefined where they do not add up, which the chain refuses, too.
 */
export function splitTokenBatch<T>(
  accounts: readonly T[],
  data: Uint8Array,
): readonly { readonly accounts: readonly T[]; readonly data: Uint8Array }[] | undefined {
  const found: { readonly accounts: readonly T[]; readonly data: Uint8Array }[] = [];
  let used = 0;
  for (let at = 1; at < data.length; ) {
    const [count, length] = [data[at], data[at + 1]];
    if (count === undefined || length === undefined) return undefined;
    const begin = at + 2;
    if (begin + length > data.length || used + count > accounts.length) return undefined;
    found.push({ accounts: accounts.slice(used, used + count), data: data.slice(begin, begin + length) });
    used += count;
    at = begin + length;
  }
  return found;
}
