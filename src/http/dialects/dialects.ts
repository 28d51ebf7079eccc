import type { Dialect } from "./dialect.js";
import { grid } from "./grid.js";

/** Every dialect this version speaks; another one is a file and an entry here. */
export const dialects: ReadonlyMap<string, Dialect> = new Map([grid].map((dialect) => [dialect.name, dialect]));

/** The dialect that a path is written in, for a service that speaks none; undefined: it is in no dialect. */
export function dialectOfPath(path: string): string | undefined {
  return [...dialects.values()].find(({ paths }) => Object.keys(paths).some((prefix) => path.startsWith(prefix)))?.name;
}
