/** What a custodian certifies of the changes of settings that wait at a wallet. */
import type { KeyObject } from "node:crypto";
import { readSigned, type SignedReceipt, signText } from "./custodian-receipt.js";
import type { ChangesCertificate } from "./ports/wallet-policy.js";

/** No other text that a custodian signs begins so. */
const domain = "trellis-custodian-changes/1\n";

export const signChangesCertificate = (identity: KeyObject, certificate: ChangesCertificate): SignedReceipt =>
  signText(domain, identity, certificate);

/** What a certificate says, if the custodian of this identity has signed it; undefined for anything else. Never throws for what was received. */
export const readChangesCertificate = (
  identity: KeyObject | Uint8Array,
  certificate: SignedReceipt,
): ChangesCertificate | undefined => readSigned(domain, identity, certificate);
