import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** An empty directory for all tests of a file, removed with all that is in it after the last. */
export function useDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "trellis-test-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
