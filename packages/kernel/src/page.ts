import { Buffer } from "node:buffer";
import { isAddress } from "@solana/kit";
import { type RawBuilder, sql } from "kysely";
import type { Answer } from "./endpoint.js";
import { TrellisError } from "./errors.js";

/** How a part of a cursor is written: its form, as the source of a regular expression, and what it stands for. */
export interface Codec<T extends bigint | number | string> {
  readonly form: string;
  /** The value of a text of this form; undefined: no value is written so. */
  readonly read: (text: string) => T | undefined;
}

const digits = "0|[1-9][0-9]*";
const greatestInt8 = 9_223_372_036_854_775_807n;

/** A whole number that the database keeps as an int8, not negative. */
export const int8: Codec<bigint> = {
  form: digits,
  read: (text) => {
    const value = BigInt(text);
    return value <= greatestInt8 ? value : undefined;
  },
};

/** The same as an int4. */
export const int4: Codec<number> = {
  form: digits,
  read: (text) => (Number(text) <= 2_147_483_647 ? Number(text) : undefined),
};

export const uuid = textOf("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

export const address: Codec<string> = {
  form: "[1-9A-HJ-NP-Za-km-z]{32,44}",
  read: (text) => (isAddress(text) ? text : undefined),
};

/** A text of a form: the source of a regular expression. Only the last part of a cursor may have a `_` in it. */
export function textOf<T extends string>(form: string): Codec<T> {
  return { form, read: (text) => text as T };
}

/** A place in a list as its parts, which stand in the cursor in this order. */
type Codecs = Readonly<Record<string, Codec<bigint> | Codec<number> | Codec<string>>>;
type PlaceOf<C extends Codecs> = { readonly [name in keyof C]: C[name] extends Codec<infer T> ? T : never };

export interface Cursor<Place> {
  readonly encode: (place: Place) => string;
  /** Throws `invalid_cursor` for what `encode` does not write. */
  readonly decode: (cursor: string) => Place;
}

/** Longer than any cursor. */
const lengthMax = 256;

/**
 * The cursor of a list: `prefix` and the parts of a place, in base64url. Clients hold cursors from one release to the next, so
 * what is written never changes under a prefix. Two lists may share a prefix where their parts cannot be mistaken for each
 * other's, which `test/adversarial/every-endpoint.test.ts` holds.
 */
export function cursor<C extends Codecs>(prefix: string, codecs: C): Cursor<PlaceOf<C>> {
  const parts = Object.entries(codecs);
  const form = new RegExp(`^${[prefix, ...parts.map(([, codec]) => `(${codec.form})`)].join("_")}$`);
  const encode = (place: PlaceOf<C>): string =>
    Buffer.from([prefix, ...parts.map(([name]) => place[name])].join("_")).toString("base64url");
  const read = (given: string): PlaceOf<C> | undefined => {
    if (given.length > lengthMax) return undefined;
    const found = form.exec(Buffer.from(given, "base64url").toString("latin1"));
    if (found === null) return undefined;
    const values = parts.map(([name, codec], i) => [name, codec.read(found[i + 1] ?? "")] as const);
    if (values.some(([, value]) => value === undefined)) return undefined;
    const place = Object.fromEntries(values) as PlaceOf<C>;
    // A text has many spellings in base64url, and only one of them was handed out.
    return encode(place) === given ? place : undefined;
  };
  const decode = (given: string): PlaceOf<C> => {
    const place = read(given);
    if (place === undefined) throw new TrellisError("invalid_cursor", { field: "cursor" });
    return place;
  };
  return { encode, decode };
}

/** Some rows of a list, and the cursor of what follows them; undefined: nothing does. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly cursor: string | undefined;
}

/** The first `limit` of the rows found, which are one more where others follow. */
export function pageOf<Row>(found: readonly Row[], limit: number, cursorOf: (last: Row) => string): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, cursor: found.length > limit && last !== undefined ? cursorOf(last) : undefined };
}

/** What a list answers: the cursor is in a header, for lists without an envelope too, and in the metadata of those with one. */
export function listAnswer<T>(data: T[], cursor: string | undefined): Answer<T[]> {
  if (cursor === undefined) return { data };
  return { data, headers: { "x-next-cursor": cursor }, metadata: { next_cursor: cursor } };
}

/** Columns in the order of a list, each with its value at a place: a bigint is an int8, a number an int4. */
type PlaceInColumns = Readonly<Record<string, bigint | number | string>>;

/** SQL that is true of rows before a place: one comparison of whole tuples, which is one range of an index of these columns. */
export const isBefore = (place: PlaceInColumns): RawBuilder<boolean> => compare(place, "<");
/** The same behind it. */
export const isAfter = (place: PlaceInColumns): RawBuilder<boolean> => compare(place, ">");

function compare(place: PlaceInColumns, sign: "<" | ">"): RawBuilder<boolean> {
  const columns = Object.keys(place).map((name) => sql.ref(name));
  const values = Object.values(place).map((value) => sql`${value}::${sql.raw(typeOf(value))}`);
  return sql<boolean>`(${sql.join(columns)}) ${sql.raw(sign)} (${sql.join(values)})`;
}

const typeOf = (value: bigint | number | string): string =>
  typeof value === "bigint" ? "int8" : typeof value === "number" ? "int4" : "text";
