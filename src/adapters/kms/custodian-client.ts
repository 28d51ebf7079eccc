import { randomBytes } from "node:crypto";
import { Agent, request as httpsRequest } from "node:https";
import { ed25519PublicKeyOf, signEd25519, verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { CustodianUnavailable, CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import { Compile } from "typebox/compile";
import { answerToSign, frame, isBase64UrlOf, requestToSign } from "../../custody/protocol/frame.js";
import {
  ErrorAnswer,
  type OperationAnswer,
  type OperationBody,
  type OperationName,
  operations,
  pathOf,
} from "../../custody/protocol/operations.js";
import type { KeyFolder } from "./key-folder.js";

/** The service's end of the protocol. */
export interface CustodianClient {
  /** Throws CustodyRefusal for what the custodian refuses for good, and CustodianUnavailable for everything but an answer. */
  ask<Name extends OperationName>(
    name: Name,
    params: Readonly<Record<string, string>>,
    body: OperationBody<Name>,
  ): Promise<OperationAnswer<Name>>;
  close(): void;
}

/** How long an answer may take, connection included. */
const answerMs = 10_000;
const connectionsMax = 16;

const checkers = Object.fromEntries(
  Object.entries(operations).map(([name, { answer }]) => [name, Compile(answer)]),
) as unknown as Record<OperationName, { Check(value: unknown): boolean }>;
const errorChecker = Compile(ErrorAnswer);

/** Speaks to the custodian at a URL, whose key and certificate are those of the folder. `now`: real time, Unix milliseconds. */
export function createCustodianClient(parts: {
  /** Asked for before every request, where it can change. */
  readonly url: string | (() => Promise<string>);
  readonly keys: KeyFolder;
  readonly now: () => number;
  readonly timeoutMs?: number;
}): CustodianClient {
  const { url, keys, now, timeoutMs = answerMs } = parts;
  const recipient = ed25519PublicKeyOf(keys.peer);
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connectionsMax,
    minVersion: "TLSv1.3",
    key: keys.key,
    cert: keys.certificate,
    ca: keys.peerCertificate,
    // The key is pinned; under which name it is reached says nothing.
    checkServerIdentity: (_, { raw }) =>
      raw !== undefined && keys.peerCertificateDer.equals(raw) ? undefined : new Error("another certificate"),
  });

  return {
    async ask(name, params, body) {
      const { method, path: template } = operations[name];
      // Before the request is signed: it may take longer than a signature lives.
      const base = typeof url === "string" ? url : await url();
      const path = pathOf(template, params);
      const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body), "utf8");
      const [time, nonce] = [String(now()), randomBytes(frame.nonceBytes).toString("base64url")];
      const signed = requestToSign({ method, path, time, nonce, body: bytes, recipient });
      const headers = {
        "content-type": "application/json",
        "content-length": bytes.length,
        [frame.timeHeader]: time,
        [frame.nonceHeader]: nonce,
        [frame.signatureHeader]: Buffer.from(signEd25519(keys.identity, signed)).toString("base64url"),
      };
      const answer = await exchange(new URL(path, base), { method, headers, agent, timeoutMs }, bytes);
      if (!isSigned(answer, nonce, keys)) throw failed("the answer was not signed by the custodian");
      return readAnswer(name, answer);
    },

    close: () => agent.destroy(),
  };
}

interface RawAnswer {
  readonly status: number;
  readonly signature: string;
  readonly body: Buffer;
}

function exchange(
  url: URL,
  options: { method: string; headers: Record<string, string | number>; agent: Agent; timeoutMs: number },
  bytes: Uint8Array,
): Promise<RawAnswer> {
  const { timeoutMs, ...rest } = options;
  return new Promise((resolve, reject) => {
    const asked = httpsRequest(url, { ...rest, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on("data", (part: Buffer) => {
        size += part.length;
        if (size > frame.answerBytesMax) asked.destroy(new Error("the answer is too large"));
        parts.push(part);
      });
      response.on("error", (error) => reject(translate(error)));
      response.on("end", () => {
        const signature = response.headers[frame.signatureHeader];
        resolve({
          status: response.statusCode ?? 0,
          signature: typeof signature === "string" ? signature : "",
          body: Buffer.concat(parts),
        });
      });
    });
    asked.on("error", (error) => reject(translate(error)));
    asked.end(bytes);
  });
}

/** Without the words of the error: they may name hosts. It is the cause. */
function translate(error: Error): CustodianUnavailable {
  const isLate = error.name === "AbortError" || error.name === "TimeoutError";
  const made = isLate
    ? new CustodianUnavailable("timeout", "The custodian did not answer in time.")
    : failed("the connection failed");
  made.cause = error;
  return made;
}

function isSigned({ status, signature, body }: RawAnswer, nonce: string, { peer }: KeyFolder): boolean {
  if (!isBase64UrlOf(signature, 64)) return false;
  return verifyEd25519(peer, answerToSign({ status, nonce, body }), Buffer.from(signature, "base64url"));
}

function readAnswer<Name extends OperationName>(name: Name, { status, body }: RawAnswer): OperationAnswer<Name> {
  const content = parseJson(body);
  if (status === 200) {
    if (!checkers[name].Check(content)) throw failed(`the answer is not one of ${name}`);
    return content as OperationAnswer<Name>;
  }
  if (!errorChecker.Check(content)) throw failed(`the answer has status ${status}`);
  const { code, message, reason, policy } = content.error;
  if (code === "refused" && status === 422 && reason !== undefined) {
    throw new CustodyRefusal(reason, message, policy && { rule: policy.rule, ...waitingOf(policy) });
  }
  throw failed(`the answer is ${code}: ${message}`);
}

const waitingOf = ({ not_before, change_id }: { readonly not_before?: number; readonly change_id?: string }) => ({
  ...(not_before === undefined ? {} : { notBefore: not_before }),
  ...(change_id === undefined ? {} : { changeId: change_id }),
});

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    // Text that is no JSON is one of the answers of a parser of untrusted input.
    return undefined;
  }
}

/** The custodian has answered nothing that counts. */
export const failed = (why: string): CustodianUnavailable =>
  new CustodianUnavailable("provider_error", `The custodian cannot be believed: ${why}.`);
