import { hex } from "@scure/base";
import { encodeHex } from "./encoding.js";
import type { EncryptionKeyPair } from "./key-pair.js";
import { randomIdempotencyKey } from "./request-sender.js";
import { openSession } from "./session.js";
import type { SignedInAccount } from "./sign-in.js";
import type { ProviderAuthentication } from "./wire.js";

/** A session as it is kept: with it and the service, a user is signed in again. As secret as the session. */
export type KeptSession = {
  readonly email: string;
  readonly account: string;
  readonly userId: string;
  readonly authentication: ProviderAuthentication;
  /** Hex. */
  readonly privateKeyPkcs8: string;
  readonly publicKeySpkiBase64: string;
  /** Unix milliseconds, by this device. */
  readonly openedAtMs: number;
  /** The key under which it is refreshed: a refresh that broke off is answered once more, and is no second use. */
  readonly refreshId: string;
};

export function keptFrom({ email, account, userId, session, keyPair }: SignedInAccount): KeptSession {
  return {
    email,
    account,
    userId,
    authentication: session.authentication,
    privateKeyPkcs8: encodeHex(keyPair.privateKeyPkcs8),
    publicKeySpkiBase64: keyPair.publicKeySpkiBase64,
    openedAtMs: Date.now(),
    refreshId: randomIdempotencyKey(),
  };
}

/** Opens it. Rejects with `InvalidKeyError` for what no such session can be opened from. */
export async function openKept(kept: KeptSession): Promise<SignedInAccount> {
  const { email, account, userId, authentication } = kept;
  const keyPair = keyPairOf(kept);
  return { email, account, userId, keyPair, session: await openSession(authentication, keyPair) };
}

function keyPairOf({ privateKeyPkcs8, publicKeySpkiBase64 }: KeptSession): EncryptionKeyPair {
  return { privateKeyPkcs8: hex.decode(privateKeyPkcs8), publicKeySpkiBase64 };
}
