import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Floor, openFloor } from "../contract/http-fixture.js";

let floor: Floor;
let port: number;
beforeAll(async () => {
  // What is measured in seconds in production is measured in moments here.
  floor = await openFloor({ pages: true, http: { stalledAnswerMs: 500 } });
  await floor.app.listen({ host: "127.0.0.1", port: 0 });
  port = (floor.app.server.address() as AddressInfo).port;
});
afterAll(() => floor?.close());

const opened: Socket[] = [];

describe("a request that does not arrive whole", () => {
  it.each([
    ["nothing", ""],
    ["half of a line", "GET /heal"],
    ["half of its headers", "GET /healthz HTTP/1.1\r\nhost: x\r\nx-more: "],
    ["half of its body", `POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"a":`],
    ["half of a chunk", `POST /healthz HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n40\r\n{"a":`],
  ])("is given up soon after its time: %s", async (_what, text) => {
    const strict = await openFloor({ http: { lateRequests: { afterMs: 300, checkEveryMs: 50 } } });
    await strict.app.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect({ port: (strict.app.server.address() as AddressInfo).port, host: "127.0.0.1" });
    socket.on("error", () => undefined);
    try {
      await once(socket, "connect");
      socket.write(text);
      const answer = await readAll(socket);
      if (answer !== "") expect(answer).toMatch(/^HTTP\/1\.1 4/);
    } finally {
      socket.destroy();
      await strict.close();
    }
  });
});

describe("readers of the public files", () => {
  it("share one copy of them, however many never read: others are answered meanwhile, and the silent ones are disconnected", async () => {
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 300; i += 1) {
      const socket = await open();
      socket.pause();
      // More than the system's own buffers hold.
      socket.write(get("/docs/assets/scalar.js").repeat(8));
    }
    const other = await open();
    other.write(get("/healthz", "connection: close\r\n"));
    expect(await readAll(other)).toMatch(/^HTTP\/1.1 200 /);
    other.destroy();
    // A copy each would have been a gigabyte.
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
    await untilConnections(0);
    for (const socket of opened.splice(0)) socket.destroy();
  });

  it("get the same bytes in every encoding, and nothing twice", async () => {
    const plain = await floor.app.inject({ url: "/openapi.json" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const ask = (encoding: string) =>
      floor.app.inject({ url: "/openapi.json", headers: { "accept-encoding": encoding } });
    const [gzip, brotli] = [await ask("gzip, deflate"), await ask("gzip;q=0.8, br")];
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    expect(gzip.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect(brotli.rawPayload.length).toBeLessThan(30_000);
    expect((await ask("br;q=0, gzip;q=0")).headers["content-encoding"]).toBeUndefined();
    const again = await floor.app.inject({
      url: "/openapi.json",
      headers: { "if-none-match": String(plain.headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  it("find no page where the operator wants none, and the document all the same", async () => {
    const without = await openFloor({ pages: true, http: { docs: false } });
    try {
      expect((await without.app.inject({ url: "/docs/" })).statusCode).toBe(404);
      expect((await without.app.inject({ url: "/openapi.json" })).statusCode).toBe(200);
    } finally {
      await without.close();
    }
  });
});

describe("a connection that is refused", () => {
  it.each([
    ["is not HTTP", "hello\r\n\r\n", 400, "invalid_request"],
    [
      "has headers without end",
      `GET / HTTP/1.1\r\nhost: x\r\na: ${"b".repeat(20_000)}\r\n\r\n`,
      431,
      "headers_too_large",
    ],
  ])("because what arrived %s, is ended for good though the peer stays", async (_what, bytes, status, code) => {
    const socket = await open();
    socket.write(bytes);
    const text = await readAll(socket);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({ code });
    // The peer has not ended its half, and the server does not wait for that.
    await untilConnections(0);
    socket.destroy();
  });

  it.each([
    ["without a host", "GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n", 400, "invalid_request"],
    [
      "with an expectation nobody knows",
      "GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\n\r\n",
      417,
      "expectation_failed",
    ],
  ])("%s is answered with the one error body", async (_what, bytes, status, code) => {
    const socket = await open();
    socket.write(bytes);
    const text = await readAll(socket);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({ code, details: [{ code }] });
    socket.destroy();
  });
});

const open = async (): Promise<Socket> => {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined);
  opened.push(socket);
  await once(socket, "connect");
  return socket;
};

const connections = () => new Promise<number>((resolve) => floor.app.server.getConnections((_e, n) => resolve(n)));

/** Until the server holds no more connections than that; the test's own limit ends it if never. */
const untilConnections = async (most: number) => {
  while ((await connections()) > most) await new Promise((resolve) => setTimeout(resolve, 20));
};

const readAll = async (socket: Socket): Promise<string> => {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
};

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;
