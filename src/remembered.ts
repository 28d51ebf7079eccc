/**
 * A pure function that keeps its latest results, at most `most` of them, and drops the one asked for longest ago. `nameOf`
 * has to tell apart all that the result depends on. Results are shared: they are not to be changed.
 */
export function remembered<Argument, Result>(
  most: number,
  nameOf: (argument: Argument) => string,
  compute: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const results = new Map<string, Result>();
  return (argument) => {
    const name = nameOf(argument);
    const known = results.get(name);
    if (known !== undefined) {
      // A Map keeps insertion order, so re-inserting makes the first entry the one asked for longest ago.
      results.delete(name);
      results.set(name, known);
      return known;
    }
    const result = compute(argument);
    results.set(name, result);
    if (results.size > most) {
      const oldest = results.keys().next();
      if (oldest.done !== true) results.delete(oldest.value);
    }
    return result;
  };
}
