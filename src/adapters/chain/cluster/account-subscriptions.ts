import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Address } from "@solana/kit";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { AccountChanges } from "@trellis/kernel/ports/network.js";
import { type RawData, WebSocket } from "ws";

/** Changes that a node reports over a WebSocket. */
export interface AccountSubscriptions {
  readonly changes: Required<Pick<AccountChanges, "take" | "putBack" | "subscribeTo">>;
  /** `idle`: nothing is wanted, so that there is no connection. */
  state(): "idle" | "connected" | "lost";
  /** Hangs up, and does not call again. */
  close(): Promise<void>;
}

export interface SubscriptionOptions {
  /** `ws://` or `wss://`. */
  readonly url: string;
  readonly log: Log;
  readonly timings?: SubscriptionTimings;
}

/** Milliseconds of real time. */
export interface SubscriptionTimings {
  /** A connection may take this long to be established. */
  readonly connectMs: number;
  /** A node that is silent is asked this often whether it is still there, and dropped when it does not answer until the next. */
  readonly pingEveryMs: number;
  /** After a connection broke it is tried again after `firstRetryMs`, doubled each time up to `longestRetryMs`. */
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

const usualTimings: SubscriptionTimings = {
  connectMs: 10_000,
  pingEveryMs: 30_000,
  firstRetryMs: 1_000,
  longestRetryMs: 600_000,
};
/** No account of the program that anybody would pay for is larger, in base64. */
const messageBytesMax = 4 * 1024 * 1024;

/** A node that owes more answers than this is called anew. */
const pendingMax = 5_000;

/** Once a connection is there: what it was asked for, and what it said. */
interface Connection {
  readonly socket: WebSocket;
  /** The accounts subscribed at the node, confirmed or not. */
  readonly asked: Set<Address>;
  /** Questions without an answer yet, by their ids. */
  readonly pending: Map<number, Address>;
  /** Subscriptions by the node's numbers. */
  readonly numbers: Map<number, Address>;
  /** Digests of the latest data and lamports: a transaction that leaves an account as it was is reported as well. */
  readonly seen: Map<Address, string>;
  nextId: number;
  isAlive: boolean;
  /** Whether a refusal was logged: one line is enough. */
  hasRefused: boolean;
}

/**
 * Follows accounts by `accountSubscribe` at confirmed commitment, over one connection that is there only while a caller
 * wants reports of something. Whatever the node does (silence, refusals, messages not understood), the worst is
 * that nothing is reported: it is logged, and tried again later and later.
 */
export function openAccountSubscriptions(options: SubscriptionOptions): AccountSubscriptions {
  const { url, log } = options;
  const timings = options.timings ?? usualTimings;
  // Paths and queries hold keys and stay out of logs.
  const label = new URL(url).host;
  const changed = new Set<Address>();
  let wanted: ReadonlySet<Address> = new Set();
  let connection: Connection | undefined;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;

  const connect = (): void => {
    const socket = new WebSocket(url, {
      handshakeTimeout: timings.connectMs,
      maxPayload: messageBytesMax,
      perMessageDeflate: false,
    });
    const opened: Connection = {
      socket,
      asked: new Set(),
      pending: new Map(),
      numbers: new Map(),
      seen: new Map(),
      nextId: 1,
      isAlive: true,
      hasRefused: false,
    };
    connection = opened;
    let reason: unknown;
    const pinging = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (!opened.isAlive) {
        reason = new Error("the node fell silent");
        socket.terminate();
        return;
      }
      opened.isAlive = false;
      socket.ping();
    }, timings.pingEveryMs);
    pinging.unref();
    socket.on("open", () => ask(opened));
    socket.on("pong", () => {
      opened.isAlive = true;
      // Only one that lasts: a node that drops every connection at once is called less and less often.
      if (failures > 0)
        log.info(
          { event: "node_subscription_restored", url: label },
          "node subscription restored: the node reports changes again",
        );
      failures = 0;
    });
    socket.on("message", (data) => {
      opened.isAlive = true;
      if (read(opened, data)) return;
      reason = new Error("the node sent something that is not JSON");
      socket.terminate();
    });
    // The connection closes after every error.
    socket.on("error", (error) => {
      reason = error;
    });
    socket.on("close", () => {
      clearInterval(pinging);
      if (connection !== opened) return;
      connection = undefined;
      if (wanted.size > 0) retryLater(reason);
    });
  };

  const retryLater = (reason: unknown): void => {
    const waitMs = Math.min(timings.longestRetryMs, timings.firstRetryMs * 2 ** Math.min(failures, 20));
    if (failures === 0)
      log.warn(
        { event: "node_subscription_ended", url: label, err: reason },
        "node subscription ended: accounts are polled until it is back",
      );
    failures += 1;
    retry = setTimeout(() => {
      retry = undefined;
      connect();
    }, waitMs);
    retry.unref();
  };

  const hangUp = (): void => {
    clearTimeout(retry);
    retry = undefined;
    const ended = connection;
    connection = undefined;
    ended?.socket.terminate();
  };

  /** Brings what the node was asked for into line with what is wanted. */
  const ask = (on: Connection): void => {
    for (const address of wanted) {
      if (on.asked.has(address)) continue;
      on.asked.add(address);
      on.pending.set(on.nextId, address);
      send(on, "accountSubscribe", [address, { encoding: "base64", commitment: "confirmed" }]);
    }
    for (const [number, address] of on.numbers) if (!wanted.has(address)) leave(on, number, address);
    for (const address of on.asked) if (!wanted.has(address)) on.asked.delete(address);
    if (on.pending.size > pendingMax) on.socket.terminate();
  };

  const leave = (on: Connection, number: number, address: Address): void => {
    on.numbers.delete(number);
    on.seen.delete(address);
    send(on, "accountUnsubscribe", [number]);
  };

  const send = (on: Connection, method: string, params: readonly unknown[]): void => {
    on.socket.send(JSON.stringify({ jsonrpc: "2.0", id: on.nextId, method, params }));
    on.nextId += 1;
  };

  /** Takes in a message; false when it is not JSON. What is JSON and means nothing here is passed over. */
  const read = (from: Connection, data: RawData): boolean => {
    const message = parse(data);
    if (message === undefined) return false;
    if (message.method === "accountNotification") noteChange(from, message);
    else if (typeof message.id === "number") noteAnswer(from, message.id, message);
    return true;
  };

  const noteAnswer = (from: Connection, id: number, { result, error }: Message): void => {
    const address = from.pending.get(id);
    if (address === undefined) return;
    from.pending.delete(id);
    if (typeof result !== "number") {
      // Asked again by the next connection.
      if (!from.hasRefused)
        log.warn(
          { event: "node_subscription_incomplete", url: label, code: numberOf(memberOf(error, "code")) },
          "node subscription incomplete: the node refuses some of the accounts",
        );
      from.hasRefused = true;
      return;
    }
    from.numbers.set(result, address);
    if (!wanted.has(address)) leave(from, result, address);
  };

  const noteChange = (from: Connection, { params }: Message): void => {
    const subscription = numberOf(memberOf(params, "subscription"));
    const address = subscription === undefined ? undefined : from.numbers.get(subscription);
    if (address === undefined) return;
    const value = memberOf(memberOf(params, "result"), "value");
    const data = memberOf(value, "data");
    // Of any other form it is reported as a change, which costs one read of the account.
    const view = Array.isArray(data) && typeof data[0] === "string" ? data[0] : "";
    const digest = createHash("sha256")
      .update(`${numberOf(memberOf(value, "lamports")) ?? ""} ${view}`)
      .digest("base64");
    if (from.seen.get(address) === digest) return;
    from.seen.set(address, digest);
    changed.add(address);
  };

  return {
    changes: {
      take: () => {
        const claimed = [...changed];
        changed.clear();
        return claimed;
      },
      putBack: (addresses) => {
        for (const address of addresses) changed.add(address);
      },
      subscribeTo: (addresses) => {
        wanted = new Set(addresses);
        if (wanted.size === 0) hangUp();
        else if (connection?.socket.readyState === WebSocket.OPEN) ask(connection);
        else if (connection === undefined && retry === undefined) connect();
      },
    },
    state: () => {
      if (wanted.size === 0) return "idle";
      return connection?.socket.readyState === WebSocket.OPEN ? "connected" : "lost";
    },
    close: async () => {
      wanted = new Set();
      hangUp();
    },
  };
}

/** As much of a message as matters: none of it is sure to be there, or to be what it should. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly params?: unknown;
}

/** A member of what a node sent; undefined where that has none. Nothing of it is ever called. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function parse(data: RawData): Message | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString("utf8") : "");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return undefined;
  }
}
