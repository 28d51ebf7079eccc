/** Where the page goes back to, and what it takes there. */

/** Schemes of browsers and systems, which no application has for itself. */
const notOfApps: ReadonlySet<string> = new Set(
  "about blob content data file filesystem ftp intent javascript mailto sms tel vbscript view-source ws wss".split(" "),
);
const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The address that a ceremony names; undefined for one that the page does not go to. It goes to pages by https, on the machine itself by
 * http, and to applications by a scheme of their own.
 */
export function returnAddress(redirectUrl: string | null): URL | undefined {
  if (redirectUrl === null || !URL.canParse(redirectUrl)) return undefined;
  const url = new URL(redirectUrl);
  const scheme = url.protocol.slice(0, -1);
  if (url.username + url.password !== "") return undefined;
  if (scheme === "https") return url;
  if (scheme === "http") return loopback.has(url.hostname) ? url : undefined;
  const isOfApp = redirectUrl.toLowerCase().startsWith(`${scheme}:/`) && !notOfApps.has(scheme);
  return isOfApp && !/^(chrome|moz|safari|edge|opera|resource|ms-)/.test(scheme) ? url : undefined;
}

/** What a person reads of it: the host, or the scheme of an application. */
export const placeOf = ({ protocol, host }: URL): string =>
  protocol === "https:" || protocol === "http:" ? host : `an application, by ${protocol}//`;

/** The page that hears of it, where it is one. */
export const originOf = ({ protocol, origin }: URL): string | undefined =>
  protocol === "https:" || protocol === "http:" ? origin : undefined;

/** The address with the outcome in its query, beside what is there already. */
export function withOutcome(address: URL, outcome: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  return url.href;
}
