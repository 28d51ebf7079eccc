import { Buffer } from "node:buffer";
import { setMaxListeners } from "node:events";
import { type ClientRequest, Agent as HttpAgent, request as requestPlain } from "node:http";
import { Agent as HttpsAgent, request as requestTls } from "node:https";
import { limits } from "@trellis/kernel/limits.js";
import type {
  TargetFault,
  TargetRules,
  WebhookOutcome,
  WebhookRequest,
  WebhookSender,
} from "@trellis/kernel/ports/webhook-post.js";
import { createResolve, type Resolve } from "./resolve-names.js";
import { type AllowedTargets, mayDial, parseTarget, type Target } from "./target.js";

export interface DeliveryOptions {
  readonly allowed: AllowedTargets;
  /** Default: by the name servers of the system. */
  readonly resolve?: Resolve;
  /** Default: those of the system. */
  readonly certificateAuthorities?: string;
  /** Milliseconds; default: `limits.receiverTotalMs` and `limits.receiverConnectMs`. */
  readonly totalMs?: number;
  readonly connectMs?: number;
}

type Failure = Extract<WebhookOutcome, { kind: "failed" }>["fault"];

/**
 * Sends requests with what Node has: no redirects are followed, no proxy of the environment is asked, no connection is
 * kept. A name is resolved once for each request, every address under it is judged, and the request goes to one of these
 * very addresses: a name that means something else a moment later leads nowhere else.
 */
export function createHttpDelivery(options: DeliveryOptions): WebhookSender {
  const { allowed } = options;
  const totalMs = options.totalMs ?? limits.receiverTotalMs;
  const connectMs = options.connectMs ?? limits.receiverConnectMs;
  // A little less, so that what one family of addresses answered is used although the other one never answers.
  const resolve = options.resolve ?? createResolve({ totalMs: Math.ceil(connectMs * 0.8) });
  let checksUnderWay = 0;

  const addressesOf = async (target: Target, rules: TargetRules): Promise<readonly string[] | TargetFault> => {
    let addresses: readonly string[];
    try {
      addresses = target.isAddress ? [target.host] : await resolve(target.host);
    } catch {
      return "unknown_host";
    }
    if (addresses.length === 0) return "unknown_host";
    // One that is not public spoils the name: which of them is dialled is not for its owner to choose.
    return addresses.every((address) => mayDial(address, target, rules, allowed)) ? addresses : "private_address";
  };

  return {
    check: async (url, rules) => {
      const target = parseTarget(url, rules, allowed);
      if (typeof target === "string") return target;
      // Requests that are sent have their number; a caller that saves URLs without end must not keep that many names waiting.
      if (!target.isAddress && checksUnderWay >= limits.receiverChecksAtOnce) return undefined;
      checksUnderWay += 1;
      const addresses = await withinTime(addressesOf(target, rules), connectMs).finally(() => {
        checksUnderWay -= 1;
      });
      // A name server that is away says nothing against the target; it is judged again when it is dialled.
      if (addresses === "late" || addresses === "unknown_host") return undefined;
      return typeof addresses === "string" ? addresses : undefined;
    },
    send: async (request, signal) => {
      const startedAt = performance.now();
      const leftMs = () => totalMs - (performance.now() - startedAt);
      const failed = (fault: Failure): WebhookOutcome => ({
        kind: "failed",
        fault,
        durationMs: Math.round(performance.now() - startedAt),
      });
      if (signal?.aborted) return failed("stopped");
      // Every request under way listens to it.
      if (signal) setMaxListeners(0, signal);
      const target = parseTarget(request.url, request, allowed);
      if (typeof target === "string") return failed(target);
      const addresses = await withinTime(addressesOf(target, request), connectMs);
      if (addresses === "late") return failed("timeout");
      if (typeof addresses === "string") return failed(addresses);
      let last: Failure = "connection_failed";
      for (const address of addresses.slice(0, addressesTried)) {
        const received = await exchange({ request, target, address, options, leftMs: leftMs(), connectMs, signal });
        if (received.kind === "answered") return { ...received, durationMs: Math.round(performance.now() - startedAt) };
        last = received.fault;
        // Once it may have been read, it is not sent again: that is for the next attempt.
        if (received.wasConnected || last === "stopped" || leftMs() <= 0) break;
      }
      return failed(last);
    },
  };
}

const addressesTried = 3;

interface Exchange {
  readonly request: WebhookRequest;
  readonly target: Target;
  readonly address: string;
  readonly options: DeliveryOptions;
  readonly leftMs: number;
  readonly connectMs: number;
  readonly signal: AbortSignal | undefined;
}

type Received =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly body: string;
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: "failed"; readonly fault: Failure; readonly wasConnected: boolean };

function exchange({ request, target, address, options, leftMs, connectMs, signal }: Exchange): Promise<Received> {
  return new Promise((settle) => {
    const body = Buffer.from(request.body, "utf8");
    let wasConnected = false;
    let fault: Failure | undefined;
    const common = {
      host: address,
      port: target.port,
      path: `${target.url.pathname}${target.url.search}`,
      method: "POST",
      headers: {
        ...request.headers,
        host: target.url.host,
        "content-length": String(body.length),
        "user-agent": "Trellis-Webhooks/1",
        accept: "*/*",
        connection: "close",
      },
      maxHeaderSize: 16_384,
      ...(signal === undefined ? {} : { signal }),
    };
    const outgoing: ClientRequest = target.isPlain
      ? requestPlain({ ...common, agent: new HttpAgent({ keepAlive: false }) })
      : requestTls({
          ...common,
          agent: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }),
          // Its certificate must be for the name in the URL, whatever address is dialled.
          ...(target.isAddress ? {} : { servername: target.host }),
          ...(options.certificateAuthorities === undefined ? {} : { ca: options.certificateAuthorities }),
        });
    // Settles on its own: a request that Node.js has given up on already reports no error any more.
    const stop = (why: Failure) => {
      fault ??= why;
      end({ kind: "failed", fault, wasConnected });
    };
    const total = setTimeout(() => stop("timeout"), Math.max(1, leftMs));
    const connecting = setTimeout(() => stop("timeout"), Math.min(connectMs, Math.max(1, leftMs)));
    const end = (received: Received) => {
      clearTimeout(total);
      clearTimeout(connecting);
      outgoing.destroy();
      settle(received);
    };
    const fail = (error: NodeJS.ErrnoException) => {
      const why = fault ?? (signal?.aborted ? "stopped" : isAboutTls(error) ? "tls_failed" : "connection_failed");
      end({ kind: "failed", fault: why, wasConnected });
    };
    outgoing.on("socket", (socket) => {
      socket.once(target.isPlain ? "connect" : "secureConnect", () => {
        wasConnected = true;
        clearTimeout(connecting);
      });
    });
    outgoing.on("error", fail);
    // Without a listener here Node.js ends the socket and reports nothing.
    outgoing.on("upgrade", ({ statusCode = 101 }, socket) => {
      socket.destroy();
      end({ kind: "answered", status: statusCode, body: "", retryAfter: undefined });
    });
    outgoing.on("response", (response) => {
      const kept: Buffer[] = [];
      let read = 0;
      const answered = () =>
        end({
          kind: "answered",
          status: response.statusCode ?? 0,
          body: Buffer.concat(kept).subarray(0, limits.receiverAnswerKeptBytes).toString("utf8"),
          retryAfter: response.headers["retry-after"],
        });
      response.on("data", (chunk: Buffer) => {
        if (read < limits.receiverAnswerKeptBytes) kept.push(chunk);
        read += chunk.length;
        // Its status is known; the rest is not needed.
        if (read >= limits.receiverAnswerReadBytes) answered();
      });
      response.on("end", answered);
      response.on("error", fail);
    });
    outgoing.end(body);
  });
}

function isAboutTls({ code = "", message }: NodeJS.ErrnoException): boolean {
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code) || /SSL|TLS|certificate/i.test(message);
}

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
