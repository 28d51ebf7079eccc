import { isIP } from "node:net";
import { TrellisError } from "@trellis/kernel/errors.js";

/** Where passkeys belong that pages of this service ask for (gaps 225, 233). */
export interface PublicPlace {
  /** The host of the public address: the domain of the passkeys. */
  readonly rpId: string;
  /** The only origin whose pages may ask for them. */
  readonly origin: string;
}

/** The host of a public address; undefined where that is none. */
export const publicHost = (publicUrl: string): string | undefined =>
  URL.canParse(publicUrl) ? new URL(publicUrl).hostname : undefined;

/** Of the pages at an address. Throws `passkeys_not_configured` where browsers have no passkeys: at a number, or without https. */
export function publicPlace(publicUrl: string): PublicPlace {
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && url.hostname === "localhost");
  if (url === undefined || !isSafe || isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) {
    throw new TrellisError("passkeys_not_configured", {
      message:
        "Passkeys belong to a domain: this service's pages have them at an address with https and a name, or at localhost.",
    });
  }
  return { rpId: url.hostname, origin: url.origin };
}
