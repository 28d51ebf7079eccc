import { type Kysely, sql } from "kysely";

/** What a database accepts, according to its catalogue. Names are those of the public schema. */
export interface Schema {
  readonly relations: readonly { readonly name: string; readonly kind: string; readonly row_security: boolean }[];
  readonly columns: readonly Column[];
  readonly checks: readonly Constraint[];
  /** Indexes and constraints alike. `definition` has no name in it. */
  readonly uniques: readonly (Constraint & { readonly nulls_are_equal: boolean })[];
  readonly foreign_keys: readonly (Constraint & { readonly target: string; readonly on_delete: string })[];
  readonly exclusions: readonly Constraint[];
  readonly triggers: readonly { readonly name: string; readonly table: string; readonly definition: string }[];
  /** Name, types of arguments, and result. */
  readonly functions: readonly string[];
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly is_required: boolean;
  /** The expression of its default; null: none. A drawn number counts as one. */
  readonly default: string | null;
  readonly is_generated: boolean;
}

interface Constraint {
  readonly table: string;
  readonly columns: readonly string[];
  readonly definition: string;
}

/** Reads what the database accepts. */
export async function readSchema(db: Kysely<unknown>): Promise<Schema> {
  const { rows } = await sql<{ schema: Schema }>`
    with relation as (
      select oid, relname::text as name, relkind, relrowsecurity from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') and relname not like 'kysely%'
    ), of_table as (
      select contype, relation.name as "table", conrelid, confrelid::regclass::text as target, confdeltype,
        replace(pg_get_constraintdef(con.oid), ' NOT VALID', '') as definition,
        array(select attname::text from unnest(conkey) with ordinality as key (attnum, place)
          join pg_attribute as att on att.attrelid = conrelid and att.attnum = key.attnum order by place) as columns
      from pg_constraint as con join relation on relation.oid = conrelid
    )
    select json_build_object(
      'relations', (select json_agg(json_build_object('name', name, 'kind', relkind, 'row_security', relrowsecurity) order by name) from relation),
      'columns', (select json_agg(json_build_object('table', relation.name, 'name', attname, 'type', format_type(atttypid, atttypmod),
          'is_required', attnotnull, 'is_generated', attgenerated <> '' or attidentity = 'a',
          'default', case when attidentity <> '' then 'the next number' else pg_get_expr(adbin, adrelid) end) order by relation.name, attnum)
        from relation join pg_attribute on attrelid = relation.oid
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attnum > 0 and not attisdropped and relkind in ('r', 'p')),
      'checks', (select coalesce(json_agg(json_build_object('table', "table", 'columns', columns, 'definition', definition)), '[]')
        from of_table where contype = 'c'),
      'exclusions', (select coalesce(json_agg(json_build_object('table', "table", 'columns', columns, 'definition', definition)), '[]')
        from of_table where contype = 'x'),
      'foreign_keys', (select coalesce(json_agg(json_build_object('table', "table", 'columns', columns, 'definition', definition,
          'target', target, 'on_delete', confdeltype)), '[]') from of_table where contype = 'f'),
      'uniques', (select coalesce(json_agg(json_build_object('table', relation.name,
          'columns', array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any (indkey)),
          'definition', regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON', 'INDEX ON'),
          'nulls_are_equal', indnullsnotdistinct)), '[]')
        from pg_index join relation on relation.oid = indrelid where indisunique),
      'triggers', (select coalesce(json_agg(json_build_object('name', tgname, 'table', relation.name, 'definition', pg_get_triggerdef(pg_trigger.oid))), '[]')
        from pg_trigger join relation on relation.oid = tgrelid where not tgisinternal and tgenabled <> 'D'),
      'functions', (select coalesce(json_agg(proc.oid::regprocedure || ' returns ' || pg_get_function_result(proc.oid)), '[]')
        from pg_proc as proc where pronamespace = 'public'::regnamespace)
    ) as schema`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("the catalogue answers nothing");
  return row.schema;
}

/**
 * What the former release may do that the new schema would refuse, or would do something else for: a line each. It reads the two
 * catalogues and asks the database only what a check says of defaults. What a trigger or a function refuses is not seen here.
 */
export async function findBreaks(db: Kysely<unknown>, former: Schema, now: Schema): Promise<readonly string[]> {
  const isFormer = (table: string) => former.relations.some(({ name }) => name === table);
  const columnOf = ({ columns }: Schema, table: string, name: string) =>
    columns.find((column) => column.table === table && column.name === name);
  /** A column that the former release never sets, and that then is null. */
  const staysNull = (table: string) => (name: string) =>
    columnOf(former, table, name) === undefined && columnOf(now, table, name)?.default === null;
  const has = (constraints: readonly Constraint[], { table, definition }: Constraint) =>
    constraints.some((one) => one.table === table && one.definition === definition);
  const breaks: string[] = [];

  for (const { name, kind, row_security } of former.relations) {
    const kept = now.relations.find((one) => one.name === name);
    if (kept?.kind !== kind) breaks.push(`${name} is gone`);
    else if (kept.row_security && !row_security) breaks.push(`${name} hides rows`);
  }
  for (const column of former.columns) {
    const name = `${column.table}.${column.name}`;
    const kept = columnOf(now, column.table, column.name);
    if (kept === undefined) breaks.push(`${name} is gone`);
    else {
      if (kept.type !== column.type) breaks.push(`${name} was ${column.type} and is ${kept.type}`);
      if (kept.is_required && !column.is_required) breaks.push(`${name} is required`);
      if (kept.is_generated && !column.is_generated) breaks.push(`${name} is generated`);
      if (kept.default === null && column.default !== null) breaks.push(`${name} has no default`);
    }
  }
  for (const { table, name, is_required, is_generated, default: value } of now.columns) {
    const isNew = isFormer(table) && columnOf(former, table, name) === undefined;
    if (isNew && is_required && value === null && !is_generated) breaks.push(`${table}.${name} is new and required`);
  }
  for (const check of now.checks.filter(({ table }) => isFormer(table))) {
    const isWider = former.checks.some((one) => one.table === check.table && accepts(check.definition, one.definition));
    const isOfNew = check.columns.every((name) => columnOf(former, check.table, name) === undefined);
    const isKept = isWider || (isOfNew && (await fitsDefaults(db, now, check)));
    if (!isKept) breaks.push(`${check.table} is narrower: ${check.definition}`);
  }
  for (const unique of now.uniques.filter((one) => isFormer(one.table) && !has(former.uniques, one))) {
    const neverClashes = !unique.nulls_are_equal && unique.columns.some(staysNull(unique.table));
    if (!neverClashes) breaks.push(`${unique.table} is narrower: ${unique.definition}`);
  }
  for (const unique of former.uniques.filter((one) => isFormer(one.table) && !has(now.uniques, one))) {
    // An insert that names it for its conflicts is refused without it.
    breaks.push(`${unique.table} has no more: ${unique.definition}`);
  }
  for (const key of now.foreign_keys.filter((one) => !has(former.foreign_keys, one))) {
    if (isFormer(key.table)) {
      if (!key.columns.some(staysNull(key.table))) breaks.push(`${key.table} is narrower: ${key.definition}`);
    }
    if (isFormer(key.target) && refusesDeletes(key))
      breaks.push(`${key.target} is held by ${key.table}: ${key.definition}`);
  }
  for (const key of former.foreign_keys.filter((one) => !refusesDeletes(one) && !has(now.foreign_keys, one))) {
    breaks.push(`${key.table} has no more: ${key.definition}`);
  }
  for (const exclusion of now.exclusions.filter((one) => isFormer(one.table) && !has(former.exclusions, one))) {
    breaks.push(`${exclusion.table} is narrower: ${exclusion.definition}`);
  }
  for (const { name, table, definition } of former.triggers) {
    const kept = now.triggers.find((one) => one.name === name && one.table === table);
    if (kept === undefined) breaks.push(`trigger ${name} of ${table} is gone`);
    else if (kept.definition !== definition) breaks.push(`trigger ${name} of ${table} is another: ${kept.definition}`);
  }
  for (const one of former.functions) if (!now.functions.includes(one)) breaks.push(`function ${one} is gone`);
  return breaks;
}

/** Of a foreign key: `no action` and `restrict`. */
const refusesDeletes = ({ on_delete }: { readonly on_delete: string }) => on_delete === "a" || on_delete === "r";

/** Whether a check takes all that the former one took: the same, a longer list of one column's values, or that and something else. */
function accepts(check: string, former: string): boolean {
  if (check === former) return true;
  const [now, then] = [valuesIn(check), valuesIn(former)];
  if (now !== undefined && then !== undefined)
    return now.column === then.column && then.values.every((value) => now.values.includes(value));
  const inner = /^CHECK \((.*)\)$/su.exec(former)?.[1];
  return inner !== undefined && check.startsWith(`CHECK ((${inner} OR `);
}

/** Of a check that is a list of one column's values, and nothing else. */
function valuesIn(check: string): { readonly column: string; readonly values: readonly string[] } | undefined {
  const [, column, list] =
    /^CHECK \(\((\w+) = (?:ANY \(ARRAY\[)?((?:'[^']*'::text(?:, )?)+)(?:\]\))?\)\)$/u.exec(check) ?? [];
  return column === undefined || list === undefined ? undefined : { column, values: list.split(", ") };
}

/** Whether a check is content with what its columns are where nothing is said of them. */
async function fitsDefaults(db: Kysely<unknown>, { columns }: Schema, check: Constraint): Promise<boolean> {
  const values = columns
    .filter(({ table, name }) => table === check.table && check.columns.includes(name))
    .map(({ name, type, default: value }) => `(${value ?? "null"})::${type} as "${name}"`);
  const condition = check.definition.replace(/^CHECK /u, "").replace(/ NOT VALID$/u, "");
  const { rows } = await sql<{ fits: boolean }>`
    select (${sql.raw(condition)}) is not false as fits from (select ${sql.raw(values.join(", "))}) as unset`.execute(
    db,
  );
  return rows[0]?.fits === true;
}
