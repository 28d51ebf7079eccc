import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import { limits } from "@trellis/kernel/limits.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { decodeBase64Url } from "../custody/encodings.js";

/** For which tenant and environment a nonce is good. */
interface Scope {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
}

const randomBytes = 16;
const headBytes = randomBytes + 8;

/**
 * Something to be signed in with once, for a few minutes: 16 random bytes, its end and a proof that it was given here. Anybody may
 * ask for one, so nothing is kept of it before it is used. `now` is environment time in Unix milliseconds.
 */
export function issueNonce(
  { keyring, random }: { readonly keyring: Keyring; readonly random: Random },
  scope: Scope,
  now: number,
): { readonly nonce: string; readonly expiresAt: number } {
  const expiresAt = now + limits.passkeyCeremonyMs;
  const head = Buffer.alloc(headBytes);
  head.set(random.bytes(randomBytes));
  head.writeBigUInt64BE(BigInt(expiresAt), randomBytes);
  return { nonce: Buffer.concat([head, proofOf(keyring, scope, head)]).toString("base64url"), expiresAt };
}

/** When a nonce ends; undefined for one that was not given here, for this tenant and environment. */
export function readNonce(keyring: Keyring, scope: Scope, nonce: string): number | undefined {
  const bytes = decodeBase64Url(nonce);
  if (bytes?.length !== headBytes + 32) return undefined;
  const head = bytes.subarray(0, headBytes);
  if (!timingSafeEqual(bytes.subarray(headBytes), proofOf(keyring, scope, head))) return undefined;
  return Number(head.readBigUInt64BE(randomBytes));
}

function proofOf(keyring: Keyring, { tenantId, environment }: Scope, head: Buffer): Buffer {
  return createHmac("sha256", keyring.deriveSecret("passkey-sign-in"))
    .update(JSON.stringify([tenantId, environment, head.toString("hex")]))
    .digest();
}
