import { TrellisError } from "@trellis/kernel/errors.js";
import ipaddr from "ipaddr.js";
import type { ApiKeyKind, ApiKeySide } from "./api-key.js";

/** Where a request comes from. */
export interface Place {
  /** The remote address, as text. */
  readonly address: string;
  /** The `Origin` header, which browsers send and pages cannot choose. */
  readonly origin: string | undefined;
}

/** What a browser can send: no patterns, which a parser of URLs may accept as hosts. */
export const originForm = /^[a-z]+:\/\/[a-z0-9.:[\]-]+$/;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Ranges as they are kept. An address alone is the range of itself. Throws `invalid_request`. */
export function keepRanges(ranges: readonly string[]): string[] {
  return [...new Set(ranges.map((text, i) => textOf(parseRange(text, `allowed_addresses.${i}`))))];
}

/**
 * Origins as they are kept: scheme, host and port, exactly as browsers send them. A live key takes https only. Throws
 * `invalid_request`.
 */
export function keepOrigins(
  origins: readonly string[],
  { kind, side }: { readonly kind: ApiKeyKind; readonly side: ApiKeySide },
): string[] {
  if (kind !== "publishable" && origins.length > 0) {
    throw new TrellisError("invalid_request", {
      field: "allowed_origins",
      message: "Only publishable keys have origins: a page must never hold another one.",
    });
  }
  if (kind === "publishable" && origins.length === 0) {
    throw new TrellisError("invalid_request", {
      field: "allowed_origins",
      message: "A publishable key needs the origins of the pages that may use it.",
    });
  }
  const schemes = side === "live" ? ["https:"] : ["https:", "http:"];
  origins.forEach((text, i) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && url.origin === text && originForm.test(text) && schemes.includes(url.protocol)) return;
    throw new TrellisError("invalid_request", {
      field: `allowed_origins.${i}`,
      message: `An allowed origin is one such as https://app.example, without path${side === "live" ? "; a live key takes https only" : ""}.`,
    });
  });
  return [...new Set(origins)];
}

/** Whether every one of the ranges lies within one of the others. All are as they are kept. */
export function areWithin(ranges: readonly string[], others: readonly string[]): boolean {
  const outer = others.map((text) => ipaddr.parseCIDR(text));
  return ranges.every((text) => {
    const [address, bits] = ipaddr.parseCIDR(text);
    return outer.some((range) => range[1] <= bits && isWithin(address, range));
  });
}

/**
 * Throws `address_not_allowed` and `origin_not_allowed` unless the key may be used from there. A key with limits is of no
 * use where the place is not known.
 */
export function checkPlace(
  key: { readonly kind: ApiKeyKind; readonly origins: readonly string[]; readonly addresses: readonly string[] },
  place: Place | undefined,
): void {
  if (key.kind === "publishable" && (place?.origin === undefined || !key.origins.includes(place.origin))) {
    throw new TrellisError("origin_not_allowed");
  }
  if (key.addresses.length === 0) return;
  const from = place !== undefined && ipaddr.isValid(place.address) ? ipaddr.process(place.address) : undefined;
  const isAllowed = from !== undefined && key.addresses.some((text) => isWithin(from, ipaddr.parseCIDR(text)));
  if (!isAllowed) throw new TrellisError("address_not_allowed");
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match([base, bits]);
}

function parseRange(text: string, field: string): Range {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) {
    const [address, bits] = ipaddr.parseCIDR(text);
    // An IPv4 address in IPv6 clothes is compared as what it is.
    if (address.kind() === "ipv4" || !(address as ipaddr.IPv6).isIPv4MappedAddress()) return [address, bits];
    if (bits >= 96) return [(address as ipaddr.IPv6).toIPv4Address(), bits - 96];
  } else if (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)) {
    const address = ipaddr.process(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  }
  throw new TrellisError("invalid_request", {
    field,
    message: "An allowed address is one, or a range in CIDR notation such as 203.0.113.0/24.",
  });
}

const textOf = ([address, bits]: Range): string => `${address.toNormalizedString()}/${bits}`;
