/** What a custodian certifies of a wallet's policy: which one holds, and which one waits. */
import type { KeyObject } from "node:crypto";
import { readSigned, type SignedReceipt, signText } from "./custodian-receipt.js";
import type { PolicyCertificate } from "./ports/wallet-policy.js";

/** No other text that a custodian signs begins so. */
const domain = "trellis-custodian-policy/1\n";

export const signPolicyCertificate = (identity: KeyObject, certificate: PolicyCertificate): SignedReceipt =>
  signText(domain, identity, certificate);

/** What a certificate says, if the custodian of this identity has signed it; undefined for anything else. Never throws for what was received. */
export const readPolicyCertificate = (
  identity: KeyObject | Uint8Array,
  certificate: SignedReceipt,
): PolicyCertificate | undefined => readSigned(domain, identity, certificate);
