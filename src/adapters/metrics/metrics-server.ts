import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, isIPv4 } from "node:net";

/** Where metrics are read. */
export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

const connectionsMax = 64;

/**
 * Serves `GET /metrics` on a port of its own, so that no proxy in front of the service can show it by mistake. With a
 * token, only to who brings it.
 */
export async function startMetricsServer(parts: {
  readonly host: string;
  readonly port: number;
  readonly token: string | null;
  readonly contentType: string;
  readonly write: () => Promise<string>;
}): Promise<MetricsServer> {
  const { host, port, token, contentType, write } = parts;
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const say = (status: number, type: string, text: string, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store", ...headers });
      response.end(request.method === "HEAD" ? undefined : text);
    };
    const plain = "text/plain; charset=utf-8";
    if (isLocal(host) && !isOwnName(request.headers.host)) {
      return say(421, plain, "Metrics on this machine are read by its address or as localhost.\n");
    }
    const [path] = (request.url ?? "").split("?");
    if (path !== "/metrics") return say(404, plain, "Metrics are at /metrics.\n");
    if (request.method !== "GET" && request.method !== "HEAD") {
      return say(405, plain, "Metrics are read with GET.\n", { allow: "GET, HEAD" });
    }
    if (token !== null && !brings(request, token)) {
      const headers = { "www-authenticate": "Bearer" };
      return say(401, plain, "Send the token of TRELLIS_METRICS_TOKEN as Authorization: Bearer.\n", headers);
    }
    write().then(
      (text) => say(200, contentType, text),
      () => say(503, plain, "The metrics cannot be written at present.\n"),
    );
  });
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether only this machine reaches it. */
function isLocal(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}

/**
 * An address, or the name that is this machine on every machine. Any other name may lead here for a page in a browser of
 * this machine, whose own site it then is (DNS rebinding): that page must read nothing.
 */
function isOwnName(header: string | undefined): boolean {
  const name = (header ?? "").replace(/:\d+$/, "").toLowerCase();
  return name === "localhost" || /^\[[0-9a-f:.]+\]$/.test(name) || isIPv4(name);
}

/** Hashes have one length, and comparing them takes one time. */
function brings(request: IncomingMessage, token: string): boolean {
  const [, given = ""] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "") ?? [];
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}
