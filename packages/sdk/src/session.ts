import { findForm } from "./custody-forms.js";
import type { EncryptionKeyPair } from "./key-pair.js";
import { type AuthorizationKey, openAuthorizationKey } from "./open-authorization-key.js";
import { InvalidKeyError } from "./p256-private-key.js";
import type { CustodyProvider, CustodySession, ProviderAuthentication, SessionWallet } from "./wire.js";

/** What signs: the authorization key and what it commands. */
export type SigningSession = {
  readonly provider: CustodyProvider;
  readonly authorizationKey: AuthorizationKey;
  /** The wallets (Ed25519 keys at the custodian) the key may command. */
  readonly wallets: readonly SessionWallet[];
};

/** An opened session. */
export type TrellisSession = SigningSession & {
  /** Unix milliseconds, by the clock of the environment. */
  readonly expiresAtMs: number;
  /** What `auth.refresh` sends back; holds the refresh token. */
  readonly authentication: ProviderAuthentication;
};

/**
 * Opens the session in the answer of a verify or refresh call (interface 2.7, gap 20) with the key pair whose public
 * half was sent. Rejects with `InvalidKeyError` when the answer has no session of that provider, or one that was
 * sealed to another key pair.
 *
 * @example
 * const session = await openSession(verified.authentication[0], keyPair);
 */
export async function openSession(
  authentication: ProviderAuthentication | undefined,
  keyPair: EncryptionKeyPair,
): Promise<TrellisSession> {
  if (authentication === undefined) throw new InvalidKeyError("the answer holds no session");
  const { session } = custodySessionOf(authentication);
  return {
    provider: authentication.provider,
    authorizationKey: await openAuthorizationKey(session.encrypted_authorization_key, keyPair.privateKeyPkcs8),
    wallets: session.wallets,
    expiresAtMs: session.expires_at,
    authentication,
  };
}

/** The token that proves who is signed in, where the key is a publishable one (gap 123). Older services give none. */
export function sessionTokenOf({ authentication }: Pick<TrellisSession, "authentication">): string | undefined {
  return custodySessionOf(authentication).token;
}

function custodySessionOf(authentication: ProviderAuthentication): CustodySession {
  const form = findForm(authentication.provider);
  const session = form && authentication.session[form.sessionKey];
  if (session === undefined) throw new InvalidKeyError(`the answer holds no session of ${authentication.provider}`);
  return session;
}
