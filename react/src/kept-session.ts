import { type EncryptionKeyPair, openSession, type ProviderAuthentication, type TrellisSession } from "@trellis/sdk";

/** Who is signed in, and what signs for them. */
export type SignedIn = {
  readonly email: string;
  /** The smart account's address. */
  readonly account: string;
  /** The `grid_user_id`: what an identity token has as `sub`. */
  readonly userId: string;
  readonly session: TrellisSession;
};

/** A session as it is kept: with it and the service, somebody is signed in again. As secret as the session. */
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

export function keep(
  person: Pick<SignedIn, "email" | "account" | "userId">,
  authentication: ProviderAuthentication,
  keyPair: EncryptionKeyPair,
): KeptSession {
  return {
    email: person.email,
    account: person.account,
    userId: person.userId,
    authentication,
    privateKeyPkcs8: toHex(keyPair.privateKeyPkcs8),
    publicKeySpkiBase64: keyPair.publicKeySpkiBase64,
    openedAtMs: Date.now(),
    refreshId: randomId(),
  };
}

/** Opens it. Rejects with `InvalidKeyError` for what no such session can be opened from. */
export async function openKept(kept: KeptSession): Promise<SignedIn> {
  const { email, account, userId, authentication } = kept;
  return { email, account, userId, session: await openSession(authentication, keyPairOf(kept)) };
}

export function keyPairOf({ privateKeyPkcs8, publicKeySpkiBase64 }: KeptSession): EncryptionKeyPair {
  return { privateKeyPkcs8: fromHex(privateKeyPkcs8), publicKeySpkiBase64 };
}

export function randomId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
