import { Buffer } from "node:buffer";
import { Agent as HttpAgent, request as requestPlain } from "node:http";
import { Agent as HttpsAgent, request as requestTls } from "node:https";
import { limits } from "@trellis/kernel/limits.js";
import { KeyStoreError } from "./key-store-error.js";

/** A question to a key store. Its headers and its body may be secret. */
export interface KeyStoreQuestion {
  /** The key store, in words for the operator. */
  readonly store: string;
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

/** What a key store answered, whatever its status; `body` is undefined for what is no JSON. */
export interface KeyStoreAnswer {
  readonly status: number;
  readonly body: unknown;
}

export type AskKeyStore = (question: KeyStoreQuestion) => Promise<KeyStoreAnswer>;

export interface KeyStoreDoorOptions {
  /** Certificates of authorities in PEM; absent: those of the system. */
  readonly authorities?: string;
  /** Default: `limits.keyStoreCallMs`. */
  readonly totalMs?: number;
}

/**
 * The door to a key store. Connections are kept, as a signature must not wait for a handshake. Every call is bounded in
 * time, waiting for its turn included, and in size. No redirect is followed: it would take a token elsewhere.
 */
export function createKeyStoreDoor(options: KeyStoreDoorOptions = {}): AskKeyStore {
  const { authorities, totalMs = limits.keyStoreCallMs } = options;
  const bounds = { keepAlive: true, maxSockets: limits.keyStoreCallsAtOnce, maxFreeSockets: 4 };
  const plain = new HttpAgent(bounds);
  const tls = new HttpsAgent({ ...bounds, ...(authorities === undefined ? {} : { ca: authorities }) });
  let underWay = 0;
  return async (question) => {
    if (underWay >= limits.keyStoreCallsWaiting) {
      throw new KeyStoreError("unavailable", `${question.store} is asked too much at once.`);
    }
    underWay += 1;
    const deadline = AbortSignal.timeout(totalMs);
    try {
      return await exchange(question, { plain, tls, deadline }).catch((error) => {
        // A kept connection may have been closed on the other side. Everything that is asked here can be asked twice.
        if (error === staleConnection) return exchange(question, { plain, tls, deadline });
        throw error;
      });
    } catch (error) {
      if (error instanceof KeyStoreError) throw error;
      throw new KeyStoreError("unavailable", `${question.store} does not answer${why(error, deadline, totalMs)}.`);
    } finally {
      underWay -= 1;
    }
  };
}

const staleConnection = Symbol("a kept connection was closed");

interface Means {
  readonly plain: HttpAgent;
  readonly tls: HttpsAgent;
  readonly deadline: AbortSignal;
}

function exchange(question: KeyStoreQuestion, { plain, tls, deadline }: Means): Promise<KeyStoreAnswer> {
  return new Promise((resolve, reject) => {
    const url = new URL(question.url);
    const body = Buffer.from(question.body ?? "", "utf8");
    const common = {
      method: question.method,
      headers: {
        accept: "application/json",
        ...question.headers,
        ...(question.body === undefined ? {} : { "content-length": String(body.length) }),
      },
      maxHeaderSize: 16_384,
      signal: deadline,
    };
    const outgoing =
      url.protocol === "https:"
        ? requestTls(url, { ...common, agent: tls })
        : requestPlain(url, { ...common, agent: plain });
    let isAnswered = false;
    outgoing.on("error", (error: NodeJS.ErrnoException) =>
      reject(!isAnswered && outgoing.reusedSocket && error.code === "ECONNRESET" ? staleConnection : error),
    );
    outgoing.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new KeyStoreError("wrong", `${question.store} answers with another protocol.`));
    });
    outgoing.on("response", (response) => {
      isAnswered = true;
      const status = response.statusCode ?? 0;
      const parts: Buffer[] = [];
      let left = limits.keyStoreAnswerBytes;
      const refuse = (words: string) => {
        reject(new KeyStoreError("wrong", `${question.store} ${words}.`));
        outgoing.destroy();
      };
      if (status >= 300 && status < 400) return refuse("answers with a redirect, which is not followed");
      response.on("data", (part: Buffer) => {
        left -= part.length;
        if (left < 0) refuse("answers with more than is read");
        else parts.push(part);
      });
      response.on("error", reject);
      response.on("close", () => reject(new Error("closed")));
      response.on("end", () => resolve({ status, body: parseJson(Buffer.concat(parts).toString("utf8")) }));
    });
    outgoing.end(body);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A code of the system or of TLS at most: messages may repeat what was sent. */
function why(error: unknown, deadline: AbortSignal, totalMs: number): string {
  if (deadline.aborted) return ` within ${totalMs / 1000} seconds`;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : "";
}
