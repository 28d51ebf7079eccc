import type { AddressInfo } from "node:net";
import type { Address } from "@solana/kit";
import { type WebSocket, WebSocketServer } from "ws";

/** What a node was asked over one connection. */
interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node that reports accounts over WebSockets, as Solana's do, and misbehaves on request. */
export interface SubscriptionNode {
  readonly url: string;
  readonly questions: readonly Question[];
  /** Connections that were ever made. */
  connections(): number;
  /** Accounts that have a subscription at present. */
  subscribed(): readonly Address[];
  /** Reports a change, and resolves when it is sent. */
  tell(address: Address, data: string): Promise<void>;
  sayRaw(text: string | Buffer): Promise<void>;
  drop(): void;
  /** Refuses whatever it is asked from now on. */
  refuse(): void;
  /** Answers nothing any more, not even a ping. */
  freeze(): void;
  close(): Promise<void>;
}

export async function startSubscriptionNode(port = 0): Promise<SubscriptionNode> {
  // Pings are answered by hand, so that they can be left unanswered.
  const server = new WebSocketServer({ host: "127.0.0.1", port, autoPong: false });
  await new Promise((resolve) => server.once("listening", resolve));
  const questions: Question[] = [];
  const reported = new Map<number, { readonly address: Address; readonly socket: WebSocket }>();
  let connections = 0;
  let nextNumber = 100;
  let mood: "kind" | "refusing" | "frozen" = "kind";

  server.on("connection", (socket) => {
    connections += 1;
    socket.on("ping", () => {
      if (mood !== "frozen") socket.pong();
    });
    socket.on("message", (data) => {
      const question: Question = JSON.parse(String(data));
      questions.push(question);
      if (mood === "frozen") return;
      const { id, method, params } = question;
      const answer = (fields: object) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, ...fields }));
      if (mood === "refusing") return answer({ error: { code: -32_000, message: "too many subscriptions" } });
      if (method === "accountUnsubscribe") return answer({ result: reported.delete(Number(params[0])) });
      nextNumber += 1;
      reported.set(nextNumber, { address: params[0] as Address, socket });
      answer({ result: nextNumber });
    });
    socket.on("close", () => {
      for (const [number, { socket: of }] of reported) if (of === socket) reported.delete(number);
    });
  });

  const send = (socket: WebSocket, text: string | Buffer) =>
    new Promise<void>((resolve, reject) => socket.send(text, (error) => (error ? reject(error) : resolve())));

  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions,
    connections: () => connections,
    subscribed: () => [...reported.values()].map(({ address }) => address).sort(),
    tell: async (address, data) => {
      for (const [subscription, { address: of, socket }] of reported) {
        if (of !== address) continue;
        const value = { lamports: 1, owner: address, executable: false, rentEpoch: 0, data: [data, "base64"] };
        const params = { subscription, result: { context: { slot: 1 }, value } };
        await send(socket, JSON.stringify({ jsonrpc: "2.0", method: "accountNotification", params }));
      }
    },
    sayRaw: async (text) => {
      for (const socket of server.clients) await send(socket, text);
    },
    drop: () => {
      for (const socket of server.clients) socket.terminate();
    },
    refuse: () => {
      mood = "refusing";
    },
    freeze: () => {
      mood = "frozen";
    },
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
