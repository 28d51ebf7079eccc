import { Buffer } from "node:buffer";
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestByHttp,
} from "node:http";
import { Agent as HttpsAgent, request as requestByHttps } from "node:https";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from "@solana/kit";
import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import { type JsonBounds, parseExactJson } from "@trellis/kernel/exact-json.js";

/** A question to a node. */
export interface NodeQuestion {
  readonly url: URL;
  /** JSON. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds after which it ends with an error named TimeoutError. */
  readonly timeoutMs: number;
  /** Ends it before that, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Counts the answer's bytes as they arrive, unpacked. False ends it. Default: up to `nodeAnswerBytes`. */
  readonly take?: (bytes: number) => boolean;
}

/** What a node answered, whatever its status. */
export interface NodeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
}

/** The answer was longer than was allowed for. */
export class OversizeAnswer extends Error {
  override readonly name = "OversizeAnswer";
}

/** The answer belongs to another question, or is packed in a way that was not asked for. */
export class StrayAnswer extends Error {
  override readonly name = "StrayAnswer";
}

/** An account of the largest size there is takes 14 MiB in base64. */
export const nodeAnswerBytes = 16 * 1024 * 1024;
/** What no answer of a node approaches: a page of a thousand signatures has seven thousand values. */
const jsonBounds = { depth: 64, values: 250_000 };

/**
 * Connections outlive a question, as long as both sides want. Idle ones are closed before the five seconds after which a
 * server of Node.js does: a question must not meet its end.
 */
const connections = { keepAlive: true, timeout: 4_000 } as const;
const agents = { http: new HttpAgent(connections), https: new HttpsAgent(connections) };

/**
 * The one way by which questions go to nodes, those of clusters and the sandbox's own process alike: a POST, in one write. A
 * node is not trusted. No redirect is followed, which may lead anywhere in the service's own network. Of an answer no more
 * is read than `take` lets in, counted after unpacking. Nothing is asked twice: a question whose connection breaks
 * may have been understood. Rejects with the connection's error, a TimeoutError, `signal`'s reason, OversizeAnswer or
 * StrayAnswer.
 */
export function askNode(question: NodeQuestion): Promise<NodeAnswer> {
  const { url, body, timeoutMs, signal, take = upTo(nodeAnswerBytes) } = question;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const options = {
      method: "POST",
      headers: {
        accept: "application/json",
        "accept-encoding": "gzip",
        "content-type": "application/json; charset=utf-8",
        "content-length": Buffer.byteLength(body),
        ...question.headers,
      },
    };
    const sent =
      url.protocol === "https:"
        ? requestByHttps(url, { ...options, agent: agents.https })
        : requestByHttp(url, { ...options, agent: agents.http });
    let isAnswered = false;
    let isSettled = false;
    const settle = () => {
      isSettled = true;
      clearTimeout(timeout);
      signal?.removeEventListener("abort", abort);
    };
    const fail = (error: unknown) => {
      // The connection may be another question's by now.
      if (isSettled) return;
      settle();
      reject(error);
      sent.destroy();
    };
    const abort = () => fail(signal?.reason);
    const timeout: NodeJS.Timeout = setTimeout(
      () => fail(new DOMException(`the node did not answer within ${timeoutMs} ms`, "TimeoutError")),
      timeoutMs,
    );
    signal?.addEventListener("abort", abort);
    sent.on("error", fail);
    sent.on("close", () => {
      if (!isAnswered) fail(new Error("the node closed the connection without an answer"));
    });
    sent.on("response", (response) => {
      isAnswered = true;
      readBody(response, take, fail, (bytes) => {
        settle();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes });
      });
    });
    sent.end(body);
  });
}

/** The same, of an answer with status 200 and JSON. Rejects with SolanaError for any other status, a redirect among them. */
async function askNodeForJson(question: NodeQuestion, bounds: JsonBounds): Promise<unknown> {
  const { status, headers, bytes } = await askNode(question);
  if (status !== 200) {
    const message = status >= 300 && status < 400 ? "a redirect, which is not followed" : "no success";
    const rest = headers["retry-after"];
    throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
      headers: new Headers(rest === undefined ? {} : { "retry-after": rest }),
      message,
      statusCode: status,
    });
  }
  return parseNodeJson(bytes, bounds);
}

/** What may be set for a call by JSON-RPC. */
export interface NodeCall extends Omit<NodeQuestion, "body"> {
  /** A single call with its `id`, as kit makes it. */
  readonly payload: unknown;
  readonly bounds?: JsonBounds;
}

/**
 * Asks a node by JSON-RPC: whatever JSON it answers with, integers exact. Rejects as `askNode` does, with SolanaError for a
 * status other than 200, SyntaxError and RangeError for what is not to be read, and StrayAnswer for the result of another
 * call.
 */
export async function callNode({ payload, bounds = jsonBounds, ...question }: NodeCall): Promise<unknown> {
  const answer = await askNodeForJson({ ...question, body: stringifyJsonWithBigInts(payload) }, bounds);
  requireSameId(payload, answer);
  return answer;
}

/**
 * Throws StrayAnswer for what answers another call than this one. Without an id a node may only say that it understood nothing, or that it is
 * not well: a verdict about what was asked names the question.
 */
export function requireSameId(payload: unknown, answer: unknown): void {
  const [asked, answered] = [idOf(payload), idOf(answer)];
  if (answered === asked) return;
  if ((answered === null || answered === undefined) && aboutNoCall.has(errorCodeOf(answer))) return;
  throw new StrayAnswer("a node answered another question than this one");
}

/** No JSON, no request, an internal error, and a node that is behind. */
const aboutNoCall: ReadonlySet<unknown> = new Set([-32_700, -32_600, -32_603, -32_005]);

function errorCodeOf(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || !("error" in answer) || "result" in answer) return undefined;
  const { error } = answer;
  return typeof error === "object" && error !== null && "code" in error ? Number(error.code) : undefined;
}

function idOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
}

/** Reads a node's JSON, integers exact. Throws SyntaxError and RangeError, also for what is too deep or has too many values. */
export function parseNodeJson(bytes: Uint8Array, bounds: JsonBounds = jsonBounds): unknown {
  return parseExactJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"), bounds);
}

function readBody(
  response: IncomingMessage,
  take: (bytes: number) => boolean,
  fail: (error: unknown) => void,
  done: (bytes: Uint8Array) => void,
): void {
  const fault = () => fail(new Error("the node's answer broke off"));
  response.on("error", fail);
  response.on("close", () => {
    if (!response.complete) fault();
  });
  const encoding = response.headers["content-encoding"];
  let body: Readable = response;
  if (encoding === "gzip" || encoding === "x-gzip") {
    const unpacked = createGunzip();
    body = response.pipe(unpacked);
    body.on("error", fail);
    // What unpacks to nothing is bounded too, and nothing is unpacked for a question that has ended.
    const takePacked = upTo(nodeAnswerBytes);
    response.on("data", (part: Uint8Array) => {
      if (!takePacked(part.byteLength)) fail(new OversizeAnswer("the node's answer is longer than is read of one"));
    });
    response.on("close", () => {
      if (!response.complete) unpacked.destroy();
    });
  } else if (encoding !== undefined && encoding !== "identity") {
    fail(new StrayAnswer("a node answered in an encoding that it was not asked for"));
    return;
  }
  const parts: Uint8Array[] = [];
  body.on("data", (part: Uint8Array) => {
    if (take(part.byteLength)) {
      parts.push(part);
      return;
    }
    body.destroy();
    fail(new OversizeAnswer("the node's answer is longer than is read of one"));
  });
  body.on("end", () => {
    const [only, ...others] = parts;
    if (!response.complete) fault();
    else done(others.length === 0 ? (only ?? new Uint8Array()) : Buffer.concat(parts));
  });
}

/** Counts up to so many bytes. */
export function upTo(most: number): (bytes: number) => boolean {
  let left = most;
  return (bytes) => {
    left -= bytes;
    return left >= 0;
  };
}
