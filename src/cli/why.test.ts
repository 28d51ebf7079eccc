import { describe, expect, it } from "vitest";
import { whyOf } from "./why.js";

describe("the reason of a failure", () => {
  it("is said to its end, each part once", () => {
    const refused = new Error("connect ECONNREFUSED 127.0.0.1:1");
    expect(whyOf(new TypeError("fetch failed", { cause: refused }))).toBe(
      "fetch failed: connect ECONNREFUSED 127.0.0.1:1",
    );
    expect(whyOf(new Error("no answer: it is gone", { cause: new Error("it is gone") }))).toBe("no answer: it is gone");
    expect(whyOf("plain")).toBe("plain");
  });

  it("is a code where there are no words", () => {
    const several = Object.assign(new AggregateError([new Error("::1"), new Error("127.0.0.1")]), {
      code: "ECONNREFUSED",
    });
    expect(whyOf(new TypeError("fetch failed", { cause: several }))).toBe("fetch failed: ECONNREFUSED");
  });

  it("is what fetch itself had", async () => {
    const failed = await fetch("http://127.0.0.1:1").catch((error: unknown) => error);
    expect(whyOf(failed)).toMatch(/^fetch failed: .*(ECONNREFUSED|bad port)/);
  });
});
