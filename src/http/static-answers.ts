import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

type Encoding = "br" | "gzip" | "identity";

/** One answer in every form it goes out in: bytes that all readers share. */
interface KeptAnswer {
  readonly etag: string;
  /** Compressed at most once each, when first asked for, and off the main thread. */
  bytes(encoding: Encoding): Promise<Buffer>;
}

/** Shorter answers gain nothing by compression. */
const compressedFromBytes = 1_024;

/**
 * Makes every text that a route of this scope answers one set of bytes for the life of the server, whichever client reads it and
 * however slowly: a text would be encoded anew for every reader, and lie in memory once for each until it is read. Sends it
 * compressed where the client takes that, with an entity tag, and 304 to clients that have it already. For scopes whose answers
 * depend on their path alone.
 */
export function keepAnswers(scope: FastifyInstance): void {
  const kept = new Map<string, KeptAnswer>();
  scope.addHook("onSend", async (request, reply, payload: unknown) => {
    if (reply.statusCode !== 200 || typeof payload !== "string") return payload;
    const route = request.routeOptions.url ?? "";
    const answer = kept.get(route) ?? keep(payload);
    kept.set(route, answer);
    const encoding = encodingFor(request, payload.length);
    reply.header("etag", answer.etag);
    reply.header("vary", withAcceptEncoding(reply));
    if (isKnownTo(request, answer.etag)) {
      reply.code(304).removeHeader("content-type");
      return null;
    }
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return answer.bytes(encoding);
  });
}

function keep(text: string): KeptAnswer {
  const identity = Buffer.from(text);
  const made = new Map<Encoding, Promise<Buffer>>([["identity", Promise.resolve(identity)]]);
  return {
    etag: `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`,
    bytes: (encoding) => {
      const bytes = made.get(encoding) ?? compress(identity, encoding);
      made.set(encoding, bytes);
      return bytes;
    },
  };
}

function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  // The highest level takes seconds for megabytes; of less it makes a tenth less within one.
  const quality = bytes.length > 1_000_000 ? 6 : 11;
  return encoding === "br"
    ? compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
    : compressGzip(bytes, { level: 7 });
}

function encodingFor(request: FastifyRequest, length: number): Encoding {
  if (length < compressedFromBytes) return "identity";
  const accepted = String(request.headers["accept-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(";", 1)[0]);
  return accepted.includes("br") ? "br" : accepted.includes("gzip") ? "gzip" : "identity";
}

function isKnownTo(request: FastifyRequest, etag: string): boolean {
  const given = request.headers["if-none-match"];
  if (given === undefined) return false;
  // Compared weakly: RFC 9110, section 13.1.2.
  const opaque = etag.replace(/^W\//, "");
  return given.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === opaque);
}

function withAcceptEncoding(reply: FastifyReply): string {
  const vary = reply.getHeader("vary");
  return vary === undefined ? "accept-encoding" : `${String(vary)}, accept-encoding`;
}
