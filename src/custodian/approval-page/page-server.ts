import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { CustodianContext } from "../context.js";
import { pageHeaders, pageHtml } from "./page-html.js";
import { readApproval } from "./read-approval.js";

/** Larger than any payload. */
const bodyBytesMax = 16_384;
const requestsAtOnce = 32;
const connectionsMax = 256;
const headersMs = 5_000;
const requestMs = 10_000;

interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (status: number, body: object): PageAnswer => ({
  status,
  type: "application/json",
  body: JSON.stringify(body),
});

/**
 * The custodian's page for its holders, on a port of its own behind a proxy that ends TLS. Anybody may ask it what bytes do; it signs
 * nothing, and answers what is no payload of its wallets with 404.
 */
export function createPageServer(context: CustodianContext, log: Log): Server {
  let running = 0;

  const answer = async (request: IncomingMessage): Promise<PageAnswer> => {
    if (running >= requestsAtOnce) return json(503, {});
    running += 1;
    try {
      if (request.method === "GET" && request.url === "/") {
        return { status: 200, type: "text/html; charset=utf-8", body: pageHtml };
      }
      if (request.method !== "POST" || request.url !== "/approvals") return json(404, {});
      // Only the page itself asks: a form of another page cannot send this type, and a script of one is not answered readably.
      if (request.headers["content-type"] !== "application/json") return json(415, {});
      const approval = await readApproval(context, await readJson(request));
      return approval === undefined ? json(404, {}) : json(200, approval);
    } catch (error) {
      if (error instanceof CustodyRefusal) return json(404, {});
      // Who broke off reads no answer. The port is open to everybody, so it is no line of the log.
      if (request.destroyed) return json(400, {});
      // operator: report it with the error that it names
      log.error({ event: "custodian_page_failed", err: error }, "custodian page failed");
      return json(503, {});
    } finally {
      running -= 1;
    }
  };

  const server = createServer((request, response) => {
    void answer(request).then((given) => send(response, given));
  });
  server.maxConnections = connectionsMax;
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  return server;
}

/** Undefined for what is too large, or no JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > bodyBytesMax) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    // Text that is no JSON is one of the answers of a parser of untrusted input.
    return undefined;
  }
}

function send(response: ServerResponse, { status, type, body }: PageAnswer): void {
  response.writeHead(status, { ...pageHeaders, "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
