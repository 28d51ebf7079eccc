import type { Contract } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { FastifyRequest } from "fastify";
import { jsonSchemaOf } from "../json-schema.js";
import { headerText } from "../request-context.js";
import { createTextRenaming, type Dialect, neutralUrl, reversed } from "./dialect.js";
import { compileRenaming } from "./renaming.js";

/** One dialect at the border: everything behind it hears and says neutral names only. */
export interface Speaker {
  /** Request headers of the dialect, for CORS. */
  readonly headers: readonly string[];
  /** The URL in neutral names, whichever it is in. */
  neutralUrl(url: string): string;
  /** Whether the answer to this request is to be in the dialect. */
  isSpokenBy(request: FastifyRequest): boolean;
  /** Gives the headers their neutral names. Throws `invalid_request` where both names are there and say different things. */
  hearHeaders(request: FastifyRequest): void;
  /** Gives a body its neutral names; undefined where a contract has nothing to rename. */
  hearing(contract: Contract): ((body: unknown) => unknown) | undefined;
  /** Puts the text of a success answer into the dialect; undefined where a contract has nothing to rename. */
  saying(contract: Contract): ((body: string) => string) | undefined;
  /** Puts the text of an error body into the dialect. */
  sayError(body: string): string;
}

export function createSpeaker(dialect: Dialect): Speaker {
  const toTheirs = reversed(dialect);
  const headers = Object.entries(dialect.headers);
  const renameText = createTextRenaming(dialect);
  return {
    headers: headers.map(([theirs]) => theirs),
    neutralUrl: (url) => neutralUrl(dialect, url) ?? url,
    isSpokenBy: (request) => neutralUrl(dialect, request.originalUrl) !== undefined,
    hearHeaders: (request) => {
      for (const [theirs, neutral] of headers) {
        const said = headerText(request.headers[theirs]);
        if (said === undefined) continue;
        const already = headerText(request.headers[neutral]);
        if (already !== undefined && already !== said) {
          throw new TrellisError("invalid_request", {
            // Names of headers are renamed in what a dialect says: the two are distinguished by where they come from.
            message: `The header ${theirs} is there under its other name, too, and the two say different things. Send one.`,
          });
        }
        request.headers[neutral] = said;
      }
    },
    hearing: ({ body }) => body && compileRenaming(jsonSchemaOf(body), dialect, "theirs"),
    saying: ({ response }) => {
      const rename = compileRenaming(jsonSchemaOf(response.schema), toTheirs, "neutral");
      if (!rename) return undefined;
      return (text) => {
        const whole = JSON.parse(text);
        return JSON.stringify(response.envelope ? { ...whole, data: rename(whole.data) } : rename(whole));
      };
    },
    sayError: (text) => {
      const { message, details, ...others } = JSON.parse(text) as ErrorBody;
      return JSON.stringify({
        message: renameText(message),
        ...others,
        details: details.map((detail) => ({
          ...detail,
          message: renameText(detail.message),
          ...(detail.field === undefined ? {} : { field: renameText(detail.field) }),
          ...(detail.suggestion === undefined ? {} : { suggestion: renameText(detail.suggestion) }),
        })),
      });
    },
  };
}

/** What this reads of a body that `error-answer.ts` wrote. */
interface ErrorBody {
  readonly message: string;
  readonly details: readonly { readonly field?: string; readonly message: string; readonly suggestion?: string }[];
}
