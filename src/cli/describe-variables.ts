import { custodianVariables } from "../config/custodian.js";
import { variables } from "../config/variables.js";

/** Every variable with its default and meaning, a line each. */
export const describeVariables = (): string => describe(variables);

/** The same of a custodian that is a process of its own. */
export const describeCustodianVariables = (): string => describe(custodianVariables);

function describe(table: Readonly<Record<string, readonly [byDefault: string, meaning: string]>>): string {
  const width = Math.max(...Object.keys(table).map((name) => name.length)) + 2;
  const lines = Object.entries(table).map(([name, [byDefault, meaning]]) => {
    const ending = byDefault === "" ? "" : ` (default ${byDefault})`;
    return `  ${name.padEnd(width)}${meaning}${ending}`;
  });
  return `Variables\n${lines.join("\n")}\n`;
}
