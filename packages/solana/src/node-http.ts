import { Buffer } from "node:buffer";
import { SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from "@solana/kit";
import { type JsonBounds, parseExactJson } from "@trellis/kernel/exact-json.js";

/** A question to a node. */
export interface NodeQuestion {
  readonly url: string | URL;
  /** JSON. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends it: with an error named TimeoutError where it is a timeout's. */
  readonly signal: AbortSignal;
  /** Counts the answer's bytes as they arrive, unpacked. False ends it. Default: up to `nodeAnswerBytes`. */
  readonly take?: (bytes: number) => boolean;
}

/** What a node answered, whatever its status. */
export interface NodeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** The answer was longer than was allowed for. */
export class OversizeAnswer extends Error {
  override readonly name = "OversizeAnswer";
}

/** An account of the largest size there is takes 14 MiB in base64. */
export const nodeAnswerBytes = 16 * 1024 * 1024;
/** What no answer of a node approaches: a page of a thousand signatures has seven thousand values. */
const jsonBounds = { depth: 64, values: 250_000 };

/**
 * The one way by which questions go to nodes, those of clusters and the sandbox's own process alike. A node is not trusted:
 * no redirect is followed, which may lead anywhere in the service's own network; of an answer no more is read than `take`
 * lets in, counted after unpacking. Throws what `fetch` throws, `signal`'s reason, or OversizeAnswer.
 */
export async function askNode(question: NodeQuestion): Promise<NodeAnswer> {
  const response = await fetch(question.url, {
    method: "POST",
    redirect: "manual",
    body: question.body,
    headers: { accept: "application/json", "content-type": "application/json; charset=utf-8", ...question.headers },
    signal: question.signal,
  });
  const { status, headers } = response;
  return { status, headers, bytes: await readBody(response, question.take ?? upTo(nodeAnswerBytes)) };
}

/** The same, of an answer with status 200 and JSON. Throws SolanaError for any other status, a redirect among them. */
export async function askNodeForJson(question: NodeQuestion, bounds: JsonBounds = jsonBounds): Promise<unknown> {
  const { status, headers, bytes } = await askNode(question);
  if (status !== 200) {
    const message = status >= 300 && status < 400 ? "a redirect, which is not followed" : "no success";
    throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, { headers, message, statusCode: status });
  }
  return parseNodeJson(bytes, bounds);
}

/** Reads a node's JSON, integers exact. Throws SyntaxError and RangeError, also for what is too deep or has too many values. */
export function parseNodeJson(bytes: Uint8Array, bounds: JsonBounds = jsonBounds): unknown {
  return parseExactJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"), bounds);
}

async function readBody({ body }: Response, take: (bytes: number) => boolean): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(parts);
    if (!take(value.byteLength)) {
      await reader.cancel();
      throw new OversizeAnswer("the node's answer is longer than is read of one");
    }
    parts.push(value);
  }
}

/** Counts up to so many bytes. */
export function upTo(most: number): (bytes: number) => boolean {
  let left = most;
  return (bytes) => {
    left -= bytes;
    return left >= 0;
  };
}
