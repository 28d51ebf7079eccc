import type { FastifyInstance } from "fastify";
import { TrellisError } from "../errors.js";

/**
 * Reads bodies as JSON and as nothing else. No bytes at all under `content-type: application/json` are no body, not an
 * error (gap 12). The text stays at `request.bodyText`. Keys that would reach a prototype are refused.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, text, done) => {
    request.bodyText = text;
    const encoding = request.headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") {
      done(
        new TrellisError("unsupported_media_type", { message: "Send the body as it is, without content-encoding." }),
      );
    } else if (text === "") done(null, undefined);
    else parse(request, text, (error, body) => done(error === null ? null : explain(error, text), body));
  });
}

/** JSON it may be all the same: then it is said what is wrong with it. */
function explain(error: Error, text: string): Error {
  try {
    JSON.parse(text);
  } catch {
    return error;
  }
  return new TrellisError("invalid_request", {
    message: "The body has a key that is not allowed anywhere: __proto__, or a constructor with a prototype.",
    cause: error,
  });
}
