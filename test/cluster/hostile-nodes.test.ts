import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { RpcTransport } from "@solana/kit";
import { createAnswerSpace } from "@trellis/kernel/answer-space.js";
import { createKeyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import { openRemoteSandbox } from "@trellis/sandbox/process/remote-network.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { nodeAnswerBytes } from "@trellis/solana/node-http.js";
import { nodeShapes } from "@trellis/solana/node-shapes.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectByHttp, openRpcUrl } from "../../src/adapters/chain/cluster/rpc-url.js";
import { ownSources } from "../support/modules.js";

/** Every method that nodes are asked, and everything that they can do wrong with it. */

let server: Server;
let url: string;
let respond: (response: ServerResponse, id: unknown) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    visited.push(`${request.method} ${request.url}`);
    const parts: Uint8Array[] = [];
    request.on("data", (part: Uint8Array) => parts.push(part));
    request.on("end", () => {
      const asked = JSON.parse(Buffer.concat(parts).toString("utf8") || "{}") as { readonly id?: unknown };
      respond(response, asked.id);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const methods = Object.keys(nodeShapes);

const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;

/** Texts of results that no method has. */
const results: Readonly<Record<string, string>> = {
  "a negative number": "-1",
  "a huge number": `${10n ** 30n}`,
  "beyond 64 bits": `${2n ** 64n}`,
  "a fraction": "1.5",
  "no number": "1e999",
  "a text": '"x"',
  "a flag": "true",
  "an object": '{"toString":1,"valueOf":1}',
  "a list of nothing": "[null]",
  "a list of lists": "[[[]]]",
  "a context without a value": '{"context":{"slot":1}}',
  "a value without a context": '{"value":null}',
  "a negative slot": '{"context":{"slot":-1},"value":null}',
  "values of another kind": '{"context":{"slot":1},"value":{"lamports":-1,"data":[1,2],"err":3,"blockhash":null}}',
  "too many values": '{"context":{"slot":1},"value":[null,null,null,null,null]}',
  deep,
};

describe.each(methods)("a node that is asked %s", (method) => {
  const raw = (text: string) => (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(text);
  };

  it.each(Object.keys(results))("and answers %s is not believed", async (name) => {
    respond = raw(`{"jsonrpc":"2.0","id":"1","result":${results[name]}}`);
    await expect(ask(method)).rejects.toMatchObject(unavailable);
  });

  it("and answers null is believed where that is an answer", async () => {
    respond = raw('{"jsonrpc":"2.0","id":"1","result":null}');
    const asked = ask(method);
    if (["getBlockTime", "getTransaction"].includes(method))
      await expect(asked).resolves.toHaveProperty("result", null);
    else await expect(asked).rejects.toMatchObject(unavailable);
  });

  it.each([
    "",
    "null",
    "[]",
    "{}",
    "<html>",
    '{"result"',
    '{"error":1}',
    '{"error":{"code":{},"message":"x"}}',
    '{"error":{"code":1}}',
    `{"error":${deep}}`,
    `{"id":${deep},"result":1}`,
  ])("and answers the bytes %j is not believed", async (text) => {
    respond = raw(text);
    await expect(ask(method)).rejects.toMatchObject(unavailable);
  });

  it.each([301, 302, 303, 307, 308])("and redirects with %i is not followed", async (status) => {
    visited.length = 0;
    respond = (response) => {
      response.writeHead(status, { location: "/internal/admin" });
      response.end('{"jsonrpc":"2.0","id":"1","result":1}');
    };
    await expect(ask(method)).rejects.toMatchObject(unavailable);
    expect(visited).toEqual(["POST /"]);
  });

  it.each([204, 206, 400, 404, 429, 500, 503])("and answers %i is not believed", async (status) => {
    respond = (response) => {
      response.writeHead(status, { "retry-after": "1e99" });
      response.end(status === 204 ? undefined : '{"jsonrpc":"2.0","id":"1","result":1}');
    };
    await expect(ask(method)).rejects.toMatchObject(unavailable);
  });

  it("and breaks off is not believed", async () => {
    respond = (response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"jsonrpc":"2.0","id":"1","result":1', () => response.destroy());
    };
    await expect(ask(method)).rejects.toMatchObject(unavailable);
  });
});

describe("an answer that is too long", () => {
  it("is read up to a bound, however small it is on the way", async () => {
    const packed = gzipSync(Buffer.alloc(400 * 1024 * 1024, " "));
    respond = (response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(packed);
    };
    const before = process.memoryUsage().rss;
    await expect(ask("getBalance")).rejects.toMatchObject({ ...unavailable, cause: { name: "OversizeAnswer" } });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it("is not read to its end, which may never arrive", async () => {
    let sent = 0;
    let isClosed = false;
    respond = (response) => {
      response.writeHead(200);
      response.on("close", () => {
        isClosed = true;
      });
      const part = Buffer.alloc(64 * 1024, "[");
      const more = (): void => {
        if (isClosed) return;
        sent += part.length;
        response.write(part, () => setImmediate(more));
      };
      more();
    };
    await expect(ask("getBalance")).rejects.toMatchObject({ ...unavailable, cause: { name: "OversizeAnswer" } });
    // What fits into buffers on the way is added to it.
    expect(sent).toBeLessThan(nodeAnswerBytes * 4);
  });

  it("ends with the time that a node has, where it never does", async () => {
    respond = (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(" "), 5);
      response.on("close", () => clearInterval(drip));
    };
    await expect(ask("getBalance", 300)).rejects.toMatchObject({ ...unavailable, cause: { name: "TimeoutError" } });
  });

  it("has no more values than any answer", async () => {
    respond = (response) => response.end(`{"jsonrpc":"2.0","id":"1","result":[${"1,".repeat(2_000_000)}1]}`);
    await expect(ask("getBalance")).rejects.toMatchObject(unavailable);
  });
});

describe("an answer that is not as HTTP or JSON-RPC has it", () => {
  const signature = "1".repeat(64);
  const json = (id: unknown, result: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

  it.each(['"2"', "1", "null", "[]"])("is not believed under the id %s, which is another question's", async (id) => {
    respond = (response) => response.end(`{"jsonrpc":"2.0","id":${id},"result":"${signature}"}`);
    await expect(ask("sendTransaction")).rejects.toMatchObject({ ...unavailable, cause: { name: "StrayAnswer" } });
  });

  it("is an error also without an id, as of a node that could not read it", async () => {
    const error = { code: -32_700, message: "Parse error" };
    respond = (response) => response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
    await expect(ask("sendTransaction")).resolves.toMatchObject({ error });
  });

  it("is read to its end where it is packed, and not believed where that is missing or packed otherwise", async () => {
    const packed = gzipSync(json("1", '{"context":{"slot":1},"value":9007199254740993}'));
    const answer = (encoding: string, bytes: Uint8Array) => {
      respond = (response) => response.writeHead(200, { "content-encoding": encoding }).end(bytes);
      return ask("getBalance");
    };
    await expect(answer("gzip", packed)).resolves.toMatchObject({ result: { value: 9_007_199_254_740_993n } });
    await expect(answer("gzip", packed.subarray(0, -9))).rejects.toMatchObject(unavailable);
    await expect(answer("gzip", Buffer.from("{}"))).rejects.toMatchObject(unavailable);
    for (const encoding of ["br", "gzip, gzip", "x"]) {
      await expect(answer(encoding, packed)).rejects.toMatchObject({ ...unavailable, cause: { name: "StrayAnswer" } });
    }
  });

  it("is judged by its bytes, whatever type it claims", async () => {
    for (const type of ["text/html", "image/png", ""]) {
      respond = (response, id) => response.writeHead(200, { "content-type": type }).end(json(id, `"${signature}"`));
      await expect(ask("sendTransaction")).resolves.toMatchObject({ result: signature });
      respond = (response) => response.writeHead(200, { "content-type": "application/json" }).end("<html></html>");
      await expect(ask("sendTransaction")).rejects.toMatchObject(unavailable);
    }
  });

  it("is one: a second one answers no later question", async () => {
    const respondTwice = (socket: Socket, id: string, other: string) => {
      const whole = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
      socket.write(whole(json(id, "1")) + whole(json(other, "2")));
    };
    const node = await startRawNode((socket, asked) => respondTwice(socket, asked.id, String(Number(asked.id) + 1)));
    try {
      for (const id of ["1", "2", "3"]) {
        const payload = { jsonrpc: "2.0", id, method: "getSlot", params: [] };
        // The next question may meet the connection's end: never the answer that was not asked for.
        const answered = await connectByHttp(node.url, 5_000)({ payload }).catch(() => undefined);
        if (answered !== undefined) expect(answered).toEqual({ jsonrpc: "2.0", id, result: 1 });
        await new Promise(setImmediate);
      }
    } finally {
      node.close();
    }
  });

  it("is none where the connection ends after the question arrived, which is asked once", async () => {
    let asked = 0;
    const node = await startRawNode((socket) => {
      asked += 1;
      socket.resetAndDestroy();
    });
    try {
      const payload = { jsonrpc: "2.0", id: "1", method: "sendTransaction", params: [] };
      await expect(connectByHttp(node.url, 5_000)({ payload })).rejects.toThrow();
      expect(asked).toBe(1);
    } finally {
      node.close();
    }
  });

  it("leaves a connection that serves the next question", async () => {
    const ports = new Set<number | undefined>();
    respond = (response, id) => {
      ports.add(response.req.socket.remotePort);
      response.end(json(id, '{"context":{"slot":1},"value":1}'));
    };
    for (let i = 0; i < 5; i += 1) await ask("getBalance");
    expect(ports.size).toBe(1);
  });

  it("is asked with the user and password of the URL, as HTTP has them", async () => {
    const said: unknown[] = [];
    respond = (response, id) => {
      said.push(response.req.headers.authorization);
      response.end(json(id, "1"));
    };
    const payload = { jsonrpc: "2.0", id: "1", method: "getSlot", params: [] };
    await connectByHttp(url.replace("//", "//user:p%40ss@"), 5_000)({ payload });
    expect(said).toEqual([`Basic ${Buffer.from("user:p@ss").toString("base64")}`]);
  });

  it("is not asked at all where the caller left before there was a connection", async () => {
    visited.length = 0;
    respond = (response, id) => response.end(json(id, "1"));
    const left = new AbortController();
    const payload = { jsonrpc: "2.0", id: "1", method: "sendTransaction", params: [] };
    // No connection leads to this name yet.
    const fresh = url.replace("127.0.0.1", "localhost");
    const asked = connectByHttp(fresh, 5_000)({ payload, signal: left.signal });
    left.abort(new Error("the caller has left"));
    await expect(asked).rejects.toThrow("the caller has left");
    await connectByHttp(fresh, 5_000)({ payload: { ...payload, method: "getSlot" } });
    await connectByHttp(fresh, 5_000)({ payload: { ...payload, method: "getSlot" } });
    expect(visited).toHaveLength(2);
  });

  it("ends with the caller's own reason, before and after it was asked", async () => {
    respond = () => undefined;
    const payload = { jsonrpc: "2.0", id: "1", method: "getSlot", params: [] };
    const reason = new Error("the caller has left");
    await expect(connectByHttp(url, 5_000)({ payload, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const leaving = new AbortController();
    const waiting = connectByHttp(url, 5_000)({ payload, signal: leaving.signal });
    setImmediate(() => leaving.abort(reason));
    await expect(waiting).rejects.toBe(reason);
  });
});

describe("a malicious sandbox process", () => {
  const unread = { code: "chain_unavailable", status: 502 };
  const noLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const open = async () => {
    respond = (response, id) =>
      response.end(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"context":{"slot":1},"value":1000000000000}}`,
      );
    const { network } = await openRemoteSandbox({
      url,
      keyring: createKeyring({ masterKeys: [{ id: "test", key: new Uint8Array(32).fill(7) }], activeId: "test" }),
      realClock: { now: () => 1_700_000_000_000 },
      sponsorship: {} as never,
      log: noLog,
    });
    return network;
  };

  it("has what it answers to JSON-RPC passed on as it is, up to a bound", async () => {
    const { sandbox } = await open();
    const space = createAnswerSpace(limits.sandboxRpc);
    for (const answer of ["<html>", deep, '{"result":18446744073709551616.0}', "\u0000"]) {
      respond = (response) => response.end(answer);
      const passed = await sandbox?.answerRpc("[]", space.open("a"));
      expect(Buffer.from(passed ?? "").toString("utf8")).toBe(answer);
    }
    respond = (response) => response.end(Buffer.alloc(limits.sandboxRpc.answerBytes + 1, " "));
    const refused = await sandbox?.answerRpc('{"id":"mine"}', space.open("b"));
    expect(JSON.parse(Buffer.from(refused ?? "").toString("utf8"))).toMatchObject({
      id: "mine",
      error: { code: -32005 },
    });
  });

  it("redirects no caller", async () => {
    const { sandbox } = await open();
    for (const status of [302, 307, 308]) {
      visited.length = 0;
      respond = (response) => response.writeHead(status, { location: "/internal/admin" }).end("{}");
      await expect(sandbox?.answerRpc("{}", createAnswerSpace(limits.sandboxRpc).open("a"))).rejects.toMatchObject(
        unread,
      );
      await expect(sandbox?.readFaults()).rejects.toMatchObject(unread);
      expect(visited).toEqual(["POST /", "POST /controls/faults"]);
    }
  });

  it.each(["", "null", "[]", "{}", "<html>", deep, '{"signature":1,"now":-1,"slot":"-1","faults":{"drop":"1"}}'])(
    "is not believed in its controls: %j",
    async (answer) => {
      const { sandbox } = await open();
      respond = (response) => response.end(answer);
      const to = address as never;
      const reported = await Promise.allSettled([
        sandbox?.advanceClock(1),
        sandbox?.advanceClockTo(1),
        sandbox?.airdrop(to, 1n),
        sandbox?.mintTo(to, to, 1n),
        sandbox?.readFaults(),
      ]);
      for (const one of reported) expect(one).toMatchObject({ status: "rejected", reason: unread });
    },
  );

  it("does not move the clock beyond all dates", async () => {
    const network = await open();
    const before = network.clock.now();
    for (const time of ["-1", "9007199254740991", "1e30", "x", "400000000000000"]) {
      respond = (response, id) =>
        response
          .writeHead(200, { "x-sandbox-time": time })
          .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":1}`);
      await askChain(network.rpc.getSlot());
    }
    expect(network.clock.now()).toBe(before);
  });
});

describe("the methods that are asked of nodes", () => {
  it("have a form each that their answers are held against", () => {
    const asked = new Set<string>();
    for (const file of ownSources.flatMap(sourcesOf)) {
      const text = readFileSync(file, "utf8");
      for (const [, name] of text.matchAll(/\brpc\b\)?\s*\.\s*((?:get|send|simulate|is|request)[A-Z]\w*)\(/g)) {
        if (name !== undefined) asked.add(name);
      }
    }
    expect(asked.size).toBeGreaterThan(15);
    expect([...asked].filter((name) => !methods.includes(name))).toEqual([]);
  });
});

const visited: string[] = [];

const address = "SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG";
/** As far as an answer is held against its question. */
const paramsOf: Readonly<Record<string, readonly unknown[]>> = {
  getMultipleAccounts: [[address, address]],
  getSignatureStatuses: [["1".repeat(64)]],
};

const unavailable = { code: "chain_unavailable", status: 502 };

/** What runs in the service: commands for operators go their own way. */
function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith("src/cli/"));
}

/** A question as modules ask it: its result is an answer, or `chain_unavailable`, which is a 502. */
function ask(method: string, timeoutMs = 20_000): Promise<unknown> {
  const { transport } = openRpcUrl(connectByHttp, url, 1, timeoutMs);
  const payload = { jsonrpc: "2.0", id: "1", method, params: paramsOf[method] ?? [] };
  return askChain({ send: () => (transport as RpcTransport)({ payload }) });
}

/** A node that writes what it likes to a connection, once a question has arrived in full. */
async function startRawNode(answer: (socket: Socket, asked: { readonly id: string }) => void) {
  const sockets = new Set<Socket>();
  const node = createSocketServer((socket) => {
    sockets.add(socket);
    let text = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (part) => {
      text += part.toString("utf8");
      const body = /\r\n\r\n(\{.*\})$/s.exec(text)?.[1];
      if (body === undefined) return;
      text = "";
      answer(socket, JSON.parse(body) as { readonly id: string });
    });
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(node.address() as AddressInfo).port}/`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      node.close();
    },
  };
}
