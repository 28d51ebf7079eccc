import { parseKnownPrograms } from "@trellis/solana/known-builds.js";
import type { Dialect } from "../http/dialects/dialect.js";
import { dialects } from "../http/dialects/dialects.js";
import type { Reader } from "./reader.js";
import { type LogLevel, logLevels } from "./variables.js";

export function parseLogLevel({ read, problems }: Reader): LogLevel {
  const text = read("TRELLIS_LOG_LEVEL");
  const level = logLevels.find((each) => each === text);
  if (level === undefined) problems.push(`TRELLIS_LOG_LEVEL must be one of ${logLevels.join(", ")}, not "${text}".`);
  return level ?? "info";
}

/** Whether a variable that knows two words says the first of them. */
export function parseSwitch(
  { read, problems }: Reader,
  name: "TRELLIS_CONSOLE" | "TRELLIS_DOCS" | "TRELLIS_TRUST_PROXY" | "TRELLIS_LOCAL_GUARDIAN",
  [yes, no]: readonly [yes: string, no: string],
): boolean {
  const text = read(name);
  if (text !== yes && text !== no) problems.push(`${name} must be ${yes} or ${no}.`);
  return text === yes;
}

/** Builds of the on-chain program that the operator trusts. */
export function parseTrustedPrograms({ read, problems }: Reader): readonly string[] {
  const hashes = parseKnownPrograms(read("TRELLIS_KNOWN_PROGRAMS"));
  if (hashes === undefined) {
    problems.push(
      "TRELLIS_KNOWN_PROGRAMS must be SHA-256 hashes of 64 hexadecimal digits, separated by commas, as `trellis sandbox fetch-program` prints them.",
    );
  }
  return hashes ?? [];
}

/** How fast the sandbox's simulated partner of bank rails is; off: there is none. */
export type Pace = "instant" | "realistic" | "off";

export function parsePace({ read, problems }: Reader): Pace {
  const text = read("TRELLIS_SANDBOX_RAILS");
  if (text === "instant" || text === "realistic" || text === "off") return text;
  problems.push(`TRELLIS_SANDBOX_RAILS must be instant, realistic or off, not "${text}".`);
  return "off";
}

export function parseDialect({ read, problems }: Reader): Dialect | undefined {
  const name = read("TRELLIS_DIALECT");
  const dialect = dialects.get(name);
  if (name !== "" && !dialect) {
    problems.push(`TRELLIS_DIALECT must be one of ${[...dialects.keys()].join(", ")}, or empty, not "${name}".`);
  }
  return dialect;
}
