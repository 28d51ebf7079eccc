/**
 * Moves many sealed values to a new master key and replaces the secrets of hashes, while the service answers requests, and prints the
 * figures. `--count 100000` is the default. Played on the embedded database, or on the PostgreSQL of TRELLIS_TEST_DATABASE_URL. Ends with 1
 * where a request failed, or something does not open afterwards.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { playRotationUnderLoad } from "../test/scenarios/rotation-under-load.js";
import { createTestLocation } from "../test/support/test-database.js";

const { values: given } = parseArgs({ options: { count: { type: "string", default: "100000" } } });
const directory = await mkdtemp(join(tmpdir(), "trellis-rotation-"));
const place = await createTestLocation();
try {
  const played = await playRotationUnderLoad({ count: Number(given.count), directory, databaseUrl: place.url });
  const { checked, failures, ...figures } = played;
  const broken = checked.columns.flatMap((column) => column.broken).length;
  const bindings = [...checked.brokenBindings.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${JSON.stringify({ ...figures, failed: failures.length, broken, bindings }, null, 2)}\n`);
  for (const failure of failures.slice(0, 5)) process.stdout.write(`${failure}\n`);
  if (failures.length + broken + bindings > 0 || !played.paysAfterwards) process.exitCode = 1;
} finally {
  await place.drop();
  await rm(directory, { recursive: true, force: true });
}
