import { describe, expect, it } from "vitest";
import { mint } from "../../../test/support/custodian-messages.js";
import { periodStart } from "./periods.js";
import { defaultPolicies, type Limit, parseWalletPolicy, policyText } from "./wallet-policy.js";

const now = Date.UTC(2026, 10, 27, 12);
const { guarded } = defaultPolicies;
const withLimit = (limit: Limit) => ({ ...guarded, transfers: { ...guarded.transfers, limits: [limit] } });

describe("a policy", () => {
  it("has one text, and the defaults are policies", () => {
    for (const policy of Object.values(defaultPolicies)) {
      expect(parseWalletPolicy(JSON.parse(policyText(policy)))).toEqual(policy);
    }
  });

  it.each([
    ["of another version", { ...guarded, version: 2 }],
    ["with a member that is not known", { ...guarded, note: "" }],
    ["with an account that is no address", { ...guarded, accounts: ["1111"] }],
    ["with text of base58 that is too long for an address", { ...guarded, accounts: ["z".repeat(44)] }],
    ["with an amount that is no number", withLimit({ mint, per_transaction: "-1" })],
    [
      "with a period longer than sums are kept",
      withLimit({ mint, per_period: [{ amount: "1", period: { type: "rolling", seconds: 32 * 86_400 } }] }),
    ],
  ])("%s is none", (_, value) => {
    expect(parseWalletPolicy(value)).toBeUndefined();
  });

  it("counts calendar periods by UTC, and rolling ones by whole hours", () => {
    const start = (period: Parameters<typeof periodStart>[0]) =>
      new Date(periodStart(period, now + 60_000)).toISOString();
    expect(start({ type: "calendar", unit: "day" })).toBe("2026-11-27T00:00:00.000Z");
    expect(start({ type: "calendar", unit: "week" })).toBe("2026-11-23T00:00:00.000Z");
    expect(start({ type: "calendar", unit: "month" })).toBe("2026-11-01T00:00:00.000Z");
    expect(start({ type: "rolling", seconds: 3_600 })).toBe("2026-11-27T11:00:00.000Z");
  });
});
