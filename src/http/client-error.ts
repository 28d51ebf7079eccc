import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, TrellisError } from "../errors.js";
import { errorAnswer } from "./error-answer.js";

/** What node:http says of bytes that never became a request. */
type ClientError = Error & { readonly code?: string };

const refusals: Readonly<Record<string, readonly [code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The request line and headers are larger than 16 KiB."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["body_too_large", "The chunk extensions of the body are larger than allowed."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request took too long to arrive."],
};

/**
 * Answers what is not HTTP, or too much of it, on the bare socket with the one error body (gap 3), and closes it.
 * `now` is real time in Unix milliseconds.
 */
export function answerClientError(error: ClientError, socket: Socket, requestId: string, now: number): void {
  // Nobody is there any more, or an answer is already on its way.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [code, message] = refusals[error.code ?? ""] ?? ["invalid_request", "This is not a well-formed HTTP request."];
  const { status, body } = errorAnswer(new TrellisError(code, { message }), requestId, now);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    "cache-control: no-store",
    "x-content-type-options: nosniff",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
