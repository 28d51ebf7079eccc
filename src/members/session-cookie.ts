import { limits } from "@trellis/kernel/limits.js";

/** Whether pages reach the service encrypted: then no page in clear, nor of another host, can set the cookie. */
const isSecure = (publicUrl: string): boolean => publicUrl.startsWith("https:");

const nameAt = (publicUrl: string): string => `${isSecure(publicUrl) ? "__Host-" : ""}trellis_console`;

/** The header that gives a browser its session (gap 216). */
export function sessionCookie(publicUrl: string, token: string): string {
  return cookie(publicUrl, token, limits.memberSessionMs / 1000);
}

/** The header that takes it away. */
export const noSessionCookie = (publicUrl: string): string => cookie(publicUrl, "", 0);

function cookie(publicUrl: string, value: string, maxAgeSeconds: number): string {
  const flags = ["Path=/", `Max-Age=${maxAgeSeconds}`, "HttpOnly", "SameSite=Strict"];
  if (isSecure(publicUrl)) flags.push("Secure");
  return [`${nameAt(publicUrl)}=${value}`, ...flags].join("; ");
}

/** The session's token in a request's `cookie` header. Of two under the name neither counts: one of them is another host's. */
export function readSessionCookie(publicUrl: string, header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const start = `${nameAt(publicUrl)}=`;
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  const [only] = values;
  return only === undefined || values.length > 1 ? undefined : only.slice(start.length);
}
