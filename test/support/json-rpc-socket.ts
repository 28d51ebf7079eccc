import { once } from "node:events";
import { parseJsonWithBigInts, stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import { type ClientOptions, WebSocket } from "ws";

interface Message {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly method?: string;
  readonly params?: { readonly result: unknown; readonly subscription: unknown };
}

/** A client of JSON-RPC over a WebSocket that knows nothing of Solana. */
export interface JsonRpcSocket {
  readonly socket: WebSocket;
  /** Everything that arrived, in order. */
  readonly heard: Message[];
  /** The whole answer to a request. */
  request(method: string, ...params: unknown[]): Promise<Message>;
  /** The result of a request; throws what the other side refuses it with. */
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  /** The next notification that was not read yet. */
  next(): Promise<{ method: string; result: unknown; subscription: unknown }>;
  /** How the connection ended. */
  readonly closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

/** Connects, or rejects with the status of the refusal. */
export async function openJsonRpcSocket(url: string, options: ClientOptions = {}): Promise<JsonRpcSocket> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), options);
  const heard: Message[] = [];
  const reported: Message[] = [];
  const listeners = new Set<() => void>();
  let asked = 0;
  socket.on("message", (data) => {
    const message = parseJsonWithBigInts(data.toString()) as Message;
    heard.push(message);
    if (message.method !== undefined) reported.push(message);
    for (const refresh of [...listeners]) refresh();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const waitFor = <Value>(find: () => Value | undefined): Promise<Value> =>
    new Promise((resolve, reject) => {
      const refresh = () => {
        const found = find();
        if (found === undefined) return;
        listeners.delete(refresh);
        resolve(found);
      };
      listeners.add(refresh);
      refresh();
      void closed.then(({ code }) => reject(new Error(`the connection was closed with ${code}`)));
    });
  const request = async (method: string, ...params: unknown[]) => {
    asked += 1;
    const id = BigInt(asked);
    socket.send(stringifyJsonWithBigInts({ jsonrpc: "2.0", id: asked, method, params }));
    return waitFor(() => heard.find((message) => message.id === id));
  };
  await once(socket, "open");
  socket.on("error", () => undefined);
  return {
    socket,
    heard,
    request,
    ask: async (method, ...params) => {
      const { result, error } = await request(method, ...params);
      if (error) throw new Error(`${error.code} ${error.message}`);
      return result;
    },
    next: async () => {
      const { method = "", params } = await waitFor(() => reported.shift());
      return { method, result: params?.result, subscription: params?.subscription };
    },
    closed,
    close: () => socket.close(),
  };
}
