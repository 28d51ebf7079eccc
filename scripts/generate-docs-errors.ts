// Writes the table of errors at the end of each page of docs/api from the contracts of its calls, or with --check says which is
// out of date. A call belongs to the page whose table of calls has it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Contract } from "@trellis/kernel/endpoint.js";
import { errorCatalogue, wireCode } from "@trellis/kernel/errors.js";
import { endpoints } from "../src/endpoints.js";
import { operationalContracts } from "../src/http/operational-endpoints.js";
import { sandboxRpcContract } from "../src/http/sandbox-rpc.js";

const folder = fileURLToPath(new URL("../docs/api/", import.meta.url));
const heading = "\n## Errors of each call\n";
const contracts: readonly Contract[] = [
  ...endpoints.map(({ contract }) => contract),
  sandboxRpcContract,
  ...operationalContracts,
];

for (const name of readdirSync(folder).filter((file) => file.endsWith(".md"))) {
  const file = folder + name;
  const text = readFileSync(file, "utf8");
  const [written = ""] = text.split(heading);
  const rows = contracts
    .filter(({ errors, ...called }) => errors.length > 0 && written.includes(`| ${cellOf(called)} `))
    .map(rowOf);
  const generated = rows.length === 0 ? written : `${written}${heading}${tableOf(rows)}`;
  if (generated === text) continue;
  if (process.argv.includes("--check")) {
    process.stderr.write(`docs/api/${name} is out of date: npm run generate\n`);
    process.exitCode = 1;
  } else writeFileSync(file, generated);
}

function cellOf({ method, path }: Pick<Contract, "method" | "path">): string {
  return `\`${method} ${path.replace("/api/service/v1", "")}\``;
}

function rowOf(contract: Contract): string {
  const byStatus = new Map<number, string[]>();
  for (const code of contract.errors) {
    const [status] = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${wireCode(code)}\``]);
  }
  const groups = [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => `${status} ${codes.join(", ")}`);
  return `| ${cellOf(contract)} | ${groups.join("<br>")} |`;
}

function tableOf(rows: readonly string[]): string {
  return `
<!-- Generated from the contracts of the calls: npm run generate -->

Besides those that [every call](general.md#errors) can meet. \`/docs/errors\` of a running service says of each what it means and what to do.

| Call | Errors |
| --- | --- |
${rows.join("\n")}
`;
}
