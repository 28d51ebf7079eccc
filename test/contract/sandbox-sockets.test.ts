import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { KeyPairSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { limits } from "@trellis/kernel/limits.js";
import type { Network, SandboxControls } from "@trellis/kernel/ports/network.js";
import type { RpcSockets } from "@trellis/kernel/ports/rpc-sockets.js";
import { boundless } from "@trellis/sandbox/node/call-room.js";
import { sandboxMints } from "@trellis/sandbox/node/genesis.js";
import type { NodeParts } from "@trellis/sandbox/node/rpc-methods/method.js";
import { createRpcSockets, type SocketBounds } from "@trellis/sandbox/node/rpc-sockets.js";
import type { SandboxNode } from "@trellis/sandbox/node/sandbox-node.js";
import { createSubscriptions } from "@trellis/sandbox/node/subscriptions.js";
import { createSocketServer } from "@trellis/sandbox/process/server.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../src/adapters/db/open-database.js";
import { type JsonRpcSocket, openJsonRpcSocket } from "../support/json-rpc-socket.js";
import { openTestDatabase } from "../support/test-database.js";
import { type Floor, openFloor } from "./http-fixture.js";
import {
  buildTransaction,
  createTestClock,
  createTestLog,
  freshAddress,
  fundedSigner,
  openTestNode,
} from "./sandbox-rpc-fixture.js";

let database: OpenDatabase;
let node: SandboxNode;
let payer: KeyPairSigner;
let floor: Floor;

beforeAll(async () => {
  database = await openTestDatabase();
  node = await openTestNode(database.db, { realClock, log });
  payer = await fundedSigner(node, 1_000n * sol);
  floor = await openServer();
});
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});
afterAll(async () => {
  await floor.close();
  await node.close();
  await database.close();
});

describe("subscriptions", () => {
  it("report once how a transaction ended, also one that has landed before", async () => {
    const client = await open();
    const { wire, signature } = await prepare(await freshAddress());
    const ahead = await client.ask("signatureSubscribe", signature, { commitment: "confirmed" });
    const received = await client.ask("signatureSubscribe", signature, { enableReceivedNotification: true });
    await client.ask("sendTransaction", wire, { encoding: "base64" });
    const reported = [await client.next(), await client.next(), await client.next()];
    const context = { slot: expect.any(BigInt) };
    const value = { err: null };
    expect(reported).toEqual([
      { method: "signatureNotification", subscription: received, result: { context, value: "receivedSignature" } },
      { method: "signatureNotification", subscription: ahead, result: { context, value } },
      { method: "signatureNotification", subscription: received, result: { context, value } },
    ]);
    const late = await client.ask("signatureSubscribe", signature);
    expect(await client.next()).toEqual({
      method: "signatureNotification",
      subscription: late,
      result: { context, value },
    });
    // The answer names the subscription before it says anything.
    const places = client.heard.map(({ result, params }) => params?.subscription ?? result);
    expect(places.indexOf(late)).toBe(places.length - 2);
    expect(await client.request("signatureUnsubscribe", late)).toMatchObject({ error: { code: -32_602n } });
    const failing = await transfer(await freshAddress(), 10n ** 15n);
    await client.ask("signatureSubscribe", failing);
    expect(await client.next()).toMatchObject({
      result: { value: { err: { InstructionError: [0n, { Custom: 1n }] } } },
    });
  });

  it("report an account in the encoding that was asked for, and its end", async () => {
    const client = await open();
    const holder = await fundedSigner(node, sol);
    const lamports = await client.ask("accountSubscribe", holder.address, { encoding: "base64" });
    await client.ask("accountSubscribe", holder.address, { encoding: "jsonParsed" });
    await node.airdrop(holder.address, 5n);
    expect(await client.next()).toEqual({
      method: "accountNotification",
      subscription: lamports,
      result: {
        context: { slot: expect.any(BigInt) },
        value: {
          data: ["", "base64"],
          executable: false,
          lamports: sol + 5n,
          owner: "11111111111111111111111111111111",
          rentEpoch: 2n ** 64n - 1n,
          space: 0n,
        },
      },
    });
    await client.next();
    const leave = getTransferSolInstruction({ source: holder, destination: payer.address, amount: sol + 5n - 5_000n });
    const { wire } = await buildTransaction(node.rpc, holder, [leave]);
    await node.rpc.sendTransaction(wire, { encoding: "base64" }).send();
    expect(await client.next()).toMatchObject({ result: { value: { lamports: 0n, space: 0n } } });
    await client.next();
    expect(await client.ask("accountUnsubscribe", lamports)).toBe(true);
    expect(await client.request("accountUnsubscribe", lamports)).toMatchObject({ error: { code: -32_602n } });
    await node.airdrop(holder.address, sol);
    await client.next();
    expect(await client.ask("getBalance", holder.address)).toMatchObject({ value: sol });
    expect(client.heard.filter(({ params }) => params?.subscription === lamports)).toHaveLength(2);
  });

  it("report a program's accounts that pass the filters, and logs that name an address", async () => {
    const client = await open();
    const owner = await freshAddress();
    const program = await client.ask("programSubscribe", tokenProgram, {
      encoding: "jsonParsed",
      filters: [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: owner } }],
    });
    const mentions = await client.ask("logsSubscribe", { mentions: [owner] }, { commitment: "finalized" });
    await node.mintTo(await freshAddress(), sandboxMints.USDC, 7n);
    const signature = await node.mintTo(owner, sandboxMints.USDC, 1_500_000n);
    expect(await client.next()).toMatchObject({
      method: "programNotification",
      subscription: program,
      result: {
        value: { account: { data: { parsed: { info: { owner, tokenAmount: { uiAmountString: "1.5" } } } } } },
      },
    });
    expect(await client.next()).toMatchObject({
      method: "logsNotification",
      subscription: mentions,
      result: {
        value: { err: null, signature, logs: expect.arrayContaining([expect.stringContaining("invoke [1]")]) },
      },
    });
    for (const filter of [{ mentions: [] }, { mentions: [owner, owner] }, "none", undefined]) {
      expect(await client.request("logsSubscribe", filter)).toMatchObject({ error: { code: -32_602n } });
    }
    const everything = await client.ask("logsSubscribe", "all");
    const other = await transfer(await freshAddress());
    expect(await client.next()).toMatchObject({ subscription: everything, result: { value: { signature: other } } });
  });

  it("report slots and roots while the clock moves", async () => {
    const client = await open();
    const slots = await client.ask("slotSubscribe");
    const roots = await client.ask("rootSubscribe");
    const { slot } = await node.advanceClock(10);
    const reported = [await client.next(), await client.next()];
    expect(reported).toEqual([
      { method: "slotNotification", subscription: slots, result: { slot, parent: slot - 1n, root: slot - 1n } },
      { method: "rootNotification", subscription: roots, result: slot - 1n },
    ]);
    expect(await client.ask("slotUnsubscribe", slots)).toBe(true);
    expect(await client.ask("rootUnsubscribe", roots)).toBe(true);
  });

  it("are of one client: others hear nothing of them and cannot end them", async () => {
    const [one, other] = [await open(), await open()];
    const id = await one.ask("slotSubscribe");
    expect(await other.request("slotUnsubscribe", id)).toMatchObject({ error: { code: -32_602n } });
    expect(await one.request("accountUnsubscribe", id)).toMatchObject({ error: { code: -32_602n } });
    expect(await one.ask("slotUnsubscribe", id)).toBe(true);
    const asked = { id: 1, jsonrpc: "2.0", method: "slotSubscribe" };
    expect(await node.handle(asked)).toMatchObject({ error: { code: -32_601 } });
  });

  it("work beside every other method, batches, and JSON-RPC's own errors", async () => {
    const client = await open();
    expect(await client.ask("getHealth")).toBe("ok");
    expect(await client.request("blockSubscribe", "all")).toMatchObject({ error: { code: -32_601n } });
    client.socket.send('{"jsonrpc":"2.0","method":"ping"}');
    client.socket.send('[{"jsonrpc":"2.0","id":"a","method":"getHealth"},{"jsonrpc":"2.0","id":"b","method":"x"}]');
    client.socket.send("{");
    await client.ask("getHealth");
    expect(client.heard.slice(2, -1)).toMatchObject([
      [
        { id: "a", result: "ok" },
        { id: "b", error: { code: -32_601n } },
      ],
      { id: null, error: { code: -32_700n } },
    ]);
  });
});

describe("the key", () => {
  const statusOf = (url: string, options = {}) =>
    openJsonRpcSocket(url, options).then(
      (client) => {
        opened.push(client);
        return 101;
      },
      (error: Error) => Number(/\d+$/.exec(error.message)?.[0]),
    );

  it("has to be there, in the header or the query, and to hold the scope", async () => {
    const url = urlOf(floor);
    expect(await statusOf(url)).toBe(401);
    expect(await statusOf(`${url}?api-key=sk_test_wrong`)).toBe(401);
    expect(await statusOf(url, { headers: { authorization: `Bearer ${floor.key}` } })).toBe(101);
    expect(await statusOf(`${url}?api-key=${floor.key}`)).toBe(101);
    const { value } = await floor.makeKey({ scopes: ["accounts:read"] });
    expect(await statusOf(`${url}?api-key=${value}`)).toBe(403);
    expect(await statusOf(url.replace("/rpc", "/outbox"), { headers: { authorization: `Bearer ${floor.key}` } })).toBe(
      404,
    );
    expect(floor.logged()).toContain('"status":101');
    expect(floor.logged()).not.toContain(floor.key);
  });

  it("ends the conversation with the next message once it is revoked", async () => {
    const { id, value } = await floor.makeKey({});
    const client = await open(floor, value);
    expect(await client.ask("getHealth")).toBe("ok");
    await floor.db.updateTable("api_key").set({ disabled_at: 1n }).where("id", "=", id).execute();
    client.socket.send('{"jsonrpc":"2.0","id":9,"method":"getHealth"}');
    expect(await client.closed).toMatchObject({ code: 1008 });
  });

  it("pays for each message as for a request", async () => {
    const server = await openServer({}, 3);
    try {
      const client = await open(server);
      expect(await client.request("getHealth")).toMatchObject({ result: "ok" });
      expect(await client.request("getHealth")).toMatchObject({ result: "ok" });
      expect(await client.request("getHealth")).toMatchObject({ error: { code: 429n } });
    } finally {
      await server.close();
    }
  });
});

describe("bounds", () => {
  it("hold the connections of one key and the size of a message", async () => {
    const server = await openServer({ connectionsPerOwner: 2, messageBytes: 1_000 });
    try {
      await open(server);
      const second = await open(server);
      await expect(open(server)).rejects.toThrow("429");
      second.close();
      await second.closed;
      const third = await open(server);
      third.socket.send("x".repeat(1_001));
      expect(await third.closed).toMatchObject({ code: 1009 });
    } finally {
      await server.close();
    }
  });

  it("end every connection when the server closes", async () => {
    const server = await openServer();
    const client = await open(server);
    await client.ask("slotSubscribe");
    await server.close();
    expect([1001, 1006]).toContain((await client.closed).code);
  });

  it("leave requests for other protocols to be served as if they had asked for none", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"getHealth"}';
    const { port } = new URL(urlOf(floor));
    const answer = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: sandbox\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n` +
            `Authorization: Bearer ${floor.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      });
      socket.on("data", (part) => {
        text += part;
        if (text.includes('"result"')) socket.end();
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(answer).toContain('"result":"ok"');
  });
});

describe("a server of WebSockets alone", () => {
  const listen = async (sockets: RpcSockets) => {
    const server = createSocketServer({ sandbox: { sockets } } as unknown as Network, "the key");
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  };

  it("disconnects a client that reads nothing of its notifications", async () => {
    let report: (text: string) => void = () => undefined;
    const session = { receive: async () => undefined, close: () => undefined };
    const sockets = createRpcSockets(
      ({ deliver }) => {
        report = deliver;
        return session;
      },
      { ...limits.sandboxSockets, unsentBytes: 1024 * 1024 },
      createTestLog(),
    );
    const { server, url } = await listen(sockets);
    try {
      const client = await openJsonRpcSocket(`${url}?api-key=the%20key`);
      client.socket.pause();
      for (let reported = 0; reported < 64; reported += 1) report(JSON.stringify("x".repeat(1024 * 1024)));
      client.socket.resume();
      expect(await client.closed).toMatchObject({ code: 1006 });
      expect(client.heard.length).toBeLessThan(64);
    } finally {
      server.close();
    }
  });

  it("takes the same key and nothing else", async () => {
    const sockets = createRpcSockets(node.openSession, limits.sandboxSockets, createTestLog());
    const { server, url } = await listen(sockets);
    try {
      const client = await openJsonRpcSocket(`${url}?api-key=the%20key`);
      expect(await client.ask("getHealth")).toBe("ok");
      await expect(openJsonRpcSocket(`${url}?api-key=other`)).rejects.toThrow("401");
      expect((await fetch(url, { method: "POST" })).status).toBe(426);
      sockets.close();
      await client.closed;
    } finally {
      server.close();
    }
  });
});

describe("a refused request for a WebSocket", () => {
  it("gets its answer and ends, though the client keeps its side open", async () => {
    const server = await openServer();
    try {
      const ended = once(server.app.server, "connection").then(([socket]) => once(socket as Socket, "close"));
      const { port } = new URL(urlOf(server));
      expect(await firstLine(await openRaw(Number(port), upgradeTo(path)))).toBe("HTTP/1.1 401 Unauthorized");
      await ended;
    } finally {
      for (const each of opened.splice(0)) each.close();
      await server.close();
    }
  });

  it("is cut off where its client does not read the answer", async () => {
    const server = await openServer();
    try {
      const ended = once(server.app.server, "connection").then(([socket]: Socket[]) => {
        // As if the system held nothing for the client, and the time were up.
        if (socket) socket._write = () => void setImmediate(() => socket.emit("timeout"));
        if (socket) socket._writev = null as never;
        return once(socket as Socket, "close");
      });
      await openRaw(Number(new URL(urlOf(server)).port), upgradeTo(path));
      await ended;
    } finally {
      for (const each of opened.splice(0)) each.close();
      await server.close();
    }
  });

  it("gets 400 from a sandbox of its own where its target is no URL, and 401 without the key, and ends", async () => {
    const sockets = createRpcSockets(node.openSession, limits.sandboxSockets, createTestLog());
    const server = createSocketServer({ sandbox: { sockets } } as unknown as Network, "the key");
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      for (const [target, status] of [
        ["//", "400 Bad Request"],
        ["http://[", "400 Bad Request"],
        ["/", "401 Unauthorized"],
      ] as const) {
        const ended = once(server, "connection").then(([socket]) => once(socket as Socket, "close"));
        expect(await firstLine(await openRaw(port, upgradeTo(target)))).toBe(`HTTP/1.1 ${status}`);
        await ended;
      }
    } finally {
      server.close();
    }
  });

  it("ends its own connection alone where answering it fails", async () => {
    const sockets = createRpcSockets(node.openSession, limits.sandboxSockets, createTestLog());
    const server = createServer();
    sockets.attach(server, () => {
      throw new Error("unforeseen");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const ended = once(server, "connection").then(([socket]) => once(socket as Socket, "close"));
      await openRaw((server.address() as AddressInfo).port, upgradeTo("/"));
      await ended;
    } finally {
      server.close();
    }
  });
});

describe("what one process publishes", () => {
  const bounds = { subscriptions: 3, subscriptionsPerOwner: 2, subscriptionsPerConnection: 2 };
  const parts = { time: { slot: () => 1n }, ledger: { read: () => undefined } } as unknown as NodeParts;
  const begin = (subscriptions: ReturnType<typeof createSubscriptions>, owner: string, isOpen = () => true) => {
    const reported: string[] = [];
    const session = subscriptions.open({ owner, isOpen, notify: (text) => reported.push(text) });
    const call = async (method: string, ...params: unknown[]) => session.methods[method]?.(parts, params, boundless);
    return { told: reported, call, close: session.close };
  };

  it("is bounded for each key and for all", async () => {
    const subscriptions = createSubscriptions(() => parts, bounds);
    const [one, same, other] = ["a", "a", "b"].map((owner) => begin(subscriptions, owner));
    const id = await one?.call("slotSubscribe");
    await same?.call("rootSubscribe");
    await expect(one?.call("slotSubscribe")).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringContaining("at most 2"),
    });
    await other?.call("slotSubscribe");
    await expect(other?.call("slotSubscribe")).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringContaining("at most 3"),
    });
    await one?.call("slotUnsubscribe", id);
    same?.close();
    await other?.call("slotSubscribe");
    await one?.call("slotSubscribe");
    subscriptions.close();
  });

  it("is nothing after the end of a session, which begins nothing more", async () => {
    const subscriptions = createSubscriptions(() => parts, bounds);
    const session = begin(subscriptions, "a");
    session.close();
    await expect(session.call("slotSubscribe")).rejects.toMatchObject({ code: -32_603 });
    subscriptions.close();
  });

  it("is written once for all subscribers of the same, and not for a closed connection", async () => {
    const subscriptions = createSubscriptions(() => parts, { ...bounds, subscriptions: 9 });
    const address = await freshAddress();
    const clients = ["a", "b"].map((owner) => begin(subscriptions, owner));
    const removed = begin(subscriptions, "c", () => false);
    const asked = [...clients, removed].map(({ call }) => call("accountSubscribe", address, { encoding: "base64" }));
    await Promise.all(asked);
    let read = 0;
    const state = {
      lamports: 1n,
      owner: tokenProgram as typeof address,
      executable: false,
      get data() {
        read += 1;
        return new Uint8Array(3);
      },
    };
    const reportOf = () => subscriptions.publish({ landed: [], accounts: new Map([[address, state]]), slot: 7n });
    reportOf();
    const onceRead = read;
    expect(clients.map(({ told: reported }) => reported.length)).toEqual([1, 1]);
    expect(removed.told).toEqual([]);
    clients[1]?.close();
    reportOf();
    expect(read).toBe(2 * onceRead);
    subscriptions.close();
  });

  it("begins nothing for a client that disconnected while its key was read", async () => {
    const received: string[] = [];
    let admit: (verdict: "welcome") => void = () => undefined;
    const sockets = createRpcSockets(
      () => ({ receive: async (text) => void received.push(text), close: () => undefined }),
      limits.sandboxSockets,
      createTestLog(),
    );
    const server = createServer();
    const asked = new Promise<void>((resolve) => {
      const guest = {
        owner: "a",
        mayStay: async () => true,
        admit: () => {
          resolve();
          return new Promise<"welcome">((done) => {
            admit = done;
          });
        },
      };
      sockets.attach(server, (upgrade) => sockets.accept(upgrade, guest));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const client = await openJsonRpcSocket(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      client.socket.send("{}");
      await asked;
      sockets.close();
      await client.closed;
      admit("welcome");
      await new Promise((resolve) => setImmediate(resolve));
      expect(received).toEqual([]);
    } finally {
      server.close();
    }
  });

  it("does not keep a sender from its answer where publishing fails", async () => {
    const holder = await freshAddress();
    const session = node.openSession({
      owner: "a",
      isOpen: () => true,
      hangUp: () => undefined,
      cutOff: () => undefined,
      deliver: (text) => {
        if (text.includes("Notification")) throw new Error("unforeseen");
      },
    });
    await session.receive(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "accountSubscribe", params: [holder] }));
    await node.airdrop(holder, sol);
    session.close();
    expect(log.entries).toContainEqual(
      expect.objectContaining({ level: "error", message: "sandbox chain could not report what it has stored" }),
    );
  });
});

const path = "/api/service/v1/sandbox/rpc";
const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const sol = 1_000_000_000n;
const realClock = createTestClock();
const log = createTestLog();
const opened: { close(): unknown }[] = [];

/** The service's HTTP floor before this node, on a port. */
async function openServer(bounds: Partial<SocketBounds> = {}, perKeyPerMinute = 0): Promise<Floor> {
  const sockets = createRpcSockets(node.openSession, { ...limits.sandboxSockets, ...bounds }, createTestLog());
  const sandbox: Pick<SandboxControls, "answerRpc" | "sockets"> = { answerRpc: node.answerRpc, sockets };
  const opening = await openFloor({
    sandbox: sandbox as SandboxControls,
    http: { rateLimits: { perKeyPerMinute, failedAuthenticationsPerAddressPerMinute: 0 } },
  });
  await opening.app.listen({ host: "127.0.0.1", port: 0 });
  return opening;
}

const urlOf = ({ app }: Floor) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${path}`;

async function open(server = floor, key = server.key): Promise<JsonRpcSocket> {
  const client = await openJsonRpcSocket(`${urlOf(server)}?api-key=${key}`);
  opened.push(client);
  return client;
}

/** A connection that is never closed from this side. */
async function openRaw(port: number, text: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined);
  opened.push({ close: () => socket.destroy() });
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

const upgradeTo = (target: string) =>
  `GET ${target} HTTP/1.1\r\nHost: sandbox\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;

/** Of what the server says until it ends its side; this side stays open, which `for await` would not leave so. */
async function firstLine(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (part) => {
    text += String(part);
  });
  await once(socket, "end");
  return text.split("\r\n")[0] ?? "";
}

/** Sends a transfer and gives its signature, once it has landed. */
async function transfer(to: Awaited<ReturnType<typeof freshAddress>>, amount = sol) {
  const { wire, signature } = await prepare(to, amount);
  await node.rpc.sendTransaction(wire, { encoding: "base64", skipPreflight: true }).send();
  return signature;
}

function prepare(to: Awaited<ReturnType<typeof freshAddress>>, amount = sol) {
  return buildTransaction(node.rpc, payer, [getTransferSolInstruction({ source: payer, destination: to, amount })]);
}
