import { Buffer } from "node:buffer";
import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Macs } from "@trellis/kernel/crypto/macs.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Random } from "@trellis/kernel/ports/random.js";

/** For what a nonce is good. */
export type NonceScope = UserScope | MemberScope;

/** For a tenant and an environment, and of a wallet for one address on pages of one origin. */
interface UserScope {
  readonly tenantId: string;
  readonly environment: EnvironmentName;
  readonly wallet?: { readonly address: string; readonly origin: string };
}

/** For the console at one origin: to sign in, or to add a passkey in a session. */
interface MemberScope {
  readonly console: { readonly origin: string; readonly sessionId: string | null };
}

const randomBytes = 16;
const headBytes = randomBytes + 8;

/**
 * Something to be signed in with once: 16 random bytes, its end (Unix milliseconds, by the caller's clock) and a proof that it was given
 * here for this scope. Anybody may ask for one, so nothing is kept of it before it is used.
 */
export function issueNonce(
  { keyring, random }: { readonly keyring: Keyring; readonly random: Random },
  scope: NonceScope,
  expiresAt: number,
): Uint8Array {
  const head = Buffer.alloc(headBytes);
  head.set(random.bytes(randomBytes));
  head.writeBigUInt64BE(BigInt(expiresAt), randomBytes);
  return Buffer.concat([head, macsOf(keyring, scope).make(nonceText(scope, head))]);
}

/** When a nonce ends; undefined for one that was not given here, for this scope. */
export async function readNonce(
  keyring: Keyring,
  scope: NonceScope,
  nonce: Uint8Array | undefined,
): Promise<number | undefined> {
  if (nonce === undefined || nonce.length <= headBytes) return undefined;
  const head = Buffer.from(nonce.subarray(0, headBytes));
  const isOurs = await macsOf(keyring, scope).verify(nonceText(scope, head), nonce.subarray(headBytes));
  return isOurs ? Number(head.readBigUInt64BE(randomBytes)) : undefined;
}

function macsOf(keyring: Keyring, scope: NonceScope): Macs {
  if ("console" in scope) return keyring.macs("member-passkey");
  return keyring.macs(scope.wallet === undefined ? "passkey-sign-in" : "wallet-sign-in");
}

const nonceText = (scope: NonceScope, head: Buffer): string =>
  JSON.stringify([...partsOf(scope), head.toString("hex")]);

function partsOf(scope: NonceScope): readonly (string | null)[] {
  if ("console" in scope) return [scope.console.origin, scope.console.sessionId];
  const { tenantId, environment, wallet } = scope;
  return [tenantId, environment, ...(wallet === undefined ? [] : [wallet.address, wallet.origin])];
}
