/**
 * Works on each of many, at most `atOnce` at a time, in their order. Ends when none is under way any more, and rejects with
 * the first failure then. A failure keeps none of the others from being worked on, unless `stopsAtFailure` says that it
 * concerns all of them: what has not begun by then never does.
 */
export async function eachOf<T>(
  all: Iterable<T>,
  atOnce: number,
  work: (one: T) => Promise<void>,
  { stopsAtFailure = false }: { readonly stopsAtFailure?: boolean } = {},
): Promise<void> {
  const left = all[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (!(stopsAtFailure && failures.length > 0)) {
      const next = left.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
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
