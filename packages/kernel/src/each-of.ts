/**
 * Works on each of many, at most `atOnce` at a time, in their order. Ends when none is under way any more, and rejects with
 * the first failure then. A failure keeps none of the others from being worked on, unless `stopsAtFailure` says that it
 * concerns all of them: what has not begun by then never does. What is found bit by bit is an async iterable: the next
 * bit is asked for as soon as a place is free, whatever else is under way; it is not asked for again once it has failed.
 */
export async function eachOf<T>(
  all: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (one: T) => Promise<void>,
  { stopsAtFailure = false }: { readonly stopsAtFailure?: boolean } = {},
): Promise<void> {
  const left = Symbol.asyncIterator in all ? all[Symbol.asyncIterator]() : all[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (!(stopsAtFailure && failures.length > 0)) {
      const found = left.next();
      const next = found instanceof Promise ? await found : found;
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const workers = Array.from({ length: atOnce }, () => worker().catch((error) => void failures.push(error)));
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
}

/** What these resolve with, in their order. Rejects with the first failure, once none is under way any more. */
export async function allOf<T>(works: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(works);
  return ended.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}
