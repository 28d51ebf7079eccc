import { Buffer } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { createGunzip, type Gunzip } from "node:zlib";
import { SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from "@solana/kit";
import { stringifyJsonWithBigInts } from "@solana/rpc-spec-types";
import { type JsonBounds, parseExactJson } from "@trellis/kernel/exact-json.js";
import { Agent, type Dispatcher } from "undici";

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
 * server of Node.js does: a question must not meet its end. How long an answer may take is each question's own.
 */
const connections = new Agent({
  pipelining: 1,
  keepAliveTimeout: 3_000,
  keepAliveMaxTimeout: 3_000,
  connect: { timeout: 30_000 },
  headersTimeout: 0,
  bodyTimeout: 0,
});

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
    let isSettled = false;
    let sent: Dispatcher.DispatchController | undefined;
    let answer: AnswerReader | undefined;
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
      answer?.end();
      sent?.abort(noLongerWanted);
    };
    const abort = () => fail(signal?.reason);
    const timeout: NodeJS.Timeout = setTimeout(
      () => fail(new DOMException(`the node did not answer within ${timeoutMs} ms`, "TimeoutError")),
      timeoutMs,
    );
    signal?.addEventListener("abort", abort);
    const request = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: "POST",
      headers: {
        accept: "application/json",
        "accept-encoding": "gzip",
        "content-type": "application/json; charset=utf-8",
        ...credentialsIn(url),
        ...question.headers,
      },
      body,
    } as const;
    connections.dispatch(request, {
      onRequestStart: (controller) => {
        sent = controller;
        // It ended while there was no connection for it yet.
        if (isSettled) controller.abort(noLongerWanted);
      },
      onResponseStart: (controller, status, headers) => {
        // What stands before an answer, as "100 Continue", is none.
        if (status < 200) return;
        answer = readAnswer(headers, controller, take, fail, (bytes) => {
          settle();
          resolve({ status, headers, bytes });
        });
      },
      onResponseData: (_controller, part) => answer?.add(part),
      onResponseEnd: () => answer?.complete(),
      onResponseError: (_controller, error) => fail(error),
    });
  });
}

const noLongerWanted = new Error("the question has ended");

/** User and password of a URL, as HTTP has them. */
function credentialsIn({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const said = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(said, "utf8").toString("base64")}` };
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

/** Takes an answer's body in, part by part. */
interface AnswerReader {
  add(part: Uint8Array): void;
  /** No more will come. */
  complete(): void;
  /** Nothing of it is wanted any more. */
  end(): void;
}

function readAnswer(
  headers: IncomingHttpHeaders,
  connection: Dispatcher.DispatchController,
  take: (bytes: number) => boolean,
  fail: (error: unknown) => void,
  done: (bytes: Uint8Array) => void,
): AnswerReader {
  const parts: Uint8Array[] = [];
  const keep = (part: Uint8Array) => {
    if (take(part.byteLength)) parts.push(part);
    else fail(oversize());
  };
  const complete = () => {
    const [only, ...others] = parts;
    done(others.length === 0 ? (only ?? new Uint8Array()) : Buffer.concat(parts));
  };
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return { add: keep, complete, end: () => undefined };
  if (encoding === "gzip" || encoding === "x-gzip") return unpack(createGunzip(), connection, { keep, fail, complete });
  fail(new StrayAnswer("a node answered in an encoding that it was not asked for"));
  return { add: () => undefined, complete: () => undefined, end: () => undefined };
}

function unpack(
  gunzip: Gunzip,
  connection: Dispatcher.DispatchController,
  to: { keep: (part: Uint8Array) => void; fail: (error: unknown) => void; complete: () => void },
): AnswerReader {
  // What unpacks to nothing is bounded too.
  const takePacked = upTo(nodeAnswerBytes);
  gunzip.on("data", to.keep);
  gunzip.on("error", to.fail);
  gunzip.on("end", to.complete);
  gunzip.on("drain", () => connection.resume());
  return {
    add: (part) => {
      if (!takePacked(part.byteLength)) to.fail(oversize());
      else if (!gunzip.write(part)) connection.pause();
    },
    complete: () => void gunzip.end(),
    end: () => void gunzip.destroy(),
  };
}

const oversize = () => new OversizeAnswer("the node's answer is longer than is read of one");

/** Counts up to so many bytes. */
export function upTo(most: number): (bytes: number) => boolean {
  let left = most;
  return (bytes) => {
    left -= bytes;
    return left >= 0;
  };
}
