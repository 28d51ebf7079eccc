import { type ClusterName, type ReadCluster, type VariableName, variables } from "./variables.js";

/** Reads variables, each with its default, and gathers what is wrong with them. */
export interface Reader {
  readonly read: (name: VariableName) => string;
  readonly integer: (name: VariableName, least: number, most: number) => number;
  readonly lamports: (name: VariableName) => bigint;
  /** Those of a cluster, by the last part of their names. */
  readonly ofCluster: (name: ClusterName) => ReadCluster;
  readonly problems: string[];
}

export function createReader(environment: Readonly<Record<string, string | undefined>>, problems: string[]): Reader {
  const read = (name: VariableName): string => {
    const value = environment[name]?.trim();
    return value === undefined || value === "" ? variables[name][0] : value;
  };
  return {
    read,
    problems,
    integer: (name, least, most) => {
      const text = read(name);
      const value = Number(text);
      if (!/^\d+$/.test(text) || value < least || value > most) {
        problems.push(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
      }
      return value;
    },
    lamports: (name) => {
      const text = read(name);
      if (/^\d{1,18}$/.test(text)) return BigInt(text);
      problems.push(`${name} must be a whole number of lamports, not "${text}".`);
      return 0n;
    },
    ofCluster: (name) => {
      const cluster = name.toUpperCase() as Uppercase<ClusterName>;
      return (variable) => read(`TRELLIS_${cluster}_${variable}`);
    },
  };
}

/** Variables that resemble ours and are none: most likely mistyped. */
export function findUnknown(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith("TRELLIS_") && !name.startsWith("TRELLIS_TEST_") && !(name in variables),
  );
}
