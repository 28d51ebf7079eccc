import { describe, expect, it } from "vitest";
import { useTestService } from "../../test/support/scene.js";

const trellis = useTestService({ TRELLIS_SANDBOX_FAULTS: "drop=2, fork=1" });
const none = { drop: 0, blockhash_not_found: 0, full_blocks: 0, price: 0, fork: 0, lag: 0 };

describe("200", () => {
  it("says what the sandbox began with", async () => {
    expect(await read()).toEqual([200, { ...none, drop: 2, fork: 1 }]);
  });

  it("says what was set last: of what was not named nothing is left", async () => {
    await set({ blockhash_not_found: 3, price: 500, full_blocks: 1_000_000 });
    const faults = { ...none, blockhash_not_found: 3, price: 500, full_blocks: 1_000_000 };
    for (const _ of [1, 2]) expect(await read()).toEqual([200, faults]);
    await set({ lag: 4 });
    expect(await read()).toEqual([200, { ...none, lag: 4 }]);
    await set({});
    expect(await read()).toEqual([200, none]);
  });

  it("says nothing of faults that were refused", async () => {
    await set({ drop: 1 });
    expect((await trellis.request("POST", path, { drop: -1 })).status).toBe(400);
    expect(await read()).toEqual([200, { ...none, drop: 1 }]);
  });
});

describe("400", () => {
  it("for another environment than the sandbox", async () => {
    expect(await read({ "x-service-environment": "devnet" })).toEqual([400, "environment_not_available"]);
  });
});

describe("403", () => {
  it("for a key without the scope of the sandbox", async () => {
    const plan = { name: "Reader", scopes: ["accounts:read"], environments: ["sandbox"] };
    const made = await trellis.request("POST", "/api/service/v1/api-keys", plan);
    const { key } = (made.body as { data: { key: string } }).data;
    expect(await read({ authorization: `Bearer ${key}` })).toEqual([403, "insufficient_scope"]);
  });
});

const path = "/api/service/v1/sandbox/faults";

/** The status of the answer, with its data or its code. */
async function read(headers: Record<string, string> = {}) {
  const { status, body } = await trellis.request("GET", path, undefined, headers);
  const { data, code } = body as { data?: object; code?: string };
  return [status, data ?? code];
}

async function set(faults: object): Promise<void> {
  expect((await trellis.request("POST", path, faults)).status).toBe(200);
}
