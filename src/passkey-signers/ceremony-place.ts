import { TrellisError } from "@trellis/kernel/errors.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { relyingPartyOf } from "@trellis/kernel/relying-party.js";
import { type PublicPlace, publicPlace } from "../tenants/public-place.js";
import { type RelyingPartyTerms, relyingPartyIn } from "../tenants/relying-party.js";

/** The page that has a challenge signed. */
export interface CeremonyPage extends PublicPlace {
  /** Without its query. */
  readonly url: string;
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
  return { ...place, url: `${place.origin}${ceremonyPagePath}` };
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
  return { ...publicPlace(url.origin), url: `${url.origin}${path}` };
}

const refusedPage = (message: string) => new TrellisError("invalid_request", { field: "baseUrl", message });

/** Where the browser goes from the page. Throws `invalid_request` for what is no page, or is not encrypted. */
export function parseRedirectUrl(network: Pick<Network, "name">, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === "http:" && url.hostname === "localhost" && network.name !== "mainnet";
  const isPage = url?.protocol === "https:" || isLocal;
  if (url === undefined || !isPage || url.username !== "" || url.password !== "") {
    throw new TrellisError("invalid_request", {
      field: "metaInfo.redirectUrl",
      message:
        "redirectUrl must begin with https://, or with http://localhost outside of mainnet, and have no password.",
    });
  }
  return url.href;
}
