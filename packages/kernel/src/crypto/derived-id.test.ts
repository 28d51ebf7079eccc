import { expect, it } from "vitest";
import { deriveId, frameTexts } from "./derived-id.js";

const secret = new Uint8Array(32).fill(1);

it("gives the same names the same id, in the form of a random UUID", () => {
  const id = deriveId(secret, ["tenant", "sandbox", "ada@example.org"]);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(deriveId(secret, ["tenant", "sandbox", "ada@example.org"])).toBe(id);
});

it("gives other names, another order, another cut and another secret another id", () => {
  const ids = [
    deriveId(secret, ["ab", "c"]),
    deriveId(secret, ["a", "bc"]),
    deriveId(secret, ["c", "ab"]),
    deriveId(secret, ["abc"]),
    deriveId(secret, ["ab", "c", ""]),
    deriveId(new Uint8Array(32).fill(2), ["ab", "c"]),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(Buffer.from(frameTexts(["é", ""])).toString("hex")).toBe("00000002c3a900000000");
});
