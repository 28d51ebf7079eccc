import { mergeConfig } from "vitest/config";
import base from "./vitest.config.js";

// The tests that stand on the database, for a run on PostgreSQL (TRELLIS_TEST_DATABASE_URL).
export default mergeConfig(base, {
  test: {
    exclude: [
      "program/**",
      "sdk/**",
      "test/vectors/**",
      "test/crash/*kill*",
      "src/core/crypto/**",
      "src/core/program-client/**",
      "**/*fuzz*",
      "**/node_modules/**",
    ],
  },
});
