import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: {
      "@trellis/react": fileURLToPath(new URL("./react/src/index.ts", import.meta.url)),
      "@trellis/sdk": fileURLToPath(new URL("./sdk/src/index.ts", import.meta.url)),
    },
  },
  test: {
    include: [
      "src/**/*.test.ts",
      "sdk/src/**/*.test.ts",
      "react/src/**/*.test.ts",
      "test/**/*.test.{ts,tsx}",
      "program/test/**/*.test.ts",
    ],
    setupFiles: ["./test/support/fast-check-seed.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
  },
});
