import { assertOurs } from "@trellis/kernel/errors.js";
import { openApiContract } from "./operational-endpoints.js";
import type { Site, SiteFile } from "./site.js";
import { fileOf } from "./site-file.js";

/** A document that was rendered for no server in particular: where it is read from is where its calls go. */
const anyServer = '"servers":[{"url":"/"}]';

/**
 * The site of a service that is found at `url`, without a slash at its end: its OpenAPI documents name that address, so that
 * a client made from a copy of one knows where to send its calls. Other files stay as they are.
 */
export async function siteOfServer(site: Site, url: string): Promise<Site> {
  const files = [...site].map(
    async ([path, file]): Promise<[string, SiteFile]> => [
      path,
      path === openApiContract.path || path.startsWith("/docs/openapi/") ? await naming(file, url) : file,
    ],
  );
  return new Map(await Promise.all(files));
}

function naming({ headers, bytes }: SiteFile, url: string): Promise<SiteFile> {
  const text = bytes.identity.toString();
  assertOurs(text.includes(anyServer), "an OpenAPI document names a server already");
  return fileOf({
    content: text.replace(anyServer, () => JSON.stringify({ servers: [{ url }] }).slice(1, -1)),
    headers,
  });
}
