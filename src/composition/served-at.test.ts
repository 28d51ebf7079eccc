import { Buffer } from "node:buffer";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { SiteFile } from "../http/site.js";
import { servedAt } from "./served-at.js";

const fileOf = (text: string): SiteFile => ({ headers: { etag: '"1"' }, bytes: { identity: Buffer.from(text) } });
const site = new Map([
  ["/openapi.json", fileOf('{"openapi":"3.1.0","servers":[{"url":"/"}],"paths":{}}')],
  ["/openapi/wallet-exports.json", fileOf('{"servers":[{"url":"/"}]}')],
  ["/docs/", fileOf('"servers":[{"url":"/"}]')],
]);

it("documents name the public URL as their server, in every form they go out in, under another tag", () => {
  const served = servedAt(site, "https://trellis.example/$&/");
  for (const path of ["/openapi.json", "/openapi/wallet-exports.json"]) {
    const { headers, bytes } = served.get(path) ?? fileOf("");
    const texts = [bytes.identity, gunzipSync(bytes.gzip ?? ""), brotliDecompressSync(bytes.br ?? "")].map(String);
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0] ?? "").servers).toEqual([{ url: "https://trellis.example/$&" }]);
    expect(headers.etag).not.toBe('"1"');
  }
  expect(served.get("/docs/")).toBe(site.get("/docs/"));
  expect(servedAt(site, undefined)).toBe(site);
});
