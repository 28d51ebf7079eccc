import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { SiteFile } from "./site.js";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** What is read at a path, with the headers that belong to it. */
export interface Rendered {
  readonly content: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Shorter texts gain nothing by compression. */
const compressedFromBytes = 1_024;
/** The highest, 11, takes twice the time of the whole build for a twentieth less. */
const brotliQuality = 9;

/** What is served of a file: its bytes in every form, and an entity tag that says which file it is. */
export async function fileOf({ content, headers }: Rendered): Promise<SiteFile> {
  const isText = typeof content === "string";
  const identity = isText ? Buffer.from(content) : content;
  const etag = `W/"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
  // Pictures that are not texts are compressed in themselves.
  if (!isText || content.length < compressedFromBytes) return { headers: { ...headers, etag }, bytes: { identity } };
  const [br, gzipped] = await Promise.all([
    compressBrotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    compressGzip(identity, { level: 7 }),
  ]);
  return { headers: { ...headers, etag }, bytes: { identity, br, gzip: gzipped } };
}
