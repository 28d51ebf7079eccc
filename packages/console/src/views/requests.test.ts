import { expect, it } from "vitest";
import { filterOf } from "./requests.js";

it("shows what was refused first, and narrows by one thing at a time", () => {
  const filters = ["", "status=", "status=failed", "status=refused&code=c", "status=refused&code=c&request_id=r"];
  expect(filters.map((text) => filterOf(new URLSearchParams(text)))).toEqual([
    { status: "refused" },
    {},
    { status: "failed" },
    { code: "c" },
    { request_id: "r" },
  ]);
});
