import type { SummaryEntry } from "@trellis/sdk";

/** An entry of a summary has another shape than this version knows: what it does cannot be said. */
export class UnknownShapeError extends Error {
  override readonly name = "UnknownShapeError";
}

/** Reads the members of an entry, each in its own way; all of them throw an `UnknownShapeError`. */
export type Members = {
  readonly text: (name: string) => string;
  readonly textOrNull: (name: string) => string | null;
  /** Undefined where it is not there. */
  readonly textMaybe: (name: string) => string | undefined;
  /** Base units. */
  readonly amount: (name: string) => bigint;
  readonly amountMaybe: (name: string) => bigint | undefined;
  /** A whole number from zero on. */
  readonly count: (name: string) => number;
  readonly countMaybe: (name: string) => number | undefined;
  /** False where it is not there. */
  readonly flag: (name: string) => boolean;
  readonly texts: (name: string) => readonly string[];
  /** What is there and says nothing more to people. */
  readonly skip: (...names: readonly string[]) => void;
};

/**
 * What `describe` says of an entry; undefined where it asks for a member that is not as it knows it, or where it does not ask for
 * one that is there: a member of tomorrow may say what matters most.
 */
export function describeMembers<Answer>(
  entry: SummaryEntry,
  describe: (members: Members) => Answer,
): Answer | undefined {
  const asked = new Set(["type"]);
  const member = (name: string): unknown => {
    asked.add(name);
    return Object.hasOwn(entry, name) ? entry[name] : undefined;
  };
  const members: Members = {
    text: (name) => asText(member(name)),
    textOrNull: (name) => orNull(member(name)),
    textMaybe: (name) => maybe(member(name), asText),
    amount: (name) => asAmount(member(name)),
    amountMaybe: (name) => maybe(member(name), asAmount),
    count: (name) => asCount(member(name)),
    countMaybe: (name) => maybe(member(name), asCount),
    flag: (name) => maybe(member(name), asFlag) ?? false,
    texts: (name) => asTexts(member(name)),
    skip: (...names) => names.forEach(member),
  };
  try {
    const answer = describe(members);
    return Object.keys(entry).every((name) => asked.has(name)) ? answer : undefined;
  } catch (error) {
    if (error instanceof UnknownShapeError) return undefined;
    throw error;
  }
}

function maybe<Value>(value: unknown, read: (value: unknown) => Value): Value | undefined {
  return value === undefined ? undefined : read(value);
}

function asText(value: unknown): string {
  if (typeof value !== "string") throw new UnknownShapeError("a text was expected");
  return value;
}

function orNull(value: unknown): string | null {
  return value === null ? null : asText(value);
}

function asAmount(value: unknown): bigint {
  if (typeof value !== "string" || !/^[0-9]{1,20}$/.test(value)) throw new UnknownShapeError("an amount was expected");
  return BigInt(value);
}

function asCount(value: unknown): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new UnknownShapeError("a whole number was expected");
  return Number(value);
}

function asFlag(value: unknown): boolean {
  if (typeof value !== "boolean") throw new UnknownShapeError("yes or no was expected");
  return value;
}

function asTexts(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new UnknownShapeError("a list was expected");
  return value.map(asText);
}
