import type { RunStatement } from "./watch-statements.js";

/**
 * Pages that a statement may touch: so many, some for each row it writes, whose indexes are written as well and whose former
 * versions lie on the way until they are vacuumed, and the way through an index for each row it finds or holds, and each time it
 * searches one.
 */
const pagesMax = 1_000;
const pagesPerRowWritten = 80;
const pagesPerRowFound = 5;
/** Rows that may be read, thrown away or sorted at one place of a plan. */
const rowsMax = 2_000;
/** The same for what a statement has gathered itself: two batches of 200 against each other. */
const rowsAtHandMax = 50_000;

/** What is wrong with how a statement was run that touches a table that has grown; undefined where nothing is. */
export function findFault(
  { text, nodes, pages, written }: RunStatement,
  filledTables: ReadonlySet<string>,
): string | undefined {
  if (!nodes.some(({ "Relation Name": table = "" }) => filledTables.has(table))) return undefined;
  const faults = nodes.flatMap((node) => {
    const { "Node Type": type, "Relation Name": table, "Rows Removed by Filter": removed = 0 } = node;
    const rows = node["Actual Rows"] * node["Actual Loops"];
    if (type === "Seq Scan" && table !== undefined && filledTables.has(table)) return [`reads all of ${table}`];
    // What a statement holds at hand, and goes through in memory.
    if (/^(CTE|Function|Subquery|Values) Scan$/.test(type) && rows <= rowsAtHandMax) return [];
    if (/Scan/.test(type) && rows > rowsMax) return [`reads ${rows} rows of ${table}`];
    if (/Scan/.test(type) && node["Actual Loops"] > rowsMax)
      return [`looks ${node["Actual Loops"]} times for ${table}`];
    if (/Sort/.test(type) && rows > rowsMax) return [`sorts ${rows} rows`];
    if (removed * node["Actual Loops"] > rowsMax) return [`throws ${removed} rows of ${table} away`];
    return [];
  });
  const found = nodes.reduce((sum, node) => {
    if (!/Index.* Scan$/.test(node["Node Type"])) return sum;
    return sum + node["Actual Loops"] * Math.max(1, node["Actual Rows"]);
  }, 0);
  if (pages > pagesMax + written * pagesPerRowWritten + found * pagesPerRowFound) {
    faults.push(`touches ${pages} pages to write ${written} rows and find ${found}`);
  }
  if (faults.length === 0) return undefined;
  return `${faults.join(", ")}: ${text.slice(0, 300)}`;
}
