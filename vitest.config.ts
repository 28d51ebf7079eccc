import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import SlowestFirst from "./test/support/slowest-first.js";

/**
 * Minutes together: processes that are killed wherever they can be, drawn histories, floods, and every fault in every place.
 * `npm test` leaves them to `npm run test:long`; the gate runs both.
 */
export const longTests = [
  "test/adversarial/{fuzz,sandbox-rpc-floods}.test.ts",
  "test/contract/idempotency/{people,rails,virtual-accounts}.test.ts",
  "test/contract/sandbox-rpc-durability.test.ts",
  "test/crash/*.test.ts",
  "test/histories/**/*.test.ts",
  "test/history/cluster-history.test.ts",
  "test/proposals/{index-awake,property}.test.ts",
];

export default defineConfig({
  resolve: {
    // The packages by their sources: nothing has to be built before.
    alias: [
      {
        find: /^@trellis\/([a-z-]+)$/,
        replacement: fileURLToPath(new URL("./packages/$1/src/index.ts", import.meta.url)),
      },
      {
        find: /^@trellis\/([a-z-]+)\/(.+)\.js$/,
        replacement: fileURLToPath(new URL("./packages/$1/src/$2.ts", import.meta.url)),
      },
    ],
  },
  test: {
    include: [
      "src/**/*.test.ts",
      "packages/*/src/**/*.test.ts",
      "packages/docs-site/**/*.test.ts",
      "test/**/*.test.{ts,tsx}",
      "program/test/**/*.test.ts",
    ],
    setupFiles: ["./test/support/fast-check-seed.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Two processes for all files: what they import is loaded and compiled once, which halves the time. So nothing of a
    // module, of the environment or of the process may be left changed where a file ends.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
  },
});
