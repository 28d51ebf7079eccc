import { describe, expect, it } from "vitest";
import { useTestService } from "../support/scene.js";

const trellis = useTestService();

describe("what was tried to reach an endpoint", () => {
  it("is read to its end, page after page, the newest first", async () => {
    const { webhookEndpoints } = trellis.client;
    const { id } = await webhookEndpoints.create({ url: "http://127.0.0.1:1/hooks", types: ["*"] });
    for (let i = 0; i < 5; i++) await webhookEndpoints.test(id);
    const { attempts } = await webhookEndpoints.attempts(id);
    expect(attempts).toHaveLength(5);
    const read = [];
    for await (const attempt of webhookEndpoints.allAttempts(id, { limit: 2 })) read.push(attempt);
    expect(read).toEqual(attempts);
  });
});
