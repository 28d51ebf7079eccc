import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "./encoding.js";

const platforms = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

describe("UTF-8", () => {
  it("is read as the platform reads it, where it has a decoder", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(decodeUtf8(encodeUtf8(text))).toBe(platforms.decode(encodeUtf8(text)));
      }),
    );
  });

  it("is distinguished from other bytes as the platform does", () => {
    const outcome = (read: () => string) => {
      try {
        return read();
      } catch (error) {
        return (error as Error).name;
      }
    };
    // Bytes near those at which the rules change.
    const byte = fc.constantFrom(
      ...[0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1],
      ...[0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff],
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 6 }), (bytes) => {
        const given = Uint8Array.from(bytes);
        expect(outcome(() => decodeUtf8(given))).toBe(outcome(() => platforms.decode(given)));
      }),
      { numRuns: 5_000 },
    );
  });
});
