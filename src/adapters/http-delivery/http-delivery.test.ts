import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { localhostCertificate, testAuthority } from "../../../test/support/certificates.js";
import { createHttpDelivery } from "./http-delivery.js";
import { createResolve, type Resolve } from "./resolve-names.js";
import type { AllowedTargets } from "./target.js";

const strict: AllowedTargets = { networks: [], ports: [443], loopback: false };
const atHome: AllowedTargets = { ...strict, loopback: true };

let server: Server;
let port: number;
let seen: { path: string; headers: Record<string, unknown> }[] = [];
beforeAll(open);
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});
beforeEach(() => {
  seen = [];
});

describe("a target", () => {
  const sender = createHttpDelivery({ allowed: strict, resolve: async () => ["93.184.215.14"] });

  it.each([
    "http://example.org/",
    "ftp://example.org/",
    "https://user@example.org/",
    "https://user:secret@example.org/",
    "https://example.org/#part",
    "https://example.org:22/",
    "https://example.org:8443/",
    "https://",
    "nonsense",
    "javascript:alert(1)",
  ])("is not %s", async (url) => {
    expect(await sender.check(url, anywhere)).toBe("invalid_url");
    expect(await sender.send(request(url))).toMatchObject({ kind: "failed", fault: "invalid_url" });
  });

  it.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://①②⑦.0.0.1/",
    "https://0.0.0.0/",
    "https://10.1.2.3/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://100.64.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://192.0.0.8/",
    "https://192.0.2.1/",
    "https://198.18.0.1/",
    "https://198.51.100.7/",
    "https://203.0.113.9/",
    "https://224.0.0.1/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a00:1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://[::127.0.0.1]/",
    "https://[::a00:1]/",
    "https://[64:ff9b:1::7f00:1]/",
    "https://[100:0:0:1::1]/",
    "https://[4000::1]/",
    "https://[fe80::1]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[fec0::1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001::1]/",
    "https://[2001:db8::1]/",
    "https://[100::1]/",
    "https://[3fff::1]/",
    "https://[5f00::1]/",
    "https://[ff02::1]/",
    "https://localhost/",
    "https://localhost./",
    "https://LOCALHOST/",
    "https://app.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://router.home.arpa/",
    "https://hidden.onion/",
    "https://intranet/",
  ])("is not %s: private", async (url) => {
    expect(await sender.check(url, anywhere)).toBe("private_address");
    expect(await sender.send(request(url))).toMatchObject({ kind: "failed", fault: "private_address" });
    expect(await sender.check(url, inSandbox)).toBe("private_address");
  });

  it("is a name with public addresses only: one that is not spoils it", async () => {
    expect(await sender.check("https://example.org/hooks?a=b", anywhere)).toBeUndefined();
    const under = (...addresses: string[]) => createHttpDelivery({ allowed: strict, resolve: async () => addresses });
    const url = "https://example.org/";
    expect(await under("93.184.215.14", "10.0.0.1").check(url, anywhere)).toBe("private_address");
    expect(await under("2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::1").check(url, anywhere)).toBe("private_address");
    expect(await under("fe80::1%lo").check(url, anywhere)).toBe("private_address");
    expect(await under("not an address").check(url, anywhere)).toBe("private_address");
    expect(await under().send(request(url))).toMatchObject({ fault: "unknown_host" });
    // A name server that is away for a while keeps nobody from saving a URL.
    expect(await createHttpDelivery({ allowed: strict, resolve: neverResolves }).check(url, anywhere)).toBeUndefined();
  });

  it("may stand in a private network that the operator named, and in no other", async () => {
    const allowed = { ...strict, networks: ["10.20.0.0/16", "fd12::/16"], ports: [443, 8443] };
    const under = (...addresses: string[]) => createHttpDelivery({ allowed, resolve: async () => addresses });
    expect(await under("10.20.3.4").check("https://hooks.internal:8443/", anywhere)).toBeUndefined();
    expect(await under("fd12::1").check("https://hooks/", anywhere)).toBeUndefined();
    expect(await under("10.21.0.1").check("https://hooks.internal/", anywhere)).toBe("private_address");
    expect(await under("10.20.0.1", "127.0.0.1").check("https://hooks/", anywhere)).toBe("private_address");
    expect(await under("10.20.0.1").check("http://10.20.0.1/", anywhere)).toBe("invalid_url");
    expect(await under().check("https://[::ffff:10.20.0.1]/", anywhere)).toBeUndefined();
  });

  it("is this machine in an embedded sandbox alone", async () => {
    const home = createHttpDelivery({ allowed: atHome });
    for (const url of [`http://localhost:${port}/`, `http://127.0.0.1:${port}/`, `http://[::1]:${port}/`]) {
      expect(await home.check(url, inSandbox)).toBeUndefined();
      expect(await home.check(url, anywhere)).toBe("invalid_url");
      expect(await sender.check(url, inSandbox)).toBe("invalid_url");
    }
    expect(await home.check("http://10.0.0.1/", inSandbox)).toBe("invalid_url");
    expect(await home.check("http://example.org/", inSandbox)).toBe("invalid_url");
    // Another name for this machine is no way in.
    const named = createHttpDelivery({ allowed: atHome, resolve: async () => ["127.0.0.1"] });
    expect(await named.check("https://example.org/", inSandbox)).toBe("private_address");
  });
});

describe("a name that is bound anew", () => {
  it("is judged and dialled by one and the same answer, at every attempt", async () => {
    let turn = 0;
    const names = await openNameServer(() => (turn++ === 0 ? "93.184.215.14" : "127.0.0.1"));
    try {
      const allowed = { ...strict, ports: [port] };
      const sender = createHttpDelivery({ allowed, resolve: names.resolve, connectMs: 300, totalMs: 500 });
      const url = `https://rebind.example.org:${port}/secret`;
      expect(await sender.check(url, anywhere)).toBeUndefined();
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect(await sender.send(request(url))).toMatchObject({ kind: "failed", fault: "private_address" });
      }
      // Public when it is judged, private a moment later: what was judged is dialled, and nobody asks again.
      turn = 0;
      const before = names.asked();
      const outcome = await sender.send(request(url));
      expect(outcome.kind === "failed" && ["timeout", "connection_failed"].includes(outcome.fault)).toBe(true);
      expect(names.asked()).toBe(before + 1);
      expect(seen).toEqual([]);
    } finally {
      names.close();
    }
  });
});

describe("a name", () => {
  it("is asked for on none of the threads that the whole process shares", async () => {
    const asked = createHttpDelivery({ allowed: strict, connectMs: 100 }).check("https://hooks.example.org/", anywhere);
    expect(process.getActiveResourcesInfo()).not.toContain("GetAddrInfoReqWrap");
    await asked;
  });

  it("whose name servers say nothing is given up in time, and was asked for once by all who wanted it", async () => {
    const mute = createSocket("udp4");
    let asked = 0;
    mute.on("message", () => {
      asked += 1;
    });
    await new Promise<void>((resolve) => mute.bind(0, "127.0.0.1", resolve));
    try {
      const nameServers = [`127.0.0.1:${mute.address().port}`];
      const resolve = createResolve({ totalMs: 300, nameServers });
      const sender = createHttpDelivery({ allowed: strict, resolve });
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () => sender.send(request("https://slow.example.org/"))),
      );
      expect(new Set(outcomes.map((one) => one.kind === "failed" && one.fault))).toEqual(new Set(["unknown_host"]));
      expect(asked).toBe(2);
      expect(process.getActiveResourcesInfo()).not.toContain("QueryReqWrap");
    } finally {
      mute.close();
    }
  });

  it("has the addresses that its name servers know, and localhost has this machine's", async () => {
    const names = await openNameServer(() => "93.184.215.14");
    try {
      const resolve = createResolve({ totalMs: 5_000, nameServers: [names.address] });
      expect(await resolve("hooks.example.org")).toEqual(["93.184.215.14"]);
      expect(await resolve("localhost")).toEqual(["127.0.0.1", "::1"]);
    } finally {
      names.close();
    }
  });
});

describe("a request", () => {
  const sender = createHttpDelivery({ allowed: atHome, connectMs: 1_000, totalMs: 1_500 });
  const at = (path: string) => request(`http://127.0.0.1:${port}${path}`, inSandbox);

  it("carries its own headers, and no cookie that an answer set", async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(await sender.send(at("/hooks?a=b"))).toMatchObject({
        kind: "answered",
        status: 200,
        body: "hello",
        retryAfter: "7",
      });
    }
    expect(seen.map(({ path }) => path)).toEqual(["/hooks?a=b", "/hooks?a=b"]);
    const { headers } = seen[1] ?? {};
    expect(headers).toEqual({
      "webhook-id": "evt_1",
      host: `127.0.0.1:${port}`,
      "content-length": "2",
      "user-agent": "Trellis-Webhooks/1",
      accept: "*/*",
      connection: "close",
    });
  });

  it("follows no redirect, and uses no proxy of the environment", async () => {
    const { HTTP_PROXY, http_proxy } = process.env;
    Object.assign(process.env, { HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1" });
    try {
      expect(await sender.send(at("/redirect"))).toMatchObject({ kind: "answered", status: 302 });
    } finally {
      for (const [name, value] of Object.entries({ HTTP_PROXY, http_proxy })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    expect(seen.map(({ path }) => path)).toEqual(["/redirect"]);
  });

  it("ends in time where the other side says nothing, or says it for ever", async () => {
    expect(await sender.send(at("/hangs"))).toMatchObject({ kind: "failed", fault: "timeout" });
    expect(await sender.send(at("/drips"))).toMatchObject({ kind: "failed", fault: "timeout" });
    const sockets: Socket[] = [];
    const mute = createTcpServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    const { port: mutePort } = mute.address() as AddressInfo;
    // Nobody shakes hands.
    const hung = await sender.send(request(`https://127.0.0.1:${mutePort}/`, inSandbox));
    expect(hung).toMatchObject({ kind: "failed", fault: "timeout" });
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  it("ends where the other side wants to speak another protocol", async () => {
    const switching = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.write("HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"));
    });
    await new Promise<void>((resolve) => switching.listen(0, "127.0.0.1", resolve));
    const { port: switchingPort } = switching.address() as AddressInfo;
    const outcome = await sender.send(request(`http://127.0.0.1:${switchingPort}/`, inSandbox));
    expect(outcome).toMatchObject({ kind: "answered", status: 101 });
    switching.close();
  });

  it("reads no more of an answer than it needs", async () => {
    const outcome = await sender.send(at("/floods"));
    expect(outcome).toMatchObject({ kind: "answered", status: 200 });
    expect(outcome.kind === "answered" && outcome.body.length).toBe(4_096);
  });

  it("names in a word what went wrong, and names no address", async () => {
    const closed = createTcpServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port: noCaller } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await sender.send(request(`http://127.0.0.1:${noCaller}/`, inSandbox))).toEqual({
      kind: "failed",
      fault: "connection_failed",
      durationMs: expect.any(Number),
    });
    // A plain server where TLS is expected.
    expect(await sender.send(request(`https://127.0.0.1:${port}/`, inSandbox))).toMatchObject({ fault: "tls_failed" });
  });

  it("reaches a server that proves its name, and none with another name's certificate", async () => {
    const bodies: string[] = [];
    const receiver = createTlsServer(localhostCertificate, (incoming, response) => {
      incoming.on("data", (chunk) => bodies.push(String(chunk)));
      incoming.on("end", () => response.end("taken"));
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const at = (receiver.address() as AddressInfo).port;
    const resolve: Resolve = async () => ["127.0.0.1"];
    const believing = createHttpDelivery({ allowed: atHome, resolve, certificateAuthorities: testAuthority });
    expect(await believing.send(request(`https://localhost:${at}/`, inSandbox))).toMatchObject({
      kind: "answered",
      status: 200,
      body: "taken",
    });
    expect(bodies).toEqual(["{}"]);
    const fault = { kind: "failed", fault: "tls_failed" };
    expect(await believing.send(request(`https://127.0.0.1:${at}/`, inSandbox))).toMatchObject(fault);
    const doubting = createHttpDelivery({ allowed: atHome, resolve });
    expect(await doubting.send(request(`https://localhost:${at}/`, inSandbox))).toMatchObject(fault);
    expect(bodies).toEqual(["{}"]);
    receiver.closeAllConnections();
    receiver.close();
  });

  it("is aborted when the service stops", async () => {
    const stopping = new AbortController();
    const sent = sender.send(at("/hangs"), stopping.signal);
    await expect.poll(() => seen.length).toBe(1);
    stopping.abort();
    expect(await sent).toMatchObject({ kind: "failed", fault: "stopped" });
  });
});

const inSandbox = { allowsLoopback: true };
const anywhere = { allowsLoopback: false };

const request = (url: string, rules = anywhere) => ({ url, headers: { "webhook-id": "evt_1" }, body: "{}", ...rules });

const neverResolves: Resolve = async () => {
  throw new Error("nobody asks");
};

/** A name server of this test: answers every question for an IPv4 address with what `answers` says next. */
async function openNameServer(answers: (name: string) => string) {
  const socket = createSocket("udp4");
  let asked = 0;
  socket.on("message", (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.subarray(at + 1, at + 1 + length).toString("latin1"));
      at += 1 + length;
    }
    const question = query.subarray(12, at + 5);
    const isA = query.readUInt16BE(at + 1) === 1;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(isA ? 1 : 0, 6);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
    if (isA) asked += 1;
    const address = Buffer.from(isA ? answers(labels.join(".")).split(".").map(Number) : []);
    socket.send(Buffer.concat(isA ? [header, question, record, address] : [header, question]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const resolver = new Resolver();
  const address = `127.0.0.1:${socket.address().port}`;
  resolver.setServers([address]);
  return {
    address,
    resolve: (host: string) => resolver.resolve4(host),
    asked: () => asked,
    close: () => socket.close(),
  };
}

async function open(): Promise<void> {
  server = createServer((request, response) => {
    seen.push({ path: request.url ?? "", headers: request.headers });
    request.resume();
    if (request.url === "/redirect") response.writeHead(302, { location: "/elsewhere" }).end();
    else if (request.url === "/hangs") return;
    else if (request.url === "/drips") {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    } else if (request.url === "/floods") {
      response.writeHead(200);
      const flood = () => {
        while (response.write("y".repeat(16_384)));
      };
      response.on("drain", flood);
      flood();
    } else response.writeHead(200, { "retry-after": "7", "set-cookie": "a=b" }).end("hello");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
}
