import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxControls } from "../../src/ports/network.js";
import { type Floor, openFloor } from "./http-fixture.js";

const path = "/api/service/v1/sandbox/rpc";
const received: unknown[] = [];

/** A node that answers what it was asked: what it stands for is tested with the sandbox itself. */
const controls: Pick<SandboxControls, "handleRpc" | "sockets"> = {
  sockets: { attach: () => undefined, accept: () => false, close: () => undefined },
  handleRpc: async (payload) => {
    received.push(payload);
    const answer = (request: { id?: unknown; params?: unknown }) =>
      request.id === undefined ? undefined : { jsonrpc: "2.0", id: request.id, result: request.params };
    if (!Array.isArray(payload)) return answer(payload as object);
    const answers = payload.map(answer).filter((one) => one !== undefined);
    return answers.length > 0 ? answers : undefined;
  },
};

let floor: Floor;
beforeAll(async () => {
  floor = await openFloor({ sandbox: controls as SandboxControls });
});
afterAll(() => floor.close());

function post(payload: string, url = path, headers: Record<string, string> = {}) {
  return floor.app.inject({
    method: "POST",
    url,
    payload,
    headers: { "content-type": "application/json", authorization: `Bearer ${floor.key}`, ...headers },
  });
}

describe("JSON-RPC", () => {
  it("comes without an envelope, with integers of any size exact in both directions", async () => {
    const answer = await post('{"jsonrpc":"2.0","id":1,"method":"m","params":[18446744073709551615,1.5,"x"]}');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('{"jsonrpc":"2.0","id":1,"result":[18446744073709551615,1.5,"x"]}');
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(received.at(-1)).toMatchObject({ params: [18446744073709551615n, 1.5, "x"] });
  });

  it("comes in batches", async () => {
    const answer = await post('[{"id":1,"params":[1]},{"id":"b","params":[2]}]');
    expect(answer.json()).toHaveLength(2);
  });

  it("says nothing to notifications", async () => {
    const answer = await post('{"jsonrpc":"2.0","method":"m"}');
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe("");
  });

  it.each([["{"], [""], ["nonsense"], ['{"$n":"1e999999999"}']])(
    "answers a body that does not parse: %j",
    async (body) => {
      const answer = await post(body);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" }, id: null });
    },
  );

  it("takes a body of any declared type", async () => {
    const answer = await post('{"id":1,"params":[]}', path, { "content-type": "text/plain" });
    expect(answer.json()).toMatchObject({ result: [] });
  });
});

describe("the key", () => {
  it("may come as query parameter here, and is never logged", async () => {
    const answer = await post('{"id":1,"params":[]}', `${path}?api-key=${floor.key}`, { authorization: "" });
    expect(answer.statusCode).toBe(200);
    expect(floor.logged()).toContain(path);
    expect(floor.logged()).not.toContain(floor.key);
    expect(floor.logged()).not.toContain("api-key");
  });

  it("has to be there, and to hold the scope", async () => {
    const none = await post('{"id":1}', path, { authorization: "" });
    expect(none.json()).toMatchObject({ code: "api_key_required" });
    const { value } = await floor.makeKey({ scopes: ["accounts:read"] });
    const unfit = await post('{"id":1}', path, { authorization: `Bearer ${value}` });
    expect(unfit.json()).toMatchObject({ code: "insufficient_scope" });
  });

  it("does not count as query parameter anywhere else", async () => {
    const answer = await floor.app.inject({ url: `/api/service/v1/accounts?api-key=${floor.key}` });
    expect(answer.statusCode).toBe(404);
    expect(floor.logged()).not.toContain(floor.key);
  });
});

describe("browsers", () => {
  it("may call from any origin, refusals included", async () => {
    const preflight = await floor.app.inject({
      method: "OPTIONS",
      url: path,
      headers: { origin: "https://explorer.example", "access-control-request-method": "POST" },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": expect.stringContaining("content-type"),
    });
    const refused = await post("{}", path, { origin: "https://explorer.example", authorization: "" });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers["access-control-allow-origin"]).toBe("*");
  });

  it("get 405 for other methods", async () => {
    for (const method of ["GET", "OPTIONS", "DELETE"] as const) {
      const answer = await floor.app.inject({ method, url: path });
      expect(answer.json()).toMatchObject({ code: "method_not_allowed" });
      expect(answer.headers.allow).toBe("POST");
    }
  });
});
