import { type Buffer, isUtf8 } from "node:buffer";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { FastifyInstance } from "fastify";
import { findRepeatedName } from "./repeated-names.js";

/**
 * Reads bodies as JSON and as nothing else. No bytes at all under `content-type: application/json` are no body, not an
 * error (gap 12). The text stays at `request.bodyText`. Keys that would reach a prototype are refused, and so are bytes that
 * are not UTF-8 and two members of one name.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    const text = bytes.toString("utf8");
    request.bodyText = text;
    const encoding = request.headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") {
      done(
        new TrellisError("unsupported_media_type", { message: "Send the body as it is, without content-encoding." }),
      );
    } else if (text === "") done(null, undefined);
    else if (!isUtf8(bytes)) done(new TrellisError("malformed_json", { message: "The request body is not UTF-8." }));
    else {
      parse(request, text, (error, body) => {
        if (error !== null) return done(explain(error, text));
        const repeated = findRepeatedName(text);
        done(repeated === undefined ? null : twice(repeated, text), body);
      });
    }
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

/** Of two members of one name a reader takes the first, another the last: what was meant cannot be determined. */
function twice(position: number, text: string): TrellisError {
  const message = `The request body has two members of one name in one object: ${lineAndColumn(position, text)}.`;
  return new TrellisError("malformed_json", { message });
}

/** The fault's place, where the parser names one. */
function placeOf(fault: unknown, text: string): string | undefined {
  const message = fault instanceof Error ? fault.message : "";
  if (message.startsWith("Unexpected end")) return "it ends too early";
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? undefined : lineAndColumn(Number(position), text);
}

function lineAndColumn(position: number, text: string): string {
  const before = text.slice(0, position).split("\n");
  return `see line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
