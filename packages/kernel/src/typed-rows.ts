import { CompiledQuery, type RawBuilder, sql } from "kysely";

/** What a column of rows that go to the database may be, and what its values are here. */
interface ColumnTypes {
  readonly text: string;
  readonly int8: bigint;
  readonly int4: number;
  readonly boolean: boolean;
  readonly bytea: Uint8Array;
}

/** The columns of such rows by their names. */
export type Columns = Readonly<Record<string, keyof ColumnTypes>>;

/** A row with a value, or null, for every column. */
export type RowOf<C extends Columns> = { readonly [name in keyof C]: ColumnTypes[C[name]] | null };

/**
 * SQL of rows as the table `name`: each value goes by the name of its column, so that none can be mistaken for another. One row
 * travels as parameters of their own, more as one array a column: of both the database knows how many rows they are. Of one
 * JSON text it expects a hundred, and may read a whole table to find three.
 */
export function typedRows<C extends Columns>(name: string, columns: C, rows: readonly RowOf<C>[]): RawBuilder<unknown> {
  const [first, ...others] = rows;
  const { names, aroundArrays } = textsOf(columns);
  const table = sql.raw(name);
  if (first !== undefined && others.length === 0) {
    return sql`(values (${typedValues(columns, first)})) as ${table} (${names})`;
  }
  const arrays = sql(aroundArrays, ...Object.keys(columns).map((column) => rows.map((row) => row[column])));
  return sql`unnest(${arrays}) as ${table} (${names})`;
}

/** SQL of the values of one row, in the order of `namesOf`. */
export function typedValues<C extends Columns>(columns: C, row: RowOf<C>): RawBuilder<unknown> {
  return sql(textsOf(columns).aroundValues, ...Object.keys(columns).map((name) => row[name]));
}

/**
 * Makes a statement of such rows whose text is built once, as for what every request asks. `text` is plain SQL around the
 * table `name`; `isOne` says that the table has one row.
 */
export function plainStatement<C extends Columns>(
  name: string,
  columns: C,
  text: (table: string, isOne: boolean) => string,
): (rows: readonly RowOf<C>[]) => CompiledQuery {
  const names = Object.keys(columns);
  const types = Object.values(columns);
  const list = (suffix: string) => types.map((type, at) => `$${at + 1}::${type}${suffix}`).join(", ");
  const table = `as ${name} (${names.join(", ")})`;
  const one = text(`(values (${list("")})) ${table}`, true);
  const many = text(`unnest(${list("[]")}) ${table}`, false);
  return (rows) => {
    const [first, ...others] = rows;
    const isOne = first !== undefined && others.length === 0;
    const parameters = names.map((column) => (isOne ? first[column] : rows.map((row) => row[column])));
    return CompiledQuery.raw(isOne ? one : many, parameters);
  };
}

/** SQL of the columns' names. */
export const namesOf = (columns: Columns): RawBuilder<unknown> => textsOf(columns).names;

interface Texts {
  readonly names: RawBuilder<unknown>;
  readonly aroundValues: TemplateStringsArray;
  readonly aroundArrays: TemplateStringsArray;
}

/** They follow from the columns alone, and every payment needs them. */
const texts = new WeakMap<Columns, Texts>();

function textsOf(columns: Columns): Texts {
  const known = texts.get(columns);
  if (known !== undefined) return known;
  const types = Object.values(columns);
  const made = {
    names: sql.raw(Object.keys(columns).join(", ")),
    aroundValues: around(types),
    aroundArrays: around(types.map((type) => `${type}[]`)),
  };
  texts.set(columns, made);
  return made;
}

/** The texts around values that are cast to these types, with commas between them. */
function around(types: readonly string[]): TemplateStringsArray {
  const parts = ["", ...types.map((type, i) => `::${type}${i === types.length - 1 ? "" : ", "}`)];
  return Object.assign([...parts], { raw: parts });
}
