import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "./config.js";

describe("configuration", () => {
  it("needs nothing for a sandbox", () => {
    const config = parseConfig({});
    expect(config.port).toBe(8080);
    expect(config.databaseUrl).toBeNull();
    expect(config.masterKeys).toBeNull();
  });

  it("lists all problems together and never repeats a secret", () => {
    const wrong = {
      PORT: "99999",
      TRELLIS_MASTER_KEY: "c2hvcnQ=",
      TRELLIS_API_KEY: "short",
      TRELLIS_LOG_LEVEL: "loud",
      TRELLIS_TYPO: "1",
      TRELLIS_SMTP_URL: "http://mail.example",
    };
    const problems = problemsOf(wrong);
    expect(problems).toHaveLength(7);
    const text = problems.join("\n");
    for (const word of ["PORT", "MASTER_KEY", "API_KEY", "LOG_LEVEL", "TYPO", "SMTP_URL", "MAIL_FROM"])
      expect(text).toContain(word);
    expect(text).not.toContain("c2hvcnQ=");
    expect(text).not.toContain("short");
  });

  it("wants a master key from outside as soon as the database is outside", () => {
    expect(problemsOf({ DATABASE_URL: "postgres://localhost/trellis" }).join()).toContain(
      "TRELLIS_MASTER_KEY is required",
    );
  });

  it("takes several master keys, newest first", () => {
    const key = Buffer.alloc(32, 1).toString("base64");
    const config = parseConfig({ TRELLIS_MASTER_KEY: `2026:${key},old:${key}` });
    expect(config.masterKeys?.map(({ id }) => id)).toEqual(["2026", "old"]);
  });

  it("reads production as mainnet, and a key for it must be long and for nothing else", () => {
    const apiKey = { TRELLIS_API_KEY: "x".repeat(31) };
    expect(problemsOf({ ...apiKey, TRELLIS_API_KEY_ENVIRONMENTS: "production" })).toHaveLength(1);
    expect(
      problemsOf({ TRELLIS_API_KEY: "x".repeat(32), TRELLIS_API_KEY_ENVIRONMENTS: "mainnet,sandbox" }),
    ).toHaveLength(1);
    expect(
      parseConfig({ TRELLIS_API_KEY: "x".repeat(32), TRELLIS_API_KEY_ENVIRONMENTS: "production" }).apiKey?.environments,
    ).toEqual(["mainnet"]);
  });
});

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
