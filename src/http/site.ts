import type { Buffer } from "node:buffer";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openApiContract } from "./operational-endpoints.js";

export type Encoding = "br" | "gzip" | "identity";

/** What anybody may read at a path: bytes that all readers share, in every form they go out in. */
export interface SiteFile {
  /** Those that belong to the file: its type, its entity tag, how long it may be kept, and what its page may run. */
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string };
  /** Short files gain nothing by compression and have no other form. */
  readonly bytes: { readonly identity: Buffer } & { readonly [encoding in Encoding]?: Buffer };
}

/** The OpenAPI document and the documentation, by path: rendered by packages/docs-site when the service is built. */
export type Site = ReadonlyMap<string, SiteFile>;

/** What leads on to another page. */
const redirects: readonly (readonly [from: string, to: string])[] = [
  ["/", "/docs/"],
  ["/docs", "/docs/"],
  ["/docs/api", "/docs/api/"],
];

/**
 * Serves the files of the site, compressed where the client takes that, and 304 to a client that has them already. Of a
 * site whose pages are not wanted the OpenAPI document remains.
 */
export function addSite(app: FastifyInstance, site: Site, options: { readonly pages: boolean }): void {
  for (const [path, file] of site) {
    if (path === openApiContract.path) {
      app.get(path, { config: { operation: openApiContract.operation } }, (request, reply) =>
        send(request, reply, file),
      );
    } else if (options.pages) app.get(path, (request, reply) => send(request, reply, file));
  }
  if (!options.pages || !site.has("/docs/")) return;
  for (const [from, to] of redirects) app.get(from, (_request, reply) => reply.redirect(to, 302));
}

/** Serves the treasury and the page of passkey signers, and the console where it is wanted; leads there who left a last slash out. */
export function addPages(app: FastifyInstance, files: Site, options: { readonly console: boolean }): void {
  for (const [path, file] of files) {
    if (path === "/console/" && !options.console) continue;
    app.get(path, (request, reply) => send(request, reply, file));
    if (path.endsWith("/")) app.get(path.slice(0, -1), (_request, reply) => reply.redirect(path, 302));
  }
}

function send(request: FastifyRequest, reply: FastifyReply, { headers, bytes }: SiteFile): FastifyReply {
  reply.headers(headers).header("vary", withAcceptEncoding(reply));
  if (isKnownTo(request, headers.etag)) return reply.code(304).removeHeader("content-type").send();
  const accepted = acceptedBy(request);
  const encoding = (["br", "gzip"] as const).find((each) => bytes[each] !== undefined && accepted.includes(each));
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  return reply.send(bytes[encoding ?? "identity"]);
}

function acceptedBy(request: FastifyRequest): readonly (string | undefined)[] {
  return String(request.headers["accept-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(";", 1)[0]);
}

function isKnownTo(request: FastifyRequest, etag: string): boolean {
  const given = request.headers["if-none-match"];
  if (given === undefined) return false;
  // Compared weakly: RFC 9110, section 13.1.2.
  const opaque = etag.replace(/^W\//, "");
  return given.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === opaque);
}

function withAcceptEncoding(reply: FastifyReply): string {
  const vary = reply.getHeader("vary");
  return vary === undefined ? "accept-encoding" : `${String(vary)}, accept-encoding`;
}
