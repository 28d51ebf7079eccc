import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
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
  return {
    nonce: Buffer.concat([head, macsOf(keyring).make(nonceText(scope, head))]).toString("base64url"),
    expiresAt,
  };
}

/** When a nonce ends; undefined for one that was not given here, for this tenant and environment. */
export async function readNonce(keyring: Keyring, scope: Scope, nonce: string): Promise<number | undefined> {
  const bytes = decodeBase64Url(nonce);
  if (bytes === undefined || bytes.length <= headBytes) return undefined;
  const head = Buffer.from(bytes.subarray(0, headBytes));
  if (!(await macsOf(keyring).verify(nonceText(scope, head), bytes.subarray(headBytes)))) return undefined;
  return Number(head.readBigUInt64BE(randomBytes));
}

const macsOf = (keyring: Keyring): Macs => keyring.macs("passkey-sign-in");

const nonceText = ({ tenantId, environment }: Scope, head: Buffer): string =>
  JSON.stringify([tenantId, environment, head.toString("hex")]);
