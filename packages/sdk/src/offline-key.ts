import { ed25519 } from "@noble/curves/ed25519.js";
import { getAddressEncoder } from "@solana/addresses";
import type { SignatureBytes } from "@solana/keys";
import { getTransactionDecoder, getTransactionEncoder } from "@solana/transactions";
import { requireAddress } from "./address.js";
import { decodeBase64, encodeBase64, equalBytes } from "./encoding.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";

/** An Ed25519 key that signs elsewhere, as a recovery key does that is kept on a machine without a network. */
export type OfflineKey = {
  readonly address: string;
  /**
   * Has the key sign: a base64 transaction goes there, and the same one comes back with its signature (`signTransaction` does it).
   * It has to be back before the transaction expires.
   */
  readonly sign: (transaction: string) => Promise<string>;
};

/**
 * Puts the signature of such a key into a transaction, which stays what it was. Rejects with `TransactionMismatchError` where another
 * transaction comes back, or none that the key has signed.
 */
export async function signOffline(transactionBase64: string, { address, sign }: OfflineKey): Promise<string> {
  const signer = requireAddress(address);
  const transaction = getTransactionDecoder().decode(decodeBase64(transactionBase64));
  const returned = getTransactionDecoder().decode(decodeBase64(await sign(transactionBase64)));
  const message = Uint8Array.from(transaction.messageBytes);
  if (!equalBytes(message, Uint8Array.from(returned.messageBytes))) {
    throw new TransactionMismatchError("altered", "another transaction came back from the offline key");
  }
  const signature = Object.hasOwn(returned.signatures, signer) ? returned.signatures[signer] : undefined;
  const publicKey = Uint8Array.from(getAddressEncoder().encode(signer));
  if (!signature || !ed25519.verify(Uint8Array.from(signature), message, publicKey, { zip215: false })) {
    throw new TransactionMismatchError("signers", "the offline key has not signed the transaction", {
      expected: signer,
    });
  }
  const signatures = { ...transaction.signatures, [signer]: signature as SignatureBytes };
  return encodeBase64(Uint8Array.from(getTransactionEncoder().encode({ ...transaction, signatures })));
}
