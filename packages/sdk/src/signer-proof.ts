import { ed25519 } from "@noble/curves/ed25519.js";
import type { PasskeySession } from "./account-holder.js";
import { requireAddress } from "./address.js";
import { encodeBase64, encodeUtf8 } from "./encoding.js";
import { addressOfKey, type SignerKey } from "./sign-transaction.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { SignerChallenge, SignerProof } from "./wire.js";

/** What a signer of an account agrees to. */
export type SignerConsent = {
  /** That the service serves the account, or that it does not any more. */
  readonly purpose: "import" | "release";
  /** The smart account. */
  readonly account: string;
};

const statements: Readonly<Record<SignerConsent["purpose"], string>> = {
  import: "I am a signer of the smart account below and want this service to serve it.",
  release: "I am a signer of the smart account below and want this service to STOP serving it for the tenant below.",
};

/**
 * Makes the `proof` of `accounts.import` or `accounts.release` from the `challenge` that they answered: a signer's own key signs its text, or
 * the key of a passkey's live session. Throws `TransactionMismatchError` (`payload`), with nothing signed, for a text that is not about this
 * account and this purpose, and `InvalidKeyError`.
 */
export function proveSigner(
  { message }: Pick<SignerChallenge, "message">,
  { purpose, account }: SignerConsent,
  by: SignerKey | PasskeySession,
): SignerProof {
  const [statement, ...lines] = message.split("\n");
  const named = lines.flatMap((line) => (line.startsWith("Account: ") ? [line.slice("Account: ".length)] : []));
  if (statement !== statements[purpose] || named.length !== 1 || named[0] !== requireAddress(account)) {
    throw new TransactionMismatchError("payload", `the text is not about the ${purpose} of this account`, {
      expected: account,
      actual: named.join(", "),
    });
  }
  const key = "passkeyAccount" in by ? by.key : by;
  const own = addressOfKey(key);
  const signature = encodeBase64(ed25519.sign(encodeUtf8(message), key.subarray(0, 32)));
  return { signer_address: "passkeyAccount" in by ? by.passkeyAccount : own, message, signature };
}
