import { p256 } from "@noble/curves/nist.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { encodeBase64 } from "./encoding.js";
import type { EncryptionKeyPair } from "./key-pair.js";
import { kmsA } from "./kms-a.js";
import { type AuthorizationKey, openAuthorizationKey } from "./open-authorization-key.js";
import { InvalidKeyError } from "./p256-private-key.js";
import type { SigningSession } from "./session.js";
import type { EncryptedAuthorizationKey, LegacyVerified } from "./wire.js";

const base58check = createBase58check(sha256);
const compressedPointBytes = 33;

/**
 * Opens the credential bundle of a v0 sign-in (interface 5.10, gap 61) with the key pair whose public half was sent.
 * Rejects with `InvalidKeyError` when the text is no bundle, or one that was sealed to another key pair.
 */
export async function openCredentialBundle(
  bundle: string,
  keyPair: Pick<EncryptionKeyPair, "privateKeyPkcs8">,
): Promise<AuthorizationKey> {
  return openAuthorizationKey(decodeCredentialBundle(bundle), keyPair.privateKeyPkcs8);
}

/**
 * Opens a v0 sign-in as something that signs what the present interface prepares. It cannot be refreshed: when its time
 * is over, sign in again.
 *
 * @example
 * const session = await openLegacySession(await trellis.legacy.verifyOtp(request), keyPair);
 * await trellis.transfers.send({ account: session.account, session, currency, destination, amount });
 */
export async function openLegacySession(
  verified: LegacyVerified,
  keyPair: Pick<EncryptionKeyPair, "privateKeyPkcs8">,
): Promise<SigningSession & { readonly account: string }> {
  const {
    wallet_id: id,
    smart_account_signer_public_key: address,
    smart_account_address: account,
  } = verified.account_info;
  const authorizationKey = await openCredentialBundle(verified.credential_bundle, keyPair);
  return { provider: kmsA.provider, authorizationKey, wallets: [{ id, address }], account };
}

function decodeCredentialBundle(bundle: string): EncryptedAuthorizationKey {
  try {
    const bytes = base58check.decode(bundle);
    // HPKE was made with the uncompressed form of the point.
    const encapsulatedKey = p256.Point.fromBytes(bytes.subarray(0, compressedPointBytes)).toBytes(false);
    return {
      encapsulated_key: encodeBase64(encapsulatedKey),
      ciphertext: encodeBase64(bytes.subarray(compressedPointBytes)),
    };
  } catch (cause) {
    throw new InvalidKeyError("the text is not a credential bundle", { cause });
  }
}
