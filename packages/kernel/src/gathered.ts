/**
 * Writes together what arrives one by one: all that arrives while a write is under way goes into the next one, and all that
 * arrives while `rest` lasts, which each write is preceded by. Each call ends with the write that its own thing was in, and
 * fails with that.
 */
export function gathered<Thing>(
  write: (things: readonly Thing[]) => Promise<void>,
  rest: () => Promise<void> = async () => undefined,
): (thing: Thing) => Promise<void> {
  let waiting: Thing[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  return (thing) => {
    waiting.push(thing);
    next ??= last
      .catch(() => undefined)
      .then(rest)
      .then(() => {
        const things = waiting;
        waiting = [];
        next = undefined;
        last = write(things);
        return last;
      });
    return next;
  };
}
