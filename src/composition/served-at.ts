import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Site, SiteFile } from "../http/site.js";

const documentPath = /^\/openapi(\.json|\/[a-z-]+\.json)$/;
const unknownServer = '"servers":[{"url":"/"}]';
/** A start waits for it. */
const brotliQuality = 4;

/** The site with the public URL as the server in its OpenAPI documents. Without one they say `/`, where they were read. */
export function servedAt(site: Site, publicUrl: string | undefined): Site {
  if (publicUrl === undefined) return site;
  const server = `"servers":[{"url":${JSON.stringify(publicUrl.replace(/\/+$/, ""))}}]`;
  return new Map(
    [...site].map(([path, file]) => [path, documentPath.test(path) ? withServer(file, server) : file] as const),
  );
}

function withServer({ headers, bytes }: SiteFile, server: string): SiteFile {
  const identity = Buffer.from(bytes.identity.toString("utf8").replace(unknownServer, () => server));
  const etag = `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
  const br = brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
  return { headers: { ...headers, etag }, bytes: { identity, br, gzip: gzipSync(identity) } };
}
