import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { TLSSocket } from "node:tls";
import { ed25519PublicKeyOf, signEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { KeyFolder } from "../adapters/kms/key-folder.js";
import { answerToSign, frame } from "../custody/protocol/frame.js";
import { nonceOf, requireSigned } from "./authenticate.js";
import type { CustodianContext } from "./context.js";
import { dispatch } from "./dispatch.js";
import { claimNonce } from "./nonces.js";
import { type PlainAnswer, ProtocolError, toErrorAnswer, unavailable } from "./refusals.js";

/** Requests that are carried out at once; others are answered that they may come again. */
const requestsAtOnce = 64;
const connectionsMax = 256;
const headersMs = 5_000;
const requestMs = 10_000;

/**
 * The custodian's end of the protocol: TLS 1.3 with the one certificate that is pinned, a signed request that was not received before,
 * one operation, a signed answer.
 */
export function createCustodianServer(context: CustodianContext, keys: KeyFolder, log: Log): Server {
  const recipient = ed25519PublicKeyOf(keys.identity);
  let running = 0;

  const answer = async (request: IncomingMessage): Promise<PlainAnswer> => {
    if (running >= requestsAtOnce) return unavailable;
    running += 1;
    try {
      const { method = "", url: path = "", headers } = request;
      const received = { method, path, headers, body: await readBody(request) };
      const now = context.clock.now();
      requireSigned(received, { peer: keys.peer, recipient, now });
      if (!(await claimNonce(context.db, nonceOf(headers), now))) {
        throw new ProtocolError("replayed", "The request was received before.");
      }
      return await dispatch(context, received);
    } catch (error) {
      const known = toErrorAnswer(error);
      if (known !== undefined) return known;
      // operator: report it with the error that it names
      log.error({ event: "custodian_request_failed", err: error }, "custodian request failed");
      return unavailable;
    } finally {
      running -= 1;
    }
  };

  const { key, certificate: cert, peerCertificate: ca } = keys;
  const server = createServer(
    { key, cert, ca, requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.3" },
    (request, response) => {
      void answer(request).then((plain) => send(response, plain, { context, nonce: nonceOf(request.headers) }));
    },
  );
  server.maxConnections = connectionsMax;
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  // What is pinned is the key, and not who has certified it.
  server.on("secureConnection", (socket: TLSSocket) => {
    if (socket.getPeerX509Certificate()?.publicKey.equals(keys.peer) !== true) socket.destroy();
  });
  return server;
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > frame.requestBytesMax) throw new ProtocolError("too_large", "The body is too large.");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function send(
  response: ServerResponse,
  { status, body: content }: PlainAnswer,
  { context, nonce }: { readonly context: CustodianContext; readonly nonce: string },
): void {
  const body = Buffer.from(JSON.stringify(content), "utf8");
  const signature = signEd25519(context.identity, answerToSign({ status, nonce, body }));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": body.length,
    [frame.signatureHeader]: Buffer.from(signature).toString("base64url"),
    // What of a body was not read would be taken for the next request.
    ...(status === 413 ? { connection: "close" } : {}),
  });
  response.end(body);
}
