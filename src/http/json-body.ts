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

/** Says where it is no JSON, without a word of what stands there; or, where it is JSON all the same, what is wrong with it. */
function explain(error: Error, text: string): Error {
  try {
    JSON.parse(text);
  } catch (fault) {
    const place = placeOf(fault, text);
    const message = place === undefined ? {} : { message: `The request body is not valid JSON: ${place}.` };
    return new TrellisError("malformed_json", { ...message, cause: error });
  }
  return new TrellisError("invalid_request", {
    message: "The body has a key that is not allowed anywhere: __proto__, or a constructor with a prototype.",
    cause: error,
  });
}

/** The fault's place, where the parser names one. */
function placeOf(fault: unknown, text: string): string | undefined {
  const message = fault instanceof Error ? fault.message : "";
  if (message.startsWith("Unexpected end")) return "it ends too early";
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined) return undefined;
  const before = text.slice(0, Number(position)).split("\n");
  return `see line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
