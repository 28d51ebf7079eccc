import type { Contract } from "@trellis/kernel/endpoint.js";

type Route = Pick<Contract, "method" | "path">;

/** Words of a longer path are no slip of the pen. */
const wordsMax = 12;

/**
 * Makes the function that names the operation that a caller most likely meant by a path that does not exist: with another prefix or
 * none, a slash for a colon, the singular for the plural, a slip of the pen. `POST /api/service/v1/accounts:custom`, or
 * undefined. Only operations of `method` are named if `sameMethod`.
 */
export function createNearPathFinder(
  routes: readonly Route[],
): (method: string, path: string, sameMethod?: boolean) => string | undefined {
  const known = routes.map((route) => ({ ...route, words: wordsOf(route.path) }));
  const firstWords = new Set(known.flatMap(({ words }) => words.slice(0, 1)));
  return (method, path, sameMethod = false) => {
    const words = wordsOf(path, firstWords);
    if (words.length === 0 || words.length > wordsMax) return undefined;
    const near = known
      .filter((route) => !sameMethod || route.method === method)
      .map((route) => ({ route, distance: distanceOf(words, route.words) + (route.method === method ? 0 : 0.5) }))
      .filter(({ distance }) => distance < words.length)
      .sort((a, b) => a.distance - b.distance || b.route.words.length - a.route.words.length)[0];
    const found = near?.route ?? known.find((route) => route.method === method && isOneBelow(route.words, words));
    return found && `${found.method} ${found.path}`;
  };
}

/**
 * A path as its words: without what all paths begin with, or whatever else stands before one of `firstWords`, and without what
 * hands confuse.
 */
function wordsOf(path: string, firstWords: ReadonlySet<string> = new Set()): string[] {
  const words = path.split(/[/:]/).filter((word) => word !== "");
  const known = words.findIndex((word) => firstWords.has(plain(word)));
  const start = known < 0 ? words.findIndex((word) => !/^(?:api|service|v\d+)$/i.test(word)) : known;
  return words.slice(start < 0 ? words.length : start).map((word) => (word.startsWith("{") ? parameter : plain(word)));
}

/** Whether a route is what was asked for, and a parameter behind it: one thing where a list was asked for that there is not. */
const isOneBelow = (route: readonly string[], words: readonly string[]): boolean =>
  route.length === words.length + 1 &&
  route.at(-1) === parameter &&
  distanceOf(words, route.slice(0, -1)) < Number.POSITIVE_INFINITY;

const parameter = "{}";

/** What people call things that are called otherwise here; each plain. */
const alsoCalled: Readonly<Record<string, string>> = {
  bankaccount: "externalaccount",
  payment: "paymentintent",
  standingorder: "standingorderintent",
  transfer: "paymentintent",
  wallet: "account",
  webhook: "webhookendpoint",
};

const plain = (word: string): string =>
  word
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replace(/s$/, "");

/** How far words are from those of a route; infinitely where one of them is another word. A parameter is a little off. */
function distanceOf(words: readonly string[], known: readonly string[]): number {
  if (words.length !== known.length || known[0] === parameter) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (const [i, word] of words.entries()) {
    const other = known[i] ?? "";
    if (other === parameter) sum += 0.1;
    else if (alsoCalled[word] === other) sum += 0.3;
    else if (word !== other) {
      const edits = editsBetween(word, other);
      if (edits > 2 || edits * 3 > other.length) return Number.POSITIVE_INFINITY;
      sum += edits / 3;
    }
  }
  return sum;
}

/** How many letters have to be put in, left out, or exchanged. */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
