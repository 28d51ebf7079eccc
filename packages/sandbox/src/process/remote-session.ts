import { createHash } from "node:crypto";
import { once } from "node:events";
import { limits } from "@trellis/kernel/limits.js";
import { type RawData, WebSocket } from "ws";
import type { OpenRpcSession } from "../node/rpc-session.js";
import { sandboxOwnerHeader } from "./protocol.js";

/** What a node may report in one message: an account of the largest size there is, in base64. */
const answerBytesMax = 16 * 1024 * 1024;
const connectMs = 10_000;

/** Conversations that are handed on to the sandbox of another process, message by message. */
export function createRemoteSessions(url: URL, key: string): OpenRpcSession {
  const target = new URL("/", url);
  target.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return ({ owner, deliver, hangUp }) => {
    const socket = new WebSocket(target, {
      headers: { authorization: `Bearer ${key}`, [sandboxOwnerHeader]: nameOf(owner) },
      handshakeTimeout: connectMs,
      maxPayload: answerBytesMax,
      perMessageDeflate: false,
    });
    const opened = once(socket, "open");
    // A caller that sends something hears of it; no other may.
    opened.catch(() => undefined);
    socket.on("message", (data: RawData) => deliver(data.toString()));
    // A close always follows.
    socket.on("error", () => undefined);
    socket.on("close", hangUp);
    return {
      receive: async (text) => {
        await opened;
        if (socket.bufferedAmount > limits.sandboxSockets.unsentBytes) return socket.terminate();
        socket.send(text);
      },
      close: () => socket.terminate(),
    };
  };
}

/** Fit for a header, whatever it is. */
function nameOf(owner: string): string {
  return createHash("sha256").update(owner).digest("base64url");
}
