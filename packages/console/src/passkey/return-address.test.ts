import { expect, it } from "vitest";
import { originOf, placeOf, returnAddress, withOutcome } from "./return-address.js";

it.each([
  ["https://app.example/back?step=2", "app.example", "https://app.example"],
  ["http://localhost:8081/", "localhost:8081", "http://localhost:8081"],
  ["http://127.0.0.1/", "127.0.0.1", "http://127.0.0.1"],
  ["http://[::1]:3000/", "[::1]:3000", "http://[::1]:3000"],
  ["myapp://signed-in", "an application, by myapp://", undefined],
  ["com.example.app:/signed-in", "an application, by com.example.app://", undefined],
  ["exp://127.0.0.1:8081/--/", "an application, by exp://", undefined],
])("goes back to %s", (address, place, origin) => {
  const back = returnAddress(address);
  expect(back && placeOf(back)).toBe(place);
  expect(back && originOf(back)).toBe(origin);
});

it.each([
  null,
  "",
  "/back",
  "app.example/back",
  "http://app.example/",
  "http://localhost.example/",
  "https://user:secret@app.example/",
  "myapp://user@signed-in",
  "javascript:alert(1)",
  "javascript://app.example/%0Aalert(1)",
  "JavaScript:/alert(1)",
  "java\nscript:/alert(1)",
  "data:text/html,x",
  "blob:https://app.example/1",
  "file:///etc/hosts",
  "intent://app#Intent;scheme=https;end",
  "view-source:https://app.example",
  "about:blank",
  "chrome://settings",
  "chrome-extension://abc/page.html",
  "ms-settings:/network",
  "mailto:ada@example.com",
  "myapp:signed-in",
])("goes nowhere for %j", (address) => {
  expect(returnAddress(address)).toBeUndefined();
});

it("says the outcome in the query, beside what is there, in place of what says otherwise", () => {
  const back = returnAddress("https://app.example/back?step=2&status=success#top");
  expect(back && withOutcome(back, { status: "error", message: "a&b" })).toBe(
    "https://app.example/back?step=2&status=error&message=a%26b#top",
  );
  const app = returnAddress("myapp://signed-in");
  expect(app && withOutcome(app, { status: "success" })).toBe("myapp://signed-in?status=success");
});
