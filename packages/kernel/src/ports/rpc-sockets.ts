import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** A request for a WebSocket, before it is answered. */
export interface SocketRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What followed the request's head. */
  readonly head: Buffer;
}

/** The client that is to have a WebSocket: its bearer has been authenticated. */
export interface SocketGuest {
  /** Whom the connection is counted for. */
  readonly owner: string;
  /** Asked before each message: whether its calls may be answered, have to wait, or the key is good no longer. */
  admit(calls: number): Promise<"welcome" | "too_many" | "gone">;
  /** Asked now and then, so that a key that is good no longer hears no more news either. */
  mayStay(): Promise<boolean>;
}

/** The WebSockets of the sandbox's JSON-RPC (gap 125). */
export interface RpcSockets {
  /**
   * Passes a server's requests for a WebSocket to `onRequest`, which answers them. Requests for any other protocol are
   * served as if they had asked for none, as RFC 9110 (section 7.8) has it.
   */
  attach(server: Server, onRequest: (request: SocketRequest) => void): void;
  /** Serves JSON-RPC with subscriptions over it. False, and nothing done, where there are too many already, or all is closed. */
  accept(request: SocketRequest, guest: SocketGuest): boolean;
  /** Ends all of them, and takes no more. */
  close(): void;
}
