/** What a custodian certifies of the policy of a wallet. Its members are those of the document that is signed. A policy is of the form in docs/custodian-policy.schema.json. */
export interface PolicyCertificate {
  /** Base58. */
  readonly address: string;
  /** When it was so, by the clock that the wallet goes by: ISO 8601. */
  readonly as_of: string;
  /** What becomes the policy, and from when on; null: nothing waits. */
  readonly next: { readonly policy: object; readonly from: string } | null;
  /** As it was asked with, so that none of another time is taken for it; null: without one. */
  readonly nonce: string | null;
  readonly policy: object;
  /** What the next document has to replace. */
  readonly version: number;
  /** As the custodian names it. */
  readonly wallet: string;
}

/** A wallet's policy as its custodian certifies it: `custodian-policy-certificate.ts` reads it. */
export interface CertifiedPolicy {
  /** Canonical JSON with the custodian's signature in base64url. */
  readonly certificate: { readonly document: string; readonly signature: string };
  readonly content: PolicyCertificate;
}
