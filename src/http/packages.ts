import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { jsonContentType } from "./endpoint-route.js";

/** A package that the service offers. */
interface OfferedPackage {
  readonly file: string;
  readonly bytes: Buffer;
  /** As npm writes it: what a lock file holds, and what every later installation is compared with. */
  readonly integrity: string;
}

const packageForm = /^trellis-[a-z]+-\d+\.\d+\.\d+\.tgz$/;

/**
 * Offers the client library and the hooks that belong to this very service, as npm installs them:
 * `npm install https://trellis.example/packages/trellis-sdk-0.1.0.tgz`. `/packages/` lists them with their integrity. A
 * file's bytes never change under its name. `folder` is where `npm run build` has packed them; without it none is offered.
 */
export async function addPackages(app: FastifyInstance, folder: string = builtPackages): Promise<void> {
  const offered = await readPackages(folder);
  app.get("/packages/", (_request, reply) => {
    const list = offered.map(({ file, integrity }) => ({ path: `/packages/${file}`, integrity }));
    reply.header("content-type", jsonContentType).header("cache-control", "no-cache").send(JSON.stringify(list));
  });
  for (const { file, bytes } of offered) {
    app.get(`/packages/${file}`, (_request, reply) => {
      reply
        .header("content-type", "application/gzip")
        .header("cache-control", "public, max-age=31536000, immutable")
        .send(bytes);
    });
  }
}

const builtPackages = fileURLToPath(new URL("../../dist/packages", import.meta.url));

async function readPackages(folder: string): Promise<readonly OfferedPackage[]> {
  // Not built: a service that runs from its sources.
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names
      .filter((name) => packageForm.test(name))
      .sort()
      .map(async (file) => {
        const bytes = await readFile(join(folder, file));
        return { file, bytes, integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}` };
      }),
  );
}
