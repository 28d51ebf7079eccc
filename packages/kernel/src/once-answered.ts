import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const waitingBy = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `done` once an HTTP answer was sent, or can be sent no more. An answer that waits behind others of its connection reports nothing
 * when that ends, so the connection is listened to as well.
 */
export function onceAnswered(request: IncomingMessage, answer: ServerResponse, done: () => void): void {
  const { socket } = request;
  let waiting = waitingBy.get(socket);
  if (waiting === undefined) {
    const all = new Set<() => void>();
    waitingBy.set(socket, all);
    socket.once("close", () => {
      for (const end of all) end();
    });
    waiting = all;
  }
  const end = (): void => {
    waiting.delete(end);
    answer.off("close", end);
    done();
  };
  waiting.add(end);
  answer.once("close", end);
  if (socket.destroyed) end();
}
