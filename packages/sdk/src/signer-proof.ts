import { ed25519 } from "@noble/curves/ed25519.js";
import type { PasskeySession } from "./account-holder.js";
import { requireAddress } from "./address.js";
import { encodeBase64, encodeUtf8 } from "./encoding.js";
import { addressOfKey, type SignerKey } from "./sign-transaction.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { SignerChallenge, SignerProof, WireEnvironment } from "./wire.js";

/** What a signer of an account agrees to. */
export type SignerConsent = {
  /** That the service serves the account, or that it does not any more. */
  readonly purpose: "import" | "release";
  /** The smart account. */
  readonly account: string;
  /** That of the client: a text of another one is of no use. */
  readonly environment: WireEnvironment;
  /** The id of the tenant that serves it, or is to serve it, where the application knows it. Absent: any. */
  readonly tenant?: string;
};

const statements: Readonly<Record<SignerConsent["purpose"], readonly string[]>> = {
  import: [
    "I am a signer of the smart account below and want this service to serve it.",
    "This moves no money and changes no rights.",
  ],
  release: [
    "I am a signer of the smart account below and want this service to STOP serving it for the tenant below.",
    "Another tenant can import it then. This moves no money and changes no rights.",
  ],
};

/** The lines of a text, each whole, or with a word of the service's behind it. */
const linesOf = ({
  purpose,
  account,
  environment,
  tenant,
}: SignerConsent): readonly (string | { before: string })[] => {
  const whose = purpose === "import" ? "For: " : "Released by: ";
  return [
    ...statements[purpose],
    "",
    `Account: ${requireAddress(account)}`,
    `Environment: ${environment}`,
    tenant === undefined ? { before: whose } : `${whose}${tenant}`,
    ...(purpose === "import" ? [] : [{ before: "Import: " }]),
    { before: "Valid until: " },
    { before: "Code: " },
  ];
};

/**
 * Makes the `proof` of `accounts.import` or `accounts.release` from the `challenge` that they answered: a signer's own key signs its text, or
 * the key of a passkey's live session. Throws `TransactionMismatchError` (`payload`), with nothing signed, for a text that is not about this
 * account, purpose, environment and tenant, or says anything else besides, and `InvalidKeyError`. The text does not name the service: a service
 * can pass on that of another one. `tenant` tells the two apart.
 */
export function proveSigner(
  { message }: Pick<SignerChallenge, "message">,
  consent: SignerConsent,
  by: SignerKey | PasskeySession,
): SignerProof {
  const [lines, wanted] = [message.split("\n"), linesOf(consent)];
  const other = wanted.findIndex((line, i) => !isLine(lines[i], line));
  if (other !== -1 || lines.length !== wanted.length) {
    const place = other === -1 ? wanted.length : other;
    const line = wanted[place];
    throw new TransactionMismatchError("payload", `the text is not about the ${consent.purpose} of this account here`, {
      expected: typeof line === "object" ? `${line.before}…` : line,
      actual: lines[place],
    });
  }
  const key = "passkeyAccount" in by ? by.key : by;
  const own = addressOfKey(key);
  const signature = encodeBase64(ed25519.sign(encodeUtf8(message), key.subarray(0, 32)));
  return { signer_address: "passkeyAccount" in by ? by.passkeyAccount : own, message, signature };
}

const isLine = (line: string | undefined, wanted: string | { readonly before: string }): boolean =>
  typeof wanted === "string"
    ? line === wanted
    : line?.startsWith(wanted.before) === true && /^\S+$/.test(line.slice(wanted.before.length));
