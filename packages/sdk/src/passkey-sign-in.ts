import { generateEncryptionKeyPair } from "./key-pair.js";
import { askForPasskey, type CredentialsApi } from "./passkey-signer.js";
import type { ServiceCalls } from "./service-calls.js";
import { openSession } from "./session.js";
import type { SignedInAccount } from "./sign-in.js";
import type { BegunPasskeySignIn, PasskeySignedIn, WireEnvironment } from "./wire.js";

export type PasskeySignInOptions = {
  /** Which account, where the passkey's wallet signs for several. */
  readonly account?: string;
  /** When the session is to end, Unix seconds. */
  readonly expiration?: number;
  /** Default: `navigator.credentials`. */
  readonly credentials?: CredentialsApi;
};

/**
 * Signs in with a passkey alone (gap 163). What it signs names the key that the session is sealed to, which is made here. Rejects with what the browser rejects with, and with `TrellisApiError`.
 */
export function createPasskeySignIn({
  post,
  environment,
}: Pick<ServiceCalls, "post"> & { environment: WireEnvironment }) {
  return async (options: PasskeySignInOptions = {}): Promise<SignedInAccount> => {
    const { account, expiration, credentials } = options;
    const { nonce, rp_id } = await post<BegunPasskeySignIn>("/auth/passkey:options", undefined);
    const keyPair = generateEncryptionKeyPair();
    const ownKey = { encryption_public_key: keyPair.publicKeySpkiBase64 };
    const document = {
      version: 1,
      method: "signIn",
      environment: environment === "production" ? "mainnet" : environment,
      params: ownKey,
      nonce,
    };
    const assertion = await askForPasskey(document, { rpId: rp_id, allowed: [], ...(credentials && { credentials }) });
    const answer = await post<PasskeySignedIn>("/auth/passkey", {
      nonce,
      assertion,
      kms_provider_config: ownKey,
      ...(account === undefined ? {} : { smart_account_address: account }),
      ...(expiration === undefined ? {} : { expiration }),
    });
    const session = await openSession(answer.authentication[0], keyPair);
    return { email: answer.email, session, account: answer.address, userId: answer.grid_user_id, keyPair };
  };
}
