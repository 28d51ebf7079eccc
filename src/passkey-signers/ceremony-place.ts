import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { relyingPartyOf } from "@trellis/kernel/relying-party.js";
import { type PublicPlace, publicPlace } from "../tenants/public-place.js";
import { type RelyingPartyTerms, relyingPartyIn } from "../tenants/relying-party.js";

/** The page that has a challenge signed. */
export interface CeremonyPage extends PublicPlace {
  /** Without its query. */
  readonly url: string;
  /** Of the tenant's own, and not the service's. */
  readonly isNamed: boolean;
}

/** Where the service's own page is. */
export const ceremonyPagePath = "/passkeys/ui";

/** What the signature program takes as a domain. */
const domainForm = /^[a-z0-9.-]{1,32}$/;

/**
 * The service's own page, or the one that the caller names. That one has to be on an origin of the tenant's relying party, whose host
 * is the relying party itself: the signature program knows no related origins. Throws `passkeys_not_configured` and `invalid_request`.
 */
export function ceremonyPage(
  network: Pick<Network, "name">,
  publicUrl: string,
  relyingParty: RelyingPartyTerms | null,
  baseUrl: string | undefined,
): CeremonyPage {
  const place = baseUrl === undefined ? ownPage(publicUrl) : namedPage(network, publicUrl, relyingParty, baseUrl);
  if (!domainForm.test(place.rpId) || (network.name === "mainnet" && place.rpId === "localhost")) {
    throw new TrellisError("passkeys_not_configured", {
      message: `Passkeys that sign on chain need a domain of at most 32 characters, which ${place.rpId} is not.`,
    });
  }
  return place;
}

function ownPage(publicUrl: string): CeremonyPage {
  const place = publicPlace(publicUrl);
  return { ...place, url: `${place.origin}${ceremonyPagePath}`, isNamed: false };
}

function namedPage(
  network: Pick<Network, "name">,
  publicUrl: string,
  relyingParty: RelyingPartyTerms | null,
  baseUrl: string,
): CeremonyPage {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw refusedPage("baseUrl must be the address of a page, without a query.");
  }
  if (url.origin === (URL.canParse(publicUrl) ? new URL(publicUrl).origin : undefined)) return ownPage(publicUrl);
  const terms = relyingPartyIn(network.name, relyingParty);
  if (!relyingPartyOf(terms.id, terms.origins).allows(url.origin) || url.hostname !== terms.id) {
    throw refusedPage(
      "baseUrl must be on the tenant's relying party itself, and its origin one of those that are set at /api/service/v1/relying-party.",
    );
  }
  const path = url.pathname === "/" ? ceremonyPagePath : url.pathname;
  return { ...publicPlace(url.origin), url: `${url.origin}${path}`, isNamed: true };
}

const refusedPage = (message: string) => new TrellisError("invalid_request", { field: "baseUrl", message });

/** Schemes of browsers and systems, which no application has for itself. */
const notOfApps: ReadonlySet<string> = new Set(
  "about blob content data file filesystem ftp http intent javascript mailto sms tel vbscript view-source ws wss".split(
    " ",
  ),
);
const ofBrowsers = /^(chrome|moz|safari|edge|opera|resource|ms-)/;

/**
 * Where the browser goes from the page: a page, or an application by a scheme of its own. Clients of the first service with this interface
 * encode the whole address once more, which is undone. Throws `invalid_request` for what is neither, or is not encrypted.
 */
export function parseRedirectUrl(network: Pick<Network, "name">, text: string): string {
  const url = parseUrl(/^https?%3A/i.test(text) ? decodeOnce(text) : text);
  if (url === undefined || !isReturn(url, network) || url.username !== "" || url.password !== "") {
    throw new TrellisError("invalid_request", {
      field: "metaInfo.redirectUrl",
      message:
        "redirectUrl must begin with https://, with http://localhost outside of mainnet, or with an application's own scheme, and have no password.",
    });
  }
  return url.href;
}

function isReturn({ protocol, hostname, href }: URL, { name }: Pick<Network, "name">): boolean {
  if (protocol === "https:") return true;
  if (protocol === "http:") return hostname === "localhost" && name !== "mainnet";
  const scheme = protocol.slice(0, -1);
  return href.startsWith(`${scheme}:/`) && !notOfApps.has(scheme) && !ofBrowsers.test(scheme);
}

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // What is no encoding of a text is no address either.
    return text;
  }
}
