// Prints every recorded transaction that has another result here than on the public program, in the form of
// program/test/vectors/differences.txt.
//
//   npx tsx program/build/replay-vectors.ts [program.so] [--only text] [--new]
//
// --only: vectors whose name or instruction contains the text. --new: without those that are listed already.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createReplay, readDifferences, readVectors } from "../test/support/conformance.js";
import { ARTIFACT } from "../test/support/ledger.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" }, new: { type: "boolean", default: false } },
});
const replay = createReplay(readFileSync(positionals[0] ?? ARTIFACT));
const known = new Set(values.new ? readDifferences().map(({ name, difference }) => `${name}\t${difference}`) : []);
let count = 0;
for (const vector of readVectors()) {
  if (!vector.name.includes(values.only) && !vector.instruction.includes(values.only)) continue;
  const { difference } = replay(vector);
  if (difference === undefined) continue;
  const line = `${vector.name}\t${vector.instruction}: ${difference}`;
  if (known.has(line)) continue;
  count++;
  console.log(line);
}
console.error(`${count} differ`);
