import type { FastifyInstance } from "fastify";
import { jsonContentType } from "./endpoint-route.js";
import type { OpenApiDocument } from "./openapi.js";
import { openApiContract } from "./operational-endpoints.js";
import { keepAnswers } from "./static-answers.js";

/** The page runs its own script, and talks to this server only: nothing is fetched from, or told to, anybody else. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Serves the document at `/openapi.json`, and, unless `page` is false, a page to read it by and try it out at `/docs/`. Both
 * are read by anybody, so that all readers share the same bytes.
 */
export async function addDocs(
  app: FastifyInstance,
  document: OpenApiDocument,
  options: { readonly page: boolean },
): Promise<void> {
  await app.register(async (open) => {
    keepAnswers(open);
    const text = JSON.stringify(document);
    open.get(openApiContract.path, { config: { operation: openApiContract.operation } }, (_request, reply) => {
      reply.header("content-type", jsonContentType).header("cache-control", "no-cache").send(text);
    });
    if (options.page) await addPage(open);
  });
}

async function addPage(app: FastifyInstance): Promise<void> {
  const { default: apiReference } = await import("@scalar/fastify-api-reference");
  await app.register(async (page) => {
    page.addHook("onRequest", (_request, reply, done) => {
      reply.header("content-security-policy", pagePolicy);
      reply.header("cache-control", "max-age=3600");
      done();
    });
    await page.register(apiReference, {
      routePrefix: "/docs",
      configuration: {
        url: openApiContract.path,
        pageTitle: "Trellis API",
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: "never",
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    });
  });
}
