import { type RawBuilder, sql } from "kysely";

/** The states of one noun, and which may follow which. */
export interface States<S extends string> {
  /** In the order of the definition. A row begins in the first one, unless its noun says otherwise. */
  readonly all: readonly S[];
  /** Those that nothing follows. */
  readonly final: readonly S[];
  /** All others. */
  readonly open: readonly S[];
  isFinal(state: S): boolean;
  /** Whether a row may move from one to the other at once. */
  mayFollow(from: S, to: S): boolean;
  statesAfter(from: S): readonly S[];
  /** For the condition of a statement that moves rows: which states they may have before. */
  statesBefore(to: S): readonly S[];
}

/** A column that holds a state, for the test that compares it with the database, and for the documents. */
export interface StateColumn {
  readonly table: string;
  readonly column: string;
  readonly states: States<string>;
}

/**
 * States from a table: each one, with those that may follow it. Name the type of the column as `S`: then the compiler refuses a
 * table that lacks one of its states.
 */
export function defineStates<S extends string>(following: { readonly [from in S]: readonly NoInfer<S>[] }): States<S> {
  const all = Object.keys(following) as S[];
  const odd = all.find((state) => !/^\w+$/.test(state));
  if (odd !== undefined) throw new TypeError(`${odd} cannot stand in SQL`);
  const isFinal = (state: S) => following[state].length === 0;
  const mayFollow = (from: S, to: S) => following[from].includes(to);
  return {
    all,
    final: all.filter(isFinal),
    open: all.filter((state) => !isFinal(state)),
    isFinal,
    mayFollow,
    statesAfter: (from) => following[from],
    statesBefore: (to) => all.filter((from) => mayFollow(from, to)),
  };
}

/** States that another party decides on: any of them may follow any other. */
export const freeStates = <S extends string>(all: readonly S[]): States<S> =>
  statesFrom(all, (state) => all.filter((other) => other !== state));

/**
 * The same states under fewer names: `all` are these, in their order. Between two of them stands what stands between any two
 * states of these names; what happens under one name is no move.
 */
export function mergeStates<S extends string, M extends string>(
  all: readonly M[],
  states: States<S>,
  nameOf: (state: S) => M,
): States<M> {
  const after = (name: M) =>
    new Set(
      states.all.filter((state) => nameOf(state) === name).flatMap((state) => states.statesAfter(state).map(nameOf)),
    );
  return statesFrom(all, (name) => all.filter((other) => other !== name && after(name).has(other)));
}

function statesFrom<S extends string>(all: readonly S[], after: (state: S) => readonly S[]): States<S> {
  const following = {} as Record<S, readonly S[]>;
  for (const state of all) following[state] = after(state);
  return defineStates<S>(following);
}

/** SQL of a list, for `state in …`, in statements that are texts. */
export const anyOfText = (states: readonly string[]): string => `(${states.map((state) => `'${state}'`).join(", ")})`;

/** The same in a template. Always the same text, so that the planner finds the partial indexes. */
export const anyOf = (states: readonly string[]): RawBuilder<unknown> => sql.raw(anyOfText(states));

/** The table for the documents, in Markdown. */
export function tableOfStates(states: States<string>): string {
  const rows = states.all.map((state) => {
    const next = states.statesAfter(state).map((one) => `\`${one}\``);
    return `| \`${state}\` | ${next.length === 0 ? "–" : next.join(", ")} |`;
  });
  return ["| State | What may follow |", "| --- | --- |", ...rows].join("\n");
}
