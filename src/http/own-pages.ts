import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import type { Caller } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { FastifyRequest } from "fastify";
import { readSessionCookie } from "../members/session-cookie.js";
import { headerText } from "./request-context.js";

/** What a browser says of a request that a page of this service made, or its user by typing the address. */
const ownSites: ReadonlySet<string | undefined> = new Set([undefined, "same-origin", "none"]);

/** Throws `foreign_page` where a browser says that a page of another origin made the request (gap 217). */
export function refuseForeignPages({ headers }: Pick<FastifyRequest, "headers">, publicUrl: string): void {
  const { origin, host } = headers;
  const isOwn = origin === undefined || isOwnOrigin(headerText(origin) ?? "", host, publicUrl);
  if (isOwn && ownSites.has(headerText(headers["sec-fetch-site"]))) return;
  throw new TrellisError("foreign_page");
}

/** The origin of the public URL. Without one pages are reached by whatever address the request names. */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (origin === originOf(publicUrl)) return true;
  return !publicUrl.startsWith("https:") && host !== undefined && origin === `http://${host}`;
}

/**
 * The origin of the page that reads from the service which it came from: browsers send no `Origin` then, and say `Sec-Fetch-Site:
 * same-origin`, which no page can choose. What proxies say of the host counts for nothing here.
 */
export function ownOriginOf({ headers }: Pick<FastifyRequest, "headers">, publicUrl: string): string | undefined {
  if (headerText(headers["sec-fetch-site"]) !== "same-origin") return undefined;
  const { host } = headers;
  if (publicUrl.startsWith("https:") || host === undefined) return originOf(publicUrl);
  return `http://${host}`;
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/** Throws `invalid_csrf_token` unless the request has the token of its session. */
export function requireCsrfToken({ headers }: Pick<FastifyRequest, "headers">, { member }: Caller): void {
  const given = Buffer.from(headerText(headers["x-csrf-token"]) ?? "");
  const own = Buffer.from(member?.csrfToken ?? "");
  if (own.length > 0 && given.length === own.length && timingSafeEqual(given, own)) return;
  throw new TrellisError("invalid_csrf_token");
}

/** The session of a member in a request that has no key (gap 217): a request with any `authorization` is a key's. */
export function sessionCookieOf({ headers }: Pick<FastifyRequest, "headers">, publicUrl: string): string | undefined {
  return headers.authorization === undefined ? readSessionCookie(publicUrl, headers.cookie) : undefined;
}
