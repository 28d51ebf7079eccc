import pg from "pg";

/** Statements a server is asked to remember at most; texts beyond that are parsed every time. */
const namesMax = 500;

/** Names by text, the same on every connection of the process. */
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = `trellis_${names.size + 1}`;
  names.set(text, name);
  return name;
}

type Query = pg.Client["query"];

/**
 * A PostgreSQL client that lets the server keep the plan of every statement with parameters: planning costs more than
 * running most of ours. The texts come from code, so there are not many of them.
 */
export class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
      const name = typeof text === "string" && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
      return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
    }) as Query;
  }

  /** What `query` does, without the copies and the promises that it makes on the way. */
  ask(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const query = new pg.Query(text, values as unknown[], (error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
      if (values.length > 0) Object.assign(query, { name: nameOf(text) });
      this.query(query);
    });
  }
}
