/** What is left of whole seconds when some milliseconds have passed; a second that has begun counts, and nothing is below 0. */
export function secondsLeft(seconds: number, passedMs: number): number {
  return Math.max(0, Math.ceil(seconds - passedMs / 1000));
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A duration of whole seconds in words: the two largest units that follow each other, `2 days 3 hours`. Nothing is rounded up. */
export function spellDuration(seconds: number): string {
  const first = units.findIndex(([, size]) => seconds >= size);
  if (first < 0) return "0 seconds";
  let rest = seconds;
  const parts: string[] = [];
  for (const [name, size] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? "" : "s"}`);
  }
  return parts.join(" ");
}

/** The same exactly, for a rule: every unit that is not zero. */
export function spellExactDuration(seconds: number): string {
  let rest = seconds;
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? "" : "s"}`];
  });
  return parts.length === 0 ? "0 seconds" : parts.join(" ");
}
