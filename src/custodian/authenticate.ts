import type { KeyObject } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { verifyEd25519 } from "@trellis/kernel/crypto/ed25519.js";
import { frame, isBase64UrlOf, requestToSign } from "../custody/protocol/frame.js";
import { ProtocolError } from "./refusals.js";

/** A request as it was received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** The nonce of a request, if it is one: an answer to anything else is signed over none. */
export function nonceOf(headers: IncomingHttpHeaders): string {
  const nonce = headers[frame.nonceHeader];
  return typeof nonce === "string" && isBase64UrlOf(nonce, frame.nonceBytes) ? nonce : "";
}

/**
 * Requires that the service has signed a request to this custodian, now. Whether it is the first with its nonce is for the store to
 * say, which others cannot fill: only what was signed is noted. Throws ProtocolError.
 */
export function requireSigned(
  { method, path, headers, body }: ReceivedRequest,
  { peer, recipient, now }: { readonly peer: KeyObject; readonly recipient: Uint8Array; readonly now: number },
): void {
  const nonce = nonceOf(headers);
  const time = headers[frame.timeHeader];
  const signature = headers[frame.signatureHeader];
  if (nonce === "" || typeof time !== "string" || !/^\d{1,15}$/.test(time) || typeof signature !== "string") {
    throw unauthenticated("The request lacks its time, nonce or signature.");
  }
  const signed = requestToSign({ method, path, time, nonce, body, recipient });
  if (!isBase64UrlOf(signature, 64) || !verifyEd25519(peer, signed, Buffer.from(signature, "base64url"))) {
    throw unauthenticated("The service has not signed this request.");
  }
  if (Math.abs(now - Number(time)) > frame.toleranceMs) {
    throw unauthenticated("The clocks of the service and the custodian differ by more than a minute.");
  }
}

const unauthenticated = (message: string) => new ProtocolError("unauthenticated", message);
