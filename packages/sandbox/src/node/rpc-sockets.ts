import type { IncomingMessage, Server } from "node:http";
import { setImmediate } from "node:timers/promises";
import { createAnswerSpace } from "@trellis/kernel/answer-space.js";
import { countCalls, idOfCall } from "@trellis/kernel/json-rpc-calls.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { RpcSockets, SocketGuest, SocketRequest } from "@trellis/kernel/ports/rpc-sockets.js";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { OpenRpcSession } from "./rpc-session.js";

/** Bounds of the WebSockets of one process. */
export interface SocketBounds {
  readonly connections: number;
  readonly connectionsPerOwner: number;
  /** Of one message that is received. */
  readonly messageBytes: number;
  /** Messages that wait to be answered, of one connection. */
  readonly waitingMessages: number;
  /** What a client has not read yet; one that is slower than that is cut off. */
  readonly unsentBytes: number;
  /** The same of all clients, and of those of one owner: whom there is no room for is cut off. */
  readonly unsentBytesOfAll: number;
  readonly unsentBytesPerOwner: number;
  /** A client that is silent is asked this often, and cut off when it does not answer until the next. */
  readonly pingEveryMs: number;
}

const tooMany = { code: 429, message: "Too many requests" };
const close = { goingAway: 1001, policy: 1008, internal: 1011 } as const;

/** Serves JSON-RPC sessions over WebSockets. */
export function createRpcSockets(openSession: OpenRpcSession, bounds: SocketBounds, log: Log): RpcSockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: bounds.messageBytes,
    perMessageDeflate: false,
  });
  const connections = new Map<WebSocket, Connection>();
  const space = createAnswerSpace({
    answerBytes: bounds.unsentBytesOfAll,
    answersBytes: bounds.unsentBytesOfAll,
    answersBytesPerOwner: bounds.unsentBytesPerOwner,
    smallBytes: 1_024,
  });
  let sweep: NodeJS.Timeout | undefined;
  let isClosed = false;

  const refreshAround = (): void => {
    for (const [socket, connection] of connections) {
      if (!connection.isAlive) {
        socket.terminate();
        continue;
      }
      connection.isAlive = false;
      socket.ping();
      connection.guest.mayStay().then(
        (stays) => {
          if (!stays) socket.close(close.policy, "the key is good no longer");
        },
        // The database does not answer: asked again the next time.
        (error: unknown) =>
          log.warn(
            { event: "sandbox_socket_key_unchecked", err: error },
            "sandbox WebSocket could not check whether its API key is still valid",
          ),
      );
    }
  };

  const serve = (socket: WebSocket, guest: SocketGuest): void => {
    const waiting: string[] = [];
    let answering = false;
    const connection: Connection = { guest, isAlive: true };
    const send = (text: string): void => {
      if (socket.readyState !== socket.OPEN) return;
      const room = space.open(guest.owner);
      if (socket.bufferedAmount > bounds.unsentBytes || !room.take(text.length)) {
        room.release();
        socket.terminate();
      } else socket.send(text, room.release);
    };
    const session = openSession({
      owner: guest.owner,
      isOpen: () => socket.readyState === socket.OPEN,
      deliver: send,
      hangUp: () => socket.close(close.internal, "the sandbox chain has stopped"),
      cutOff: () => socket.terminate(),
    });

    const answer = async (text: string): Promise<void> => {
      const verdict = await guest.admit(countCalls(text) ?? 1);
      // It may have closed meanwhile, and nothing would end what it begins now.
      if (socket.readyState !== socket.OPEN) return;
      if (verdict === "welcome") return session.receive(text);
      if (verdict === "gone") return socket.close(close.policy, "the key is good no longer");
      const id = idOfCall(text);
      if (id !== undefined) send(JSON.stringify({ jsonrpc: "2.0", error: tooMany, id }));
    };
    const answerAll = async (): Promise<void> => {
      if (answering) return;
      answering = true;
      socket.pause();
      for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
        if (socket.readyState !== socket.OPEN) break;
        // Others that wait have a turn, whatever answers at once.
        await setImmediate();
        try {
          await answer(text);
        } catch (error) {
          log.warn(
            { event: "sandbox_socket_node_silent", err: error },
            "sandbox node no longer answers over a WebSocket",
          );
          socket.close(close.internal, "the sandbox chain does not answer");
        }
      }
      answering = false;
      socket.resume();
    };

    connections.set(socket, connection);
    sweep ??= setInterval(refreshAround, bounds.pingEveryMs).unref();
    socket.on("message", (data: RawData) => {
      connection.isAlive = true;
      if (waiting.length >= bounds.waitingMessages) return socket.close(close.policy, "too many messages at once");
      waiting.push(data.toString());
      void answerAll();
    });
    socket.on("pong", () => {
      connection.isAlive = true;
    });
    // Too large a message, or what is no WebSocket at all: the library closes it with the reason.
    socket.on("error", (error) => log.debug({ event: "sandbox_socket_broke", err: error }, "sandbox WebSocket broke"));
    socket.on("close", () => {
      session.close();
      connections.delete(socket);
      if (connections.size > 0) return;
      clearInterval(sweep);
      sweep = undefined;
    });
  };

  const hasRoomFor = (owner: string): boolean => {
    if (isClosed || connections.size >= bounds.connections) return false;
    let own = 0;
    for (const { guest } of connections.values()) if (guest.owner === owner) own += 1;
    return own < bounds.connectionsPerOwner;
  };

  return {
    attach: (http, onRequest) => {
      http.on("upgrade", (request: IncomingMessage, socket: SocketRequest["socket"], head: Buffer) => {
        try {
          if (request.headers.upgrade?.toLowerCase() !== "websocket") {
            return serveAnyway(http, { request, socket, head });
          }
          // Until the WebSocket has one of its own: a client that goes away meanwhile is no fault of ours.
          socket.on("error", ignore);
          onRequest({ request, socket, head });
        } catch (error) {
          // No other code would catch it, and the process would end.
          log.error(
            { event: "sandbox_socket_request_failed", err: error },
            "sandbox WebSocket request could not be answered",
          );
          socket.destroy();
        }
      });
    },
    accept: ({ request, socket, head }, guest) => {
      if (!hasRoomFor(guest.owner)) return false;
      server.handleUpgrade(request, socket, head, (webSocket) => serve(webSocket, guest));
      return true;
    },
    close: () => {
      isClosed = true;
      clearInterval(sweep);
      for (const socket of connections.keys()) {
        socket.close(close.goingAway, "the server is closing");
        socket.terminate();
      }
    },
  };
}

interface Connection {
  readonly guest: SocketGuest;
  isAlive: boolean;
}

/**
 * Has a server read a request again, without its wish for another protocol: Node hands every such request over as soon as
 * anything listens for one of them, and some clients wish for HTTP/2 with each of theirs.
 */
function serveAnyway(http: Server, { request, socket, head }: SocketRequest): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? "";
    if (["upgrade", "connection", "http2-settings"].includes(name.toLowerCase())) continue;
    lines.push(`${name}: ${request.rawHeaders[at + 1]}`);
  }
  const kept = (request.headers.connection ?? "")
    .split(",")
    .map((token) => token.trim())
    .filter((token) => !/^(upgrade|http2-settings)?$/i.test(token));
  if (kept.length > 0) lines.push(`connection: ${kept.join(", ")}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  http.emit("connection", socket);
}

function ignore(): void {}
