import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { playDemo } from "../../src/cli/demo.js";
import { startTestService, type TestService } from "../support/test-service.js";

let trellis: TestService;

beforeAll(async () => {
  trellis = await startTestService();
});

afterAll(() => trellis?.close());

describe("the main story, over a real socket", () => {
  it("plays from a code in the mail to a payment on chain", async () => {
    const told: string[] = [];
    await playDemo({ baseUrl: trellis.url, apiKey: trellis.apiKey, say: (line) => told.push(line) });
    const text = told.join("\n");
    // Ada also paid the rent of the token account that receives Grace's USDC.
    expect(text).toMatch(/Ada: 0\.8979\d+ SOL, 237\.5 USDC/);
    expect(text).toContain("Grace: 0.1 SOL, 12.5 USDC");
    expect(text).toContain("success");
  });
});
