import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, TrellisError } from "@trellis/kernel/errors.js";
import { errorAnswer } from "./error-answer.js";

/** What node:http says of bytes that never became a request. */
type ClientError = Error & { readonly code?: string };

const refusals: Readonly<Record<string, readonly [code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The request line and headers are larger than 16 KiB."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["body_too_large", "The chunk extensions of the body are larger than allowed."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request did not arrive in time."],
};

/** How long a peer has to take its answer before its connection is destroyed, in milliseconds. */
const lingerMs = 2_000;

/**
 * Answers what is not HTTP, or too much of it, on the bare socket with the one error body (gap 3), and closes it: normally
 * where the peer plays along, and after two seconds in any case. `now` is real time in Unix milliseconds.
 */
export function answerClientError(error: ClientError, socket: Socket, requestId: string, now: number): void {
  // The client is not there any more, or an answer is already on its way.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [code, message] = refusals[error.code ?? ""] ?? ["invalid_request", "This is not a well-formed HTTP request."];
  const { status, headers, body } = bareAnswer(new TrellisError(code, { message }), requestId, now);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Destroyed at once, what the peer still sends would cost it the answer; never, a silent peer would keep the socket.
  const closing = setTimeout(() => socket.destroy(), lingerMs);
  closing.unref();
  socket.once("close", () => clearTimeout(closing));
}

/** Refuses an `Expect` header other than `100-continue` (RFC 9110, section 10.1.1) with the one error body. */
export function refuseExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  now: number,
): void {
  const { status, headers, body } = bareAnswer(new TrellisError("expectation_failed"), requestId, now);
  response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : body);
}

/** The error body with the headers of an answer after which the connection ends. */
function bareAnswer(error: TrellisError, requestId: string, now: number) {
  const { status, body } = errorAnswer(error, requestId, now);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": requestId,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    connection: "close",
  };
  return { status, headers, body };
}
