import { expect, it } from "vitest";
import { splitAtHeadings } from "./sections.js";

it("a comment in a block of code is no heading", () => {
  const page = ["# Title", "```sh", "# a comment", "ls", "```", "## Next", "#### part of it", "text"];
  expect(splitAtHeadings(page.join("\n"))).toEqual([
    [],
    ["# Title", "```sh", "# a comment", "ls", "```"],
    ["## Next", "#### part of it", "text"],
  ]);
});
