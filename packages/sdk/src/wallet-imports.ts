import { base58 } from "@scure/base";
import { decodeBase64, encodeBase64, encodeUtf8, equalBytes } from "./encoding.js";
import { sealHpke } from "./hpke-open.js";
import { InvalidKeyError } from "./p256-private-key.js";
import { type Authorizer, authorize, walletDocumentsIn } from "./passkeys.js";
import { accountPath, type CallOptions, type ServiceCalls } from "./service-calls.js";
import { addressOfKey } from "./sign-transaction.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { BegunWalletImport, SealedWalletKey, WalletImport, WireEnvironment } from "./wire.js";

/**
 * A Solana secret key as tools write it: 64 bytes, the seed and the public key, or the 32 bytes of the seed; as bytes, as the numbers
 * of a key file, as that file's JSON text, or in base58.
 */
export type ImportedKey = Uint8Array | readonly number[] | string;

/** A key that its owner imports, sealed by `sealKeyForImport`: where a passkey commands the owner's wallet, by that alone. */
export type CompleteWalletImport = Authorizer & {
  /** The smart account. */
  readonly account: string;
  /** As `begin` answered it. */
  readonly begun: BegunWalletImport;
  readonly sealedKey: SealedWalletKey;
};

/** Keys of signers that become wallets of a custodian (gap 194). */
export function createWalletImportCalls({
  post,
  environment,
  now,
}: ServiceCalls & { readonly environment: WireEnvironment; readonly now: () => number }) {
  const documentOf = walletDocumentsIn(environment);
  return {
    /** Has the custodian make a recipient for the key of a signer. */
    begin: (asked: {
      readonly account: string;
      readonly signer: string;
      readonly provider?: BegunWalletImport["provider"];
    }): Promise<BegunWalletImport> =>
      post(accountPath(asked.account, "/wallet-imports:options"), { signer: asked.signer, provider: asked.provider }),
    /** Completes it. What is signed is made here, and names this recipient. */
    complete: async (wanted: CompleteWalletImport, options: CallOptions = {}): Promise<WalletImport> => {
      const { account, begun, sealedKey } = wanted;
      const document = documentOf("importWallet", begun.authorizing_signer, {
        params: { address: begun.signer, recipient_public_key: begun.recipient_public_key },
        nonce: begun.import_id,
        expires_at: begun.expires_at,
      });
      // A session signs, and passkeys do where the wallet has any: its session would be refused then.
      const by = begun.passkey_required ? { ...wanted, session: undefined } : wanted;
      const authorization = await authorize(by, begun.authorizing_signer, document, now());
      const body = { import_id: begun.import_id, sealed_key: sealedKey, authorization };
      const imported = await post<WalletImport>(accountPath(account, "/wallet-imports"), body, options);
      if (imported.wallet.address !== begun.signer || imported.id !== begun.import_id) {
        throw new TransactionMismatchError("signers", "the service imported another key than the one that was sealed");
      }
      return imported;
    },
  };
}

/**
 * Seals a key to the recipient of an import, in this process: only the custodian opens it, and only for this import. Throws
 * `InvalidKeyError` where it is no key, its two halves do not belong together, or it is not the key of the signer that the import names.
 */
export async function sealKeyForImport(
  secretKey: ImportedKey,
  begun: Pick<BegunWalletImport, "import_id" | "signer" | "recipient_public_key">,
): Promise<SealedWalletKey> {
  const key = bytesOfKey(secretKey);
  const seed = key.slice(0, 32);
  try {
    const address = addressOfKey(key);
    if (address !== begun.signer)
      throw new InvalidKeyError(`this is the key of ${address}, and not of ${begun.signer}`);
    const info = encodeUtf8(`trellis/wallet-import/1/${begun.import_id}/${begun.signer}`);
    const sealed = await sealHpke(pointInSpki(begun.recipient_public_key), seed, info);
    return {
      encapsulated_key: encodeBase64(sealed.encapsulatedKey),
      ciphertext: encodeBase64(sealed.ciphertext),
    };
  } finally {
    key.fill(0);
    seed.fill(0);
  }
}

/** A copy of the bytes, whatever they are written in. */
function bytesOfKey(key: ImportedKey): Uint8Array {
  if (typeof key !== "string") return bytesOfNumbers(Array.from(key));
  try {
    const text = key.trim();
    return text.startsWith("[") ? bytesOfNumbers(JSON.parse(text)) : base58.decode(text);
  } catch (cause) {
    if (cause instanceof InvalidKeyError) throw cause;
    // The cause is left out: it could hold the text.
    throw new InvalidKeyError("a secret key is base58, or a JSON array of numbers");
  }
}

function bytesOfNumbers(numbers: readonly unknown[]): Uint8Array {
  const isByte = (one: unknown) => typeof one === "number" && Number.isInteger(one) && one >= 0 && one < 256;
  if (!Array.isArray(numbers) || !numbers.every(isByte)) throw new InvalidKeyError("a secret key is an array of bytes");
  return Uint8Array.from(numbers as number[]);
}

const spkiPrefix = decodeBase64("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgA=");

function pointInSpki(spki: string): Uint8Array {
  const der = decodeBase64(spki);
  if (der.length === spkiPrefix.length + 65 && equalBytes(der.subarray(0, spkiPrefix.length), spkiPrefix))
    return der.subarray(spkiPrefix.length);
  throw new InvalidKeyError("the service named no P-256 key as the recipient");
}
