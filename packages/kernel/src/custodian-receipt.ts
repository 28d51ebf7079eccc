/** What a custodian certifies of a wallet: which passkeys command it, and by which terms. */
import { Buffer } from "node:buffer";
import type { KeyObject } from "node:crypto";
import { canonicalJson } from "./crypto/canonical-json.js";
import { signEd25519, verifyEd25519 } from "./crypto/ed25519.js";

/** Its members are those of the document that is signed. */
export interface CustodianReceipt {
  /** As the custodian names it. */
  readonly wallet: string;
  /** Base58. */
  readonly address: string;
  /** All that command the wallet now, by their `credential_id`. `public_key`: the point, uncompressed, in hex. */
  readonly passkeys: readonly { readonly credential_id: string; readonly public_key: string }[];
  readonly policy: {
    /** `guarded`: it obeys these passkeys, and what they granted; `session`: also keys that the service registers. */
    readonly kind: "session" | "guarded";
    /** The domain of its passkeys and the pages that may ask for them; null: not fixed. */
    readonly rp: { readonly id: string; readonly origins: readonly string[] } | null;
  };
}

/** A receipt as it is handed out. */
export interface SignedReceipt {
  /** Canonical JSON. */
  readonly document: string;
  /** Base64url: Ed25519 of the custodian's identity key. */
  readonly signature: string;
}

/** No other text that a custodian signs begins so. */
const domain = "trellis-custodian-receipt/1\n";

/** Signs a receipt with a custodian's identity key. */
export const signReceipt = (identity: KeyObject, receipt: CustodianReceipt): SignedReceipt =>
  signText(domain, identity, receipt);

/**
 * What a receipt says, if the custodian of this identity (32 bytes, or its key) has signed it; undefined for anything else. Never throws
 * for what was received.
 */
export const verifyReceipt = (identity: KeyObject | Uint8Array, receipt: SignedReceipt): CustodianReceipt | undefined =>
  readSigned(domain, identity, receipt);

/** Signs what a custodian certifies, under the domain of its kind. */
export function signText(kind: string, identity: KeyObject, content: object): SignedReceipt {
  const document = canonicalJson(content);
  const signature = signEd25519(identity, Buffer.from(kind + document, "utf8"));
  return { document, signature: Buffer.from(signature).toString("base64url") };
}

/** What was certified so; undefined for anything else. */
export function readSigned<Content>(
  kind: string,
  identity: KeyObject | Uint8Array,
  { document, signature }: SignedReceipt,
): Content | undefined {
  const bytes = Buffer.from(signature, "base64url");
  if (!verifyEd25519(identity, Buffer.from(kind + document, "utf8"), bytes)) return undefined;
  try {
    // What the pinned identity has signed is of this shape: it signs nothing else under this domain.
    return JSON.parse(document) as Content;
  } catch {
    return undefined;
  }
}
