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

/** A change of settings that a wallet signs after its delay alone. */
export interface DelayedChange {
  /** Of this one time that it waits: 64 small hex digits. */
  readonly id: string;
  /** From when on it is signed, and from when on it is not any more: ISO 8601. */
  readonly from: string;
  readonly until: string;
  /** What it does to which settings; null: it began before custodians kept that. */
  readonly content: readonly ChangeContent[] | null;
}

/** As the custodian has read it. Amounts are texts, in base units; keys of actions are those of the program. */
export interface ChangeContent {
  /** Base58. */
  readonly settings: string;
  readonly by: "members" | "admin" | "proposal";
  readonly actions: readonly { readonly __kind: string }[];
}

/** What a custodian certifies of the changes that wait: all of them. Its members are those of the document that is signed. */
export interface ChangesCertificate {
  /** Base58. */
  readonly address: string;
  /** When it was so, by the clock that the wallet goes by: ISO 8601. */
  readonly as_of: string;
  /** The next to be signed first. */
  readonly changes: readonly DelayedChange[];
  /** As it was asked with; null: without one. */
  readonly nonce: string | null;
  /** As the custodian names it. */
  readonly wallet: string;
}

/** The changes that wait as their custodian certifies them: `custodian-changes-certificate.ts` reads it. */
export interface CertifiedChanges {
  readonly certificate: CertifiedPolicy["certificate"];
  readonly content: ChangesCertificate;
}
