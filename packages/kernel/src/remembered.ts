/**
 * A pure function that keeps its latest results: at most `most`, and those of the latest `most / 2` names at least.
 * `nameOf` has to tell apart all that the result depends on. Results are shared: hand out texts, what is frozen, or copies.
 */
export function remembered<Argument, Result>(
  most: number,
  nameOf: (argument: Argument) => string,
  compute: (argument: Argument) => Result,
): (argument: Argument) => Result {
  // Two halves that take turns cost a hit one read; keeping an order of use would cost it three changes.
  let recent = new Map<string, Result>();
  let earlier = new Map<string, Result>();
  return (argument) => {
    const name = nameOf(argument);
    const known = recent.get(name);
    if (known !== undefined) return known;
    const result = earlier.get(name) ?? compute(argument);
    recent.set(name, result);
    if (recent.size >= most / 2) {
      earlier = recent;
      recent = new Map();
    }
    return result;
  };
}
