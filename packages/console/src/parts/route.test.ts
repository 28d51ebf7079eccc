import { expect, it } from "vitest";
import { hrefOf, parseRoute } from "./route.js";

it.each([
  ["", undefined, [], ""],
  ["#/", undefined, [], ""],
  ["#/sandbox", "sandbox", [], ""],
  ["#/sandbox/accounts/abc?email=a%40b.c", "sandbox", ["accounts", "abc"], "email=a%40b.c"],
  ["#/sandbox/accounts/a%2Fb", "sandbox", ["accounts", "a/b"], ""],
  ["#/sandbox/%E0%A4%A", "sandbox", ["%E0%A4%A"], ""],
])("%s is read", (hash, environment, parts, query) => {
  const route = parseRoute(hash);
  expect([route.environment, route.parts, route.query.toString()]).toEqual([environment, parts, query]);
});

it("what is written is read back", () => {
  const href = hrefOf("devnet", ["accounts", "a/b?c#d"], { email: "ada+1@example.org", memo: undefined, address: "" });
  const { environment, parts, query } = parseRoute(href);
  expect([environment, parts, Object.fromEntries(query)]).toEqual([
    "devnet",
    ["accounts", "a/b?c#d"],
    { email: "ada+1@example.org" },
  ]);
});
