import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";

/** What a key store was asked. */
export interface SeenQuestion {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = (response: ServerResponse, question: SeenQuestion) => void;

/** A key store that answers whatever a test says. */
export function useLyingStore() {
  let server: Server;
  let url = "";
  let answer: Answer = (response) => response.writeHead(500).end();
  let seen: SeenQuestion[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part) => parts.push(part));
      request.on("end", () => {
        const question = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts).toString() };
        seen.push(question);
        answer(response, question);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });
  return {
    url: () => url,
    seen: () => seen,
    /** From now on it answers so; what it was asked before is forgotten. */
    answers: (next: Answer): void => {
      answer = next;
      seen = [];
    },
    /** From now on it answers with this body. */
    answersJson: (body: unknown, status = 200): void => {
      answer = (response) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      seen = [];
    },
  };
}
