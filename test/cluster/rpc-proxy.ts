import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One JSON-RPC request as a node receives it. */
export interface RpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** A node between the service and the chain, which may have its faults. */
export interface RpcProxy {
  readonly url: string;
  /** Every request that arrived, in order. */
  readonly received: readonly RpcRequest[];
  close(): Promise<void>;
}

/**
 * What a node makes of a request: "honest" answers what the chain does, "silent" never answers, a function changes the
 * chain's result. `result` is answered without asking the chain; `status` refuses by HTTP.
 */
export type Behaviour =
  | "honest"
  | "silent"
  | { readonly result: unknown }
  | { readonly status: number; readonly headers?: Record<string, string> }
  | ((result: unknown, request: RpcRequest) => unknown);

/** Starts a node in front of the chain at `target`. */
export async function startRpcProxy(
  target: string,
  behaviour: (request: RpcRequest) => Behaviour = () => "honest",
): Promise<RpcProxy> {
  const received: RpcRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const request = JSON.parse(text) as RpcRequest;
      received.push(request);
      answer(target, behaviour(request), request, text, outgoing).catch((error: unknown) => {
        outgoing.writeHead(502).end(String(error));
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A URL without a server. */
export async function findDeadUrl(): Promise<string> {
  const proxy = await startRpcProxy("http://127.0.0.1:1/");
  await proxy.close();
  return proxy.url;
}

async function answer(
  target: string,
  behaviour: Behaviour,
  request: RpcRequest,
  text: string,
  outgoing: ServerResponse,
): Promise<void> {
  if (behaviour === "silent") return;
  if (typeof behaviour === "object" && "result" in behaviour) {
    const { result } = behaviour;
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ jsonrpc: "2.0", id: request.id, result }));
    return;
  }
  if (typeof behaviour === "object") {
    outgoing.writeHead(behaviour.status, { "content-type": "application/json", ...behaviour.headers }).end("{}");
    return;
  }
  const response = await fetch(target, { method: "POST", body: text, headers: { "content-type": "application/json" } });
  let answered = await response.text();
  if (behaviour !== "honest") {
    const parsed = JSON.parse(answered) as { result?: unknown };
    answered = JSON.stringify({ ...parsed, result: behaviour(parsed.result, request) });
  }
  outgoing.writeHead(200, { "content-type": "application/json" }).end(answered);
}
