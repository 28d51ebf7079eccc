// Writes the client library's table of coins from the service's, or with --check says that it is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { coins, factsOf } from "@trellis/kernel/ports/coins.js";

const file = fileURLToPath(new URL("../packages/sdk/src/wire/generated/coins.ts", import.meta.url));

const rows = coins.map((coin) => {
  const { decimals, mints } = factsOf(coin);
  const [mainnet, devnet] = [mints.mainnet, mints.devnet ?? null].map((mint) => JSON.stringify(mint));
  return `  ${coin}: {\n    decimals: ${decimals},\n    mainnet: ${mainnet},\n    devnet: ${devnet},\n  },`;
});

const text = `// Generated from packages/kernel/src/ports/coins.ts by scripts/generate-sdk-coins.ts.

/** The coins that have a symbol: their decimals, and the mint that each cluster has of them. */
export const coins = {
${rows.join("\n")}
} as const;
`;

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write("packages/sdk/src/wire/generated/coins.ts is out of date: npm run generate\n");
  process.exitCode = 1;
}
