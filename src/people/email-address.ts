import { domainToASCII } from "node:url";
import { TrellisError } from "@trellis/kernel/errors.js";

/** dot-atom of RFC 5322: no quoted form, no comment. */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const asciiDomain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;
/** ASCII that a domain may be written with; everything else in ASCII would be cut or decoded by the IDN conversion. */
const plainOrForeign = /^[a-zA-Z0-9.\-\u0080-\u{10ffff}]+$/u;

/**
 * Turns one addr-spec into the form it is stored and written to: ASCII lower case, international domains in punycode
 * (gap 13). Throws `invalid_email` for anything else: display names, lists, quoted local parts, control characters.
 */
export function parseEmailAddress(text: string): string {
  const at = text.indexOf("@");
  if (/^\S+ \S*@/.test(text)) throw new TrellisError("invalid_email", { field: "email", suggestion: plusHint });
  if (at < 1 || text.length > 320) throw invalid();
  const local = text.slice(0, at).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const domain = text.slice(at + 1);
  if (local.length > 64 || !localPart.test(local) || !plainOrForeign.test(domain)) throw invalid();
  const ascii = domainToASCII(domain).toLowerCase();
  if (ascii.length + local.length + 1 > 254 || !asciiDomain.test(ascii)) throw invalid();
  return `${local}@${ascii}`;
}

/** What a caller meant who sent `ada+shop@example.org` as it is. */
const plusHint = "A plus sign in a query stands for a blank: write it as %2B.";

function invalid(): TrellisError {
  return new TrellisError("invalid_email", { field: "email" });
}
