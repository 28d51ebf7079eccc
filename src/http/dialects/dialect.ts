/**
 * Other names for the same things, as data: what clients in the field say, and the neutral name it stands for (gap 113).
 * The neutral names work beside it. Nothing but `http/` knows that there are dialects.
 */
export interface Dialect {
  /** As TRELLIS_DIALECT names it. */
  readonly name: string;
  /** Beginnings of paths. A request whose path begins with one is answered in this dialect. */
  readonly paths: Readonly<Record<string, string>>;
  /** Request headers, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of fields, wherever a schema declares the neutral one. */
  readonly fields: Readonly<Record<string, string>>;
  /** Values of strings, by the neutral name of the field they stand in; in no other field. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Neutral to theirs, or theirs to neutral. */
export type Words = Pick<Dialect, "fields" | "values">;

/** The same the other way round. */
export function reversed({ fields, values }: Words): Words {
  return {
    fields: flip(fields),
    values: Object.fromEntries(Object.entries(values).map(([name, words]) => [name, flip(words)])),
  };
}

/** The path and query in neutral names; undefined for a path that is not in the dialect. */
export function neutralUrl({ paths }: Dialect, url: string): string | undefined {
  for (const [theirs, neutral] of Object.entries(paths)) {
    if (url.startsWith(theirs)) return neutral + url.slice(theirs.length);
  }
  return undefined;
}

/** Makes the function that puts the text of an error, which is ours and no caller's data, into the words of the dialect. */
export function createTextRenaming({ paths, headers, fields, values }: Dialect): (text: string) => string {
  const all = new Map<string, string>();
  for (const words of [paths, headers, fields, ...Object.values(values)]) {
    for (const [theirs, neutral] of Object.entries(words)) all.set(neutral, theirs);
  }
  const longestFirst = [...all.keys()].sort((a, b) => b.length - a.length);
  // A path continues after its beginning; a word ends.
  const alternatives = longestFirst.map((word) => (word.startsWith("/") ? word : `(?<![\\w-])${word}(?![\\w-])`));
  const pattern = new RegExp(alternatives.join("|"), "g");
  return (text) => text.replaceAll(pattern, (word) => all.get(word) ?? word);
}

function flip(words: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(words).map(([theirs, neutral]) => [neutral, theirs]));
}
