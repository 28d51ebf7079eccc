import { describe, expect, it } from "vitest";
import { playDemo } from "../../src/cli/demo.js";
import { playAgentDemo } from "../../src/cli/demo-agent.js";
import { playProposalsDemo } from "../../src/cli/demo-proposals.js";
import { playRailsDemo } from "../../src/cli/demo-rails.js";
import { playStandingOrderDemo } from "../../src/cli/demo-standing-order.js";
import { useTestService } from "../support/scene.js";

const trellis = useTestService();

describe("the main story, over a real socket", () => {
  it("plays from a code in the mail to a payment on chain", async () => {
    const reported: string[] = [];
    await playDemo({ baseUrl: trellis.url, apiKey: trellis.apiKey, say: (line) => reported.push(line) });
    const text = reported.join("\n");
    // Ada also paid the rent of the token account that receives Grace's USDC.
    expect(text).toMatch(/Ada: 0\.8979\d+ SOL, 237\.5 USDC/);
    expect(text).toContain("Grace: 0.1 SOL, 12.5 USDC");
    expect(text).toContain("success");
  });
});

describe("the treasury's story, over a real socket", () => {
  it("plays from a proposal to a payment after the time lock, and to a change that is voted down", async () => {
    const reported: string[] = [];
    await playProposalsDemo({ baseUrl: trellis.url, apiKey: trellis.apiKey, say: (line) => reported.push(line) });
    const text = reported.join("\n");
    expect(text).toContain("Active: for it Ada; against it Linus; votes missing 1");
    expect(text).toContain("Approved: for it Ada, Grace; against it Linus\n");
    expect(text).toMatch(/would move +-0\.00203928 SOL at /);
    expect(text).toMatch(/would move +250 USDC at /);
    expect(text).toMatch(/time_lock_not_released: .*\d{4}-\d\d-\d\dT/);
    expect(text).toContain("lowers_threshold");
    expect(text).toContain("the treasury holds 750 USDC");
    expect(text).toContain("number 2: settings, Rejected");
    expect(text).toContain("number 1: transaction, Executed");
  });
});

describe("the story of a year's rent, over a real socket", () => {
  it("plays from one signature to twelve payments, each on its day", async () => {
    const reported: string[] = [];
    await playStandingOrderDemo({ baseUrl: trellis.url, apiKey: trellis.apiKey, say: (line) => reported.push(line) });
    expect(reported.filter((line) => /^\d{4}-\d\d-\d\dT.*Z {2}paid {2}\w{64,}$/.test(line))).toHaveLength(12);
    expect(reported.at(-1)).toBe("the order is completed");
  });
});

describe("the story of an agent's allowance, over a real socket", () => {
  it("plays from three payments within it to one that the chain refuses, and to its end", async () => {
    const reported: string[] = [];
    await playAgentDemo({ baseUrl: trellis.url, apiKey: trellis.apiKey, say: (line) => reported.push(line) });
    const text = reported.join("\n");
    expect(reported.filter((line) => /^paid \d USDC, \d+ left: \w{64,}$/.test(line))).toHaveLength(3);
    expect(text).toContain("the chain has refused it: ");
    for (const code of ["spending_limit_exceeded", "destination_not_allowed", "spending_limit_not_found"])
      expect(text).toContain(`refused: ${code}`);
    expect(reported.at(-1)).toBe("no allowance is left");
  });
});

describe("the story of money from a bank, over a real socket", () => {
  it("plays from a verification to coins on chain, and to a receiver that verifies its events' signer", async () => {
    const reported: string[] = [];
    await playRailsDemo({ baseUrl: trellis.url, apiKey: trellis.apiKey, say: (line) => reported.push(line) });
    const text = reported.join("\n");
    expect(text).toContain("SANDBOX - DO NOT PAY");
    expect(text).toContain("Ada holds    248.75 USDC");
    expect(text).toMatch(/deposit\.updated {2}processed {2}credited/);
  });
});
