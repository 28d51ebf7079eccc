import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export type ReceivedRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, or undefined without a body. */
  readonly body: unknown;
};

/** What to answer; `hang up` closes the connection, `silence` never answers. */
export type ScriptedAnswer =
  | "hang up"
  | "silence"
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    };

export type ScriptedServer = {
  readonly baseUrl: string;
  readonly received: readonly ReceivedRequest[];
  readonly close: () => Promise<void>;
};

/** Starts an HTTP server on a free port of this machine that records requests and answers as `answer` says. */
export async function startScriptedServer(
  answer: (request: ReceivedRequest, count: number) => ScriptedAnswer,
): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    incoming.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const request: ReceivedRequest = {
        method: incoming.method ?? "",
        url: incoming.url ?? "",
        headers: incoming.headers,
        body: text === "" ? undefined : JSON.parse(text),
      };
      received.push(request);
      const scripted = answer(request, received.length);
      if (scripted === "silence") return;
      if (scripted === "hang up") {
        incoming.socket.destroy();
        return;
      }
      outgoing.writeHead(scripted.status, { "content-type": "application/json", ...scripted.headers });
      outgoing.end(scripted.text ?? JSON.stringify(scripted.body ?? null));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
