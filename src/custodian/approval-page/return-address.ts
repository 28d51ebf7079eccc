import type { RelyingParty } from "@trellis/kernel/crypto/webauthn.js";

/** Where an answer may go. */
export interface AllowedReturns {
  readonly party: RelyingParty;
  /** Of the page itself: an answer that went there would be read as a question. */
  readonly ownOrigin: string | null;
  /** Exact addresses of native applications, from the custodian's own configuration. */
  readonly appAddresses: readonly string[];
}

/**
 * Whether the page may go to an address with the answer in its fragment. A web address is one of an origin that the wallet knows, written as
 * browsers write it. It has no query: that is where a site takes addresses to send visitors on to, and a fragment goes with them.
 */
export function isReturnAddress(text: string, { party, ownOrigin, appAddresses }: AllowedReturns): boolean {
  if (appAddresses.includes(text)) return true;
  if (/[?#]/.test(text) || !URL.canParse(text)) return false;
  const { href, origin, protocol, username, password } = new URL(text);
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && href === text && username + password === "" && origin !== ownOrigin && party.allows(origin);
}
