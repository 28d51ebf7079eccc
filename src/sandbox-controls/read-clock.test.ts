import { describe, expect, it } from "vitest";
import { useTestService } from "../../test/support/scene.js";

const trellis = useTestService();

describe("200", () => {
  it("is the time that the clock was moved to, and goes on from there", async () => {
    const before = Date.parse(await read());
    const moved = await trellis.request("POST", "/api/service/v1/sandbox/clock/advance", { seconds: 86_400 });
    const { now } = (moved.body as { data: { now: string } }).data;
    const after = await read();
    expect(Date.parse(now) - before).toBeGreaterThanOrEqual(86_400_000);
    expect(Date.parse(after)).toBeGreaterThanOrEqual(Date.parse(now));
    expect(Date.parse(after) - Date.parse(now)).toBeLessThan(86_400_000);
    expect(after).toBe(new Date(after).toISOString());
  });

  it("answers a key that only reads accounts", async () => {
    const plan = { name: "Reader", scopes: ["accounts:read"], environments: ["sandbox"] };
    const made = await trellis.request("POST", "/api/service/v1/api-keys", plan);
    const { key } = (made.body as { data: { key: string } }).data;
    expect((await ask({ authorization: `Bearer ${key}` })).status).toBe(200);
  });
});

describe("400", () => {
  it("for another environment than the sandbox", async () => {
    expect(await ask({ "x-service-environment": "devnet" })).toMatchObject({
      status: 400,
      body: { code: "environment_not_available" },
    });
  });
});

const ask = (headers: Record<string, string> = {}) =>
  trellis.request("GET", "/api/service/v1/sandbox/clock", undefined, headers);

const read = async (): Promise<string> => ((await ask()).body as { data: { now: string } }).data.now;
