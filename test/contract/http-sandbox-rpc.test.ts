import { type AddressInfo, connect } from "node:net";
import { limits } from "@trellis/kernel/limits.js";
import type { AnswerRoom } from "@trellis/kernel/ports/answer-room.js";
import type { SandboxControls } from "@trellis/kernel/ports/network.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Floor, openFloor } from "./http-fixture.js";

const path = "/api/service/v1/sandbox/rpc";
const received: string[] = [];
let answers: (text: string, room: AnswerRoom) => string | Uint8Array | undefined;

let floor: Floor;
beforeAll(async () => {
  floor = await openFloor({ sandbox: controls as SandboxControls });
});
afterAll(() => floor.close());
beforeEach(() => {
  answers = () => '{"jsonrpc":"2.0","id":1,"result":[]}';
});

describe("JSON-RPC", () => {
  it("passes without an envelope, byte for byte in both directions", async () => {
    const asked = '{"jsonrpc":"2.0","id":1,"method":"m","params":[18446744073709551615,1.5,"x"] }';
    for (const reported of ['{"result":[18446744073709551615 ,1.50,"x"]}', Buffer.from('{"result": "\u00fc"}')]) {
      answers = () => reported;
      const answer = await post(asked);
      expect(answer.statusCode).toBe(200);
      expect(answer.rawPayload).toEqual(Buffer.from(reported));
      expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(received.at(-1)).toBe(asked);
    }
  });

  it("releases the memory of an answer once it is sent", async () => {
    answers = (_text, room) => (room.take(limits.sandboxRpc.answerBytes) ? "{}" : '"no room"');
    for (let i = 0; i < 20; i += 1) expect((await post("[]")).body).toBe("{}");
  });

  it("releases the memory of answers that wait behind others when their connection ends", async () => {
    const large = "x".repeat(limits.sandboxRpc.answerBytes);
    // All that one key has room for.
    const all = limits.sandboxRpc.answersBytesPerOwner / large.length;
    let [answered, taken] = [0, 0];
    // As long as the test itself may take.
    const slowly = { timeout: 50_000 };
    answers = (_text, room) => {
      answered += 1;
      if (!room.take(large.length)) return '"no room"';
      taken += 1;
      return JSON.stringify(large);
    };
    await floor.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = floor.app.server.address() as AddressInfo;
    const headers = `Host: 127.0.0.1\r\nAuthorization: Bearer ${floor.key}\r\nContent-Type: application/json\r\n`;
    for (let round = 0; round < 3; round += 1) {
      await vi.waitUntil(async () => {
        const socket = connect(port, "127.0.0.1").pause();
        socket.write(`POST ${path} HTTP/1.1\r\n${headers}Content-Length: 2\r\n\r\n[]`.repeat(all));
        // Nothing is read: one is being sent, and the others wait.
        await vi.waitUntil(() => answered === all, slowly);
        socket.destroy();
        const isRound = taken === all;
        [taken, answered] = [0, 0];
        return isRound;
      }, slowly);
    }
  });

  it("says nothing to notifications", async () => {
    answers = () => undefined;
    const answer = await post('{"jsonrpc":"2.0","method":"m"}');
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe("");
  });

  it.each([["{"], [""], ["nonsense"], ["[".repeat(200_000)]])(
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
  it("may be a query parameter here, and is never logged", async () => {
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

describe("a batch", () => {
  const batch = (calls: number) => JSON.stringify(Array.from({ length: calls }, () => ({})));

  it("counts each of its calls against the key's limit", async () => {
    const limited = await openFloor({
      sandbox: controls as SandboxControls,
      http: { rateLimits: { perKeyPerMinute: 60, failedAuthenticationsPerAddressPerMinute: 0 } },
    });
    try {
      const send = (payload: string) =>
        limited.app.inject({ method: "POST", url: path, payload, headers: { authorization: `Bearer ${limited.key}` } });
      const first = await send(batch(40));
      expect(first.headers["ratelimit-remaining"]).toBe("20");
      const before = received.length;
      const second = await send(batch(40));
      expect(second.statusCode).toBe(429);
      expect(second.json()).toMatchObject({ code: "rate_limit_exceeded" });
      expect(Number(second.headers["retry-after"])).toBe(20);
      expect(received.length).toBe(before);
      expect((await send(batch(10))).headers["ratelimit-remaining"]).toBe("9");
    } finally {
      await limited.close();
    }
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

/** A node that answers what it is told to: what it stands for is tested with the sandbox itself. */
const controls: Pick<SandboxControls, "answerRpc" | "sockets"> = {
  sockets: { attach: () => undefined, accept: () => false, close: () => undefined },
  answerRpc: async (text, room) => {
    received.push(text);
    return answers(text, room);
  },
};

function post(payload: string, url = path, headers: Record<string, string> = {}) {
  return floor.app.inject({
    method: "POST",
    url,
    payload,
    headers: { "content-type": "application/json", authorization: `Bearer ${floor.key}`, ...headers },
  });
}
