import type { Entry } from "../search-entry.js";

/** Words that say nothing about what is searched for. */
const empty = new Set(
  "a an and are as be by can do does for from get how i in is it me my of on or the to what where with".split(" "),
);

/** What newcomers call something that has another name here. */
const meant: Readonly<Record<string, string>> = {
  login: "sign",
  signin: "sign",
  signup: "sign",
  register: "create",
  testnet: "devnet",
  airdrops: "airdrop",
};

/**
 * The entries that are about the words, the best first. Where none has all of them, those that have the most. A word is found
 * where another one begins with it, so that half a word finds something and `fee` is not found in `coffee`.
 */
export function rank(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = wordsOf(query);
  const phrase = words.join(" ");
  const scored = entries.flatMap((entry) => {
    const scores = words.map((word) => scoreOf(word, entry)).filter((score) => score > 0);
    if (scores.length === 0) return [];
    const together = words.length > 1 ? togetherIn(entry, phrase) : 0;
    const score = scores.reduce((sum, each) => sum + each, together) * (entry.weight ?? 1);
    return [{ entry, found: scores.length, score }];
  });
  const most = Math.max(0, ...scored.map(({ found }) => found));
  return scored
    .filter(({ found }) => found === most)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

/** More where the words stand together: as the title, in it, or in the text. */
function togetherIn({ title, text }: Entry, phrase: string): number {
  const name = wordsOf(title).join(" ");
  if (name === phrase) return 60;
  if (name.includes(phrase)) return 20;
  return text.toLowerCase().includes(phrase) ? 5 : 0;
}

/** The part of an entry's text around the first of the words. */
export function excerptOf({ text }: Entry, query: string): string {
  const lower = text.toLowerCase();
  const [place = 0] = wordsOf(query)
    .map((word) => placeOf(word, lower))
    .filter((found) => found >= 0)
    .sort((a, b) => a - b);
  const start = place < 60 ? 0 : text.indexOf(" ", place - 60) + 1;
  const rest = text.slice(start);
  // Whole words, unless there is but one.
  const part = rest.length > 150 ? rest.slice(0, Math.max(rest.lastIndexOf(" ", 150), 0) || 150) : rest;
  return `${start > 0 ? "… " : ""}${part}${part.length < rest.length ? " …" : ""}`;
}

function wordsOf(query: string): readonly string[] {
  const all = query
    .toLowerCase()
    .replace(/\b(log|sign)(ging|ning)? (in|up|on)\b/g, "sign")
    .split(/[\s,;:?!()"'`]+/)
    .filter(Boolean);
  const reporting = all.filter((word) => !empty.has(word));
  return (reporting.length > 0 ? reporting : all).map((word) => meant[word] ?? singular(word));
}

const singular = (word: string): string => (/[a-z]{3}s$/.test(word) && !word.endsWith("ss") ? word.slice(0, -1) : word);

function scoreOf(word: string, { title, page, text, also = "" }: Entry): number {
  if (also !== "" && wordsOf(also).includes(word)) return 41;
  const name = title.toLowerCase();
  if (name === word || name === `${word}s`) return 40;
  // Words as they are rank before those that only begin so.
  if (name.split(/[^\p{L}\p{N}_]+/u).some((each) => each === word || each === `${word}s`)) return 16;
  if (placeOf(word, name) >= 0) return 8;
  const onPage = placeOf(word, page.toLowerCase()) >= 0 ? 4 : 0;
  return onPage + Math.min(3, countOf(word, text.toLowerCase()));
}

/** Where a word of the text begins with it; -1: nowhere. */
function placeOf(word: string, text: string): number {
  for (let place = text.indexOf(word); place >= 0; place = text.indexOf(word, place + 1)) {
    if (place === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(place - 1))) return place;
  }
  return -1;
}

function countOf(word: string, text: string): number {
  let count = 0;
  for (let rest = text; count < 3; count += 1) {
    const place = placeOf(word, rest);
    if (place < 0) break;
    rest = rest.slice(place + word.length);
  }
  return count;
}
