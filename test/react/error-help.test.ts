import { readFileSync } from "node:fs";
import { explainError } from "@trellis/react";
import { TrellisApiError } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { errorHelp } from "../../src/http/docs/error-help.js";

describe("what people are told of errors", () => {
  it("is about codes that there are", () => {
    const text = readFileSync(new URL("../../react/src/explain-error.ts", import.meta.url), "utf8");
    const codes = [...text.matchAll(/^ {2}([a-z_]+): "/gm)].map(([, code = ""]) => code);
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !(code in errorHelp))).toEqual([]);
  });

  it("is the service's own word where there is no better one", () => {
    const answer = { status: 409, code: "api_key_limit", message: "Too many keys.", details: [], requestId: undefined };
    const error = new TrellisApiError({ ...answer, retryAfterSeconds: 3 });
    expect(explainError(error)).toEqual({
      code: "api_key_limit",
      help: "Too many keys.",
      retryAfterSeconds: 3,
      cause: error,
    });
    expect(explainError("what")).toMatchObject({ code: "unexpected", help: "what" });
  });
});
