import { decodeBase64, encodeUtf8 } from "./encoding.js";
import { openHpke } from "./hpke-open.js";
import { InvalidKeyError, privateKeyInPkcs8 } from "./p256-private-key.js";
import { type Authorizer, authorize, walletDocumentsIn } from "./passkeys.js";
import { accountPath, type CallOptions, type ServiceCalls } from "./service-calls.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { BegunWalletExport, WalletExport, WalletExportTerms, WireEnvironment } from "./wire.js";

/** An export that its owner orders: where a passkey commands the wallet, by that alone. */
export type OrderWalletExport = Authorizer & {
  /** The smart account. */
  readonly account: string;
  /** As `begin` answered it. */
  readonly begun: BegunWalletExport;
  /** Of the mail. */
  readonly code: string;
  /** As it was sent to `begin`: `publicKeySpkiBase64` of a key pair of the owner's own. */
  readonly recipientPublicKey: string;
};

/** An export that its owner cancels, by a session of the wallet or a passkey. */
export type CancelWalletExport = Authorizer & {
  readonly account: string;
  readonly walletExport: Pick<WalletExport, "id" | "signer">;
};

/** Keys of custodians' wallets that are handed out to their owners (gap 182), and how long that waits (gap 183). */
export function createWalletExportCalls(
  needs: ServiceCalls & { readonly environment: WireEnvironment; readonly now: () => number },
) {
  const { call, get, post, environment, now } = needs;
  const pathOf = (account: string, rest = "") => accountPath(account, `/wallet-exports${rest}`);
  const documentOf = walletDocumentsIn(environment);
  const ofOne = (account: string, id: string) => pathOf(account, `/${encodeURIComponent(id)}`);
  return {
    /** Has the owner mailed a code. `recipientPublicKey`: the key that the wallet's key is to be sealed to. */
    begin: (asked: {
      readonly account: string;
      readonly recipientPublicKey: string;
      readonly signer?: string;
    }): Promise<BegunWalletExport> =>
      post(pathOf(asked.account, ":options"), { recipient_public_key: asked.recipientPublicKey, signer: asked.signer }),
    /** Orders it. What is signed is made here, and names this recipient. */
    order: async (wanted: OrderWalletExport, options: CallOptions = {}): Promise<WalletExport> => {
      const { account, begun, code, recipientPublicKey } = wanted;
      const document = documentOf("exportWallet", begun.signer, {
        params: { recipient_public_key: recipientPublicKey },
        nonce: begun.otp_id,
        expires_at: begun.expires_at,
      });
      // A session signs, and passkeys do where the wallet has any: its session would be refused then.
      const by = begun.passkey_required ? { ...wanted, session: undefined } : wanted;
      const authorization = await authorize(by, begun.signer, document, now());
      const body = { otp_id: begun.otp_id, otp_code: code, recipient_public_key: recipientPublicKey };
      const ordered = await post<WalletExport>(
        pathOf(account),
        { ...body, signer: begun.signer, authorization },
        options,
      );
      if (ordered.recipient_public_key !== recipientPublicKey || ordered.signer !== begun.signer) {
        throw new TransactionMismatchError(
          "signers",
          "the service ordered another export than the one that was signed",
        );
      }
      return ordered;
    },
    list: (account: string): Promise<readonly WalletExport[]> => get(pathOf(account)),
    /** With the key, once its delay is over: `openExportedKey` opens it. */
    get: (account: string, id: string): Promise<WalletExport> => get(ofOne(account, id)),
    cancel: async ({ account, walletExport, ...by }: CancelWalletExport): Promise<WalletExport> => {
      const { id, signer } = walletExport;
      const document = documentOf("cancelWalletExport", signer, { params: { export_id: id } });
      const authorization = await authorize(by, signer, document, now());
      return call({ method: "DELETE", path: ofOne(account, id), body: { authorization } });
    },
    /** What exports of the tenant wait. Needs a secret key with the scope `admin:keys`, as the next. */
    terms: (): Promise<WalletExportTerms> => get("/wallet-export-terms"),
    setTerms: (terms: WalletExportTerms): Promise<WalletExportTerms> =>
      call({ method: "PUT", path: "/wallet-export-terms", body: terms }),
  };
}

/**
 * Opens the key of an export with the private key of its recipient: 64 bytes, the seed and the public key, as Solana's tools keep
 * a key. Rejects with `InvalidKeyError` where there is none, or it was sealed to another key.
 */
export async function openExportedKey(
  { signer, sealed_key: sealed }: Pick<WalletExport, "signer" | "sealed_key">,
  privateKeyPkcs8: Uint8Array,
): Promise<Uint8Array> {
  if (sealed === undefined) throw new InvalidKeyError("the key has not left its custodian yet");
  const privateKey = privateKeyInPkcs8(privateKeyPkcs8);
  try {
    return await openHpke(privateKey, {
      encapsulatedKey: decodeBase64(sealed.encapsulated_key),
      ciphertext: decodeBase64(sealed.ciphertext),
      info: encodeUtf8(`trellis/wallet-export/1/${signer}`),
    });
  } catch (cause) {
    throw new InvalidKeyError("the key cannot be opened with this private key", { cause });
  }
}
