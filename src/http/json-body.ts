import type { FastifyInstance } from "fastify";

/**
 * Reads bodies as JSON and as nothing else. No bytes at all under `content-type: application/json` are no body, not an
 * error (gap 12). The text stays at `request.bodyText`. Keys that would reach a prototype are refused.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, text, done) => {
    request.bodyText = text;
    if (text === "") done(null, undefined);
    else parse(request, text, done);
  });
}
