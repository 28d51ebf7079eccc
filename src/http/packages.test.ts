import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fastify } from "fastify";
import { afterAll, expect, it } from "vitest";
import { addPackages } from "./packages.js";

const folder = mkdtempSync(join(tmpdir(), "trellis-packages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("offers what was packed, to the byte and for good, with the integrity that npm compares", async () => {
  const bytes = Buffer.from([0x1f, 0x8b, 0, 255, 128]);
  writeFileSync(join(folder, "trellis-sdk-0.1.0.tgz"), bytes);
  writeFileSync(join(folder, "notes.txt"), "no package");
  const app = fastify();
  await addPackages(app, folder);
  const listed = await app.inject("/packages/");
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  expect(listed.json()).toEqual([{ path: "/packages/trellis-sdk-0.1.0.tgz", integrity }]);
  const got = await app.inject("/packages/trellis-sdk-0.1.0.tgz");
  expect(got.rawPayload).toEqual(bytes);
  expect(got.headers).toMatchObject({
    "content-type": "application/gzip",
    "cache-control": "public, max-age=31536000, immutable",
  });
  for (const path of ["/packages/notes.txt", "/packages/..%2fnotes.txt", "/packages/trellis-react-0.1.0.tgz"]) {
    expect((await app.inject(path)).statusCode).toBe(404);
  }
  await app.close();
});

it("offers nothing where nothing was packed", async () => {
  const app = fastify();
  await addPackages(app, join(folder, "nowhere"));
  expect((await app.inject("/packages/")).json()).toEqual([]);
  await app.close();
});
