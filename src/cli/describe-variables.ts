import { variables } from "../config/variables.js";

/** Every variable with its default and meaning, a line each. */
export function describeVariables(): string {
  const width = Math.max(...Object.keys(variables).map((name) => name.length)) + 2;
  const lines = Object.entries(variables).map(([name, [byDefault, meaning]]) => {
    const ending = byDefault === "" ? "" : ` (default ${byDefault})`;
    return `  ${name.padEnd(width)}${meaning}${ending}`;
  });
  return `Variables\n${lines.join("\n")}\n`;
}
