import { ed25519 } from "@noble/curves/ed25519.js";
import { base64urlnopad } from "@scure/base";
import { encodeHex, encodeUtf8 } from "./encoding.js";
import { TransactionMismatchError } from "./transaction-mismatch-error.js";
import type { CustodianReceipt } from "./wire.js";

/** The guardian, as its operator names it: the service is not asked. */
export type PinnedGuardian = {
  /** Its Ed25519 key in base64url: what `trellis custodian` prints as its identity. */
  readonly identity: string;
};

/** What the guardian has to certify of a wallet. */
export type CertifiedWallet = {
  /** The wallet: a signer of the account. */
  readonly address: string;
  readonly rpId: string;
  /** The one passkey that commands it. `public_key`: the point, uncompressed, in hex. */
  readonly passkey: { readonly credential_id: string; readonly public_key: string };
};

/** No other text that a custodian signs begins so. */
const domain = "trellis-custodian-receipt/1\n";

/**
 * Requires a receipt of the guardian that this wallet obeys this passkey and nothing else. Without it a service in wrong hands could
 * have enrolled a passkey of its own, or have named a wallet of its own as the guardian's. Throws `TransactionMismatchError`.
 */
export function assertReceipt(
  { identity }: PinnedGuardian,
  receipt: CustodianReceipt | undefined,
  expected: CertifiedWallet,
): void {
  const actual = receipt && readCertified<Certified>(domain, { identity }, receipt);
  if (actual === undefined) throw mismatch("the guardian has not certified the wallet");
  const { address, rpId, passkey } = expected;
  if (actual.address !== address) throw mismatch("the guardian has certified another wallet");
  const [only, ...others] = actual.passkeys ?? [];
  const isOnly =
    others.length === 0 && only?.credential_id === passkey.credential_id && only.public_key === passkey.public_key;
  if (!isOnly) throw mismatch("the wallet obeys another passkey than the one that was made");
  if (actual.policy?.kind !== "guarded" || actual.policy.rp?.id !== rpId) {
    throw mismatch("the wallet obeys more than passkeys of this domain");
  }
}

const mismatch = (message: string) => new TransactionMismatchError("signers", message);

/** What the guardian certifies under a domain; undefined where it has not signed it. */
export function readCertified<Content>(
  kind: string,
  { identity }: PinnedGuardian,
  { document, signature }: { readonly document: string; readonly signature: string },
): Content | undefined {
  try {
    const text = encodeUtf8(kind + document);
    const isSigned = ed25519.verify(base64urlnopad.decode(signature), text, base64urlnopad.decode(identity), {
      zip215: false,
    });
    return isSigned ? (JSON.parse(document) as Content) : undefined;
  } catch {
    // What is no text of these forms is no certificate.
    return undefined;
  }
}

/** What the guardian certifies under a nonce, of one wallet. */
type AboutWallet = { readonly address: string; readonly nonce: string };

/** What was certified, if it is about this wallet and is the answer to this question. Throws `TransactionMismatchError`. */
export function certifiedOf<Content>(
  kind: string,
  { signer, guardian }: { readonly signer: string; readonly guardian: PinnedGuardian },
  certificate: { readonly document: string; readonly signature: string } | null,
  nonce: string,
): Content {
  const content = certificate === null ? undefined : readCertified<Content & AboutWallet>(kind, guardian, certificate);
  if (content === undefined) throw mismatch("the guardian has not certified it");
  if (content.address !== signer) throw mismatch("the guardian has certified it of another wallet");
  if (content.nonce !== nonce) throw mismatch("the guardian has certified it at another time");
  return content;
}

/** What a certificate is asked with: 32 random bytes in small hex. */
export const makeNonce = (): string => encodeHex(crypto.getRandomValues(new Uint8Array(32)));

/** When a document ends that is delivered now, by the guardian's clock. */
export const endOfDocument = (asOf: string): string => new Date(Date.parse(asOf) + 600_000).toISOString();

type Certified = {
  readonly address?: string;
  readonly passkeys?: readonly { readonly credential_id: string; readonly public_key: string }[];
  readonly policy?: { readonly kind: string; readonly rp: { readonly id: string } | null };
};
