import { inspect } from "node:util";
import { createSolanaRpcFromTransport } from "@solana/kit";
import type { Log } from "@trellis/kernel/ports/log.js";
import { afterEach, describe, expect, it } from "vitest";
import { createFailoverTransport } from "../../src/adapters/chain/cluster/failover-transport.js";
import { type ReceivedRequest, type ScriptedAnswer, startScriptedServer } from "../vectors/scripted-server.js";

const genesisHash = "11111111111111111111111111111111";
const wire = "AQID" as never;

const open: Node[] = [];
const signature = "1".repeat(64);
afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
});

describe("a request over several URLs", () => {
  it("uses the first one as long as that answers", async () => {
    const nodes = [await startNode(500n), await startNode(500n)] as const;
    const { failover, rpc } = openTransport(nodes);
    await failover.compare();
    await expect(rpc.getSlot().send()).resolves.toBe(1n);
    await expect(rpc.getFirstAvailableBlock().send()).resolves.toBe(1n);
    expect(asked(nodes[1])).toEqual([]);
  });

  it.each<[string, ScriptedAnswer | { error: object; result: unknown }]>([
    ["breaks the connection", "hang up"],
    ["does not answer in time", "silence"],
    ["is broken", { status: 503, body: {} }],
    ["is overloaded", { status: 429, body: {} }],
    ["refuses our key", { status: 401, body: {} }],
    ["answers no JSON", { status: 200, text: "<html>" }],
    [
      "says it is unhealthy",
      { status: 200, body: { jsonrpc: "2.0", id: null, error: { code: -32005, message: "behind" } } },
    ],
  ])("continues, with the same bytes, when the first one %s", async (_what, fault) => {
    const nodes = [await startNode(500n, { sendTransaction: () => fault }), await startNode(500n)] as const;
    const { failover, rpc } = openTransport(nodes, fault === "silence" ? { requestMs: 1_000 } : {});
    await failover.compare();
    await expect(send(rpc)).resolves.toBe(signature);
    const sent = nodes.map((node) => node.received.map(({ body }) => body as { method: string; params: unknown[] }));
    const paramsOf = (i: number) => sent[i]?.find(({ method }) => method === "sendTransaction")?.params;
    expect(paramsOf(0)?.[0]).toBe(wire);
    expect(paramsOf(1)).toEqual(paramsOf(0));
    // The one that failed is asked last for a while.
    await rpc.getSlot().send();
    expect(asked(nodes[1])).toEqual(["sendTransaction", "getSlot"]);
  });

  it("leaves a URL alone for as long as it asks to, then returns to it", async () => {
    const busy = { status: 429, headers: { "retry-after": "30" }, body: {} };
    const nodes = [await startNode(500n, { getSlot: () => busy }), await startNode(500n)] as const;
    const { failover, rpc, advance } = openTransport(nodes);
    await failover.compare();
    await rpc.getSlot().send();
    nodes[0].script = {};
    advance(9_000);
    await expect(rpc.getFirstAvailableBlock().send()).resolves.toBe(2n);
    advance(21_000);
    await expect(rpc.getFirstAvailableBlock().send()).resolves.toBe(1n);
  });

  it("returns the chain's refusal of the request and asks no other URL", async () => {
    const error = { code: -32602, message: "invalid" };
    const refuse = () => ({ error });
    const nodes = [await startNode(500n, { getSlot: refuse }), await startNode(500n)] as const;
    const { failover, rpc } = openTransport(nodes);
    await failover.compare();
    await expect(rpc.getSlot().send()).rejects.toMatchObject({ context: { __code: -32602 } });
    expect(asked(nodes[1])).toEqual([]);
  });

  it("gives up after asking each that fails twice, and a silent one once", async () => {
    const nodes = [
      await startNode(500n, { getSlot: () => ({ status: 500, body: {} }) }),
      await startNode(500n, { getSlot: () => "silence" }),
    ] as const;
    const { failover, rpc } = openTransport(nodes, { requestMs: 1_000 });
    await failover.compare();
    await expect(rpc.getSlot().send()).rejects.toThrow();
    expect(nodes.map((node) => asked(node).length)).toEqual([2, 1]);
  });

  it("never shows the key in a URL", async () => {
    const hangUp = { getSlot: () => "hang up" as const };
    const nodes = [await startNode(500n), await startNode(9_000n, hangUp), await startNode(undefined)];
    const { failover, rpc, lines } = openTransport(nodes, { query: "secret-path?api-key=secret-query" });
    const standings = await failover.compare();
    const error: unknown = await rpc
      .getSlot()
      .send()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const reported = inspect([lines, standings, error], { depth: 12 });
    expect(reported).toContain("rpc_url_off_height");
    expect(reported).toContain("rpc_url_failed");
    expect(reported).not.toContain("secret");
  });
});

describe("the time of a request", () => {
  it("is shared, so that two silent URLs leave the third its part", async () => {
    const silence = { getSlot: () => "silence" as const };
    const nodes = [await startNode(500n, silence), await startNode(500n, silence), await startNode(500n)] as const;
    const { failover, rpc } = openTransport(nodes, { totalMs: 900 });
    await failover.compare();
    await expect(rpc.getSlot().send()).resolves.toBe(3n);
  });

  it("is bounded, however many URLs are silent", async () => {
    let now = 0;
    const asked: string[] = [];
    const failover = createFailoverTransport({
      urls: ["http://one.test", "http://two.test", "http://three.test"],
      genesisHash,
      realClock: { now: () => now },
      pause: async () => undefined,
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      connect:
        (url, timeoutMs) =>
        async <Response>({ payload }: { readonly payload: unknown }) => {
          const { method } = payload as { readonly method: string };
          if (method === "getGenesisHash") return { result: genesisHash } as Response;
          if (method === "getBlockHeight") return { result: 500 } as Response;
          asked.push(url);
          now += timeoutMs;
          throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
        },
    });
    await failover.compare();
    await expect(createSolanaRpcFromTransport(failover.transport).getSlot().send()).rejects.toThrow("timeout");
    expect(asked).toEqual(["http://one.test", "http://two.test"]);
    expect(now).toBe(20_000);
  });
});

describe("comparing URLs", () => {
  it.each([
    ["ahead of", 500_000n],
    ["behind", 7n],
  ])("shuts out one that is far %s two others, until it agrees again", async (_where, height) => {
    const nodes = [await startNode(height), await startNode(900n), await startNode(901n)] as const;
    const { failover, rpc, advance } = openTransport(nodes);
    await expect(failover.compare()).resolves.toMatchObject([
      { standing: "outvoted" },
      { standing: "agrees" },
      { standing: "agrees" },
    ]);
    await expect(rpc.getSlot().send()).resolves.toBe(2n);
    await failover.askEveryUrl(({ rpc: own }) => own.getFirstAvailableBlock().send());
    expect(asked(nodes[0])).toEqual([]);
    nodes[0].height = 902n;
    advance(10_000);
    await failover.compare();
    await expect(rpc.getSlot().send()).resolves.toBe(1n);
  });

  it("keeps the word of one of two that lags behind where every word counts", async () => {
    const nodes = [await startNode(7n), await startNode(900n)] as const;
    const { failover, rpc } = openTransport(nodes);
    await failover.compare();
    await expect(rpc.getSlot().send()).resolves.toBe(2n);
    const answers = await failover.askEveryUrl(({ rpc: own }) => own.getBlockHeight().send());
    expect(answers).toMatchObject([
      { answered: true, value: 7n },
      { answered: true, value: 900n },
    ]);
  });

  it("asks one again that has failed since the last comparison, where every word counts", async () => {
    const nodes = [await startNode(900n), await startNode(900n)] as const;
    const { failover, rpc } = openTransport(nodes);
    await failover.compare();
    nodes[0].script = { getSlot: () => "hang up" };
    await rpc.getSlot().send();
    const answers = await failover.askEveryUrl(({ rpc: own }) => own.getSlot().send());
    expect(answers.map(({ answered }) => answered)).toEqual([false, true]);
  });

  it("asks another cluster's URL nothing, and one that starts later as soon as it is known", async () => {
    const nodes = [
      await startNode(900n, {}, "22222222222222222222222222222222222222222222"),
      await startNode(undefined),
      await startNode(900n),
    ] as const;
    const { failover, rpc, advance } = openTransport(nodes);
    await expect(failover.compare()).resolves.toMatchObject([
      { standing: "foreign" },
      { standing: "unseen" },
      { standing: "agrees" },
    ]);
    await expect(rpc.getSlot().send()).resolves.toBe(3n);
    nodes[1].height = 900n;
    advance(60_000);
    await failover.compare();
    await expect(rpc.getSlot().send()).resolves.toBe(2n);
    expect(asked(nodes[0])).toEqual([]);
  });
});

/** What a scripted node does with a method: a JSON-RPC answer, or something on the level of HTTP. */
type Script = Partial<
  Record<string, (request: { params: unknown[] }) => ScriptedAnswer | { result: unknown } | { error: object }>
>;

interface Node {
  readonly baseUrl: string;
  readonly received: readonly ReceivedRequest[];
  readonly close: () => Promise<void>;
  height: bigint | undefined;
  script: Script;
}

/** A node at a height; undefined does not answer comparisons. */
async function startNode(height: bigint | undefined, script: Script = {}, genesis = genesisHash): Promise<Node> {
  const node = { height, script } as Node;
  const server = await startScriptedServer(({ body }) => {
    const { id, method, params } = body as { id: unknown; method: string; params: unknown[] };
    const scripted = node.script[method]?.({ params });
    if (scripted !== undefined && (typeof scripted === "string" || "status" in scripted)) return scripted;
    const answer = (fields: object) => ({ status: 200, body: { jsonrpc: "2.0", id, ...fields } });
    if (scripted !== undefined) return answer(scripted);
    if (node.height === undefined) return "hang up";
    if (method === "getGenesisHash") return answer({ result: genesis });
    if (method === "getBlockHeight") return answer({ result: Number(node.height) });
    if (method === "sendTransaction") return answer({ result: signature });
    return answer({ result: open.indexOf(node) + 1 });
  });
  Object.assign(node, server);
  open.push(node);
  return node;
}

/** A node that is silent is waited for as long as `requestMs`. */
function openTransport(nodes: readonly Node[], { query = "", requestMs = 5_000, totalMs = 20_000 } = {}) {
  let now = 0;
  const lines: { fields: object; message: string }[] = [];
  const write = (fields: object, message: string) => {
    lines.push({ fields, message });
  };
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const failover = createFailoverTransport({
    urls: nodes.map(({ baseUrl }) => `${baseUrl}/${query}`),
    genesisHash,
    realClock: { now: () => now },
    pause: async () => undefined,
    log,
    timings: { requestMs, totalMs, compareMs: 5_000, compareEveryMs: 10_000 },
  });
  return {
    failover,
    lines,
    rpc: createSolanaRpcFromTransport(failover.transport),
    advance: (ms: number) => {
      now += ms;
    },
  };
}

function methodsOf(node: Node, ...without: string[]): string[] {
  const methods = node.received.map(({ body }) => (body as { method: string }).method);
  return methods.filter((method) => !without.includes(method));
}

const asked = (node: Node) => methodsOf(node, "getGenesisHash", "getBlockHeight");

const send = (rpc: ReturnType<typeof openTransport>["rpc"]) =>
  rpc.sendTransaction(wire, { encoding: "base64", skipPreflight: true }).send();
