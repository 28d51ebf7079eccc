import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { renderTestSite } from "../../test/support/test-site.js";
import { endpoints } from "../endpoints.js";
import { siteOfServer } from "./document-server.js";

describe("the OpenAPI documents of a service with an address", () => {
  it("name it, in every form, under an entity tag of their own; pages stay as they are", async () => {
    const built = await renderTestSite(endpoints, { sandbox: true });
    const site = await siteOfServer(built, "https://pay.example/$&/trellis");
    expect([...site.keys()]).toEqual([...built.keys()]);
    const documents = [...site].filter(([, { headers }]) => headers["content-type"]?.startsWith("application/json"));
    expect(documents.length).toBeGreaterThan(20);
    for (const [path, { headers, bytes }] of documents) {
      const before = built.get(path);
      const document = JSON.parse(bytes.identity.toString()) as { servers?: unknown };
      if (path === "/docs/search.json") continue;
      expect([path, document.servers]).toEqual([path, [{ url: "https://pay.example/$&/trellis" }]]);
      expect(headers.etag).not.toBe(before?.headers.etag);
      expect(brotliDecompressSync(bytes.br ?? "").equals(bytes.identity)).toBe(true);
      expect(gunzipSync(bytes.gzip ?? "").equals(bytes.identity)).toBe(true);
    }
    for (const path of ["/docs/", "/docs/search.json", "/llms.txt"]) expect(site.get(path)).toBe(built.get(path));
  });
});
