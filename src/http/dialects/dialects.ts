import type { Dialect } from "./dialect.js";
import { grid } from "./grid.js";

/** Every dialect this version speaks; another one is a file and an entry here. */
export const dialects: ReadonlyMap<string, Dialect> = new Map([grid].map((dialect) => [dialect.name, dialect]));
