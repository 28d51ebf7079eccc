import { afterEach, describe, expect, it } from "vitest";
import { pageStorage } from "./web.js";

const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");

afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(globalThis, "localStorage");
  else Object.defineProperty(globalThis, "localStorage", before);
});

describe("the storage of a page", () => {
  it("is memory where the person has forbidden pages to keep anything", async () => {
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      get: () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
    const storage = pageStorage();
    await storage.setItem("name", "value");
    expect(await storage.getItem("name")).toBe("value");
  });
});
