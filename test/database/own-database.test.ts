import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** What PostgreSQL says of all databases of a server. */
const ofTheServer = /\b(?:from|join)\s+pg_(?:locks|stat_activity)\b/gi;
/** What keeps a statement to a database of its own, or to its own connection. */
const isKept = /current_database\(\)|pid = pg_backend_pid\(\)/;
const nearbyCharacters = 400;

it("no statement reads the locks and connections of other tests' databases, or ends them", () => {
  const wrong = ["src", "packages", "test", "scripts", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:ts|mjs)$/.test(file))
      .map((file) => join(folder, file))
      .filter((file) => {
        const text = readFileSync(join(root, file), "utf8");
        return [...text.matchAll(ofTheServer)].some(
          ({ index }) => !isKept.test(text.slice(index, index + nearbyCharacters)),
        );
      }),
  );
  expect(wrong).toEqual([]);
});
